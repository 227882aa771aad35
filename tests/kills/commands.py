# SPDX-License-Identifier: Apache-2.0
"""The commands that are killed: how each is called, what it leaves, and how it ends by a signal."""
from __future__ import annotations

import contextlib
import dataclasses
import json
import pathlib
import platform
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from typing import Callable

from half_capture import HalfCapture
from kill_campaign import ROOT, Command, KillError, ends_by_signal

sys.path.append(str(ROOT / "tests" / "exploration"))
from slurm_cluster import Cluster  # noqa: E402

SCENARIO = ROOT / "testbench" / "scenarios" / "gs_amplify" / "scenario.json"
SMALL_SCENARIO = SCENARIO.parent.parent / "vs_text" / "scenario.json"
PROGRAM = ["/usr/bin/python3", str(ROOT / "tests" / "gl" / "random_program.py"), "101", "6"]
DRIVER = pathlib.Path(f"/usr/lib/{platform.machine()}-linux-gnu/dri/nouveau_dri.so")


class Places:
    """The build, a folder for everything, and what some commands need besides it."""

    def __init__(self, build: pathlib.Path, folder: pathlib.Path) -> None:
        self.isbesim, self.folder = build / "isbesim", folder
        self.kernel = build / "libisbesim_gl_kernel.so"
        self.cluster: Cluster | None = None

    def prepare(self, *words: str) -> None:
        done = subprocess.run([self.isbesim, *words], capture_output=True, text=True, timeout=300, check=False)
        if done.returncode != 0:
            raise KillError(f"{' '.join(words)}: status {done.returncode}: {done.stderr.strip()[-500:]}")

    def sweep(self, **keys: object) -> str:
        file = self.folder / "sweep.json"
        file.write_text(json.dumps(keys))
        return str(file)

    def slurm(self) -> Cluster:
        """Raises unittest.SkipTest."""
        if self.cluster is None:
            self.cluster = Cluster()
            self.cluster.start()
        return self.cluster

    def leave(self) -> None:
        if self.cluster is not None:
            self.cluster.stop()


@dataclasses.dataclass(frozen=True)
class Maker:
    make: Callable[[Places], Command]
    missing: Callable[[Places], str | None] = lambda places: None  # why it can't be run here


def files(*names: str) -> Callable[[pathlib.Path], list[pathlib.Path]]:
    """Names and patterns."""
    return lambda folder: sorted(path for name in names for path in folder.glob(name))


def finished(database: pathlib.Path) -> bool:
    """Whether the run ended by itself: until then its status is `running`, or not yet written."""
    try:
        with contextlib.closing(sqlite3.connect(database)) as file:
            row = file.execute("SELECT value FROM run WHERE key = 'status'").fetchone()
    except sqlite3.Error:
        return False
    return row is not None and row[0] != "running"


# ---- isbesim ---------------------------------------------------------------------------------------------------------


def run(places: Places) -> Command:
    return Command("run", lambda to: [str(places.isbesim), "run", str(SCENARIO), "--out", str(to / "out"), "--quiet"],
                   files("out/report.json", "out/vertices.csv"))


def crosscheck_words(places: Places, to: pathlib.Path) -> list[str]:
    return [str(places.isbesim), "crosscheck", "--isbe", "at", "--transactions", "3000", "--out", str(to / "out"),
            "--quiet"]


def crosscheck(places: Places) -> Command:
    return Command("crosscheck", lambda to: crosscheck_words(places, to), files("out/report.json"))


def replay(places: Places) -> Command:
    trace = places.folder / "recorded"
    places.prepare(*crosscheck_words(places, places.folder)[1:], "--record", str(trace))
    return Command("replay", lambda to: [str(places.isbesim), "replay", str(trace), "--isbe", "at", "--out",
                                         str(to / "out"), "--quiet"], files("out/report.json"))


def record(places: Places) -> Command:
    return Command("record", lambda to: [*crosscheck_words(places, to), "--record", str(to / "trace")],
                   files("out/report.json", "trace"))


def pictures(places: Places) -> Command:
    return Command("pictures", lambda to: [*run(places).words(to), "--timeline", str(to / "timeline"), "--kanata",
                                           str(to / "kanata")], files("out/report.json", "timeline", "kanata"))


def database(places: Places) -> Command:
    return Command("database", lambda to: [*run(places).words(to), "--database", str(to / "run.sqlite")],
                   files("out/report.json", "run.sqlite"), lambda path: path.suffix == ".sqlite" and not finished(path))


# ---- isbesim gl ------------------------------------------------------------------------------------------------------


def no_gl(places: Places) -> str | None:
    if not places.kernel.exists():
        return "libdrm-dev or libvulkan-dev is not installed"
    return None if DRIVER.exists() else "libgl1-mesa-dri is not installed"


def gl_ends(status: int, number: int, err: list[str]) -> bool:
    """Ctrl-C is the program's; SIGTERM and SIGHUP are passed on to it, and the status is the program's. Before it has
    begun and when it has ended, `isbesim gl` ends as every command."""
    passed_on = status == 128 + number and not any(line.startswith("isbesim") for line in err)
    interrupted = number == signal.SIGINT and status == 1  # Python's answer to it
    return passed_on or interrupted or ends_by_signal(status, number, err, "isbesim")


def gl(places: Places) -> Command:
    whole = places.folder / "whole.capture"
    words = [str(places.isbesim), "gl", "--quiet", "--capture"]
    places.prepare(*words[1:], str(whole), "--", *PROGRAM)
    half = HalfCapture(places.isbesim, whole)
    return Command("gl", lambda to: [*words, str(to / "a.capture"), "--", *PROGRAM], files("a.capture"),
                   half.is_incomplete, ends=gl_ends, keeps=lambda name: name == "a.capture")


# ---- scripts/explore -------------------------------------------------------------------------------------------------


def says_what_is_missing(path: pathlib.Path) -> bool:
    return path.name == "results.csv" and "not finished" in path.read_text()


def explore_ends(status: int, number: int, err: list[str]) -> bool:
    """The last line; the others are of its progress."""
    return ends_by_signal(status, number, err[-1:], "explore")


def explore_with(name: str, places: Places, sweep: str, *options: str) -> Command:
    """A killed sweep goes on with what it has; of a point there is all or nothing."""
    cluster = places.cluster
    return Command(name, lambda to: [str(ROOT / "scripts" / "explore"), sweep, "--isbesim", str(places.isbesim),
                                     "--no-page", "--out", str(to / "out"), *options],
                   files("out/results.csv", "out/points/*.json"), says_what_is_missing, (".workflow",),
                   lambda: cluster is None or not cluster.ask("squeue", "--noheader").strip(),
                   explore_ends, lambda name: True)


def explore(places: Places) -> Command:
    """Four runs."""
    sweep = places.sweep(axes={"isbe.request_queue_depth": [2, 4], "isbe.response_queue_depth": [2, 4]},
                         scenarios=[str(SCENARIO)])
    return explore_with("explore", places, sweep)


def explore_slurm(places: Places) -> Command:
    """Two runs."""
    places.slurm()
    sweep = places.sweep(axes={"isbe.banks": [8, 32]}, scenarios=[str(SMALL_SCENARIO)])
    return explore_with("explore_slurm", places, sweep, "--profile", "slurm")


# ---- scripts/rtl -----------------------------------------------------------------------------------------------------


def no_verilator(places: Places) -> str | None:
    return None if shutil.which("verilator") else "verilator is not installed"


def rtl_ends(status: int, number: int, err: list[str]) -> bool:
    """After the line about a build, if any."""
    return ends_by_signal(status, number, [line for line in err if not re.search("building the|waiting for", line)],
                          "isbesim")


def rtl_with(name: str, *options: str) -> Command:
    def words(to: pathlib.Path) -> list[str]:
        return ["env", f"ISBESIM_RTL_CACHE={to / 'cache'}", str(ROOT / "scripts" / "rtl"), "--jobs", "2", *options,
                "--out", str(to / "plugin.so")]

    return Command(name, words, files("plugin.so", "cache/*.so", "cache/*.a"), ends=rtl_ends, warms_up=True,
                   keeps=lambda name: name == "cache" or name.endswith((".lock", ".a", ".so")))


COMMANDS = {
    "run": Maker(run), "crosscheck": Maker(crosscheck), "replay": Maker(replay), "record": Maker(record),
    "pictures": Maker(pictures), "database": Maker(database), "gl": Maker(gl, no_gl), "explore": Maker(explore),
    "explore_slurm": Maker(explore_slurm),
    # The smallest block, which builds quickest.
    "rtl": Maker(lambda places: rtl_with("rtl", "--name", "smallest"), no_verilator),
    "waves": Maker(lambda places: rtl_with("waves", "--waves-only"), no_verilator),
}
