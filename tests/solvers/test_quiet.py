"""A library that prints is kept quiet, and nobody else."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest

from solvers.control import Tolerance
from solvers.integrate import integrate
from solvers.method_registry import find_method
from solvers.quiet import quiet
from tests.solvers.problems import pendulum


def test_only_the_calling_thread_is_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    """Another thread may print meanwhile, and this one afterwards."""
    inside, outside = threading.Event(), threading.Event()

    def muted() -> None:
        with quiet():
            print("dropped")
            inside.set()
            outside.wait(5)

    thread = threading.Thread(target=muted)
    thread.start()
    inside.wait(5)
    print("kept")
    outside.set()
    thread.join()
    with quiet():
        print("dropped")
    print("kept too")
    assert capsys.readouterr().out == "kept\nkept too\n"


@pytest.mark.parametrize("key", ["cvode-adams", "cvode-bdf", "ida"])
def test_sundials_prints_nothing(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What goes wrong in SUNDIALS is a status: a line on standard output would spoil a JSON object there."""
    broken = replace(pendulum(), params=np.array([np.nan]))
    assert not integrate(broken, find_method(key), Tolerance()).status.ok
    assert capsys.readouterr().out == ""
