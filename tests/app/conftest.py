"""The application model with a quick engine of known results, and with the project's own."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gui.app.computing.engine import Engine
from gui.app.jobs import Jobs
from gui.app.session.session import Session
from gui.app.settings import Settings
from robots.scenario.scenario import Scenario, new_scenario
from solvers.solution import Counts
from tests.inline_jobs import InlineJobs


@dataclass(eq=False)
class QuickRun:
    """A run with four equal steps whose state is the time."""

    scenario: Scenario
    status: str = "finished"
    message: str = "Finished."
    outcome: str = "Finished."
    compute_seconds: float = 0.001
    counts: Counts = field(default_factory=lambda: Counts(steps=4, rhs_evaluations=16))
    max_error: dict[str, float] = field(default_factory=lambda: {"energy_J": 1e-3})
    errors: dict[str, np.ndarray] = field(default_factory=lambda: {"energy_J": np.linspace(0.0, 1e-3, 5)})
    t_end: float = 0.0
    rejected: int = 0
    stability: None = None
    loop_stability: None = None
    nbytes: int = 1000
    extent: dict[str, float] = field(default_factory=dict)
    phases: tuple[()] = ()

    def __post_init__(self) -> None:
        self.t_end = self.t_end or self.scenario.duration
        h = self.t_end / 4
        self.log = SimpleNamespace(t=np.arange(4) * h, h=np.full(4, h), accepted=np.ones(4, dtype=bool))

    def shown_as(self, scenario: Scenario) -> QuickRun:
        return replace(self, scenario=scenario)

    def sample(self, times: np.ndarray) -> np.ndarray:
        return np.clip(times, 0.0, self.t_end)[:, None]


@dataclass(eq=False)
class QuickErrors:
    """Errors against a quick reference."""

    run: QuickRun
    reference: Any
    max: dict[str, float] = field(default_factory=lambda: {"reference_q_rad": 2e-5})
    trusted_until: float = float("inf")
    extent: dict[str, float] = field(default_factory=dict)


class QuickReference(str):
    """A reference that is a word and takes no room."""

    nbytes = 0


@dataclass
class Desk:
    """An engine whose calls are counted and whose outcome a test can replace."""

    simulated: list[Scenario] = field(default_factory=list)
    referenced: list[Scenario] = field(default_factory=list)
    outcome: Any = None
    reference_outcome: Any = field(default_factory=lambda: QuickReference("reference"))

    def simulate(self, scenario: Scenario, cancel: Any, progress: Any) -> Any:
        self.simulated.append(scenario)
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return QuickRun(scenario, **(self.outcome or {}))

    def reference(self, scenario: Scenario, cancel: Any, progress: Any) -> Any:
        self.referenced.append(scenario)
        if isinstance(self.reference_outcome, Exception):
            raise self.reference_outcome
        return self.reference_outcome

    @property
    def engine(self) -> Engine:
        return Engine(self.simulate, self.reference, QuickErrors)


class StepwiseJobs(Jobs):
    """Holds every job until the test lets it go on."""

    def __init__(self) -> None:
        super().__init__(dispatch=lambda call: call())
        self.waiting: deque[Any] = deque()

    def start(self, job: Any, lane: str) -> None:
        self.waiting = deque(other for other in self.waiting if other.key != job.key)
        self.waiting.append(job)

    def go(self) -> None:
        """Do the oldest waiting job."""
        job = self.waiting.popleft()
        if not job.discarded:
            job.execute(self.dispatch)

    def go_all(self) -> None:
        """Do everything, and what follows from it."""
        while self.waiting:
            self.go()


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture(scope="session")
def fresh_desk() -> type[Desk]:
    """Makes a new desk for every example of a property test."""
    return Desk


@pytest.fixture
def settings(tmp_path) -> Settings:
    return Settings(tmp_path / "settings")


@pytest.fixture
def scenario() -> Scenario:
    return replace(new_scenario("rr"), duration=2.0)


@pytest.fixture
def session(desk, settings, scenario, clock) -> Session:
    """A started session that computes at once."""
    session = Session(InlineJobs(), settings, scenario, desk.engine, clock)
    session.start()
    return session


@pytest.fixture
def stepwise(desk, settings, scenario, clock) -> Session:
    """A started session whose jobs wait for `session.jobs.go()`."""
    session = Session(StepwiseJobs(), settings, scenario, desk.engine, clock)
    session.start()
    return session


@pytest.fixture
def heard():
    """Records a signal: `calls = heard(signal)`."""

    def listen(signal: Any) -> list[tuple[Any, ...]]:
        calls: list[tuple[Any, ...]] = []
        signal.connect(lambda *args: calls.append(args))
        return calls

    return listen
