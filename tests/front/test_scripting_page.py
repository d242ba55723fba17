"""docs/scripting.md is true: its blocks run one after the other, in a folder of their own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "scripting.md"


def test_every_block_of_the_page_runs(tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL)
    assert len(blocks) >= 9
    script = tmp_path / "page.py"
    script.write_text(f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n" + "\n".join(blocks), encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "did you mean 'robot.m1'?" in done.stdout
    for name in ("errors.svg", "three.png", "states.csv", "picture.png", "film.mp4"):
        assert (tmp_path / name).stat().st_size > 100


def test_the_page_names_every_public_function() -> None:
    import armstep

    text = PAGE.read_text("utf-8")
    functions = [name for name in armstep.__all__ if name[0].islower()]
    assert [name for name in functions if f"armstep.{name}(" not in text] == []
