"""Runs side by side as a table of text: for a terminal, and for a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from assets.fields import Data


def cells(results: Sequence[Data], labels: Sequence[str]) -> list[list[str]]:
    """The heading and one row for each run.

    Args:
        results: the runs as `Run.to_dict` has them.
        labels: their methods, as `label_of` has them.
    """
    names = list(dict.fromkeys(name for result in results for name in result["max_error"]))
    head = ["method", "status", "steps", "rejected", "evaluations", "time [ms]", *(f"max {name}" for name in names)]
    rows = [head]
    for result, label in zip(results, labels, strict=True):
        errors = [result["max_error"].get(name) for name in names]
        counts = [str(result[name]) for name in ("steps", "rejected", "rhs_evaluations")]
        time = f"{1e3 * result['compute_seconds']:.3g}"
        rows.append([label, result["status"], *counts, time, *("-" if e is None else f"{e:.3g}" for e in errors)])
    return rows


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """The rows as aligned text."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def as_html(rows: Sequence[Sequence[str]], caption: str) -> str:
    """The rows, the first of them a heading, as an HTML table."""
    head, *others = (
        "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) + "</tr>"
        for tag, row in zip(["th"] + ["td"] * (len(rows) - 1), rows, strict=True)
    )
    body = "".join(others)
    return f"<table><caption>{escape(caption)}</caption><thead>{head}</thead><tbody>{body}</tbody></table>"
