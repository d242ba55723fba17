"""What sets typed tableaux of one name apart, in a few words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assets.counting import counted
from solvers.tableaux.own_tableau import Cells, cell_words, from_text


def words_apart(texts: Sequence[str]) -> dict[str, str]:
    """By text of a tableau, what sets it apart from the others: `3 stages`, `2 stages, weight b1 = 1/4`.

    Tableaux of as many stages are set apart by the fewest coefficients, the same ones of each. Texts that differ in
    spaces alone are one tableau. Without others the words are empty.
    """
    known = {text: from_text(text) for text in texts}
    several = len({one.stages for one in known.values()}) > 1
    found = {}
    for text, one in known.items():
        telling = _telling([other.entries() for other in known.values() if other.stages == one.stages])
        words = [counted(one.stages, "stage")] * several + [_said(one, cell) for cell in telling]
        found[text] = ", ".join(dict.fromkeys(words))
    return found


def _telling(tables: Sequence[Mapping[str, str]]) -> list[str]:
    """The cells that set all different tables apart, as few as that takes."""
    cells, chosen = list(dict.fromkeys(cell for table in tables for cell in table)), list[str]()

    def kinds(keys: Sequence[str]) -> int:
        return len({tuple(table.get(key) for key in keys) for table in tables})

    while kinds(chosen) < kinds(cells):
        chosen.append(max(cells, key=lambda cell: kinds([*chosen, cell])))
    return chosen


def _said(one: Cells, cell: str) -> str:
    """`weight b1 = 1/4`; where the cell is left out, what that means."""
    text = one.entries().get(cell)
    if text is not None:
        return f"{cell_words(cell)} = {text}"
    return "no error estimate" if one.b_error is None and cell.startswith("b_error") else "nodes of its rows"
