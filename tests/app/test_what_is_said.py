"""What is said of a run: its status in the table, the status line, and the news."""

from __future__ import annotations

from gui.app import run_texts
from gui.app.session.session import Session
from gui.app.settings import Settings
from gui.app.units import clock
from gui.app.verdict import Mood, verdict
from gui.charts.registry import plots
from gui.charts.shown import Shown
from robots.scenario.presets import find_scenario
from robots.simulation.reference import GAP
from tests.app.test_runs_table import TEXTS, moment
from tests.inline_jobs import InlineJobs


def test_how_long_the_reference_can_be_trusted_is_said(tmp_path):
    made = Session(InlineJobs(), Settings(tmp_path), find_scenario("rr-chaos"))
    made.start()
    end = made.runs.current.reference.trusted_until
    assert end < made.scenario.duration
    assert float(run_texts.TRUSTED) == GAP
    after = "after that, two accurate runs differ by more than 1e-9."
    sentence = f"The reference can be trusted until {clock(end)}: {after}"
    assert run_texts.status(made.runs.current).endswith(sentence)
    chart = plots()["error"].drawn(Shown.of(made.runs.all))
    assert chart.note == f"against the reference, trusted until {clock(end)}"


def test_the_status_is_the_first_sentence_of_what_is_said(tmp_path):
    made = Session(InlineJobs(), Settings(tmp_path), find_scenario("rr-swing").with_value("duration", 1.0))
    made.start()
    made.edit("step", 0.03)
    assert "does not divide" in made.runs.current.message
    assert TEXTS["status"].text(made.runs.current, moment(made)) == "Finished at t = 1 s."


def test_what_is_said_of_steps_stands_last_in_the_order_of_time_in_one_sentence(tmp_path):
    """It filled a narrow line, the later part of the run first, before method, steps and error."""
    made = Session(InlineJobs(), Settings(tmp_path), find_scenario("rr-swing").with_value("duration", 1.0))
    made.start()
    made.playback.seek(0.4537)
    made.from_here.set(True)
    assert made.edit("robot.g", 9.0)
    row = made.runs.current
    said = run_texts.status(row)
    change = "then gravity = 9\u00a0m/s² from 0.4537\u00a0s"
    assert said.startswith(f"Runge-Kutta 4 (classical), step 10\u00a0ms, {change}: 101 steps")
    last = "does not divide the time from 0 to 0.4537 s: the last step is 3.7 ms; nor that from 0.4537 to 1 s: the"
    assert said.endswith(f"10 ms {last} last step is 6.3 ms.")
    assert said.index("largest error") < said.index("does not divide")
    assert run_texts.news(row).count("does not divide") == 1


def test_what_else_is_said_of_a_run_is_in_the_status_and_in_the_news(tmp_path):
    far = find_scenario("pa10-circle").with_values({"duration": 60.0})
    made = Session(InlineJobs(), Settings(tmp_path), far)
    made.start()
    row, said = made.runs.current, "Axes S1, S3 and W1 exceed their angle limits"
    assert said in verdict(row).text
    assert verdict(row).mood is Mood.GOOD
    assert made.messages.notice.startswith(said), "a narrow line keeps its first sentence"
    assert said in run_texts.news(row)
    assert TEXTS["status"].text(row, moment(made)) == "Finished at t = 60 s."
