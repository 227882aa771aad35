# SPDX-License-Identifier: Apache-2.0
"""models/VALIDATION.md: its commands give what it says, and its tables are what the presets say."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import support
from studies.card import card, page

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
        """Where a row names both rates, the figure is their ratio."""
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
        self.assertAlmostEqual(page.correlation([rows[0]._replace(predicted=3), rows[1]._replace(predicted=300),
                                                 rows[1]._replace(published=100, predicted=30000)]), 1)
        self.assertIn("| **predict** | 2 | 2.000 | 0 | 0 | 0 |  | 2.000 |\n", page.summary(rows))

    def test_rows_of_different_limits_repeat(self) -> None:
        chosen = ["2", "28", "33", "74", "94"]
        done = [line.split() for line in run(f"{PROGRAM} --rows {','.join(chosen)}").splitlines()[1:len(chosen) + 1]]
        table = {row.name: row for row in page.rows_of(self.page)}
        for line in done:
            self.assertAlmostEqual(float(line[-2]), table[line[0]].factor, delta=0.006, msg=line[0])
            self.assertAlmostEqual(float(line[-1]), table[line[0]].loose, delta=0.002, msg=line[0])
        self.assertEqual([line[0] for line in done], chosen)

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

    def test_vkperf_prints_its_rows_in_order(self) -> None:
        text = "".join(f"   row {row}\n      (made up):   {row + 1}.5 giga-triangles/s\n" for row in range(103))
        rows = {row.name: row for row in card.rows_of_vkperf(text.replace("giga-", "mega-", 1))}
        self.assertAlmostEqual(rows["0"].predicted, 1.5e6)
        self.assertAlmostEqual(rows["102"].predicted, 103.5e9)
        self.assertRaises(ValueError, list, card.rows_of_vkperf(text + text))

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
            said = [key for key, entry in preset.items() if "assumed" in entry["source"][:7]]
            for key in said:
                self.assertEqual(standing[key], "assumed", (name, key))
            self.assertEqual(int(standing["assumed"]), len(said) + 1, name)  # isbe.banks rests on a placeholder
            self.assertEqual({key for key, cell in standing.items() if cell == "default"},
                             set(standing) - set(preset) - {"assumed"}, name)
