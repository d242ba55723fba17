"""The Qt binding keeps count of None: a version that did not ended Python 3.11 after some thousand calls."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QTimer


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None cannot be given away since Python 3.12")
def test_calls_that_return_nothing_keep_none():
    timer = QTimer()
    before = sys.getrefcount(None)
    for _ in range(1000):
        timer.setInterval(5)
    assert sys.getrefcount(None) - before > -500
