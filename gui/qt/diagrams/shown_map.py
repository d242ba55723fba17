"""The map of the open scenario, only to look at: it is computed and drawn by itself."""

from __future__ import annotations

from PySide6.QtCore import Qt

from gui.app.desks.map_choices import proposal_for
from gui.app.session.session import Session
from gui.qt.diagrams.map_diagram import MapDiagram
from gui.qt.window.bridge import subscribe


class ShownMap(MapDiagram):
    """What the map sheet shows of a preset that proposes a map.

    Args:
        session: whose scenario it is.
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        subscribe(self, session.maps.changed, self._draw)
        self._draw()

    def compute(self) -> bool:
        """Begin with the map that the scenario proposes, unless one is there; whether it proposes one."""
        proposed, desk = proposal_for(self.session.scenario), self.session.maps
        if proposed is not None:
            desk.look()
            if desk.result is None:
                desk.begin(proposed.axes, [proposed.show], by_itself=True)
        return proposed is not None

    def _draw(self) -> None:
        desk = self.session.maps
        name = "" if desk.result is None else desk.result.sweep.show[0]
        self.show_result(desk.result, name, desk.border, contours=False)
