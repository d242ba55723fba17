"""A lesson in a file of its own."""

from __future__ import annotations

from pathlib import Path

GATE_FALLS = Path(__file__).with_name("gate-falls.md")
