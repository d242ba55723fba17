from __future__ import annotations

from collections.abc import Iterator

import pytest

from assets.errors import ArmstepError
from scene.offscreen import Offscreen

SIZE = (480, 270)


@pytest.fixture(scope="session")
def stages() -> Iterator[dict[str, Offscreen]]:
    """An offscreen renderer of 480 x 270 pixels for each quality, made at its first use."""

    class Stages(dict[str, Offscreen]):
        def __missing__(self, quality: str) -> Offscreen:
            try:
                self[quality] = Offscreen(SIZE, quality)  # type: ignore[arg-type]
            except ArmstepError as error:
                pytest.skip(str(error))
            return self[quality]

    opened = Stages()
    yield opened
    for stage in opened.values():
        stage.close()
