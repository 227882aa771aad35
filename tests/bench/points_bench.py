#!/usr/bin/python3 -Xutf8
# SPDX-License-Identifier: Apache-2.0
"""points_bench.py ISBESIM SCENARIO [POINTS]: how fast a sweep is beside the same draws run back to back.

Cores: all. Plain runs are `isbesim run`, one after the other on each core, of as many of the points as take about ten
seconds; the sweep goes from its file to results.csv and results.sqlite."""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "scripts" / "python")]

from exploration.driver import drive  # noqa: E402
from exploration.jobs import make_rows  # noqa: E402
from exploration.points import expand  # noqa: E402
from exploration.reading import read_sweep  # noqa: E402
from exploration.workflow import Place, Progress  # noqa: E402
from isbesim.simulator import Simulator  # noqa: E402

AXES = {"isbe.banks": [8, 16, 32], "isbe.skew": [True, False], "isbe.request_queue_depth": {"range": [1, 16]},
        "isbe.pipeline_latency": {"range": [10, 30]}, "sm.alu_latency": {"range": [2, 12]}}


def back_to_back(file: Path, simulator: Simulator, folder: Path, cores: int, seconds: float = 10) -> float:
    """Seconds per plain run with all cores at work."""
    sweep = read_sweep(file, simulator)
    jobs = [row.job for row in make_rows(sweep, simulator, expand(sweep)) if row.job is not None]
    begin = time.monotonic()

    def worker(core: int) -> int:
        done = 0
        while time.monotonic() - begin < seconds:
            job = jobs[(done * cores + core) % len(jobs)]
            config = folder / f"{core}.json"
            config.write_text(json.dumps(job.config), encoding="utf-8")
            simulator.call("run", job.file, "--config", str(config), "--out", str(folder / str(core)), "--quiet")
            done += 1
        return done

    with ThreadPoolExecutor(cores) as pool:
        count = sum(pool.map(worker, range(cores)))
    return (time.monotonic() - begin) / count


def main() -> None:
    simulator, scenario = Simulator(Path(sys.argv[1])), Path(sys.argv[2]).resolve()
    points = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
    cores = os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sweep.json"
        file.write_text(json.dumps({"axes": AXES, "sample": points, "scenarios": [str(scenario)]}), encoding="utf-8")
        plain = back_to_back(file, simulator, Path(folder), cores)
        begin = time.monotonic()
        drive(file, simulator, Place(cores), Path(folder) / "out", Progress)
        swept = (time.monotonic() - begin) / points
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{cores} cores, {points} points of {scenario.parent.name}\n"
          f"plain runs:  {1 / plain:8.1f} per second, {1000 * plain:.2f} ms each\n"
          f"sweep:       {1 / swept:8.1f} per second, {1000 * swept:.2f} ms each: {100 * plain / swept:.0f} % of plain "
          f"runs (target 80 %), {1000 * (swept - plain):+.2f} ms a point\n"
          f"memory of the driver: {memory:.0f} MB")


if __name__ == "__main__":
    main()
