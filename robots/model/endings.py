"""How runs ended, in words."""

from __future__ import annotations

ENDINGS = {"cancelled": "stopped by you", "newton-failed": "iteration failed"}
"""How a run ended, by the status whose key does not say it."""


def ending(status: str) -> str:
    """How a run ended, in a few words: `step too small`, `stopped by you`."""
    return ENDINGS.get(status, status.replace("-", " "))
