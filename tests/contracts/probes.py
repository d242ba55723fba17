"""What a test adds to a copy of the product: a file of each kind, and a plugin that fails in every way."""

from __future__ import annotations

PROBES = {
    "solvers/methods/probe.py": """
        from dataclasses import replace
        from solvers.method import Family
        from solvers.methods.explicit_runge_kutta import method
        from solvers.tableaux.tableau import load

        def methods():
            return [replace(method(load("rk4")), key="probe-member", aliases=())]

        FAMILY = Family(methods)
    """,
    "robots/catalog/probe/__init__.py": '"""A robot that a test adds."""',
    "robots/catalog/probe/robot.py": """
        from robots.catalog.rr.robot import RR

        class Probe(RR):
            key = "probe"
            title = "A robot that a test adds"

        ROBOT = Probe()
    """,
    "robots/studies/probe.py": """
        from robots.papers.finding import AGREES, Finding
        from robots.papers.study import Study, StudyResult

        def compute(report):
            return StudyResult((), (Finding("figure 1", "it is found", "it is found", AGREES),))

        STUDY = Study("probe", "A study that a test adds", "Paper 0", "It computes nothing.", compute)
    """,
    "gui/charts/plots/probe.py": """
        from gui.charts.plots.energy import EnergyPlot

        class Probe(EnergyPlot):
            key, title, order = "probe", "A plot that a test adds", 0

        PLOT = Probe()
    """,
    "gui/qt/panels/probe.py": """
        from PySide6.QtWidgets import QLabel
        from gui.qt.window.panel import Panel

        PANEL = Panel("probe", "A panel that a test adds", "right", 99, lambda session: QLabel("the panel is here"))
    """,
    "gui/compose/overlays/probe.py": """
        from gui.compose.overlay import Overlay, Pieces
        from scene.picture import Label

        class Probe(Overlay):
            key, title, tip, order = "probe", "An overlay that a test adds", "Writes a word", 200

            def draw(self, moment):
                return Pieces(labels=[Label("the overlay is here", moment.tips[0], moment.colour(moment.shown[0]))])

        OVERLAY = Probe()
    """,
    "gui/qt/export/layouts/probe.py": """
        from gui.qt.export.layouts.scene import SceneLayout

        class Probe(SceneLayout):
            key, title, place = "probe", "A layout that a test adds", 9

            def paint(self, scenes, t, legend):
                pixels = scenes[0].copy()
                pixels[:] = (10, 200, 30, 255)
                return pixels

        LAYOUT = Probe
    """,
    "scene/formats/probe.py": """
        from scene.format import SCENE, StillFormat
        from scene.formats.png import PngWriter, png_metadata

        FORMAT = StillFormat(
            suffix=".probe", label="A format that a test adds", place=99, writer=PngWriter, reader=png_metadata,
            settings=SCENE | {"at"},
        )
    """,
    "gui/qt/export/formats/probedata.py": """
        from gui.qt.export.format import DataFormat

        FORMAT = DataFormat(
            suffix=".probedata", label="Numbers that a test adds", place=99,
            write=lambda data: data.run.scenario.robot.encode(), reader=lambda path: {},
        )
    """,
    "assets/figures/probe.json": '{"width": 100.0}',
    "assets/lessons/probe.md": """
        +++
        title = "A lesson that a test adds"
        minutes = 1
        language = "en"
        level = "beginner"
        +++
        ## Look
        ```scene
        a: rr-swing duration=0.1
        ```
        ```check
        steps(a) == 10
        ```
    """,
    "gui/commands/probe.py": """
        from gui.command import Command

        COMMAND = Command("say that a test added it", None, lambda parser: None, lambda args: print("called") or 0)
    """,
}

BROKEN = """
from gui.charts.plots.energy import EnergyPlot
from robots.catalog.rr.robot import RR
from solvers.method import Family

class Torn(EnergyPlot):
    key, title, order, default = "torn", "A plot that fails when it is drawn", 1, True

    def chart(self, shown, variant):
        raise KeyError("torn")

class Stuck(RR):
    key = "stuck"

    def problem(self, scenario, pull=None):
        raise OverflowError("stuck")

def methods():
    return [1 / 0]

FAMILY, TORN, STUCK, RR_AGAIN = Family(methods), Torn(), Stuck(), RR()
"""

BROKEN_POINTS = {
    "armstep.methods": {"raises": "broken:FAMILY", "absent": "broken.nowhere:FAMILY"},
    "armstep.robots": {
        "a-class": "broken:RR",
        "rr": "broken:RR_AGAIN",
        "misnamed": "broken:RR_AGAIN",
        "stuck": "broken:STUCK",
    },
    "armstep.plots": {"torn": "broken:TORN"},
}
