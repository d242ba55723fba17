"""Compare a drawn picture with the approved one."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from scene.offscreen import Offscreen
from scene.picture import Picture

GOLDEN = Path(__file__).parent.parent / "golden"


def check(stage: Offscreen, picture: Picture, name: str, artifacts: Path) -> None:
    """Draw and compare with `tests/golden/<name>.png`; with ARMSTEP_REGENERATE_GOLDEN=1 approve what is drawn."""
    if "llvmpipe" not in stage.driver.renderer:
        pytest.skip(f"golden pictures are llvmpipe's; this is {stage.driver.renderer}")
    image = stage.render(picture)
    file = GOLDEN / f"{name}.png"
    if os.environ.get("ARMSTEP_REGENERATE_GOLDEN"):
        file.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(image).save(file, optimize=True)
        return
    golden = np.asarray(Image.open(file).convert("RGBA"))
    # Where nothing is seen, colours mean nothing.
    difference = np.abs(image.astype(int) - golden).max(axis=-1) * (np.maximum(image, golden)[..., 3] > 0)
    try:
        assert difference.mean() < 0.5
        assert np.percentile(difference, 99.5) < 16
    except AssertionError:
        folder = artifacts / "golden"
        folder.mkdir(exist_ok=True)
        stem = name.replace("/", "-")
        Image.fromarray(image).save(folder / f"{stem}.png")
        Image.fromarray(np.minimum(8 * difference, 255).astype(np.uint8)).save(folder / f"{stem}-difference.png")
        raise
