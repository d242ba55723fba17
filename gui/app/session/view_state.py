"""The current view settings, and where the personal ones are kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from assets.errors import BadInput
from gui.app.session.messages import Messages
from gui.app.settings import Settings
from gui.app.signal import Signal
from gui.app.view import KEPT, UNSAVED, ViewSettings
from robots.model.chart import CurveKey


class ViewState:
    """The current view settings.

    Attributes:
        settings: the settings; theme and quality stay with the person, the rest is saved with the scenario.
        hidden: the curves that a person hid, by the plot's key; forgotten with the scenario.
        changed: signal `()`.
    """

    def __init__(self, settings: Settings, messages: Messages) -> None:
        self.settings = _personal(settings)
        self.hidden: dict[str, frozenset[CurveKey]] = {}
        self.changed = Signal()
        self._own_plots: tuple[str, ...] | None = None
        self._kept, self._messages = settings, messages
        self._lent: dict[str, object] = {}

    def set(self, **values: object) -> bool:
        """Change some settings; False if one is refused, and the notice says why.

        A person's own ones are kept for the next start; not those that are lent, which end with the loan, nor plots
        that are chosen in a scenario with plots of its own.
        """
        if not self._change(values):
            return False
        for name in (set(KEPT) & set(values)) - self._lent.keys():
            if name != "plots" or self._own_plots is None:
                self._kept.set(f"view.{name}", values[name])
        return True

    def show_usual_plots(self) -> None:
        """Show the plots with which the scenario was opened, or those that every scenario has at first."""
        self.set(plots=self._own_plots)

    def lend(self, **values: object) -> None:
        """Change some settings until `end_loan`, as a presentation does: the next start does not have them."""
        self._lent = {name: getattr(self.settings, name) for name in values} | self._lent
        self._change(values)

    def lends(self, name: str) -> bool:
        """Whether that setting is lent."""
        return name in self._lent

    def end_loan(self) -> None:
        """What was lent is as it was before."""
        before, self._lent = self._lent, {}
        self._change(before)

    @property
    def own(self) -> ViewSettings:
        """The settings as they are once nothing is lent any more."""
        return replace(self.settings, **self._lent)

    def _change(self, values: Mapping[str, object]) -> bool:
        try:
            settings = self.settings.changed(**values)
        except BadInput as refusal:
            self._messages.say(str(refusal))
            return False
        if settings != self.settings:
            self.settings = settings
            self.changed.emit()
        return True

    @property
    def personal(self) -> ViewSettings:
        """The standard view with the person's and the window's own settings: how a scenario that says nothing looks."""
        return replace(_personal(self._kept), **{name: getattr(self.settings, name) for name in UNSAVED})

    def hide_curves(self, plot: str, curves: Iterable[CurveKey]) -> None:
        """Hide these curves of a plot, enlarged or not, and show all its others."""
        self.hidden[plot] = frozenset(curves)
        self.changed.emit()

    def show_overlay(self, key: str, shown: bool) -> None:
        """Draw an overlay that has no setting of its own, or leave it out."""
        others = [one for one in self.settings.overlays if one != key]
        self.set(overlays=[*others, key] if shown else others)

    def take(self, settings: ViewSettings, own_plots: bool = False) -> None:
        """Take the view of an opened file; `own_plots`: whether the file says which plots are shown.

        Where plots are lent, those of the file are there when the loan ends.
        """
        self.settings, self.hidden = settings, {}
        if "plots" in self._lent:
            self._lent["plots"] = settings.plots
        self._own_plots = settings.plots if own_plots else None
        self.changed.emit()


def _personal(kept: Settings) -> ViewSettings:
    settings = ViewSettings()
    for name in KEPT:
        try:
            settings = settings.changed(**{name: kept.get(f"view.{name}", getattr(settings, name))})
        except BadInput:
            continue
    return settings
