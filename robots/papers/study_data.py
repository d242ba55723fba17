"""A study's result and its charts as JSON values, for a file, and back."""

from __future__ import annotations

import json
import math
from contextlib import suppress
from dataclasses import MISSING, asdict, fields

import numpy as np

from assets.errors import BadInput
from assets.fields import Data, Values
from assets.json_values import array_of, finite_json
from robots.model.chart import Array, Axis, Chart, ChartLabel, Curve
from robots.papers.figure import Figure
from robots.papers.finding import Finding
from robots.papers.study import Report, Study, StudyResult, Table
from robots.scenario.scenario import Scenario
from robots.simulation.disk_cache import DiskCache, program

DIGITS = 7
"""Significant digits of the numbers of curves: a drawing shows fewer."""

CACHE = DiskCache("studies", most_files=32, most_bytes=64 * 2**20, largest=16 * 2**20)

ARRAYS = ("x", "y", "t")
PLAIN = (str, int, float, bool)


def computed(study: Study, report: Report) -> StudyResult:
    """What the study finds; what this version found on this machine before is not computed again."""
    file = CACHE.file([program(), study.key])
    known = CACHE.read(file)
    with suppress(BadInput, KeyError, TypeError, ValueError):
        if known is not None:
            return result_of(json.loads(str(known["result"])))
    found = study.compute(report)
    CACHE.write(file, {"result": np.array(json.dumps(data_of(found)))})
    return found


def data_of(result: StudyResult) -> Data:
    """The result as JSON values; `result_of` reads them. Curves keep 7 digits."""
    return {
        "tables": [
            {
                "name": one.name,
                "columns": list(one.columns),
                "rows": finite_json([list(row) for row in one.rows]),
            }
            for one in result.tables
        ],
        "findings": [asdict(one) for one in result.findings],
        "figures": [_figure_data(one) for one in result.figures],
    }


def result_of(data: Values) -> StudyResult:
    """The result that `data_of` wrote.

    Raises:
        BadInput, KeyError, TypeError, ValueError: for anything else.
    """
    tables = [
        Table(str(one["name"]), tuple(map(str, one["columns"])), tuple(tuple(row) for row in one["rows"]))
        for one in data["tables"]
    ]
    findings = [Finding(**one) for one in data["findings"]]
    return StudyResult(tuple(tables), tuple(findings), tuple(_figure(one) for one in data["figures"]))


def _figure_data(figure: Figure) -> Data:
    opens = None if figure.opens is None else json.loads(figure.opens.to_json())
    plain = {"name": figure.name, "title": figure.title, "which": figure.which}
    return {**plain, "opens": opens, "charts": [*map(chart_data, figure.charts)]}


def _figure(data: Values) -> Figure:
    opens = None if data["opens"] is None else Scenario.from_json(json.dumps(data["opens"]))
    charts = tuple(map(chart_of, data["charts"]))
    return Figure(str(data["name"]), str(data["title"]), charts, opens, str(data.get("which", "")))


def chart_data(chart: Chart) -> Data:
    """A chart of curves and words as JSON values; `chart_of` reads them. Curves keep 7 digits."""
    axes = {name: _plain(axis) for name, axis in (("x", chart.x), ("y", chart.y))}
    words = {"labels": [asdict(one) for one in chart.labels]} if chart.labels else {}
    return {**_plain(chart), **axes, **words, "curves": [_curve_data(curve) for curve in chart.curves]}


def chart_of(data: Values) -> Chart:
    """The chart that `chart_data` wrote.

    Raises:
        KeyError, TypeError, ValueError: for anything else.
    """
    curves = tuple(
        Curve(**{**curve, **{name: array_of(curve[name]) for name in ARRAYS if name in curve}})
        for curve in data["curves"]
    )
    axes = {name: Axis(**_frozen(data[name])) for name in ("x", "y")}
    words = tuple(ChartLabel(**_frozen(one)) for one in data.get("labels", ()))
    return Chart(**{**_frozen(data), **axes, "labels": words, "curves": curves})


def _curve_data(curve: Curve) -> Data:
    known = {name: values for name in ARRAYS if (values := getattr(curve, name)) is not None}
    return {**_plain(curve), **{name: _numbers(values) for name, values in known.items()}}


def _plain(value: Axis | Chart | Curve) -> Data:
    """The texts, numbers, switches and rows of them that are not the usual ones."""
    given = {item.name: getattr(value, item.name) for item in fields(value) if item.default is not MISSING}
    usual = {item.name: item.default for item in fields(value)}
    return {name: one for name, one in given.items() if _is_plain(one) and one != usual[name]}


def _is_plain(value: object) -> bool:
    items = value if isinstance(value, tuple) else (value,)
    return all(isinstance(one, PLAIN) and (not isinstance(one, float) or math.isfinite(one)) for one in items)


def _frozen(data: Values) -> Data:
    """The values with tuples for lists."""
    return {name: tuple(one) if isinstance(one, list) else one for name, one in data.items()}


def _numbers(values: Array) -> list[float | None]:
    return [float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None for value in values.tolist()]
