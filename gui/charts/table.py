"""A chart as a table."""

from __future__ import annotations

import math

from assets.writing import csv_text
from robots.model.chart import Chart


def table_text(chart: Chart) -> str:
    """Every curve and every region's border as two columns, across and up, with a header row, or the chart's own cells.

    Shorter curves leave blanks, as do gaps between the pieces of a border.
    """
    if chart.cells:
        return csv_text(chart.cells)
    regions = [region.whole() if region.whole else region for region in chart.regions]
    named = [(f"border {index}", *region.border.T) for index, region in enumerate(regions, start=1)]
    for curve in chart.curves:
        if curve.live is not None and not curve.x.size:
            continue  # its mark at the playhead alone
        name = curve.name if curve.name.startswith(curve.run) else f"{curve.run}, {curve.name}"
        named.append((", ".join(filter(None, (name, curve.tag))), curve.x, curve.y))
    rows = [[f"{axis.label}: {name}" for name, *_ in named for axis in (chart.x, chart.y)]]
    columns = [values.tolist() for _, *both in named for values in both]
    for index in range(max(map(len, columns), default=0)):
        row = [column[index] if index < len(column) else math.nan for column in columns]
        rows.append(["" if math.isnan(value) else repr(value) for value in row])
    return csv_text(rows)
