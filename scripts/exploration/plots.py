# SPDX-License-Identifier: Apache-2.0
"""The charts of explore.html, as testbench/report/page/page.js draws them: `xy`, `bars`, `rows`."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import pandas as pd

from isbesim.simulator import Value, is_number, value_text

from .analysis import Effect, averages, numbers, present
from .results import WORKERS
from .sweep import Objective, Sweep
from .words import titled

MAX_LINES = 8
MAX_PANELS = 12
WIDE = 20  # an axis is logarithmic above this ratio of largest to smallest value
Chart = dict[str, Any]
Panel = tuple[str, pd.DataFrame]


def chart(kind: str, name: str, title: str, text: str, **keys: Any) -> Chart:
    return {"kind": kind, "id": name, "title": f"{title}.", "text": text, **keys}


def is_numeric(column: pd.Series) -> bool:
    return bool(column.dropna().map(is_number).all())


def choose_x(sweep: Sweep, table: pd.DataFrame, effects: list[Effect]) -> str | None:
    """A numeric value in which the scenarios differ, else the strongest numeric axis with more than two values, else
    the strongest axis."""
    names = [*sweep.scenario_keys, *(e.axis for e in effects)]
    numeric = [name for name in names if is_numeric(table[name]) and table[name].nunique() > 2]
    return next(iter(numeric or [e.axis for e in effects]), None)


def is_logarithmic(sweep: Sweep, values: list[Any], name: str) -> bool:
    """True for an axis that the sweep declares logarithmic, or if each value is at least 1.5 times the previous one."""
    known = sorted(filter(is_number, values))
    geometric = len(known) > 2 and all(b >= 1.5 * a for a, b in zip(known, known[1:]))
    declared = any(axis.key == name and axis.logarithmic for axis in sweep.axes)
    return bool(known) and len(known) == len(values) and known[0] > 0 and (declared or geometric)


def overview(sweep: Sweep, table: pd.DataFrame, x: str, colour: str | None, figure: str, units: Mapping[str, str],
             facets: Sequence[str] = ()) -> Chart:
    """The figure over one axis, a line per value of another, a panel per combination of the facets; everything else is
    averaged. If that averages over draws, each draw also has a thin line."""
    values = present(sweep, table, x)
    words = None if is_numeric(table[x]) else [value_text(value) for value in values]
    groups: list[Value | None] = [*present(sweep, table, colour)] if colour else [None]

    def line(rows: pd.DataFrame, name: str, **keys: Any) -> Chart:
        means = sorted((values.index(value) if words else value, mean)
                       for value, mean in averages(rows[figure], rows[x]).items())
        return {"name": name, "x": [place for place, _ in means], "y": [mean for _, mean in means], **keys}

    panels = []
    for title, here in _panels(sweep, table, facets):
        lines = []
        for value in groups:
            own = here[here[colour] == value] if colour else here
            name = f"{colour} = {value_text(value)}" if colour and value is not None else figure
            if own.scenario.nunique() > 1:
                lines += [line(rows, name, thin=True) for _, rows in own.groupby("scenario", sort=False)
                          if rows[x].nunique() > 1]
            if len(own):
                lines.append(line(own, name))
        panels.append({"title": title, "lines": lines})
    known = numbers(table[figure]).dropna()
    log = not words and is_logarithmic(sweep, values, x)
    return {"xlabel": titled(x, units), "ylabel": titled(figure, units), "words": words, "panels": panels, "logx": log,
            "xticks": sorted(values) if log else None,
            "logy": bool(len(known) and known.min() > 0 and known.max() > WIDE * known.min())}


def _panels(sweep: Sweep, table: pd.DataFrame, facets: Sequence[str]) -> list[Panel]:
    """Title and rows of each combination of the facets' values that occurs."""
    panels = [("", table)]
    for name in facets:
        panels = [(f"{title}, {name} = {value_text(value)}", here[here[name] == value]) for title, here in panels
                  for value in present(sweep, here, name)]
    return [(title[2:], here) for title, here in panels]


def breakdown(sweep: Sweep, stacks: pd.DataFrame, axis: str, facets: Sequence[str] = ()) -> list[list[Any]]:
    """How the cycles of each resource were spent: a heading per resource and combination of the facets, then a bar of
    100 % per value of the axis. `stacks`: a row per run, resource and part."""
    stacks = stacks.assign(share=100 * numbers(stacks.share))
    values = present(sweep, stacks, axis)
    rows: list[list[Any]] = []
    for resource, words in WORKERS.items():
        shares = stacks[stacks.resource == resource]
        for title, here in _panels(sweep, shares, facets) if len(shares) else []:
            rows.append([", ".join(filter(None, (words, title)))])
            # Each part's mean over the runs.
            means = here.groupby([axis, "part"], sort=False).share.mean().unstack(fill_value=0.0)
            rows += [[value_text(value), 100, dict(means.loc[value][lambda share: share > 0])] for value in values
                     if value in means.index]
    return rows


def sensitivity(effects: list[Effect], objective: Objective, units: Mapping[str, str]) -> Chart:
    """A small panel per axis on one scale: the average at each value, as a multiple of the axis' best."""
    panels = []
    for effect in effects:
        best = effect.means[effect.best(objective.maximize)]
        panels.append({"words": [value_text(value) for value in effect.values], "xlabel": titled(effect.axis, units),
                       "lines": [{"name": objective.figure, "x": list(range(len(effect.values))),
                                  "y": [mean / best if best else mean for mean in effect.means]}]})
    return {"ylabel": f"{objective.figure} / best", "panels": panels}
