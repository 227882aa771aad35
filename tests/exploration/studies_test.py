# SPDX-License-Identifier: Apache-2.0
"""The studies of scripts/studies: their draws compute what they declare, and their sweeps can be run."""

import csv
import json
import math
import statistics
import subprocess
import sys
from typing import Any

import support
from isbesim.simulator import Simulator
from exploration.reading import read_sweep
from studies.library import NAMES, prepare
from studies.draws import Draws

STUDIES = support.ROOT / "scripts" / "studies"


class StudiesTest(support.FolderTest):
    def run_draw(self, entry: dict[str, Any], *settings: str) -> tuple[list[list[str]], Any]:
        """Words of the vertices that come out, and the report."""
        report = self.report_of("run", entry["file"], *(word for each in settings for word in ("--set", each)))
        with (self.folder / "result" / "vertices.csv").open() as file:
            return [row[3:] for row in list(csv.reader(file))[1:]], report

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

    def test_geometry_draw_emits_every_point_as_often_as_declared(self) -> None:
        draws = Draws(self.folder / "draws")
        for attributes, emits in ((1, 1), (7, 3), (16, 16)):
            entry = draws.geometry(attributes, emits, 70)
            for order in ("interleaved", "blocked"):
                rows = self.run_draw(entry, f"isbe.gs_slot_order={order}")[0]
                self.assertEqual(rows, [row for row in self.inputs(entry, 70) for _ in range(emits)])

    def test_no_plot_is_stale(self) -> None:
        self.browser()
        done = subprocess.run([sys.executable, support.ROOT / "scripts" / "pictures", *NAMES, "--check", "--isbesim",
                               support.ISBESIM], capture_output=True, text=True, check=False, timeout=1200)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_layout_study_conflicts_match_formula(self) -> None:
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

    def test_meshlets_match_their_declaration(self) -> None:
        """Rows by closed form, and the law of the study's page."""
        draws = Draws(self.folder / "draws")
        for vertices, primitives in ((32, 1), (32, 32), (64, 126), (256, 256)):
            for addresses in ("one", "own", "offset"):
                rows, report = self.run_draw(draws.meshlet(vertices, primitives, addresses, 2))
                expected = [[f"{(p + k) % vertices:#010x}"] * 8 + [f"{p:#010x}"] * 7
                            for _ in range(2) for p in range(primitives) for k in range(3)]
                self.assertEqual(rows, expected, (vertices, primitives, addresses))
                self.assertEqual(report["warnings"], [])
                turns = math.ceil(primitives / 32)
                used = math.ceil(min(vertices, primitives + 2) / 32)  # groups of vertices that the PE reads
                passes = 8 * (vertices // 32 + used) + 14 * turns + 3 * turns + math.ceil(3 * primitives / 128) + 4
                self.assertEqual(report["bank_conflicts"]["passes"], 2 * passes, (vertices, primitives, addresses))

    def test_patches_have_triangles_of_their_levels(self) -> None:
        """A quad of equal spacing with level n everywhere is 2 n n triangles between (n + 1) x (n + 1) points."""
        levels = [1, 4, 9, 2]
        report = self.run_draw(Draws(self.folder / "draws").patches("levels", levels))[1]
        self.assertEqual(report["output"]["primitives_out_stream_0"], sum(2 * n * n for n in levels))
        # Warps that share vertices shade them again.
        self.assertGreaterEqual(report["invocations"]["tess"], sum((n + 1) ** 2 for n in levels))

    def test_chip_study_rate_matches_limit(self) -> None:
        """One primitive per cycle and GPC: no number of TPCs is faster than that, and two GPCs are twice as fast."""
        draws = Draws(self.folder / "draws")
        for entry, primitives in ((draws.vertex(8, 960), 960), (draws.triangles(8, 960), 960)):
            limited = self.run_draw(entry, "chip.primitives_per_cycle=1", "chip.tpcs=8")[1]
            self.assertIn("The draw waits for the front end", limited["bottleneck"])
            self.assertNotIn("front end", self.run_draw(entry, "chip.tpcs=8")[1]["bottleneck"])
            one = limited["cycles"]
            two = self.run_draw(entry, "chip.primitives_per_cycle=2", "chip.tpcs=8", "chip.gpcs=2")[1]["cycles"]
            self.assertLess(primitives, one)
            self.assertLess(one, 1.25 * primitives)  # and the time of the last batch
            self.assertLess(two, 0.75 * primitives)

    def test_the_rates_of_the_study_of_chips_are_those_of_the_card(self) -> None:
        rates = json.loads((STUDIES / "chip" / "rates.json").read_text())
        card = {key: entry["value"] for name in ("tu106", "tu106_chip") for key, entry in
                json.loads((support.ROOT / "testbench" / "machines" / f"{name}.json").read_text()).items()
                if isinstance(entry, dict)}
        self.assertEqual(rates, {**{key: card[key] for key in rates}, "pe.patches_per_batch": 1})

    def test_culling_by_all_lanes_equals_the_compilers_program(self) -> None:
        draws = Draws(self.folder / "draws")
        expected: list[list[str]] = []
        passes = []
        for code in (None, STUDIES / "mesh" / "cull_by_all_lanes.sass"):
            rows, report = self.run_draw(draws.nak("cull", (1, 1), 96, 32, code=code))
            expected = expected or rows  # of the compiler's program, whose rows glsl_meshes checks
            self.assertEqual(rows, expected)
            passes.append(report["bank_conflicts"]["passes"])
        self.assertEqual(passes, [218, 63])
        shared = {m: self.conflicts(draws.nak("shared", (1, 1), 64, 62), m)[0] for m in ("modulo", "rotate", "xor")}
        self.assertLess(max(shared["rotate"], shared["xor"]), 0.75 * shared["modulo"])

    def conflicts(self, entry: dict[str, Any], bank_map: str, *settings: str) -> tuple[int, int, int]:
        """Bank passes, those beyond the ideal, and cycles."""
        report = self.run_draw(entry, f"isbe.bank_map={bank_map}", *settings)[1]
        passes, ideal = (report["bank_conflicts"][name] for name in ("passes", "ideal_passes"))
        return passes, passes - ideal, report["cycles"]

    def test_banks_study_conflicts_match_table(self) -> None:
        """The table of rtl_ref/README.md, section 5, bank of a word: columns and records of a power of two."""
        draws = Draws(self.folder / "draws")
        for attributes in (2, 4, 16, 32):
            entry = draws.vertex(attributes, 320)
            conflicts = {m: self.conflicts(entry, m, "isbe.skew=false")[1] for m in ("modulo", "rotate", "xor")}
            self.assertEqual(conflicts, {"modulo": 10 * 4 * attributes * (attributes - 1), "rotate": 0, "xor": 0})
        groups = 4
        for entry in (draws.transpose(32, groups), draws.records(groups)):  # 32 columns a group
            conflicts = {m: self.conflicts(entry, m)[1] for m in ("modulo", "rotate", "xor")}
            self.assertEqual(conflicts, {"modulo": groups * 32 * 31, "rotate": 0, "xor": 0})
        self.assertEqual(self.conflicts(draws.transpose(33, groups), "modulo")[1], 0)  # padded
        self.assertGreater(self.conflicts(draws.transpose(33, groups), "rotate")[1], 0)
        for attributes in (3, 16, 31, 33):  # skewed: lines, under every map
            entry = draws.vertex(attributes, 320)
            alike = {self.conflicts(entry, m, "isbe.skew=true") for m in ("modulo", "rotate", "xor")}
            self.assertEqual({beyond for _, beyond, _ in alike}, {0})
            self.assertEqual(len(alike), 1)

    def test_mesh_draw_outputs_the_matrix(self) -> None:
        draws = Draws(self.folder / "draws")
        matrix = [[f"0x{32 * row + column:08x}" for column in range(32)] for row in range(32)]
        for entry in (draws.transpose(32, 2), draws.transpose(45, 2), draws.records(2)):
            for bank_map in ("modulo", "rotate", "xor"):
                self.assertEqual(self.run_draw(entry, f"isbe.bank_map={bank_map}")[0], 2 * matrix)

    def test_every_study_is_a_sweep(self) -> None:
        self.assertEqual(NAMES, ["banks", "chip", "layout", "machines", "mesh", "size", "slots"])
        for name in NAMES:
            sweep = read_sweep(prepare(name, self.folder / name), Simulator(support.ISBESIM))
            self.assertTrue(sweep.question.endswith("?"))
            self.assertIsNotNone(sweep.objective)
            readme = support.ROOT / "scripts" / "studies" / name / "README.md"
            self.assertIn(f"scripts/studies/run {name}", readme.read_text())
            self.assertTrue((readme.parent / "plot.svg").exists())


class LooseTimingTest(support.FolderTest):
    def test_errors_summarise_the_rows(self) -> None:
        """Also the errors of the rows that changed, and of "no change"."""
        out = self.folder / "out"
        draw = support.SCENARIOS / "gs_amplify_once" / "scenario.json"
        done = subprocess.run([STUDIES / "loose_timing", draw, "--out", out, "--isbesim", support.ISBESIM],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        with (out / "rows.csv").open() as file:
            rows = list(csv.DictReader(file))
        table = {cells[1]: cells[2:-1] for line in done.stdout.splitlines()[2:]
                 if (cells := [cell.strip() for cell in line.split("|")])}
        self.assertEqual(list(table), ["--isbe lt", "--timing lt", "no change"])
        for way, cells in table.items():
            errors = [abs(float(row[way]) / float(row["measured"]) - 1) for row in rows]
            moved = [error for row, error in zip(rows, errors) if abs(float(row["measured"]) - 1) > 0.01]
            self.assertGreater(len(moved), 3)
            for counted, (count, median, _, largest) in ((errors, cells[:4]), (moved, cells[4:])):
                self.assertEqual(int(count), len(counted))
                self.assertEqual(median, f"{100 * statistics.median(counted):.2f} %")
                self.assertEqual(largest, f"{100 * max(counted):.2f} %")
        slower = next(row for row in rows if row["machine"] == "isbe.pipeline_latency=24")
        runs = [self.report_of("run", draw, *words)["cycles"]
                for words in ((), ("--set", "isbe.pipeline_latency=24"))]
        self.assertAlmostEqual(float(slower["measured"]), runs[1] / runs[0])
