"""What every registry promises, tried on packages of its own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from assets.errors import ArmstepError, BadInput
from assets.registry import LONGEST_LIST, Registry

HEAD = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Thing:
    key: str
    place: int = 0

"""


class Thing(Protocol):
    key: str
    place: int


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package `additions` with three things; it forgets them at the end."""
    folder = tmp_path / "additions"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    for name, place in (("beta", 1), ("alpha_two", 2), ("gamma", 0)):
        write(folder, name, f"THING = Thing({name.replace('_', '-')!r}, {place})")
    (folder / "_helper.py").write_text("raise RuntimeError('nobody reads a helper')")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    for name in [name for name in sys.modules if name.split(".")[0] in ("additions", "more")]:
        del sys.modules[name]


def write(folder: Path, name: str, text: str) -> None:
    (folder / f"{name}.py").write_text(HEAD + text + "\n")


def things(*packages: str, order=lambda thing: thing.place) -> Registry[Thing]:
    return Registry.of_modules("thing", *packages or ("additions",), attribute="THING", order=order)


def test_keys_are_file_names_and_reading_them_imports_nothing(package: Path):
    assert things().keys() == ["alpha-two", "beta", "gamma"]
    assert not any(name.startswith("additions.") for name in sys.modules)


def test_all_are_in_order_and_find_reads_one_file_only(package: Path):
    registry = things()
    assert registry.find("beta").key == "beta"
    assert [name for name in sys.modules if name.startswith("additions.")] == ["additions.beta"]
    assert list(registry.all()) == ["gamma", "beta", "alpha-two"]
    assert registry.all()["beta"] is registry.find("beta")


def test_without_an_order_they_stand_by_key(package: Path):
    assert list(things(order=None).all()) == ["alpha-two", "beta", "gamma"]


@pytest.mark.parametrize("key", ["bets", "", 3, None])
def test_an_unknown_key_is_bad_input(package: Path, key: object):
    with pytest.raises(BadInput, match="thing") as refusal:
        things().find(key)  # type: ignore[arg-type]
    assert refusal.value.nearest == ("beta" if key == "bets" else None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("THING = 1 / 0", "ZeroDivisionError"),
        ("import nowhere_at_all", "nowhere_at_all"),
        ("OTHER = 3", "defines no THING"),
        ("THING = Thing('delta')", "'delta'"),
        ("THING = (", "SyntaxError"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(package: Path, text: str, said: str):
    write(package, "broken", text)
    registry = things()
    assert registry.find("beta").key == "beta"
    for call in (registry.all, lambda: registry.find("broken")):
        with pytest.raises(ArmstepError, match=r"additions/broken\.py") as refusal:
            call()
        assert said in str(refusal.value)


def test_two_folders_are_one_registry_and_a_key_in_both_is_refused(package: Path):
    other = package.parent / "more"
    other.mkdir()
    (other / "__init__.py").write_text("")
    write(other, "delta", "THING = Thing('delta', 5)")
    assert list(things("additions", "more").all()) == ["gamma", "beta", "alpha-two", "delta"]
    write(other, "beta", "THING = Thing('beta')")
    with pytest.raises(ArmstepError, match=r"additions\.beta and more\.beta"):
        things("additions", "more").keys()


def test_folders_of_data_are_read_by_key():
    registry: Registry[str] = Registry.of_files("theme", "themes", ".toml", lambda key, text: f"{key}: {text}")
    assert {"light", "dark"} <= set(registry.keys())
    assert registry.find("dark").startswith("dark: ")


def test_a_long_list_gives_way_to_the_command_that_prints_it():
    names = {f"a-long-name-{number}": "" for number in range(LONGEST_LIST // 10)}
    registry: Registry[str] = Registry("study", lambda: names, lambda key: key)
    with pytest.raises(BadInput, match=r"the 40 that `armstep list studies` shows") as refusal:
        registry.find("a-long-name-99")
    assert len(str(refusal.value)) < 600
