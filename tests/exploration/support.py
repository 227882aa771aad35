# SPDX-License-Identifier: Apache-2.0
"""Common to the tests of the exploration: a folder of their own, sweeps, and simulators that misbehave."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = ROOT / "testbench" / "scenarios"
ISBESIM = Path(os.environ.get("ISBESIM", ROOT / "build" / "isbesim"))


def repetitions(count: int) -> int:
    """How often a test of random inputs repeats: one in ISBESIM_SHARE of `count`."""
    return -(-count // int(os.environ.get("ISBESIM_SHARE", "1")))


class FolderTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="exploration."))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def browser(self) -> str:
        """The command of a Chromium. Without one the test is skipped, or fails where scripts/test ran it."""
        names = ("chromium", "chromium-browser", "google-chrome")
        found = next((path for name in names if (path := shutil.which(name))), None)
        if found is None and os.environ.get("ISBESIM_REQUIRE_PACKAGES") == "1":
            self.fail("no Chromium here")
        return found or self.skipTest("no Chromium here")

    def write_sweep(self, **keys: Any) -> Path:
        sweep = {"axes": {"isbe.banks": [8, 16, 32]}, "scenarios": [str(SCENARIOS / "vs_text" / "scenario.json")],
                 **keys}
        return self.write_text(json.dumps(sweep, indent=2))

    def write_text(self, text: str, name: str = "sweep.json") -> Path:
        file = self.folder / name
        file.write_text(text, encoding="utf-8")
        return file

    def wrapper(self, script: str) -> Path:
        """A simulator that is the real one after some shell code; "$1" is the command."""
        file = self.folder / "isbesim"
        file.write_text(f'#!/bin/bash\n{script}\nexec "{ISBESIM}" "$@"\n')
        file.chmod(0o755)
        return file

    def served(self, hook: str) -> Path:
        """A simulator whose `serve` does something before each request is passed on: Python with `request`, and `real`,
        the process that answers."""
        lines = "\n".join(f"    {line}" for line in hook.splitlines())
        self.write_text("import glob, json, os, signal, subprocess, sys, time\n"
                        f"real = subprocess.Popen([{str(ISBESIM)!r}, *sys.argv[1:]], stdin=subprocess.PIPE)\n"
                        f"for line in sys.stdin:\n    request = json.loads(line)\n{lines}\n"
                        "    real.stdin.write(json.dumps(request).encode() + b'\\n')\n    real.stdin.flush()\n"
                        "real.stdin.close()\nsys.exit(real.wait())\n", "serve.py")
        return self.wrapper(f'[[ $1 == serve ]] && exec {sys.executable} {self.folder / "serve.py"} "$@"')

    def report_of(self, *words: str | Path) -> Any:
        """The report of a command of the simulator that ends well; its files are in the folder `result`."""
        out = self.folder / "result"
        subprocess.run([ISBESIM, *words, "--quiet", "--out", out], check=True, cwd=self.folder)
        return json.loads((out / "report.json").read_text())

    def command(self, sweep: Path, *options: str, isbesim: Path = ISBESIM, out: str = "out") -> list[str]:
        page = () if "--page" in options else ("--no-page",)
        return [sys.executable, "-m", "exploration", str(sweep), "--isbesim", str(isbesim), "--out",
                str(self.folder / out), *page, *(option for option in options if option != "--page")]

    def start(self, sweep: Path, *options: str, **places: Any) -> subprocess.Popen[str]:
        return subprocess.Popen(self.command(sweep, *options, **places), stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, env=environment())

    def explore(self, sweep: Path, *options: str, **places: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(self.command(sweep, *options, **places), capture_output=True, text=True, check=False,
                              env=environment(), timeout=600)

    def rows(self, out: str = "out") -> list[dict[str, str]]:
        with (self.folder / out / "results.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    def page_data(self) -> Any:
        """The content of explore.html, its charts and parts by name."""
        page = (self.folder / "out" / "explore.html").read_text(encoding="utf-8")
        content = json.loads(re.search('id="page">(.*?)</script>', page).group(1))
        return {**content, "charts": {chart["id"]: chart for chart in content["charts"]},
                "parts": {part["title"]: part for part in content["parts"]}}

    def check_local_run(self, sweep: Path, isbesim: Path = ISBESIM) -> None:
        """The results are those of runs on this machine."""
        self.assertEqual(self.explore(sweep, "--cores", "2", isbesim=isbesim, out="local").returncode, 0)
        self.assertEqual(*((self.folder / out / "results.csv").read_bytes() for out in ("out", "local")))

    def results(self) -> set[str]:
        return {file.stem for file in (self.folder / "out" / "points").glob("[0-9a-f]*.json")}

    def wait_for_results(self, driver: subprocess.Popen[str], count: int) -> None:
        deadline = time.monotonic() + 300
        while len(self.results()) < count:
            self.assertLess(time.monotonic(), deadline)
            self.assertIsNone(driver.poll(), "the sweep ended before it could be killed")
            time.sleep(0.01)

    def wait_for_the_last_process(self) -> None:
        """The processes of a killed driver end soon after it."""
        deadline = time.monotonic() + 60
        while self.anything_runs():
            self.assertLess(time.monotonic(), deadline, "something goes on running behind a killed driver")
            time.sleep(0.05)

    def anything_runs(self) -> bool:
        """Whether a process has this test's folder on its command line."""
        for file in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):  # it ended
                if str(self.folder).encode() in file.read_bytes():
                    return True
        return False

    def history(self, event: str) -> list[str]:
        """Keys of the jobs that the event happened to, in order, repeats included."""
        lines = (self.folder / "out" / "history.log").read_text().splitlines()
        return [line.split()[1] for line in lines if line.split()[2].rstrip(":") == event]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{ROOT / 'scripts'}:{ROOT / 'scripts' / 'python'}"}
