"""The commands of plots: each works on the plot that is enlarged, else under the pointer, else with the focus.

The stability region of the method's card and the lane of steps enlarge by the same key.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QWidget

if TYPE_CHECKING:
    from gui.qt.plots.plot import PlotWidget
    from gui.qt.window.commands.workbench import Workbench


def handlers(bench: Workbench) -> dict[str, Callable[..., object]]:
    """A function for every command of plots, by its key."""
    session = bench.session

    def enlarge_any() -> None:
        """Without a plot at hand, because none is shown beside the arm, the first one that the view has."""
        if not enlarge_at_hand(bench):
            plot = plot_at_hand(bench)
            enlarge_next(bench) if plot is None else plot.enlarge()

    def on_plot(act: Callable[[PlotWidget], object]) -> Callable[[], object]:
        def found() -> object:
            plot = plot_at_hand(bench)
            return bench.inform("There is no plot on the screen.") if plot is None else act(plot)

        return found

    return {
        "plots.enlarge": enlarge_any,
        "plots.next": lambda: enlarge_next(bench),
        "plots.steps": lambda: enlarge(bench, "steps"),
        "plots.stability": lambda: enlarge(bench, "stability"),
        "plots.scale": on_plot(lambda plot: plot.change_scale()),
        "plots.menu": on_plot(lambda plot: plot.open_menu()),
        "plots.reset": on_plot(lambda plot: plot.show_whole()),
        "plots.mark": lambda: session.time_range.set_mark(session.playback.t),
        "plots.unmark": lambda: session.time_range.set_mark(None),
    }


def enlarge(bench: Workbench, key: str) -> None:
    """Fill the middle of the window with the plot of that key, or give it back."""
    view = bench.session.view
    view.set(enlarged="" if view.settings.enlarged == key else key)


def enlarge_at_hand(bench: Workbench) -> bool:
    """Enlarge the stability region or the lane of steps, if a person points at it and no plot is enlarged."""
    from gui.qt.plots.chart_view import ChartView
    from gui.qt.timeline.steps_lane import StepsLane

    at = None if bench.session.view.settings.enlarged else _at_hand(bench, (ChartView, StepsLane))
    if isinstance(at, ChartView | StepsLane):
        at.enlarge_asked.emit()
    return isinstance(at, ChartView | StepsLane)


def enlarge_next(bench: Workbench) -> None:
    """Enlarge the plot after the one that is enlarged, in the order of the stack."""
    from gui.charts.registry import chosen_plots, plots
    from robots.model.registry import robot_of

    session = bench.session
    robot = robot_of(session.scenario)
    keys = [key for key in chosen_plots(session.view.settings) if plots()[key].suits(robot)]
    now = session.view.settings.enlarged
    place = keys.index(now) + 1 if now in keys else 0
    if keys:
        session.view.set(enlarged=keys[place % len(keys)])


def plot_at_hand(bench: Workbench) -> PlotWidget | None:
    """The plot that a command means; the first one on the screen where nothing points at any."""
    from gui.qt.plots.plot import PlotWidget

    shown = [plot for plot in bench.window.findChildren(PlotWidget) if plot.isVisible()]
    key = bench.session.view.settings.enlarged
    enlarged = [plot for plot in shown if plot.plot.key == key and plot.parentWidget() is not None]
    if key and enlarged:
        return enlarged[-1]
    at = _at_hand(bench, ())
    if isinstance(at, PlotWidget):
        return at
    return min(shown, key=lambda plot: plot.mapTo(bench.window, plot.rect().topLeft()).y(), default=None)


def _at_hand(bench: Workbench, others: tuple[type[QWidget], ...]) -> QWidget | None:
    """The plot, or the widget of one of the `others`, that is under the pointer, else that has the focus.

    A section of a panel, to which the palette leads, has the focus for what is in it.
    """
    from gui.qt.plots.plot import PlotWidget
    from gui.qt.widgets.form import Section

    for widget in (QApplication.widgetAt(QCursor.pos()), QApplication.focusWidget()):
        above: list[QWidget] = []
        while widget is not None:
            above.append(widget)
            widget = widget.parentWidget()
        found = next((one for one in above if isinstance(one, (PlotWidget, *others))), None)
        if found is not None and bench.window in above:
            return found
        section = above[0] if above and isinstance(above[0], Section) else None
        inside = [child for kind in others for child in section.findChildren(kind)] if section is not None else []
        if inside:
            return inside[0]
    return None
