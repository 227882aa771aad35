# SPDX-License-Identifier: Apache-2.0
"""models/VALIDATION.md: its commands give what it says, and its tables are what the presets say."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from array import array
from pathlib import Path

import support
from studies.card import cad, card, page

PAGE = support.ROOT / "models" / "VALIDATION.md"
MACHINES = support.ROOT / "testbench" / "machines"
PROGRAM = "scripts/studies/validation"
COMMAND = re.compile(rf"`({PROGRAM} [a-z0-9_]+)`")


def run(command: str) -> str:
    done = subprocess.run([sys.executable, "-Xutf8", *command.split(), "--isbesim", str(support.ISBESIM)],
                          cwd=support.ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.stderr}")
    return done.stdout


class ValidationTest(unittest.TestCase):
    def setUp(self) -> None:
        self.page = PAGE.read_text(encoding="utf-8")
        self.rows = {found[1]: [cell.strip() for cell in line.strip("|").split("|")]
                     for line in self.page.splitlines() if line.startswith("|") and (found := COMMAND.search(line))}

    def test_every_row_repeats_with_its_command(self) -> None:
        self.assertGreater(len(self.rows), 10)
        for command, (_, _, figure, _, model, ratio, _) in self.rows.items():
            value = run(command).strip()
            self.assertEqual(value, model, command)
            self.assertEqual(f"{float(value) / float(figure.split()[0]):.2f}", ratio, command)

    def test_the_page_has_every_figure_of_the_program(self) -> None:
        listed = re.search(r"^ *FIGURE +(.*?)^options:", run(f"{PROGRAM} --help"), re.MULTILINE | re.DOTALL)
        self.assertEqual({command.split()[1] for command in self.rows},
                         {name.strip() for name in listed[1].split(",")})

    def test_rates_are_those_of_the_source(self) -> None:
        """The figure of a row that names two rates is their ratio."""
        named = [(row[0].rpartition(": ")[2].split(" / "), row[2]) for row in self.rows.values() if " / " in row[0]]
        self.assertGreater(len(named), 3)
        for (above, below), figure in named:
            self.assertAlmostEqual(float(above) / float(below), float(figure), delta=0.005)

    def test_the_card_table_is_that_of_its_rows(self) -> None:
        """Published rates are the source's, means and factors follow from the table, and far rows have a reason."""
        rows, entries = page.rows_of(self.page), card.entries()
        self.assertEqual([(row.name, row.use, row.work) for row in rows],
                         [(entry["row"], entry["use"], entry["work"]) for entry in entries])
        for row, entry in zip(rows, entries):
            self.assertAlmostEqual(row.published / float(entry["published_per_s"]), 1, delta=0.0005, msg=row.name)
            self.assertTrue(row.reason or max(row.factor, 1 / row.factor) <= 1.1, row.name)
        self.assertEqual(page.renewed(self.page, rows), self.page)
        reasons = {row.reason for row in rows if row.reason}
        self.assertEqual(reasons, {letter for letter in reasons if f"\n* **{letter}** " in self.page})

    def test_means_are_those_of_closed_forms(self) -> None:
        rows = [card.Row("1", "predict", "a", "", 1, 2, 1), card.Row("2", "predict", "a", "", 10, 5, 4),
                card.Row("3", "fit", "a", "", 1, 100, 1)]
        self.assertAlmostEqual(page.mean_factor(rows[:2]), 2)
        self.assertAlmostEqual(page.log_correlation([rows[0]._replace(predicted=3), rows[1]._replace(predicted=300),
                                                     rows[1]._replace(published=100, predicted=30000)]), 1)
        self.assertAlmostEqual(page.ratio_factor(rows, "1"), math.sqrt(4 * 50))  # 0.5 and 100 to 2
        self.assertIn("| **predict** | 2 | 2.000 | 0 | 0 | 0 |  | 2.000 |\n", page.summary(rows))

    def test_rows_of_different_limits_repeat(self) -> None:
        chosen = ["2", "28", "33", "74", "94"]
        done = [line.split() for line in run(f"{PROGRAM} --rows {','.join(chosen)}").splitlines()[1:len(chosen) + 1]]
        table = {row.name: row for row in page.rows_of(self.page)}
        for line in done:
            self.assertAlmostEqual(float(line[-2]), table[line[0]].factor, delta=0.006, msg=line[0])
            self.assertAlmostEqual(float(line[-1]), table[line[0]].loose, delta=0.002, msg=line[0])
        self.assertEqual([line[0] for line in done], chosen)

    def test_tpcs_together_have_the_rates_of_tpcs_apart(self) -> None:
        """HARDWARE.md F.7. Row 64 reads 64 bytes for each of 135,000 vertices, and nothing else limits it."""
        program = support.ISBESIM.parent / "tpcs_together"
        rows = {line[0]: [float(cell) for cell in line[1:]]
                for line in map(str.split, run(f"{PROGRAM} --together {program} --rows 0,64,97").splitlines()[1:])}
        self.assertEqual(set(rows), {"64", "97"})  # row 0 reads nothing
        for name, (rate, *_, least) in rows.items():
            self.assertAlmostEqual(rate, 1, delta=0.02, msg=name)
            self.assertGreaterEqual(least, 1, name)
        with tempfile.TemporaryDirectory(prefix="validation.") as folder:
            entry, = (entry for entry in card.entries() if entry["row"] == "64")
            programs = json.loads((card.HERE / "programs.json").read_text())
            draw = card.scenario(entry, programs[entry["program"]], 45_000, Path(folder))
            (Path(folder) / "scenario.json").write_text(json.dumps(draw))
            done = subprocess.run([program, f"{folder}/scenario.json", "tu106_chip"], capture_output=True, check=True)
            apart, together, unlimited, by_bandwidth = map(int, done.stdout.split())
            subprocess.run([support.ISBESIM, "run", f"{folder}/scenario.json", "--config", "tu106_chip", "--quiet",
                            "--no-vertices", "--out", f"{folder}/out"], check=True)
            report = json.loads((Path(folder) / "out" / "report.json").read_text())
        self.assertEqual(apart, max(tpc["cycles"] for tpc in report["tpcs"]))
        self.assertEqual(by_bandwidth, math.ceil(135_000 * 64 / 241.7))
        self.assertLess(unlimited, by_bandwidth)
        self.assertLess(by_bandwidth, together)

    def test_the_picture_shows_the_table(self) -> None:
        """Every mark is where a picture of the page's table has it: a factor of 10 is as far on both axes."""
        rows = page.rows_of(self.page)
        with tempfile.TemporaryDirectory(prefix="validation.") as folder:
            drawn = Path(folder) / "drawn.svg"
            page.draw(rows, drawn)
            marks, again = ([tuple(map(float, found)) for found in re.findall(
                r'<use xlink:href="[^"]+" x="([\d.]+)" y="([\d.]+)"', file.read_text(encoding="utf-8"))]
                for file in (page.PICTURE, drawn))
        self.assertGreater(len(marks), len(rows))
        self.assertEqual(len(marks), len(again))
        for mark, other in zip(marks, again):
            for k in (0, 1):
                self.assertAlmostEqual(mark[k], other[k], delta=0.1)

    def test_meshes_have_the_counts_of_their_scenes(self) -> None:
        """Triangles outside and away, vertices of a meshlet and a triangle, as the rows say."""
        with tempfile.TemporaryDirectory(prefix="validation.") as folder:
            for name, outside, each, own in (("worldcar", 0.8, 60, 60), ("turbine", 0.3, 84, 56)):
                draw, files = cad.draw(15_000, Path(folder), {}, name, str(outside), "0.5")
                positions, local, vertices = (array(kind, (Path(folder) / file).read_bytes()) for kind, file in
                                              zip("fII", (cad.POSITIONS, "triangles.bin", "vertices.bin")))
                indices = draw["indices"]
                triangles = list(zip(*[iter(indices)] * 3))
                self.assertEqual(len(triangles), cad.triangles(15_000, name))
                self.assertEqual(len(triangles), 72 * 32 * each)
                self.assertEqual({len(set(indices[k:k + 3 * each])) for k in range(0, len(indices), 3 * each)}, {own})
                x, y = positions[::4], positions[1::4]
                beyond = sum(x[a] > 1 and x[b] > 1 and x[c] > 1 for a, b, c in triangles)
                self.assertAlmostEqual(beyond / len(triangles), outside, delta=0.01)
                away = sum((x[b] - x[a]) * (y[c] - y[a]) < (x[c] - x[a]) * (y[b] - y[a]) for a, b, c in triangles)
                self.assertAlmostEqual(away / len(triangles), 0.5, delta=0.001)
                for k, triangle in enumerate(triangles):  # those of the meshlets are the same
                    word, first = local[k // each * 84 + k % each], k // each * 64
                    self.assertEqual(tuple(vertices[first + (word >> 8 * c & 0xff)] for c in range(3)), triangle)

    def test_the_same_triangles_are_culled_by_both_paths(self) -> None:
        """Half of the triangles face away: as a vertex program's, as meshlets, and left out by a mesh program."""
        programs = json.loads((card.HERE / "programs.json").read_text())
        for program, culled in (("cad_vertex_8", 84 * 16), ("cad_task_8", 84 * 16), ("cad_cull_8", 0)):
            with tempfile.TemporaryDirectory(prefix="validation.") as folder, \
                    unittest.mock.patch.dict(cad.GROUPS, {15_000: 1}):
                sizes = "16 16 16" if "vertex" in program else ""
                entry = {"draw": "turbine 0 0.5", "attribute_bytes": sizes}
                draw = card.scenario(entry, programs[program], 15_000, Path(folder))
                (Path(folder) / "scenario.json").write_text(json.dumps(draw))
                subprocess.run([support.ISBESIM, "run", f"{folder}/scenario.json", "--config", "tu106_chip", "--quiet",
                                "--no-vertices", "--out", f"{folder}/out"], check=True)
                output = json.loads((Path(folder) / "out" / "report.json").read_text())["output"]
            self.assertEqual(output.get("culled_facing", 0), culled, program)
            self.assertEqual(output["primitives_out_stream_0"], 84 * 16 + culled, program)

    def test_measured_rates_are_those_of_the_file(self) -> None:
        with tempfile.TemporaryDirectory(prefix="validation.") as folder:
            (Path(folder) / "measure.json").write_text(json.dumps({"tests": [
                {"name": "vertex_rate", "one": {"step_ns": 0.1}}, {"name": "draw_rate", "one": {"step_ns": -3.0}},
                {"name": "clock_alu", "one": {"step_clocks": 6}}, {"name": "batch_strip", "count": 30}]}))
            self.assertEqual(card.measured_rates(Path(folder)), {"44": 1e10})
            line = run(f"{PROGRAM} --measured {folder}").splitlines()[1].split()
        self.assertEqual(line[:2], ["44", "measured"])
        self.assertAlmostEqual(float(line[-2]), 1.307, delta=0.001)

    def test_vkperf_prints_its_rows_in_order(self) -> None:
        text = "".join(f"   row {row}\n      (made up):   {row + 1}.5 giga-triangles/s\n" for row in range(103))
        loose = text.replace(".5", "")
        rows = {row.name: row for row in card.rows_of_vkperf(text.replace("giga-", "mega-", 1), loose)}
        self.assertAlmostEqual(rows["0"].predicted, 1.5e6)
        self.assertAlmostEqual(rows["102"].predicted, 103.5e9)
        self.assertAlmostEqual(rows["102"].loose, 103 / 103.5)
        self.assertRaises(ValueError, list, card.rows_of_vkperf(text, text + text))

    def test_the_standing_of_keys_is_that_of_the_presets(self) -> None:
        table = run(f"{PROGRAM} --standing")
        self.assertIn(table, self.page)
        lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()
                 if line.startswith("|")]
        for column, name in enumerate(lines[0][1:], 1):
            preset = {key: entry for of in (name, f"{name}_chip")
                      for key, entry in json.loads((MACHINES / f"{of}.json").read_text()).items()
                      if isinstance(entry, dict)}
            standing = {line[0]: line[column] for line in lines[2:]}
            assumed_keys = [key for key, entry in preset.items() if "assumed" in entry["source"][:7]]
            for key in assumed_keys:
                self.assertEqual(standing[key], "assumed", (name, key))
            self.assertEqual(int(standing["assumed"]), len(assumed_keys) + 1, name)  # isbe.banks rests on a placeholder
            self.assertEqual({key for key, cell in standing.items() if cell == "default"},
                             set(standing) - set(preset) - {"assumed"}, name)
