# SPDX-License-Identifier: Apache-2.0
"""Runs a sweep from its file to its results; scripts/explore and isbesim.sweep share it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from isbesim.simulator import Simulator

from .confirmation import confirm
from .front import front_table
from .jobs import Folder, Row, jobs_of, make_rows, write_atomically
from .page import write_page
from .points import expand
from .reading import read_sweep
from .results import Results, collect, write
from .search import Hunt
from .sweep import Sweep
from .workflow import Place, Watcher, locked, run_jobs


@dataclass(frozen=True)
class Explored:
    sweep: Sweep
    results: Results
    folder: Folder
    simulator: Simulator
    interrupted: bool
    aside: int  # results in the folder that this sweep does not use

    @property
    def is_complete(self) -> bool:
        """Every run ended well."""
        return self.results.failed.empty and not self.interrupted

    def write_page(self) -> Path:
        return write_page(self.sweep, self.results, self.folder, self.simulator)


def drive(file: Path, simulator: Simulator, place: Place, out: Path | None,
          watcher: Callable[[int], Watcher]) -> Explored:
    """`watcher`: makes the observer of the progress, from the number of runs. Raises InputError and WorkflowError. A
    keyboard interrupt ends it with the results so far."""
    sweep = read_sweep(file, simulator)
    folder = Folder(out or Path("out") / file.stem)
    folder.create()
    with locked(folder):
        rows, interrupted = [], False
        try:
            if sweep.search is not None:
                hunt = Hunt(sweep, simulator, folder, place)
                rows = hunt.rows
                hunt.run(watcher)
            else:
                rows = make_rows(sweep, simulator, expand(sweep))
                jobs = jobs_of(rows)
                run_jobs(folder, jobs, place, watcher(len(jobs)))
        except KeyboardInterrupt:
            if not rows:  # results of an earlier start remain as they are
                raise
            interrupted = True
        results = collect(sweep, rows, folder, simulator)
        used = rows
        if not interrupted:
            try:
                used = rows + confirm(sweep, rows, results, simulator, folder, place, watcher)
            except KeyboardInterrupt:
                interrupted = True
        if not interrupted:
            folder.clear_partial()
        write(results, sweep, folder)
        if sweep.search is not None:
            write_atomically(folder.root / "front.csv", front_table(sweep, results).to_csv(index_label="point"))
        return Explored(sweep, results, folder, simulator, interrupted, _left_aside(folder, used))


def _left_aside(folder: Folder, rows: list[Row]) -> int:
    """Results that this sweep does not use are neither mixed in nor deleted."""
    keys = {row.job.key for row in rows if row.job is not None}
    return len({file.stem for file in folder.points.glob("[0-9a-f]*.json")} - keys)
