"""The values of plotted quantities that the step of a lesson asks about: the plots beside it show them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gui.app.lessons.player import LessonPlayer
    from robots.lessons.expression import Use
    from robots.lessons.lesson import LessonStep


def levels_of(step: LessonStep) -> dict[str, tuple[float, ...]]:
    """The values by the name of the output or the error that passes them [SI]."""
    found: dict[str, tuple[float, ...]] = {}
    for use in _uses(step):
        if use.number is not None and use.number.kind == "crossing":
            found[use.number.key] = (*found.get(use.number.key, ()), use.number.at)
    return found


def shown_levels(player: LessonPlayer) -> Mapping[str, tuple[float, ...]]:
    """Those of the step that is shown; none beside another scenario than the step's."""
    step = player.course.step
    return {} if step is None or player.away else levels_of(step)


def _uses(step: LessonStep) -> Iterator[Use]:
    for prediction in step.predictions:
        for text in (prediction.answer, *(choice.value for choice in prediction.choices)):
            yield from () if text is None else text.uses
