# SPDX-License-Identifier: Apache-2.0
"""Sweeps and searches from Python, like scripts/explore, with the results as tables."""

from __future__ import annotations

import html
import importlib
import json
import sys
import tempfile
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping

from .pool import bar
from .simulator import find_simulator

if TYPE_CHECKING:
    import pandas as pd


def exploration(module: str) -> Any:
    """A module of scripts/exploration: a part of this package if installed, next to it in the source tree."""
    here = Path(__file__).resolve().parent
    if (here / "exploration").is_dir():
        return importlib.import_module(f"isbesim.exploration.{module}")
    scripts = str(here.parents[1])
    if scripts not in sys.path:
        sys.path.append(scripts)
    return importlib.import_module(f"exploration.{module}")


class SweepResult:
    """The results of a sweep. Its files are in `folder`: results.csv, results.sqlite, points."""

    def __init__(self, explored: Any):
        self._explored = explored
        self.folder: Path = explored.folder.root

    @property
    def table(self) -> pd.DataFrame:
        """results.csv: a row per point and draw, numbers as numbers."""
        table: pd.DataFrame = self._explored.results.table.infer_objects()
        return table

    @property
    def done(self) -> pd.DataFrame:
        """The rows of runs that ended well."""
        return self.table[self.table.status == "done"]

    @property
    def is_complete(self) -> bool:
        """Every run ended well."""
        return bool(self._explored.is_complete)

    @cached_property
    def best(self) -> Any:
        """The point that the objective chooses: point, settings, score, ...; None without an objective or a point."""
        return exploration("analysis").best(self._explored.sweep, self._explored.results)

    @cached_property
    def front(self) -> pd.DataFrame:
        """The points that no other point beats in every objective of the search (for a grid: its objective, area and
        energy): settings and objectives."""
        table: pd.DataFrame = exploration("front").front_table(self._explored.sweep, self._explored.results)
        return table

    @cached_property
    def importances(self) -> pd.DataFrame:
        """A row per axis, a column per objective: the share of its variance that the axis explains."""
        table: pd.DataFrame = exploration("front").importances(self._explored.sweep, self._explored.results)
        return table

    @property
    def answer(self) -> list[str]:
        """The best point, in words."""
        texts: list[str] = exploration("words").answer_texts(self._explored.sweep, self._explored.results)
        return texts

    def write_page(self) -> Path:
        """Writes explore.html into the folder."""
        page: Path = self._explored.write_page()
        return page

    def __repr__(self) -> str:
        return f"<SweepResult {len(self.table)} runs, {len(self.done)} done; {' '.join(self.answer)}>"

    def _repr_html_(self) -> str:
        words = "".join(f"<p>{html.escape(text)}</p>" for text in self.answer)
        names = [axis.key for axis in self._explored.sweep.axes]
        shown = ["point", "scenario", "status", *names, *self._explored.sweep.metrics]
        if self._explored.sweep.objective is not None:
            shown.append(self._explored.sweep.objective.figure)
        known = [name for name in dict.fromkeys(shown) if name in self.table]
        return f"<div>{words}{self.table[known].to_html(max_rows=20, index=False, float_format='%.4g')}</div>"


class _Bar:
    """Shows the exploration's progress by tqdm."""

    def __init__(self, total: int, shown: bool | None):
        self._bar = bar(total, "sweep", shown)

    def begin(self, finished: int) -> None:
        self.show(finished)

    def show(self, finished: int) -> None:
        self._bar.update(finished - self._bar.n)

    def end(self, finished: int) -> None:
        self.show(finished)
        self._bar.close()


def sweep(spec: str | Path | Mapping[str, Any], out: str | Path | None = None, *, cores: int | None = None,
          profile: str | None = None, progress: bool | None = None, isbesim: str | Path | None = None) -> SweepResult:
    """Runs SWEEP.json, or the same as a mapping (its files are relative to the working folder), on `cores` of this
    machine (default: all) or by a Snakemake `profile` such as "slurm", with `cores` jobs at a time. Results are kept in
    `out` (default: out/<name>): points with results there do not run again. Raises InputError for a wrong sweep; points
    that fail are rows of the table."""
    driver, workflow = exploration("driver"), exploration("workflow")
    simulator = find_simulator(isbesim)
    place = workflow.place_of(cores, profile)
    with tempfile.TemporaryDirectory(prefix="isbesim.") as scratch:
        if isinstance(spec, Mapping):
            file = Path(scratch) / "sweep.json"
            file.write_text(json.dumps(_absolute(spec), indent=1), encoding="utf-8")
        else:
            file = Path(spec)
        return SweepResult(driver.drive(file, simulator, place, Path(out) if out is not None else None,
                                        lambda total: _Bar(total, progress)))


def _absolute(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The sweep with absolute paths instead of files of the working folder."""
    def draw(entry: Any) -> Any:
        file = entry.get("file") if isinstance(entry, Mapping) else entry
        if not isinstance(file, (str, Path)):
            return entry
        return {"name": str(file), **(entry if isinstance(entry, Mapping) else {}), "file": str(named(file))}

    def named(name: Any) -> Any:
        """A name that is not a file names a machine or a scenario."""
        return str(Path(name).absolute()) if isinstance(name, (str, Path)) and Path(name).is_file() else name

    found = dict(spec)
    for key in {"scenarios", "traces"} & found.keys():
        found[key] = [draw(entry) for entry in found[key]]
    if "base" in found:
        base = found["base"]
        has_keys = isinstance(base, Mapping) and "machine" in base
        found["base"] = {**base, "machine": named(base["machine"])} if has_keys else named(base)
    if "machine" in found.get("axes", {}):
        found["axes"] = {**found["axes"], "machine": [named(name) for name in found["axes"]["machine"]]}
    return found
