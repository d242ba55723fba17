"""The work of each level of quality."""

from __future__ import annotations

from dataclasses import dataclass

from scene.picture import Quality

SOFTWARE = ("llvmpipe", "softpipe", "swiftshader", "swrast", "software rasterizer", "microsoft basic render")
"""Parts of renderer names that draw on the processor."""


@dataclass(frozen=True, slots=True)
class Level:
    """A level of quality.

    Attributes:
        samples: of multisampling, as many as the driver allows; 0 smooths edges in a pass over the picture instead.
        shadow_pixels: width of the shadow map.
        softness: 0 four taps, 1 nine wide taps, 2 a lamp of finite size.
        occlusion: screen-space ambient occlusion.
    """

    samples: int
    shadow_pixels: int
    softness: int
    occlusion: bool

    def defines(self) -> dict[str, object]:
        """The `#define`s of the shaders."""
        return {"SOFTNESS": self.softness, **({"OCCLUSION": 1} if self.occlusion else {})}


LEVELS: dict[Quality, Level] = {
    "low": Level(0, 768, 0, False),
    "medium": Level(4, 1024, 1, False),
    "high": Level(8, 2048, 2, True),
}


def automatic_quality(renderer_name: str) -> Quality:
    """The level that suits a driver: low where the processor draws."""
    return "low" if is_software(renderer_name) else "high"


def is_software(renderer_name: str) -> bool:
    """Whether the processor draws."""
    return any(name in renderer_name.lower() for name in SOFTWARE)
