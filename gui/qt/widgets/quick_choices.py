"""Buttons for a robot's usual methods and sampling periods, and for comparing them all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from gui.app import formatting, units
from gui.qt.style.change import type_changed
from gui.qt.widgets.parts import bare, clear, push_button, show_tick
from gui.qt.widgets.quiet import RoleLabel
from robots.model.registry import robot_of

if TYPE_CHECKING:
    from assets.fields import Value
    from gui.app.session.session import Session
    from robots.model.robot import Robot

COLUMNS = 3
FRAME = 8
"""The room of a button beside its text [px]."""


class QuickChoices(QWidget):
    """Empty for a robot that names no usual methods or steps."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.steps: dict[float, QToolButton] = {}
        self.methods: dict[str, QToolButton] = {}
        self._made: tuple[object, ...] = ((), ())
        self.step_grid, self.method_grid = QGridLayout(), QGridLayout()
        tip = "Adds a run by every one of these methods, at this sampling rate, to the pinned runs"
        self.all_methods = push_button("All methods at this rate", tip, self.compare_methods)
        tip = "Adds a run by this method at every one of these sampling rates to the pinned runs"
        self.all_steps = push_button("This method at every rate", tip, self.compare_steps)
        column = bare(QVBoxLayout(self), 6)
        for layout in (self.step_grid, self.method_grid):
            layout.setSpacing(4)
            column.addLayout(layout)
        column.addWidget(RoleLabel("Compare as ghosts: adds to the pinned runs", "hint"))
        column.addWidget(self.all_methods)
        column.addWidget(self.all_steps)

    def refresh(self) -> bool:
        """Show the edited scenario's choices; returns whether there are any."""
        from solvers.method_registry import find_method

        scenario = self.session.from_here.in_force()
        robot = robot_of(scenario)
        if (robot.usual_methods, robot.usual_steps) != self._made:
            self._made = (robot.usual_methods, robot.usual_steps)
            self._make(robot)
        for step, button in self.steps.items():
            show_tick(button, scenario.step == step)
        for key, button in self.methods.items():
            show_tick(button, find_method(scenario.method).key == find_method(key).key)
        return bool(robot.usual_methods and robot.usual_steps)

    def compare_methods(self) -> None:
        """Run every usual method at the step in force, side by side."""
        step = self.session.scenario.step or robot_of(self.session.scenario).usual_steps[1]
        self.session.comparisons.compare_all(
            [{"method": key, "step": step} for key in self.methods], "methods at one rate"
        )

    def compare_steps(self) -> None:
        """Run the current method at every usual step, side by side."""
        method = self.session.scenario.method
        self.session.comparisons.compare_all(
            [{"method": method, "step": step} for step in self.steps], "rates of one method"
        )

    def _make(self, robot: Robot) -> None:
        from solvers.method_registry import find_method

        for layout in (self.step_grid, self.method_grid):
            clear(layout)
        self.steps, self.methods = {}, {}
        for step in robot.usual_steps:
            period, rate = units.quantity(step, "s", None), _rate(step)
            button = self._button(f"{period}\n{rate}", f"Sampling period {period}, rate {rate}")
            button.toggled.connect(lambda _=False, step=step: self._choose("step", step))
            self.steps[step] = button
        whole = [find_method(key).name for key in robot.usual_methods]
        for key, name, short in zip(robot.usual_methods, whole, formatting.short_names(whole), strict=True):
            button = self._button(short, name)
            button.toggled.connect(lambda _=False, key=key: self._choose("method", key))
            self.methods[key] = button
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if hasattr(self, "step_grid") and type_changed(self, event):
            self._place()

    def _place(self) -> None:
        """One row of steps and two of methods if their names fit, otherwise more: larger type needs the room."""
        self._arrange(self.step_grid, [*self.steps.values()], len(self.steps))
        self._arrange(self.method_grid, [*self.methods.values()], COLUMNS)

    def _arrange(self, grid: QGridLayout, buttons: Sequence[QToolButton], most: int) -> None:
        """In `most` columns, or half as many."""
        widest = max((button.fontMetrics().size(0, button.text()).width() for button in buttons), default=0)
        columns = most if most * (widest + FRAME + grid.spacing()) <= self.width() else (most + 1) // 2
        for place, button in enumerate(buttons):
            grid.addWidget(button, place // columns, place % columns)

    def _choose(self, path: str, value: Value) -> None:
        self.session.edit(path, value)
        self.refresh()

    def _button(self, text: str, name: str) -> QToolButton:
        button = QToolButton(text=text)
        button.setCheckable(True)
        button.setProperty("role", "chip")
        button.setAccessibleName(name)
        button.setToolTip(name)
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        return button


def _rate(step: float) -> str:
    """The sampling rate of a period [s]: `10 Hz`, `1 kHz`."""
    rate = round(1.0 / step, 9)
    return units.quantity(rate / 1000.0, "kHz", None) if rate >= 1000.0 else units.quantity(rate, "Hz", None)
