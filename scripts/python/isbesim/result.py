# SPDX-License-Identifier: Apache-2.0
"""The report of a run, as tables and pictures."""

from __future__ import annotations

import html
import tempfile
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import IsbesimError
from .process import Outcome
from .simulator import Flat, Simulator, is_number, report_figures, value_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd
    from matplotlib.axes import Axes

# The other modules that this one needs take half a second to load. They are imported at their uses, so that a worker
# of a sweep, which needs none of them, starts at once.


class Result:
    """The result of run and replay. Tables are pandas'; `report` is the content of report.json."""

    def __init__(self, simulator: Simulator, folder: Path, outcome: Outcome, report: dict[str, Any],
                 kept: tempfile.TemporaryDirectory[str] | None = None):
        self.simulator = simulator
        self.folder = folder  # deleted with this object, unless the caller named it
        self.outcome = outcome
        self.report = report
        self._kept = kept

    @property
    def status(self) -> str:
        """How it ended: "done", or the verdict of a failed check."""
        return self.outcome.status

    @property
    def error(self) -> IsbesimError | None:
        return self.outcome.error(self)

    @property
    def cycles(self) -> int:
        return int(self["cycles"])

    @cached_property
    def figures(self) -> Flat:
        """Every figure by its dotted name, as in results.csv of a sweep; `isbesim help figures` explains them."""
        return {key: value for key, value in report_figures(self.report).items() if not key.startswith("config.")}

    @cached_property
    def config(self) -> Flat:
        """The whole machine: configuration key -> value."""
        found = report_figures({"config": self.report.get("config", {})})
        return {key.removeprefix("config."): value for key, value in found.items() if key.startswith("config.")}

    def __getitem__(self, figure: str) -> Any:
        """A figure by its dotted name: result["latency.ald.p99"]."""
        return self.figures[figure]

    def unit(self, figure: str) -> str:
        return self.simulator.figure_table.unit(figure)

    @property
    def bottleneck(self) -> str:
        """The resource that limits the draw, by how much, and the next limit."""
        return str(self.report.get("bottleneck", ""))

    @cached_property
    def vertices(self) -> pd.DataFrame:
        """The output vertices: stream, primitive, vertex, then 32-bit words by attribute address, <NA> for words that a
        stream does not capture. floats() has them as numbers."""
        import pandas as pd

        file = self.folder / "vertices.csv"
        if not file.exists():
            return pd.DataFrame(columns=["stream", "primitive", "vertex"])
        table = pd.read_csv(file, dtype=str)
        for name in table:
            base = 16 if name.startswith("0x") else 10
            table[name] = table[name].map(lambda word, base=base: int(word, base), na_action="ignore").astype("UInt32")
        return table

    def floats(self) -> pd.DataFrame:
        """The vertices, with their words as 32-bit floats."""
        import numpy as np

        table = self.vertices.copy()
        for name in [name for name in table if name.startswith("0x")]:
            words = table[name].fillna(0).to_numpy(dtype=np.uint32).view(np.float32)
            table[name] = np.where(table[name].isna(), np.float32(np.nan), words)
        return table

    @cached_property
    def latencies(self) -> pd.DataFrame:
        """A row per opcode: count, min, mean, p50, p90, p99, max cycles."""
        import pandas as pd

        return pd.DataFrame.from_dict(self.report.get("latency", {}), orient="index").rename_axis("opcode")

    @cached_property
    def stacks(self) -> pd.DataFrame:
        """A row per resource and part: cycles, and their share. The parts of a resource add up to its cycles."""
        rows = [(resource, part, cycles, cycles / stack["cycles"] if stack["cycles"] else 0.0)
                for resource, stack in self.report.get("stacks", {}).items() for part, cycles in stack["parts"].items()]
        return _frame(rows, columns=["resource", "part", "cycles", "share"])

    @cached_property
    def series(self) -> pd.DataFrame:
        """Counts over time: a row per bin, `cycle` is its first."""
        import pandas as pd

        series = self.report.get("series", {})
        # Lists of lists have a row per bank, warp or meshlet.
        bins = {name: value for name, value in series.items()
                if isinstance(value, list) and value and not isinstance(value[0], list)}
        width, count = int(series.get("bin_cycles", 1)), len(next(iter(bins.values()), []))
        return pd.DataFrame({"cycle": range(0, count * width, width), **bins}).set_index("cycle")

    @cached_property
    def histograms(self) -> pd.DataFrame:
        """A row per bin: the histogram, the bin's first and last value, and its count."""
        def rows(prefix: str, value: Any) -> Iterator[list[Any]]:
            for each in value if isinstance(value, list) else ():
                yield [prefix, *each]
            for name, inner in value.items() if isinstance(value, dict) else ():
                yield from rows(f"{prefix}.{name}" if prefix else name, inner)

        return _frame(list(rows("", self.report.get("histograms", {}))), columns=["of", "first", "last", "count"])

    @cached_property
    def windows(self) -> pd.DataFrame:
        """A row per N cycles, a column per figure: options=["--every", N]. Counts add up to the run's; in
        a chip each TPC has rows, with its number in column "tpc"."""
        import pandas as pd

        return pd.read_csv(self.folder / "windows.csv").set_index("first")

    @cached_property
    def profile(self) -> pd.DataFrame:
        """A row per issued instruction, ordered by lost cycles, most first: options=["--profile"]. If the scenario
        names listings, groupby("source") sums by source line."""
        lost = ("stall_count", "scoreboard", "pipe", "issue_slot")
        rows = [{"stage": stage, "lost": sum(line[reason] for reason in lost), **line}
                for stage, lines in self.report.get("profile", {}).items() for line in lines]
        return _frame(sorted(rows, key=lambda row: -int(row["lost"])))

    @cached_property
    def traps(self) -> pd.DataFrame:
        return _frame(self.report.get("traps", []))

    @cached_property
    def warnings(self) -> pd.DataFrame:
        return _frame(self.report.get("warnings", []))

    def plot_stacks(self, axes: Axes | None = None) -> Axes:
        """How every cycle of each resource was spent, a bar per resource."""
        from . import plots

        return plots.stacks(self.stacks, axes)

    def plot_latencies(self, axes: Axes | None = None) -> Axes:
        """Median, 99th percentile and maximum of each opcode."""
        from . import plots

        return plots.latencies(self.latencies, axes)

    def plot_series(self, *names: str, axes: Axes | None = None) -> Axes:
        """Figures over the cycles: occupancy of the ISBE, warps, ..."""
        from . import plots

        return plots.series(self.series, names or ("isbe_lines",), axes)

    def summary(self) -> list[tuple[str, str]]:
        """The main figures, with units."""
        known = [name for name in ("cycles", "time_ns", "output.vertices_captured", "bank_conflicts.efficiency",
                                   "occupancy.isbe_lines_peak", "proxies.energy_pj", "proxies.area.mm2")
                 if name in self.figures]
        return [("status", self.outcome.line),
                *((with_unit(name, self.unit(name)), number(self[name])) for name in known)]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {', '.join(f'{name}: {text}' for name, text in self.summary())}>"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th style='text-align:left'>{html.escape(name)}</th><td>{html.escape(text)}</td></tr>"
                       for name, text in self.summary())
        words = f"<p>{html.escape(self.bottleneck)}</p>" if self.bottleneck else ""
        return f"<div>{words}<table>{rows}</table>{self.tables_html()}</div>"

    def tables_html(self) -> str:
        used = self.latencies[self.latencies["count"] > 0] if "count" in self.latencies else self.latencies
        return str(used.to_html(float_format="%.4g")) if len(used) else ""


class TrafficResult(Result):
    """The result of traffic."""

    @cached_property
    def curve(self) -> pd.DataFrame:
        """A row per load: offered and accepted operations per cycle, latency in cycles, the closed form's mean."""
        return _frame(self.report.get("curve", {}).get("points", []))

    def plot_curve(self, axes: Axes | None = None) -> Axes:
        """Latency over accepted bandwidth, up to saturation."""
        from . import plots

        return plots.curve(self.curve, axes)

    def tables_html(self) -> str:
        return str(self.curve.to_html(float_format="%.4g", index=False)) if len(self.curve) else super().tables_html()


def _frame(rows: Any, columns: list[str] | None = None) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(rows, columns=columns)


def with_unit(name: str, unit: str) -> str:
    """The name, with its unit in parentheses unless the unit is empty or the name."""
    return f"{name} ({unit})" if unit and unit != name else name


def number(value: Any) -> str:
    """Four significant digits with separated thousands; words unchanged."""
    if not is_number(value):
        return value_text(value)
    if value != value:
        return "none"
    return f"{value:,.0f}" if float(value).is_integer() or abs(value) >= 10000 else f"{value:,.4g}"
