# SPDX-License-Identifier: Apache-2.0
"""models/VALIDATION.md: its commands give what it says, and its tables are what the presets say."""

from __future__ import annotations

import csv
import json
import math
import re
import subprocess
import sys
import unittest

import support

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
        with (support.ROOT / "scripts/studies/card/rows.csv").open(newline="") as file:
            rows = {row["row"]: row for row in csv.DictReader(file)}
        table = [[cell.strip() for cell in line.strip("|").split("|")]
                 for line in self.page.splitlines() if re.match(r"\| \d+ \| ", line)]
        self.assertEqual([line[0] for line in table], list(rows))
        factors = []
        for number, work, published, predicted, factor, use, reason in table:
            row = rows[number]
            self.assertEqual((work, use), (row["work"], row["use"]))
            self.assertEqual(float(published), float(f"{float(row['published_per_s']) / 1e9:.4g}"), number)
            self.assertAlmostEqual(float(predicted) / float(published), float(factor), delta=0.006, msg=number)
            self.assertTrue(reason or abs(math.log(float(factor))) < math.log(1.13), number)
            factors += [abs(math.log(float(predicted) / float(published)))] if use == "predict" else []
        mean = math.exp(sum(factors) / len(factors))
        self.assertIn(f"Mean factor of the {len(factors)} `predict` rows: {mean:.3f}", self.page)
        # Rows of different limits repeat.
        done = {line.split()[0]: line for line in run(f"{PROGRAM} --rows 2,28,33,74,94").splitlines()[1:-1]}
        for line in table:
            if line[0] in done:
                self.assertAlmostEqual(float(done[line[0]].split()[-1]), float(line[4]), delta=0.006, msg=line[0])
        self.assertEqual(len(done), 5)

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
