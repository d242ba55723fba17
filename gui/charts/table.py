"""A chart as a table."""

from __future__ import annotations

import csv
import io

from robots.model.chart import Chart


def table_text(chart: Chart) -> str:
    """Every curve as two columns, across and up, with a header row, or the chart's own cells.

    Shorter curves leave blanks.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if chart.cells:
        writer.writerows(chart.cells)
        return out.getvalue()
    header: list[str] = []
    columns: list[list[float]] = []
    for curve in chart.curves:
        name = curve.name if curve.name.startswith(curve.run) else f"{curve.run}, {curve.name}"
        header += [f"{chart.x.label}: {name}", f"{chart.y.label}: {name}"]
        columns += [curve.x.tolist(), curve.y.tolist()]
    writer.writerow(header)
    for index in range(max(map(len, columns), default=0)):
        writer.writerow([repr(column[index]) if index < len(column) else "" for column in columns])
    return out.getvalue()
