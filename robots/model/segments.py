"""Changes during a run: values "from here on" and spring pulls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType

from assets.errors import BadInput, one_of
from assets.fields import Field, Value
from assets.json_values import numbers_of

_STIFFNESS = Field("stiffness", "spring stiffness", "N/m", 50.0, 0.0, 1e6)
_DAMPING = Field("damping", "spring damping", "N s/m", 5.0, 0.0, 1e6)
_MOST_POINTS = 100_000


@dataclass(frozen=True, slots=True)
class Pull:
    """A spring and damper from a moving world point to a point on a link, while its track lasts.

    The force on the link is stiffness * (target - p) - damping * dp/dt; the target moves along a smooth curve (cubic,
    with slopes from the neighbours) through the track's points.

    Attributes:
        link: index of the pulled link.
        point: where the spring holds the link, in the link's frame [m].
        stiffness: [N/m].
        damping: [N s/m].
        track: (t, x, y, z) of the target, at least two, times strictly increasing [s, m].
    """

    link: int
    point: tuple[float, float, float]
    stiffness: float
    damping: float
    track: tuple[tuple[float, float, float, float], ...]

    @property
    def start(self) -> float:
        """When the pull begins [s]."""
        return self.track[0][0]

    @property
    def end(self) -> float:
        """When the link is let go [s]."""
        return self.track[-1][0]

    def checked(self, where: str, links: tuple[int, ...]) -> Pull:
        """The pull with plain floats.

        Raises:
            BadInput: naming the part of the pull that cannot be used.
        """
        if self.link not in links or isinstance(self.link, bool):
            must = one_of(map(str, links)) if links else "left out: this robot cannot be pulled"
            raise BadInput(f"{where}.link", self.link, must)
        if not 2 <= len(self.track) <= _MOST_POINTS:
            must = f"a list of 2 to {_MOST_POINTS} points (t, x, y, z)"
            raise BadInput(f"{where}.track", f"{len(self.track)} points", must)
        point = numbers_of(f"{where}.point", self.point, 3)
        track = tuple(numbers_of(f"{where}.track[{k}]", row, 4) for k, row in enumerate(self.track))
        for before, after in pairwise(track):
            if not after[0] > before[0]:
                raise BadInput(f"{where}.track", after[0], f"sorted by time: after {before[0]:g} s")
        return Pull(
            int(self.link),
            point,  # type: ignore[arg-type]
            _STIFFNESS.check(f"{where}.stiffness", self.stiffness),  # type: ignore[arg-type]
            _DAMPING.check(f"{where}.damping", self.damping),  # type: ignore[arg-type]
            track,  # type: ignore[arg-type]
        )


@dataclass(frozen=True, slots=True)
class Segment:
    """From time `at` on [s], `changes` hold (path to value, as in `Scenario.with_values`), or a `pull` acts."""

    at: float
    changes: Mapping[str, Value] = field(default_factory=dict)
    pull: Pull | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "changes", MappingProxyType(dict(self.changes)))

    def __reduce__(self) -> tuple[object, ...]:
        return Segment, (self.at, dict(self.changes), self.pull)

    def checked(self, where: str, links: tuple[int, ...]) -> Segment:
        """The segment with plain floats.

        Raises:
            BadInput: naming what cannot be used.
        """
        at = Field("at", "time", "s", 0.0, 0.0).check(f"{where}.at", self.at)
        pull = self.pull.checked(f"{where}.pull", links) if self.pull else None
        if pull and pull.start != at:
            raise BadInput(f"{where}.at", at, f"the first time in the pull's track, {pull.start:g} s")
        return Segment(at, self.changes, pull)  # type: ignore[arg-type]


def check_pulls(segments: tuple[Segment, ...]) -> None:
    """Refuse pulls that overlap in time.

    Raises:
        BadInput: naming the second pull.
    """
    pulls = sorted((segment.pull for segment in segments if segment.pull), key=lambda pull: pull.start)
    for before, after in pairwise(pulls):
        if after.start < before.end:
            raise BadInput("pull start", after.start, f"after the end of the earlier pull, {before.end:g} s")
