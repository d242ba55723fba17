"""From a scene of a lesson to the document that the window opens."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from assets.fields import Data
from gui.app import documents
from gui.app.documents import Tag
from robots.scenario.scenario import Scenario

if TYPE_CHECKING:
    from robots.lessons.lesson import Scene, SceneRun


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


def name_of(run: SceneRun, scene: Scene) -> str:
    """What legends call a run: its name in the lesson; a run without others needs none."""
    return run.label if len(scene.shown) > 1 else ""
