"""A run in words: its leading error, how far it is, and its status."""

from __future__ import annotations

from assets.counting import capital, counted
from gui.app import formatting, units
from gui.app.runs import RunRow
from robots.model.quantities import error_parts
from robots.model.robot import Array
from solvers.solution import notes_in_order

TRACKING = "position_m"
"""The error of a tool that tracks a path."""

PREDICT_FIRST = "predict first"
"""Instead of the result of a run that is held."""

TRUSTED = "1e-9"
"""By how much the two runs of a trusted reference differ at most: `GAP` of `robots.simulation.reference`."""


def max_error(row: RunRow) -> tuple[str, float] | None:
    """The run's leading error, (key, maximum).

    Against the path if one is tracked, otherwise against the reference if that is known, otherwise the first other one.
    What was recorded has no error.
    """
    if row.recording:
        return None
    if row.run is not None and TRACKING in row.run.max_error:
        return TRACKING, row.run.max_error[TRACKING]
    if row.own_errors is not None and row.own_errors.max:
        return next(iter(row.own_errors.max.items()))
    if row.run is not None and row.run.max_error:
        return next(iter(row.run.max_error.items()))
    return None


def largest_errors(row: RunRow) -> dict[str, float]:
    """The leading error's maximum, and that of the same error in another unit, where joints turn and slide; by key."""
    if (found := max_error(row)) is None or row.run is None:
        return {}
    known = {**row.run.max_error, **(row.own_errors.max if row.own_errors is not None else {})}
    alike = {key: value for key, value in known.items() if error_parts(key)[0] == error_parts(found[0])[0]}
    return {found[0]: found[1]} | alike


def largest_text(row: RunRow) -> str:
    """The same with units: `3.2·10⁻⁵ rad, 1.1·10⁻⁶ m`."""
    errors = largest_errors(row).items()
    return ", ".join(formatting.error_text(key, value, row.scenario) for key, value in errors)


def leading_error(row: RunRow) -> tuple[str, Array, Array] | None:
    """The error of `max_error` over time: (key, times (n,) [s], values (n,))."""
    if row.recording:
        return None
    if row.run is not None and TRACKING in row.run.errors:
        return TRACKING, row.run.t, row.run.errors[TRACKING]
    for judged in (row.own_errors, row.run):
        if judged is not None and judged.errors:
            name, values = next(iter(judged.errors.items()))
            return name, judged.t, values
    return None


def trust(row: RunRow) -> str:
    """How long the reference can be trusted, as a sentence; empty where it can be trusted to the end."""
    end = _trusted_until(row)
    after = f"after that, two accurate runs differ by more than {TRUSTED}"
    return f"The reference can be trusted until {end}: {after}." if end else ""


def known(row: RunRow) -> str:
    """The same in brief, for the row of the run; empty where its error is not that against the reference."""
    against_path = row.run is not None and TRACKING in row.run.errors
    end = "" if against_path else _trusted_until(row)
    return f"Error known until {end}." if end else ""


def _trusted_until(row: RunRow) -> str:
    """When the reference ceases to mean anything; empty where it does so nowhere in the run."""
    end = row.own_errors.trusted_until if row.own_errors is not None else None
    return "" if end is None or not end < row.scenario.duration else units.clock(end)


def notes(row: RunRow) -> str:
    """What the message on a run says beside how it ended: limits that it passed, impacts; empty where nothing is."""
    return row.message.removeprefix(row.run.outcome).lstrip() if row.run is not None else ""


def agreement(row: RunRow) -> str:
    """How long the row's ensemble agrees, or how far it is computed, as a sentence; empty without one."""
    if row.ensemble_state == "computing":
        return f"The ensemble is being computed: {row.ensemble_progress:.0%}."
    why = f"{row.ensemble_message.rstrip('.')}." if row.ensemble_message else ""
    if row.ensemble is None:
        return why
    found, count = row.ensemble, row.ensemble.runs.size - len(row.ensemble.missing)
    kept = found.statuses().count("finished")
    failed = f" {units.count(count - kept)} of them did not reach the end." if kept < count else ""
    if count < found.runs.size:
        failed += f" {units.count(found.runs.size - count)} members are missing. {why}"
    if found.agrees_until is None:
        return f"The {units.count(count)} members of the ensemble agree to the end.{failed}"
    until = units.clock(found.agrees_until)
    return f"The {units.count(count)} members of the ensemble agree until {until}: then one in ten is far away.{failed}"


def about(seconds: float) -> str:
    """A rough length of time: `40 s`, `9 min`, `3 h`."""
    for size, name in ((3600.0, "h"), (60.0, "min")):
        if seconds >= 1.5 * size:
            return units.with_unit(f"{round(seconds / size)}", name)
    return units.with_unit(f"{max(round(seconds), 1)}", "s")


def computing(row: RunRow) -> str:
    """How far a computation is, and how long the rest will take: `computing, 2%, about 9 min left`."""
    if row.stopped:
        return "stopped, the plots are being prepared"
    if row.progress >= 1.0:
        return "computed, the plots are being prepared"
    if row.progress <= 0.0:
        return "computing"
    share = f"computing, {min(row.progress, 0.99):{'.0%' if row.progress >= 0.01 else '.1%'}}"
    return share if row.seconds_left is None else f"{share}, about {about(row.seconds_left)} left"


def status(row: RunRow) -> str:
    """The run in a sentence for the status bar, between what is nowhere else in brief and what is said of its steps."""
    name = f"{row.label}, {row.setting}"
    if row.state == "failed":
        return f"{name}: {row.message}"
    if row.state == "held":
        return f"{name}: {PREDICT_FIRST}."
    if row.run is None or row.outdated:
        return f"{name}: {computing(row)}. {row.message}".rstrip()
    counts = row.run.counts
    rejected = f" and {units.count(counts.rejected)} rejected" if counts.rejected else ""
    cost = f"{units.count(counts.steps, 'step')}{rejected}"
    evaluations = units.count(counts.rhs_evaluations, "evaluation")
    parts = [f"{cost}, {evaluations}"]
    if row.seconds is not None:
        parts[0] += f", {units.quantity(row.seconds, 's', 2)}"
    if (error := max_error(row)) is not None:
        what = formatting.error_title(error[0], row.scenario)
        parts.append(f"largest error {largest_text(row)} ({what})")
    if row.reference_state == "computing":
        parts.append("reference is being computed")
    last = notes_in_order(phase.solution for phase in row.run.phases)
    said = notes(row)
    said, last = (said.removesuffix(last).rstrip(), last) if said.endswith(last) else (said, "")
    if row.run.status == "cancelled":
        parts.append(row.message[:1].lower() + row.message[1:].rstrip("."))
        said = last = ""
    return " ".join(filter(None, (said, f"{name}: {'; '.join(parts)}.", trust(row), agreement(row), last)))


def news(row: RunRow) -> str:
    """How the row's run ended, in few words, such as "Finished. Largest error 3e-6 rad, 12 steps rejected."""
    if row.run is None or row.state == "failed" or row.run.status != "finished":
        return row.message
    parts, spread = [], "" if row.ensemble_state == "computing" else agreement(row)
    if said := largest_text(row):
        against_path = TRACKING in row.run.errors
        until = "" if against_path else _trusted_until(row)
        parts.append(f"largest error {said}{f' until {until}' if until else ''}")
    if rejected := row.run.counts.rejected:
        parts.append(f"{counted(rejected, 'step')} rejected")
    said = ", ".join(parts)
    return " ".join(filter(None, ("Finished.", f"{capital(said)}." if said else "", notes(row), spread)))
