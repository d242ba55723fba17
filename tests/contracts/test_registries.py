"""Whatever a registry finds is documented, listed and tested, and is called what its file is called."""

from __future__ import annotations

import importlib
from pathlib import Path

import assets
from robots.model.registry import robots
from robots.scenario.presets import presets
from solvers.control import FixedStep, Tolerance
from solvers.integrate import integrate
from solvers.method_registry import methods

ROOT = Path(__file__).parents[2]


def stems(folder: str, pattern: str) -> set[str]:
    return {file.stem for file in (ROOT / folder).glob(pattern) if not file.stem.startswith("_")}


def test_every_tableau_is_a_method_of_the_same_name():
    tableaux = set(assets.stems("tableaux", ".json"))
    assert tableaux
    assert tableaux <= set(methods())


def test_every_method_says_what_it_is_and_where_it_comes_from():
    for key, method in methods().items():
        assert method.name, key
        assert method.family, key
        assert method.summary, key
        assert method.source, key
        assert method.fixed_step or method.adaptive, key
        assert not set(method.aliases) & set(methods()), f"an alias of {key} is another method's key"


def test_every_method_integrates_a_problem_it_says_it_can():
    problem = presets()["rr-swing"].with_values({"duration": 0.1})
    from robots.model.registry import find_robot

    ode = find_robot("rr").problem(problem)
    for key, method in methods().items():
        if not {"ode", "second-order"} & set(method.problems):
            continue
        control = FixedStep(0.01) if method.fixed_step else Tolerance(1e-6, 1e-9)
        solution = integrate(ode, method, control)
        assert solution.status.value == "finished", f"{key}: {solution.message}"
        assert solution.t_end == ode.t1, key


def test_every_robot_is_called_what_its_file_is_called():
    files = {stem.replace("_", "-") for stem in stems("robots/catalog", "*") if stem != "__pycache__"}
    assert set(robots()) == files | stems("assets/robots", "*.urdf")


def test_every_robot_is_documented():
    for key, robot in robots().items():
        assert robot.title, key
        assert robot.summary, key
        assert robot.source, key
        for field in [*robot.parameters, *robot.task, *robot.initial]:
            assert field.label, f"{key}.{field.key}"
            assert field.help, f"{key}.{field.key}"


def test_every_preset_is_called_what_its_file_is_called():
    assert set(presets()) == stems("assets/scenarios", "*.json")
    for key, scenario in presets().items():
        assert scenario.name == key
        assert scenario.title, key
        assert scenario.notes, key
        assert scenario.robot in robots(), key
        assert scenario.method in methods(), key


def test_every_panel_has_a_title_and_an_area():
    from gui.qt.window.panel import panels

    for panel in panels().values():
        assert panel.title
        assert panel.area in {"left", "right", "bottom"}


def test_every_benchmark_says_what_it_measures():
    from benchmarks.__main__ import names

    for name in names():
        module = importlib.import_module(f"benchmarks.{name}")
        assert module.__doc__, name
        assert callable(module.measure), name
