"""The plots of explore.html. Colours that carry meaning are Okabe and Ito's, or Cividis: both survive colour
blindness. Everything else takes the page's colours, light or dark, when it is shown."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Mapping

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from .analysis import Effect, average, more_is_better, numbers, pareto
from .simulator import OWN_UNITS, is_number, value_text
from .sweep import Objective, Sweep
from .words import settings_text, titled

PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c8c8c", "#b8a800")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "star", "cross", "triangle-down")
MAX_LINES = len(PALETTE)
_MARGIN = {"l": 70, "r": 20, "t": 30, "b": 60}


def is_numeric(column: pd.Series) -> bool:
    return bool(column.dropna().map(is_number).all())


def choose_x(sweep: Sweep, table: pd.DataFrame, effects: list[Effect]) -> str | None:
    """A numeric value of the scenarios (what the draws differ in), else the strongest numeric axis with more than two
    values, else the strongest axis."""
    names = [*sweep.scenario_keys, *(e.axis for e in effects)]
    numeric = [name for name in names if is_numeric(table[name]) and table[name].nunique() > 2]
    return next(iter(numeric or [e.axis for e in effects]), None)


def is_geometric(values: list[Any]) -> bool:
    """Values that at least grow by half each time: they read better on a logarithmic axis."""
    known = sorted(filter(is_number, values))
    return len(known) == len(values) > 2 and known[0] > 0 and all(b >= 1.5 * a for a, b in zip(known, known[1:]))


def overview(table: pd.DataFrame, x: str, colour: str | None, figure: str, units: Mapping[str, str]) -> go.Figure:
    """The figure over one axis, a line per value of another; everything else is averaged."""
    plot = go.Figure()
    groups = list(dict.fromkeys(table[colour])) if colour else [None]
    for index, value in enumerate(groups[:MAX_LINES]):
        rows = table[table[colour] == value] if colour else table
        means = rows.groupby(x, sort=is_numeric(rows[x]))[figure].apply(average)
        name = f"{colour} = {value_text(value)}" if colour else figure
        plot.add_trace(go.Scatter(x=_labels(means.index), y=list(means), name=name, mode="lines+markers",
                                  line={"color": PALETTE[index]}, marker={"symbol": SYMBOLS[index], "size": 9}))
    plot.update_layout(margin=_MARGIN, height=420, showlegend=bool(colour), legend={"orientation": "h", "y": 1.12},
                       xaxis={"title": titled(x, units), **_ticks(list(dict.fromkeys(table[x])))},
                       yaxis={"title": titled(figure, units), "rangemode": "tozero"})
    return plot


def _ticks(values: list[Any]) -> dict[str, Any]:
    """A logarithmic axis is ticked where the sweep has values."""
    if not is_geometric(values):
        return {}
    return {"type": "log", "tickvals": values, "ticktext": [f"{value:,}" for value in values]}


def _labels(values: Any) -> list[Any]:
    return [value_text(value) if isinstance(value, bool) else value for value in values]


def breakdown(table: pd.DataFrame, axis: str, figures: list[str]) -> go.Figure:
    """Means of several figures of one unit, a group of bars per figure, a bar per value of the axis."""
    plot = go.Figure()
    for index, value in enumerate(list(dict.fromkeys(table[axis]))[:MAX_LINES]):
        rows = table[table[axis] == value]
        plot.add_trace(go.Bar(x=[name.split(".", 1)[-1] for name in figures],
                              y=[float(numbers(rows[name]).mean()) for name in figures],
                              name=f"{axis} = {value_text(value)}", marker={"color": PALETTE[index]}))
    plot.update_layout(margin=_MARGIN, height=380, barmode="group", legend={"orientation": "h", "y": 1.12},
                       showlegend=True, xaxis={"title": "stalls, by reason"},
                       yaxis={"title": "mean of the runs (cycles)", "rangemode": "tozero"})
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
    plot.update_layout(margin=_MARGIN, height=290 * -(-len(effects) // columns) + 40)
    return plot


def front(points: pd.DataFrame, figures: list[str], sweep: Sweep, units: Mapping[str, str]) -> go.Figure:
    """Every pair of figures behind one menu: all points, and those that none beats in both."""
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
    plot.update_layout(margin={**_MARGIN, "t": 80}, height=480, showlegend=True,
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
