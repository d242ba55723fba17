"""Keep runs beside each other: the verbs of the table of runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from assets.counting import counted
from assets.errors import ArmstepError
from assets.fields import Value
from gui.app import formatting
from gui.app.documents import MOST_SLOTS, UNTAGGED, Document
from gui.app.history import History
from gui.app.runs import CURRENT, Runs
from gui.app.session.messages import Messages
from robots.scenario.scenario import Scenario


class Comparisons:
    """The pinned runs of the document.

    Args:
        history: where the document is.
        runs: the rows as they are shown.
        messages: where refusals appear.
        new_id: gives the next row's id.
    """

    def __init__(self, history: History[Document], runs: Runs, messages: Messages, new_id: Callable[[], int]) -> None:
        self._history, self._runs, self._messages, self._new_id = history, runs, messages, new_id

    def pin(self) -> int:
        """Pin the current run beside later ones; returns the id of its row.

        Its name and note go with it: the current run is about to become another one.
        """
        pin_id, scenario = self._new_id(), self._runs.current.scenario
        self._change("pin", lambda now: replace(now.with_pin(scenario, pin_id, tag=now.tag), tag=UNTAGGED))
        return pin_id

    def pin_scenario(self, scenario: Scenario) -> int:
        """Pin the run of a scenario beside the others; returns the id of its row."""
        pin_id = self._new_id()
        pinned = _with_words(scenario, self._runs.current.scenario)
        self._change("pin", lambda now: now.with_pin(pinned, pin_id))
        return pin_id

    def duplicate(self, row_id: int) -> int | None:
        """Pin a copy of a row below it; returns the id of the new row."""
        row, pin_id = self._runs.find(row_id), self._new_id()
        if row is None:
            return None
        name = formatting.free_name(row.tag.name, [one.tag.name for one in self._runs.all]) if row.tag.name else ""
        tag = replace(row.tag, name=name)
        self._change("duplicate", lambda now: now.with_pin(row.scenario, pin_id, tag=tag, after=row_id))
        return pin_id

    def rename(self, row_id: int, name: str) -> None:
        """Name a run; an empty name gives it back its method's."""
        row, tidy = self._runs.find(row_id), " ".join(name.split())
        if row is None:
            return
        tag = replace(row.tag, name=tidy, given=row.integration if tidy else "")
        if tag != row.tag:
            text = f"name a run {tidy}" if tidy else f"remove the name of {row.label}"
            self._change(text, lambda now: now.with_tag(row_id, tag))

    def note(self, row_id: int, text: str) -> None:
        """Write a note on a run; an empty one removes it."""
        row = self._runs.find(row_id)
        if row is not None:
            tag = replace(row.tag, note=text.strip())
            self._change(f"note on {row.label}", lambda now: now.with_tag(row_id, tag))

    def colour(self, row_id: int, colour: str) -> None:
        """Give a pinned run a colour (`#RRGGBB`), with a dash that no other run of that colour has."""
        row = self._runs.find(row_id)
        if row is not None:
            self._change(f"colour of {row.label}", lambda now: now.coloured(row_id, colour))

    def move(self, row_id: int, by: int) -> None:
        """Move a pinned run `by` places down, or up if negative, at most to the end."""
        pins = list(self._history.present.pins)
        place = next((place for place, pin in enumerate(pins) if pin.id == row_id), None)
        if place is not None:
            pins.insert(max(place + by, 0), pins.pop(place))
            self.order([pin.id for pin in pins], "move a run")

    def order(self, ids: Iterable[int], text: str = "sort the runs") -> None:
        """Sort the pinned runs by this list of ids; the current run always comes first."""
        places = {pin_id: place for place, pin_id in enumerate(ids)}

        def ordered(now: Document) -> Document:
            return replace(now, pins=tuple(sorted(now.pins, key=lambda pin: places.get(pin.id, len(places)))))

        self._change(text, ordered)

    def remove(self, *row_ids: int) -> None:
        """Remove pinned runs (undo brings them back). The current one cannot be removed, only hidden."""
        if CURRENT in row_ids:
            self._messages.say("The current run cannot be removed; it can be hidden.")
        gone = [row_id for row_id in row_ids if row_id != CURRENT and self._runs.find(row_id)]

        def without(now: Document) -> Document:
            for row_id in gone:
                now = now.without_pin(row_id)
            return now

        self._change("remove a run" if len(gone) < 2 else f"remove {len(gone)} runs", without)

    def take_duration(self, row_id: int) -> None:
        """Compute a pinned run for as long as the current one."""
        pin, scenario = self._history.present.find_pin(row_id), self._history.present.scenario
        if pin is None:
            return
        try:
            longer = pin.scenario.with_value("duration", scenario.duration)
        except ArmstepError as refusal:
            self._messages.say(str(refusal))
            return
        self._change("duration of a run", lambda now: now.swapped(replace(pin, scenario=longer)))

    def compare_all(self, settings: Sequence[Mapping[str, Value]], text: str = "compare") -> bool:
        """Pin one run for each of `settings` (paths to values) beside the current one and those pinned before.

        Those that only repeat another run are left out, and those for which the table has no more colours; one undo
        step takes it all back. False, with a notice, if a setting is refused: nothing changes then.
        """
        self._history.settle()
        document = self._history.present
        try:
            wanted = [document.scenario.with_values(changes) for changes in settings]
        except ArmstepError as refusal:
            self._messages.say(str(refusal))
            return False
        new: list[Scenario] = []
        for scenario in wanted:
            if scenario not in (document.scenario, *(pin.scenario for pin in document.pins), *new):
                new.append(scenario)
        kept = new[: max(MOST_SLOTS - 1 - len(document.pins), 0)]
        self._change(text, lambda now: reduce(lambda made, one: made.with_pin(one, self._new_id()), kept, now))
        said = [] if new else ["These runs are all there already."]
        if left := len(new) - len(kept):
            said.append(f"{counted(left, 'run')} left out: the table takes {MOST_SLOTS}.")
        said += _other_methods(document.scenario, zip(settings, wanted, strict=True))
        if said:
            self._messages.say(" ".join(said))
        return True

    def compare_choices(self, path: str) -> bool:
        """Run every choice of a field side by side; False, with a notice, where that is impossible."""
        field = self._history.present.scenario.fields()[path]
        return self.compare_all([{path: choice} for choice in field.choices], f"compare {field.label}")

    def edit(self, row_id: int) -> None:
        """Make a pinned run's scenario the edited one."""
        self._history.settle()
        row, document = self._runs.find(row_id), self._history.present
        if row is not None and row_id != CURRENT and row.scenario != document.scenario:
            edited = replace(document.editing(row.scenario), tag=UNTAGGED)
            self._history.record(edited, f"edit {row.label}, {row.setting}")

    def take(self, scenario: Scenario, text: str) -> None:
        """Edit the physics and the integrator of `scenario` under the present title and notes."""
        self._history.settle()
        document = self._history.present
        taken = replace(document.editing(_with_words(scenario, document.scenario)), tag=UNTAGGED)
        self._history.record(taken, text)

    def _change(self, text: str, change: Callable[[Document], Document]) -> None:
        """Apply `change` to the document and record it as a step, unless nothing changed."""
        self._history.settle()
        changed = change(self._history.present)
        if changed != self._history.present:
            self._history.record(changed, text)


def _other_methods(present: Scenario, compared: Iterable[tuple[Mapping[str, Value], Scenario]]) -> list[str]:
    """Why some of the compared runs have another method than the present one, as sentences."""
    before, found = formatting.one_name(formatting.method_name(present)), []
    for changes, scenario in compared:
        if "method" not in changes and scenario.method != present.method:
            fields = scenario.fields()
            what = ", ".join(formatting.field_value(fields[path], value) for path, value in changes.items())
            method = formatting.one_name(formatting.method_name(scenario))
            found.append(f"{what} runs with {method}: {before} does not suit it.")
    return found


def _with_words(scenario: Scenario, present: Scenario) -> Scenario:
    """The scenario alone, under the name, title, notes and view of the present one."""
    words = {name: getattr(present, name) for name in ("name", "title", "notes", "view")}
    return replace(scenario.alone(), **words)
