"""Whether a lesson is true: every scene is computed, every answer and every claim with it."""

from __future__ import annotations

from collections.abc import Callable, Collection

from assets.errors import ArmstepError, BadInput
from robots.lessons.computing import SceneResults, compute
from robots.lessons.lesson import Claim, Lesson, LessonError, LessonStep, Scene
from robots.lessons.outcomes import outcome
from robots.scenario.scenario import Scenario


def check(
    lesson: Lesson,
    *,
    plots: Callable[[Scenario], Collection[str]] | None = None,
    lessons: Collection[str] | None = None,
) -> tuple[LessonError, ...]:
    """Compute everything in a lesson; what is wrong in it, in the order of its lines.

    Args:
        lesson: the lesson.
        plots: keys of the plots that the window has for a scenario; None accepts any. A step's may name a variant:
            `error/tool_m`.
        lessons: keys of the lessons that may be needed first; None accepts any.
    """
    problems = [
        LessonError(1, f"needs must name existing lessons, got {key!r}")
        for key in lesson.needs
        if lessons is not None and key not in lessons
    ]
    results = SceneResults()
    for step in lesson.steps:
        if plots is not None:
            problems += unknown_plots(step.scene, plots)
        try:
            found = compute(step.scene, known=results)
        except ArmstepError as problem:
            problems.append(LessonError(step.scene.line, str(problem)))
            continue
        assert found is not None, "nobody cancels it"
        results = SceneResults({**results.runs, **found.runs}, {**results.references, **found.references})
        problems += _of_step(step, found)
    once = {(problem.line, problem.what): problem for problem in problems}
    return tuple(sorted(once.values(), key=lambda problem: problem.line))


def unknown_plots(scene: Scene, plots: Callable[[Scenario], Collection[str]]) -> list[LessonError]:
    """A problem for each plot of a scene that none of its runs has, where `plots` says which a scenario has."""
    if not scene.plots:
        return []
    known = {key for run in scene.shown for key in plots(run.scenario)}
    wanted = [text.partition("/")[0] for text in scene.plots]
    return [
        LessonError(scene.line, str(BadInput("plots", key, choices=sorted(known))))
        for key in wanted
        if key not in known
    ]


def _of_step(step: LessonStep, results: SceneResults) -> list[LessonError]:
    """The predictions of a step without an answer, and the claims that do not hold."""
    problems = []
    for prediction in step.predictions:
        try:
            outcome(prediction, results)
        except LessonError as problem:
            problems.append(problem)
    for claim in step.claims:
        if problem := _of_claim(claim, results):
            problems.append(problem)
    return problems


def _of_claim(claim: Claim, results: SceneResults) -> LessonError | None:
    try:
        if claim.condition.holds(results.value):
            return None
        found = "; ".join(claim.condition.sides(results.value))
    except ArmstepError as problem:
        return LessonError(claim.line, str(problem))
    return LessonError(claim.line, f"check must hold: {claim.text}, got {found}")
