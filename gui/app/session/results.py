"""What tools have found: kept with the document, named, undone and saved like everything else in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assets.counting import MENU_TEXT
from assets.fields import Values
from gui.app.documents import Document, Result
from gui.app.formatting import free_name
from gui.app.history import History

WORK_PRECISION = "work-precision"
TABLEAU = "tableau"
MAP = "map"
STUDY = "study"
TABLEAU_TYPED = "tableau-typed"
KERNEL_GAIN = "kernel-gain"
PREDICTION = "prediction"
"""Kinds of results; predictions are of the open lesson, not of the document."""

NOUNS = {WORK_PRECISION: "the diagram", MAP: "the map", TABLEAU: "the method", STUDY: "the study"}
"""What is said of a result whose name a menu would cut: half a list of methods says nothing."""


def lost(saved: Document | None, present: Document, studies: Sequence[Result]) -> tuple[str, str]:
    """What is lost without saving, in a word or two and as a sentence.

    Args:
        saved: as the file or the preset has it; None after a recovery.
        present: as it is now, with unsaved changes or results.
        studies: new results that would be lost by quitting only.
    """
    if saved is None:
        return "recovered", "This is recovered work: it will be lost if you don't save it."
    if replace(present, results=saved.results) != saved:
        return "changed", "Your changes will be lost if you don't save them."
    added = [result for result in present.results if result not in saved.results and not result.automatic] or studies
    if added and all(result.kind == TABLEAU_TYPED for result in added):
        said = "The method that you typed and did not use will be lost if you don't save it with the scenario."
        return "typed method, not used", said
    if new := ", ".join(result.name for result in added if result.kind != TABLEAU_TYPED):
        return "new results", f"New results will be lost if you don't save them: {new}."
    return "results removed", "Results that you removed will be back if you don't save."


class KeptResults:
    """The results of the document.

    Args:
        history: where the document is.
    """

    def __init__(self, history: History[Document]) -> None:
        self._history = history

    @property
    def all(self) -> tuple[Result, ...]:
        """Those of all tools."""
        return self._history.present.results

    def of(self, kind: str) -> list[Result]:
        """Those of one tool, the latest last."""
        return [result for result in self._history.present.results if result.kind == kind]

    def find(self, kind: str, name: str) -> Result | None:
        """The result of that name."""
        return next((result for result in self.of(kind) if result.name == name), None)

    def keep(self, kind: str, name: str, data: Values, instead: Result | None = None) -> Result:
        """Keep what a tool has found, under a name of its own; what is kept already comes last again.

        It takes the place of the result `instead`, if there is one.
        """
        same = self._same(kind, data)
        others = tuple(other for other in self._history.present.results if other is not same and other is not instead)
        result = same or Result(kind, _free_name(kind, name, others), data)
        self._record((*others, result), _done("keep", result))
        return result

    def note(self, kind: str, name: str, data: Values, *, automatic: bool = True) -> Result:
        """Keep what a tool has found by itself, or what came with the last change, without a step of its own to undo.

        Nobody is asked to save what is `automatic`.
        """
        same = self._same(kind, data)
        if same is not None:
            return same
        document = self._history.present
        result = Result(kind, _free_name(kind, name, document.results), data, automatic)
        self._history.amend(replace(document, results=(*document.results, result)))
        return result

    def put(self, kind: str, name: str, data: Values | None, *, automatic: bool = False) -> None:
        """Keep the only one of its kind, without a step to undo; None removes it.

        Nobody is asked to save what is `automatic`.
        """
        left = tuple(result for result in self._history.present.results if result.kind != kind)
        if data is None:
            self._amend(left)
        elif self._same(kind, data) is None:
            self._amend((*left, Result(kind, name, data, automatic)))

    def complete(self, result: Result, data: Values) -> Result:
        """Give it other data, which say the same or more, without a step to undo."""
        if result.data == data:
            return result
        other = replace(result, data=data)
        self._amend(tuple(other if one == result else one for one in self._history.present.results))
        return other

    def rename(self, result: Result, name: str) -> Result:
        """Give it another name; an empty one changes nothing."""
        if not name.strip() or name.strip() == result.name:
            return result
        renamed = replace(
            result, name=_free_name(result.kind, name.strip(), self._history.present.results), automatic=False
        )
        self._swap(result, (renamed,), _done("rename", result))
        return renamed

    def remove(self, result: Result) -> None:
        """Let it go; undo brings it back."""
        self._swap(result, (), _done("remove", result))

    def _same(self, kind: str, data: Values) -> Result | None:
        """What is kept already with these data."""
        return next((result for result in self.of(kind) if result.data == data), None)

    def _swap(self, result: Result, by: tuple[Result, ...], text: str) -> None:
        present = self._history.present.results
        if result in present:
            place = present.index(result)
            self._record((*present[:place], *by, *present[place + 1 :]), text)

    def _amend(self, results: tuple[Result, ...]) -> None:
        document = self._history.present
        if results != document.results:
            self._history.amend(replace(document, results=results))

    def _record(self, results: tuple[Result, ...], text: str) -> None:
        document = self._history.present
        if results != document.results:
            self._history.record(replace(document, results=results), text)


def _done(verb: str, result: Result) -> str:
    """What undo takes back, as short as a menu needs it."""
    text = f"{verb} {result.name}"
    return text if len(f"Undo: {text}") <= MENU_TEXT else f"{verb} {NOUNS.get(result.kind, 'the result')}"


def _free_name(kind: str, name: str, results: Sequence[Result]) -> str:
    return free_name(name, [result.name for result in results if result.kind == kind])
