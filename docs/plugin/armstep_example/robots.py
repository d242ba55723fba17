"""A robot from a URDF file. A robot with equations of its own is a `Robot` instead of a path."""

from __future__ import annotations

from pathlib import Path

GATE = Path(__file__).with_name("gate.urdf")
