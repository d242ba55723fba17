"""A long run says in the terminal, too, what it will cost, or that its equations are stiff."""

from __future__ import annotations

from threading import Event, Thread
from time import perf_counter
from typing import TYPE_CHECKING

from assets.watch import Glimpse
from gui.app.computing.forecast import AGAIN, LONG, forecast
from gui.commands._progress import ProgressBar
from robots.scenario.scenario import Scenario

if TYPE_CHECKING:
    from robots.simulation.run import Run


class Forecast:
    """A progress bar of a run with sentences above it; a context manager that ends both.

    Args:
        scenario: of the run, whose progress is the first that is shown.
        bar: where they are shown.

    Attributes:
        look: at the run so far; its computation gets the watch.
    """

    def __init__(self, scenario: Scenario, bar: ProgressBar) -> None:
        self._scenario, self._bar = scenario, bar
        self.look: Glimpse[Run] = Glimpse()
        self._begun, self._due, self._run = perf_counter(), LONG, ""
        self._found, self._said = list[str](), False
        self._thread: Thread | None = None
        self._ended = Event()

    def __enter__(self) -> Forecast:
        self._bar.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
        self._bar.end()

    def show(self, what: str, share: float, rest: str = "") -> None:
        """Show progress, and what is known of the run."""
        self._run = self._run or what
        if what == self._run and not self._said:
            if self._found:
                self._bar.say(self._found[0])
                self._said = True
            else:
                self._look(perf_counter() - self._begun)
        self._bar.show(what, share, rest)

    def _look(self, spent: float) -> None:
        if spent < self._due or (self._thread is not None and self._thread.is_alive()):
            return
        self._due = AGAIN * spent

        def find() -> None:
            if text := forecast(self._scenario, self.look.take(self._ended.is_set)):
                self._found.append(text)

        self._thread = Thread(target=find, name="armstep-forecast", daemon=True)
        self._thread.start()
