"""The report of a robot file: what was read, merged, left out, missing, doubtful and impossible, with lines."""

from __future__ import annotations

from html import escape
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QTextBrowser,
    QWidget,
)

from assets.counting import counted
from gui.app.imports.robots import ImportedRobot, RobotImport
from gui.qt.dialogs.ask_file import ask_folder
from gui.qt.dialogs.sheets import Sheet
from gui.qt.style.theme import role
from gui.qt.widgets.parts import WrittenLine, push_button
from gui.qt.widgets.quiet import RoleLabel
from gui.qt.widgets.scroll import RowsList, Scroll
from robots.files.report import RobotFile

_TITLES = {
    "impossible": "Impossible masses and inertias",
    "suspicious": "Likely mistakes",
    "missing": "Missing meshes",
    "ignored": "Left out",
    "merged": "Joined by fixed joints",
}


class RobotReport(Sheet):
    """The report, the repair that it offers, and the folder that it asks for."""

    def __init__(self, window: QWidget, robots: RobotImport, imported: ImportedRobot) -> None:
        super().__init__(window, "Robot report", QSize(860, 560), 0.4)
        self._robots = robots
        found = imported.found
        self.body.addWidget(role(QLabel(f"{found.tree.name}: {counted(len(found.joints), 'joint')}"), "title"))
        self.summary = QLabel(_summary(imported, robots.repairable))
        self.summary.setWordWrap(True)
        self.body.addWidget(self.summary)
        self.list = QTextBrowser()
        self.list.setAccessibleName("Report with line numbers")
        self.list.setAccessibleDescription("What was read from the robot's file, the worst first; the arrows scroll")
        self.list.setHtml(_listed(found))
        self.body.addWidget(self.list, 1)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        self.closing = self.close_button()
        tip = "Look for the missing meshes in another folder"
        self.folder_button = push_button("Choose mesh folder…", tip, self._ask_folder)
        tip = "Give each impossible link the nearest possible inertia"
        self.repair_button = push_button("Repair", tip, self._repair)
        for button in (self.closing, self.folder_button, self.repair_button):
            row.addWidget(button)
        self.folder_button.setVisible(found.lost)
        self.repair_button.setVisible(robots.repairable)
        offered = (robots.repairable, self.repair_button), (found.lost, self.folder_button)
        self.first = role(next((button for wanted, button in offered if wanted), self.closing), "primary")
        self.body.addLayout(row)

    def _repair(self) -> None:
        self.dismiss()
        self._robots.repair()

    def _ask_folder(self) -> None:
        known = self._robots.imported
        beside = None if known is None else known.file.parent
        ask_folder(self.window(), "Folder with the meshes", self._look_in, beside)

    def _look_in(self, folder: Path) -> None:
        self.dismiss()
        self._robots.look_in(folder)


class RobotChoice(Sheet):
    """Asks which robot of a folder or zip to open."""

    def __init__(self, window: QWidget, robots: RobotImport) -> None:
        super().__init__(window, "Choose a robot", QSize(560, 420), 0.4)
        self._robots, self._places = robots, robots.choices
        self.body.addWidget(role(QLabel(f"{robots.file.name} has {len(self._places)} robots"), "title"))
        self.list = RowsList()
        self.list.setAccessibleName("Robots")
        self.list.setAccessibleDescription("The robot files in the folder or the zip")
        self.list.addItems([place.file for place in self._places])
        self.list.setCurrentRow(0)
        self.list.itemActivated.connect(lambda _: self._take())
        self.body.addWidget(self.list, 1)
        self.open_button = self.add_answers("Open", "Open this robot", self._take, "Close without opening one")

    def open(self) -> None:
        super().open()
        self.list.setFocus()

    def _take(self) -> None:
        place = self._places[self.list.currentRow()]
        self.dismiss()
        self._robots.choose(place)


class RobotArguments(Sheet):
    """Asks for the arguments of a xacro file."""

    def __init__(self, window: QWidget, robots: RobotImport) -> None:
        super().__init__(window, "Arguments of the robot", QSize(620, 480), 0.4)
        self._robots, self._defaults = robots, dict(robots.arguments)
        self.body.addWidget(role(QLabel("Arguments of the robot"), "title"))
        inner = QWidget()
        inner.setObjectName("sheetBody")
        form = QFormLayout(inner)
        self.fields: dict[str, QLineEdit] = {}
        for name, default in self._defaults.items():
            field = self.fields[name] = WrittenLine(robots.typed.get(name, default or ""))
            field.setAccessibleName(name)
            field.setToolTip("An argument of the xacro file")
            field.setPlaceholderText("" if default is not None else "needed")
            field.returnPressed.connect(self._give)
            form.addRow(name, field)
        scroll = Scroll("Arguments", "The arguments of the xacro file; the arrows scroll", sideways=True)
        scroll.setWidget(inner)
        self.body.addWidget(scroll, 1)
        self.trouble = RoleLabel("", "error")
        self.trouble.setAccessibleName("Problem")
        self.body.addWidget(self.trouble)
        self.trouble.show_text(robots.refusal)
        self.open_button = self.add_answers("Open", "Open this robot", self._give, "Close without opening one")

    def open(self) -> None:
        super().open()
        typed = [field for name, field in self.fields.items() if name in self._robots.typed]
        next(iter(typed or self.fields.values())).setFocus()

    def _give(self) -> None:
        given = {name: field.text() for name, field in self.fields.items() if field.text() != self._defaults[name]}
        wanted = {name: text for name, text in given.items() if text or self._defaults[name] is not None}
        self.dismiss()
        self._robots.give(wanted)


def sheet_of(window: QWidget, robots: RobotImport) -> Sheet | None:
    """The sheet to open for the state of `robots`; None if there is nothing to ask or show."""
    if robots.choices:
        return RobotChoice(window, robots)
    if robots.arguments:
        return RobotArguments(window, robots)
    return None if robots.imported is None else RobotReport(window, robots, robots.imported)


def _summary(imported: ImportedRobot, repairable: bool) -> str:
    found, said = imported.found, []
    if repairable:
        said.append(
            f"The arm moves by kinematics only: {found.tree.fault()}. A repair gives each such link the nearest "
            "possible inertia; it can be undone, and the robot's card lists it."
        )
    elif imported.mended is not None:
        said.append(f"Repaired: {'; '.join(imported.mended.repairs)}.")
    if found.lost:
        said.append("Some meshes are not in the folder that was opened. Another folder may have them.")
    return " ".join(filter(None, (" ".join(said) or "The arm moves by its dynamics.", found.tip)))


def _listed(found: RobotFile) -> str:
    """The remarks by topic, the worst first, as rich text."""
    parts = []
    for topic, title in _TITLES.items():
        remarks = getattr(found, topic)
        rows = "".join(_row(escape(one.place), one.what) for one in remarks)
        parts += [f"<h4>{title} ({len(remarks)})</h4><table>{rows}</table>"] if remarks else []
    rows = "".join(_row(f"q{number}", name) for number, name in enumerate(found.joints, start=1))
    parts.append(f"<h4>Joints ({len(found.joints)})</h4><table>{rows}</table>")
    if found.followers:
        rows = "".join(_row("", rule) for rule in found.followers)
        parts.append(f"<h4>Joints that follow others ({len(found.followers)})</h4><table>{rows}</table>")
    return "".join(parts)


def _row(line: str, what: str) -> str:
    return f'<tr><td align="right" style="padding-right: 12px">{line}</td><td>{escape(what)}</td></tr>'
