"""Shaders that later pictures need are compiled ahead, where the processor draws."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from gui.app.view import ViewSettings
from gui.qt.viewport.bare_context import BareContext
from gui.qt.viewport.rehearsal import Rehearsal
from gui.qt.window.application import make_application
from robots.model.shapes import Pose
from scene.picture import Actor, Dots, Picture


def drawn_in_a_new_process(ahead: bool) -> None:
    """Print how many shaders the driver has compiled before a picture with a ghost, and after it."""
    from scene.gl.actors import UNIT_SPHERE
    from scene.gl.quality import is_software
    from scene.offscreen import Offscreen

    application = make_application(["armstep"])
    line, arm = np.eye(3), Actor(UNIT_SPHERE, Pose(np.eye(4)[None]))
    first = Picture(actors=(arm,), dots=(Dots(line),))
    with Offscreen((250, 150), None, context=BareContext()) as place:
        if not is_software(place.driver.renderer):
            print("no software")
            return
        place.render(first)
        if ahead:
            rehearsed(application)
        before = kept()
        place.render(replace(first, actors=(arm, replace(arm, opacity=0.3))))
        print(before, kept())


def kept() -> int:
    """How many files the driver keeps; it writes them a little later."""
    time.sleep(1.0)
    return sum(1 for file in Path(os.environ["MESA_SHADER_CACHE_DIR"]).rglob("*") if file.is_file())


def rehearsed(parent: QApplication) -> None:
    """Until the shaders are compiled, and what the first dialog for a file asks for is loaded."""
    rehearsal, loop, finished = Rehearsal(parent, ViewSettings), QEventLoop(), []
    rehearsal.finished.connect(lambda: finished.append(True))
    watch = QTimer(rehearsal, interval=20)
    watch.timeout.connect(lambda: finished and not missing() and loop.quit())
    watch.start()
    QTimer.singleShot(30_000, loop.quit)
    rehearsal.begin()
    loop.exec()
    assert finished
    assert not missing()


def missing() -> set[str]:
    """The modules of formats that are not loaded yet."""
    folders, root = ("scene/formats", "gui/qt/export/formats"), Path(__file__).parents[2]
    found = {file.relative_to(root) for folder in folders for file in (root / folder).glob("[!_]*.py")}
    return {".".join(file.with_suffix("").parts) for file in found} - sys.modules.keys()


@pytest.mark.long
def test_the_first_ghost_compiles_nothing_after_the_rehearsal(tmp_path: Path) -> None:
    found = {}
    for ahead in (False, True):
        folder = tmp_path / str(ahead)
        folder.mkdir()
        code = f"from tests.window.test_rehearsal import drawn_in_a_new_process as draw; draw({ahead})"
        environment = os.environ | {"MESA_SHADER_CACHE_DIR": str(folder)}
        words = subprocess.check_output([sys.executable, "-c", code], env=environment, text=True)
        if "no software" in words:
            pytest.skip("the processor does not draw")
        before, after = map(int, words.split())
        if not after:
            pytest.skip("the driver keeps nothing")
        found[ahead] = after - before
    assert found[False] > 0
    assert found[True] == 0
