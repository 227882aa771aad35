"""The studies of scripts/studies: their draws do what they say, and their sweeps can be run."""

import csv
import json
import math
import subprocess
from typing import Any

import support
from exploration.simulator import Simulator
from exploration.sweep import read_sweep
from studies.__main__ import NAMES, prepare
from studies.draws import Draws


class StudiesTest(support.FolderTest):
    def run_draw(self, entry: dict[str, Any], *settings: str) -> tuple[list[list[str]], Any]:
        """Words of the vertices that come out, and the report."""
        out = self.folder / "result"
        options = [word for setting in settings for word in ("--set", setting)]
        subprocess.run([support.ISBESIM, "run", self.folder / entry["file"], "--out", out, "--quiet", *options],
                       check=True)
        with (out / "vertices.csv").open() as file:
            rows = [row[3:] for row in list(csv.reader(file))[1:]]
        return rows, json.loads((out / "report.json").read_text())

    def inputs(self, entry: dict[str, Any], count: int) -> list[list[str]]:
        """Words of every vertex, in the order of the addresses."""
        scenario = json.loads((self.folder / entry["file"]).read_text())
        vectors = [(data["components"], data["words"]) for data in scenario["attributes"].values()]
        return [[words[(vertex * size + c) % len(words)] for size, words in vectors for c in range(size)]
                for vertex in range(count)]

    def test_a_vertex_draw_copies_every_attribute(self) -> None:
        draws = Draws(self.folder / "draws")
        for attributes in (1, 6, 7, 16, 17, 124):
            entry = draws.vertex(attributes, 70)
            self.assertEqual(self.run_draw(entry)[0], self.inputs(entry, 70), attributes)

    def test_a_geometry_draw_emits_every_point_so_often(self) -> None:
        draws = Draws(self.folder / "draws")
        for attributes, emits in ((1, 1), (7, 3), (16, 16)):
            entry = draws.geometry(attributes, emits, 70)
            for order in ("interleaved", "blocked"):
                rows = self.run_draw(entry, f"isbe.gs_slot_order={order}")[0]
                self.assertEqual(rows, [row for row in self.inputs(entry, 70) for _ in range(emits)])

    def test_the_law_of_the_layout_study(self) -> None:
        """Unskewed, an access of 32 lanes takes gcd(attributes, banks) times the passes: HARDWARE.md D.2."""
        draws = Draws(self.folder / "draws")
        for attributes in (3, 4, 12, 32):
            conflicts = {}
            for skew in ("true", "false"):
                report = self.run_draw(draws.vertex(attributes, 320), f"isbe.skew={skew}")[1]
                conflicts[skew] = report["bank_conflicts"]
            self.assertEqual(conflicts["true"]["passes"], conflicts["true"]["ideal_passes"])
            beyond = conflicts["false"]["passes"] - conflicts["false"]["ideal_passes"]
            # 10 warps; an attribute is written by PE, loaded, stored, read back by PE, a pass each without conflicts.
            self.assertEqual(beyond, 10 * 4 * attributes * (math.gcd(attributes, 32) - 1), attributes)

    def test_every_study_is_a_sweep(self) -> None:
        self.assertEqual(NAMES, ["layout", "machines", "size", "slots"])
        for name in NAMES:
            sweep = read_sweep(prepare(name, self.folder / name), Simulator(support.ISBESIM))
            self.assertTrue(sweep.question.endswith("?"))
            self.assertIsNotNone(sweep.objective)
            readme = support.ROOT / "scripts" / "studies" / name / "README.md"
            self.assertIn(f"scripts/studies/run {name}", readme.read_text())
            self.assertTrue((readme.parent / "plot.svg").exists())
