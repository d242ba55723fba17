"""The words of a heading in a figure: one gap between them, however long they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gui.cli import main

TEXT = re.compile(r'<text[^>]* x="([\d.]+)" y="([\d.]+)"[^>]* textLength="([\d.]+)"[^>]*>([^<]+)</text>')


@pytest.mark.parametrize("style", ["web", "slides"])
def test_the_gap_before_a_unit_does_not_grow_with_the_name(tmp_path: Path, style: str) -> None:
    """It was six units and 15 % of the name's width: twice as wide behind *Energy error* as behind *Error*."""
    file = tmp_path / "fig.svg"
    words = ["--plots", "error,joints,energy,step-size", "--show", "names", "--set", "duration=0.5"]
    assert main(["render", "rr-swing", "--out", str(file), "--style", style, *words]) == 0
    found = [(float(x), y, float(wide), said) for x, y, wide, said in TEXT.findall(file.read_text("utf-8"))]
    gaps = {}
    for x, y, wide, name in found:
        beside = [at for at, other, _, said in found if other == y and said.startswith("[") and at > x]
        if name in ("Error", "Joint angles", "Energy error", "Step size") and beside:
            gaps[name] = min(beside) - x - wide
    assert {"Error", "Energy error"} <= set(gaps)
    assert max(gaps.values()) - min(gaps.values()) < 0.02 * max(wide for *_, wide, _ in found), gaps
    assert min(gaps.values()) > 0.0
