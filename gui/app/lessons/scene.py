"""From a scene of a lesson to the document that the window opens."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from assets.fields import Data
from gui.app import documents
from gui.app.documents import Tag
from robots.scenario.scenario import Scenario

if TYPE_CHECKING:
    from pathlib import Path

    from gui.app.session.messages import Messages
    from robots.lessons.lesson import Lesson, Scene, SceneRun


def scenario_of(scene: Scene) -> Scenario:
    """The first of the scene's runs with the others pinned beside it, and the view that the scene asks for."""
    first, *others = (
        documents.tagged(run.scenario.alone(), Tag(name_of(run, scene)), slot) for slot, run in enumerate(scene.shown)
    )
    view: Data = {**first.view}
    if scene.plots:
        view["plots"] = list(scene.plots)
    if scene.speed is not None:
        view["playback"] = {"speed": scene.speed}
    return documents.side_by_side(replace(first, view=view), *others)


def name_missing_plots(lesson: Lesson, file: Path, messages: Messages) -> None:
    """Say which plots the lesson in `file` names that no run of their scene has: it goes on without them."""
    from gui.charts.registry import plots_of
    from robots.lessons.checking import unknown_plots

    once = {str(problem): None for step in lesson.steps for problem in unknown_plots(step.scene, plots_of)}
    messages.solved("file")
    if once:
        messages.refuse(f"{file.name}, {'; '.join(once)}", "file")


def name_of(run: SceneRun, scene: Scene) -> str:
    """What legends call a run: its name in the lesson; a run without others needs none."""
    return run.label if len(scene.shown) > 1 else ""
