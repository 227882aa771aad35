# SPDX-License-Identifier: Apache-2.0
"""The plots of explore.html. Colours that carry meaning are Okabe and Ito's, or Cividis: both survive colour
blindness. Everything else takes the page's colours, light or dark, when it is shown."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Mapping, Sequence

import pandas as pd
import plotly.graph_objects as go
from plotly.colors import sample_colorscale
from plotly.subplots import make_subplots

from isbesim.simulator import OWN_UNITS, Value, is_number, value_text

from .analysis import Effect, average, more_is_better, numbers, pareto, present
from .results import WORKERS
from .sweep import Objective, Sweep
from .words import settings_text, titled

PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c8c8c", "#b8a800")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "star", "cross", "triangle-down")
MAX_LINES = len(PALETTE)
MAX_PANELS = 12
MAX_COLUMNS = 3
WIDE = 20  # an axis is logarithmic above this ratio of largest to smallest value
Panel = tuple[dict[str, int], pd.DataFrame]
MARGIN = {"l": 70, "r": 20, "t": 30, "b": 60}


@dataclass(frozen=True)
class Plot:
    """A section of the page."""

    name: str
    heading: str
    text: str
    figure: Any  # plotly's JSON, or None for the parallel coordinates


def as_json(figure: go.Figure) -> Any:
    figure.update_layout(template=None)
    return json.loads(figure.to_json())


def is_numeric(column: pd.Series) -> bool:
    return bool(column.dropna().map(is_number).all())


def choose_x(sweep: Sweep, table: pd.DataFrame, effects: list[Effect]) -> str | None:
    """A numeric value in which the scenarios differ, else the strongest numeric axis with more than two values, else
    the strongest axis."""
    names = [*sweep.scenario_keys, *(e.axis for e in effects)]
    numeric = [name for name in names if is_numeric(table[name]) and table[name].nunique() > 2]
    return next(iter(numeric or [e.axis for e in effects]), None)


def is_geometric(values: list[Any]) -> bool:
    """True if each value is at least 1.5 times the previous one: such values read better on a logarithmic axis."""
    known = sorted(filter(is_number, values))
    return len(known) == len(values) > 2 and known[0] > 0 and all(b >= 1.5 * a for a, b in zip(known, known[1:]))


def overview(sweep: Sweep, table: pd.DataFrame, x: str, colour: str | None, figure: str, units: Mapping[str, str],
             facets: Sequence[str] = ()) -> go.Figure:
    """The figure over one axis, a line per value of another, a plot per combination of the facets; everything else is
    averaged. If that averages over draws, each draw also has a thin line."""
    plot, panels, rows = _panels(sweep, table, facets)
    groups: list[Value | None] = [*present(sweep, table, colour)] if colour else [None]
    paints = colours(len(groups))
    for number, (place, here) in enumerate(panels):
        for index, value in enumerate(groups):
            lines = here[here[colour] == value] if colour else here
            name = f"{colour} = {value_text(value)}" if colour and value is not None else figure
            for draw, own in lines.groupby("scenario", sort=False):
                if lines.scenario.nunique() > 1 and own[x].nunique() > 1:
                    _line(plot, own, x, figure, place, name=f"{name}, {draw}", legendgroup=name, showlegend=False,
                          mode="lines", line={"color": paints[index], "width": 1}, opacity=0.45)
            if len(lines):
                _line(plot, lines, x, figure, place, name=name, legendgroup=name,
                      showlegend=bool(colour) and number == 0, mode="lines+markers", line={"color": paints[index]},
                      marker={"symbol": SYMBOLS[index % len(SYMBOLS)], "size": 8})
    plot.update_xaxes(title=titled(x, units), **_ticks(sweep, present(sweep, table, x), x))
    known = numbers(table[figure]).dropna()
    wide = len(known) and known.min() > 0 and known.max() > WIDE * known.min()
    plot.update_yaxes(**(logarithmic(known.min(), known.max()) if wide else {"rangemode": "tozero"}))
    plot.update_yaxes(title=titled(figure, units), col=1)
    plot.update_layout(margin={**MARGIN, "t": 60}, height=420 if rows == 1 else 60 + 300 * rows,
                       legend={"orientation": "h", "y": 1 + 0.14 / rows, "yanchor": "bottom"})
    return plot


def logarithmic(low: float, high: float) -> dict[str, Any]:
    """An axis with ticks at 1, 2 and 5 times the powers of ten; over many decades at the powers of ten alone."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    steps = (1, 2, 5) if last - first < 5 else (1,)
    values = [step * 10.0 ** power for power in range(first, last + 1) for step in steps]
    return {"type": "log", "tickvals": values, "ticktext": [f"{value:,.10g}" for value in values]}


def _panels(sweep: Sweep, table: pd.DataFrame, facets: Sequence[str],
            parts: Sequence[tuple[str, pd.Series]] = ()) -> tuple[go.Figure, list[Panel], int]:
    """An empty plot per combination of the facets' values that occurs (and of parts, each with its title and rows),
    with its place and its rows; lines of plots."""
    panels: list[tuple[str, pd.DataFrame]] = [("", table)]
    for name in facets:
        panels = [(f"{title}, {name} = {value_text(value)}", here[here[name] == value]) for title, here in panels
                  for value in present(sweep, here, name)]
    if parts:
        panels = [(f", {part}{title}", here[rows.loc[here.index]]) for title, here in panels for part, rows in parts]
    columns = min(MAX_COLUMNS, len(panels))
    rows = -(-len(panels) // columns)
    plot = make_subplots(rows=rows, cols=columns, shared_yaxes="all", horizontal_spacing=0.04,
                         subplot_titles=[title[2:] for title, _ in panels] if panels[0][0] else None,
                         vertical_spacing=min(0.25, 0.6 / rows))
    return plot, [({"row": index // columns + 1, "col": index % columns + 1}, here)
                  for index, (_, here) in enumerate(panels)], rows


def _line(plot: go.Figure, rows: pd.DataFrame, x: str, figure: str, place: Mapping[str, int], **style: Any) -> None:
    means = rows.groupby(x, sort=is_numeric(rows[x]))[figure].apply(average)
    plot.add_trace(go.Scatter(x=_labels(means.index), y=list(means), **style), **place)


def colours(count: int) -> list[str]:
    """The palette, or as many steps of Cividis as there are values."""
    return list(PALETTE[:count]) if count <= len(PALETTE) else list(sample_colorscale("Cividis", count))


def _ticks(sweep: Sweep, values: list[Any], name: str) -> dict[str, Any]:
    """A logarithmic axis has its ticks at the sweep's values."""
    logarithmic = any(axis.key == name and axis.logarithmic for axis in sweep.axes)
    if not (is_geometric(values) or logarithmic and all(is_number(value) and value > 0 for value in values)):
        return {}
    return {"type": "log", "tickvals": values, "ticktext": [f"{value:,}" for value in values]}


def _labels(values: Any) -> list[Any]:
    return [value_text(value) if isinstance(value, bool) else value for value in values]


# Groups of the parts of a stack with their colours, as on the page of a run.
PARTS = {
    "works": (PALETTE[0], ("issue", "passes", "fetch")),
    "bank conflicts": (PALETTE[1], ("bank_conflict",)),
    "waits for data": (PALETTE[2], ("scoreboard", "latency", "response", "drain")),
    "waits for room": (
        PALETTE[3],
        ("isbe_full", "warp_slot", "lines_and_slot", "attribute_queue", "responses_full", "output_order"),
    ),
    "waits for its turn": (PALETTE[4], ("stall_count", "grant", "other_port", "front_end")),
    "nothing to do": ("#c8c8c8", ("no_warp", "no_request", "no_vertices", "idle", "ended")),
}


def breakdown(sweep: Sweep, stacks: pd.DataFrame, axis: str, facets: Sequence[str] = ()) -> go.Figure:
    """How the cycles of each resource were spent: a bar of 100 % per value of the axis, a plot per resource and
    combination of the facets. `stacks`: a row per run, resource and part."""
    stacks = stacks.assign(share=numbers(stacks.share))
    known = [name for name in WORKERS if (stacks.resource == name).any()]
    plot, panels, rows = _panels(sweep, stacks, facets, [(WORKERS[name], stacks.resource == name) for name in known])
    values = present(sweep, stacks, axis)
    named = {part for _, parts in PARTS.values() for part in parts}
    others = tuple(part for part in dict.fromkeys(stacks.part) if part not in named)
    for number, (place, here) in enumerate(panels):
        for name, (paint, parts) in {**PARTS, "other": (PALETTE[7], others)}.items():
            if not stacks.part.isin(parts).any():
                continue
            # Each part's mean over the runs.
            means = here[here.part.isin(parts)].groupby([axis, "part"], sort=False).share.mean()
            shares = [{part: 100 * share for (at, part), share in means.items() if at == value} for value in values]
            plot.add_trace(go.Bar(x=[value_text(value) for value in values], y=[sum(one.values()) for one in shares],
                                  text=["<br>".join(f"{part} {share:.1f} %" for part, share in one.items())
                                        for one in shares],
                                  textposition="none", hovertemplate="%{x}: %{text}", name=name, legendgroup=name,
                                  showlegend=number == 0, marker={"color": paint}), **place)
    plot.update_xaxes(title=axis, type="category")
    plot.update_yaxes(range=[0, 100])
    plot.update_yaxes(title="% of the cycles", col=1)
    plot.update_layout(margin={**MARGIN, "t": 60}, height=60 + 300 * rows, barmode="stack", showlegend=True)
    return plot


def sensitivity(effects: list[Effect], objective: Objective, units: Mapping[str, str]) -> go.Figure:
    """A small plot per axis on one scale: the average at each value, as a multiple of the axis' best."""
    columns = min(3, len(effects))
    plot = make_subplots(rows=-(-len(effects) // columns), cols=columns, shared_yaxes="all",
                         horizontal_spacing=0.05, vertical_spacing=min(0.25, 0.9 / len(effects)))
    for index, effect in enumerate(effects):
        best = effect.means[effect.best(objective.maximize)]
        place = {"row": index // columns + 1, "col": index % columns + 1}
        plot.add_trace(go.Scatter(x=[value_text(value) for value in effect.values],
                                  y=[mean / best if best else mean for mean in effect.means],
                                  mode="lines+markers", name=effect.axis, showlegend=False,
                                  line={"color": PALETTE[0]}, marker={"size": 9}), **place)
        plot.update_xaxes(title=titled(effect.axis, units), type="category", **place)
    plot.update_yaxes(title=f"{objective.figure} / best", col=1)
    plot.update_layout(margin=MARGIN, height=290 * -(-len(effects) // columns) + 40)
    return plot


def front(points: pd.DataFrame, figures: list[str], sweep: Sweep, units: Mapping[str, str]) -> go.Figure:
    """All pairs of figures in one plot with a menu: all points, and those that no point beats in both."""
    costs = {*sweep.figures.costs("machine"), *sweep.figures.costs("draw"), *OWN_UNITS}
    plot, pairs = go.Figure(), sorted(combinations(figures, 2), key=lambda pair: pair[1] not in costs)
    settings = [axis.key for axis in sweep.axes]
    hover = [f"point {index}<br>" + settings_text(row[settings].to_dict()).replace(", ", "<br>")
             for index, row in points.iterrows()]
    buttons = []
    for number, (y, x) in enumerate(pairs):
        _add_pair(plot, points, (x, y), sweep, hover, number == 0)
        visible = [pair == number for pair in range(len(pairs)) for _ in range(2)]
        buttons.append({"label": f"{y} over {x}", "method": "update",
                        "args": [{"visible": visible}, {"xaxis.title.text": titled(x, units),
                                                        "yaxis.title.text": titled(y, units)}]})
    y, x = pairs[0]
    plot.update_layout(margin={**MARGIN, "t": 80}, height=480, showlegend=True,
                       legend={"orientation": "h", "y": 1.1, "x": 1, "xanchor": "right"},
                       xaxis={"title": titled(x, units)}, yaxis={"title": titled(y, units)},
                       updatemenus=[{"buttons": buttons, "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom"}])
    return plot


def _add_pair(plot: go.Figure, points: pd.DataFrame, pair: tuple[str, str], sweep: Sweep, hover: list[str],
              visible: bool) -> None:
    x, y = (points[name].astype(float) for name in pair)
    chosen = pareto(x, y, *(more_is_better(name, sweep) for name in pair))
    plot.add_trace(go.Scatter(x=list(x), y=list(y), mode="markers", name="points", visible=visible, text=hover,
                              marker={"color": PALETTE[5], "size": 8}, hovertemplate="%{text}<br>%{x}, %{y}"))
    plot.add_trace(go.Scatter(x=list(x.iloc[chosen]), y=list(y.iloc[chosen]), mode="lines+markers",
                              name="Pareto front", visible=visible, text=[hover[index] for index in chosen],
                              line={"color": PALETTE[1], "shape": "hv"},
                              marker={"symbol": "diamond", "size": 11}, hovertemplate="%{text}<br>%{x}, %{y}"))
