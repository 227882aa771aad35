# SPDX-License-Identifier: Apache-2.0
"""The answer of `isbesim run` names the best single step: `measured` against all single steps of --what-if, on random
machines."""

from __future__ import annotations

import json
import random
import re
import subprocess
from pathlib import Path
from typing import Any

import support
from more_test import AXES, CHOICES

SEED = 11
MACHINES = support.repetitions(200)
PRESETS = {"sm50": ["gm107", "gm200", "gp102"], "sm75": ["tu102"], "sm86": ["ga102", "ad102"], "sm120": ["gb202"]}
SIZES: dict[str, list[Any]] = {
    **AXES, **CHOICES,
    "isbe.lines": [48, 64, 96, 128, 192, *AXES["isbe.lines"]],
    "isbe.response_queue_depth": [1, 2, 3, 4, 8, 16],
    "isbe.al2p_latency": [60, 30, 10, 5],
    "sm.global_latency": [600, 300, 100],
    "sm.read_release_latency": [40, 20, 8, 4],
    "pe.batch_vertices": [8, 16, 32],
    "pe.consumer": ["captured", "written"],
    "isbe.bank_map": ["modulo", "rotate", "xor"],
    "isbe.access": ["banked", "line"],
}
BUFFERS = ("pe.alpha_lines", "pe.beta_lines")
WORTH_NAMING = 0.05
NAMED = 0.95


def machine(generator: random.Random, arch: str) -> list[str]:
    """The default machine or a preset with four keys changed. Two buffers have all lines of the ISBE."""
    base = generator.choice(["", *PRESETS[arch]])
    keys = {key: generator.choice(SIZES[key]) for key in generator.sample(sorted(SIZES), 4)}
    if (base and "isbe.lines" in keys) or keys.get("pe.buffers") == "alpha_beta":
        lines = keys.setdefault("isbe.lines", 1024)
        alpha = lines * generator.randint(1, 7) // 8
        keys.update(zip(BUFFERS, (alpha, lines - alpha)))
    return [*(["--config", base] if base else []),
            *(word for key, value in keys.items() for word in ("--set", f"{key}={value}"))]


def is_single(change: dict[str, Any]) -> bool:
    return sum(step["key"] not in BUFFERS for step in change["steps"]) <= 1


class MeasuredTest(support.FolderTest):
    def report(self, *words: object) -> tuple[dict[str, Any], str] | None:
        """The report and the summary; None for a machine that is too small for the draw."""
        done = subprocess.run([support.ISBESIM, "run", *map(str, words), "--no-vertices", "--out", self.folder / "out"],
                              capture_output=True, text=True, check=False)
        if done.returncode == 2 and re.search(r"expected \d+ or more", done.stderr):
            return None
        self.assertEqual(done.returncode, 0, (words, done.stderr))
        return json.loads((self.folder / "out" / "report.json").read_text(encoding="utf-8")), done.stdout

    def one(self, scenario: Path, words: list[str]) -> bool | None:
        """True if the answer names the best step; None if none is worth it."""
        found = self.report(scenario, *words)
        if found is None:
            return None
        answer, summary = found
        truth = self.report(scenario, *words, "--what-if")
        assert truth is not None
        changes = [change for change in truth[0]["what_if"]["changes"] if is_single(change)]
        best = min(change["cycles"] for change in changes)
        cycles = answer["cycles"]
        self.assertEqual(cycles, truth[0]["cycles"])
        named = answer.get("measured", {"steps": [], "cycles": cycles})
        if named["steps"]:
            # What the answer says is what the reruns of --what-if measure.
            same = [change["cycles"] for change in changes if change["steps"] == named["steps"]]
            self.assertEqual(same, [named["cycles"]], words)
            step = named["steps"][0]
            self.assertIn(f"Measured: {step['key']} {step['from']} -> {step['to']}", summary.splitlines()[1])
        if best + truth[0]["what_if"]["reordering_cycles"] >= cycles or best > (1 - WORTH_NAMING) * cycles:
            return None
        self.assertEqual(truth[0]["measured"]["cycles"], best)
        if named["cycles"] > best:
            print(scenario.parent.name, *words, named, [each for each in changes if each["cycles"] == best])
        return bool(named["cycles"] <= best)

    def test_the_best_step_is_named(self) -> None:
        generator = random.Random(SEED)
        draws = sorted(support.SCENARIOS.glob("*/scenario.json"))
        arch = {draw: json.loads(draw.read_text(encoding="utf-8"))["arch"] for draw in draws}
        results = []
        for _ in range(MACHINES):
            draw = generator.choice(draws)
            results.append(self.one(draw, machine(generator, arch[draw])))
        judged = [result for result in results if result is not None]
        print(f"named {sum(judged)} of {len(judged)}")
        self.assertGreater(len(judged), MACHINES // 4)
        self.assertGreaterEqual(sum(judged), NAMED * len(judged), f"{sum(judged)} of {len(judged)}")
