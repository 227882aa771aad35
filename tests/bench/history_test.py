#!/usr/bin/python3 -Xutf8
# SPDX-License-Identifier: Apache-2.0
"""history.py: what it takes from the bench, and where a version goes."""
from __future__ import annotations

import json
import pathlib
import tempfile
import unittest

import history


def bench_of(at: float) -> str:
    rows = [{"name": "at", "ratio": {"bare_rtl": at, "empty_at": 0.91234}},
            {"name": "bare_rtl", "ratio": {"bare_rtl": 1}}]
    return json.dumps({"tables": [{"trace": "random", "pace": "back to back", "rows": rows}]})


class History(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)

    def lines(self, version: str, at: float) -> list[history.Line]:
        path = self.root / "bench.json"
        path.write_text(bench_of(at))
        return history.lines_of(path, version)

    def test_takes_the_ratios_of_both_rows(self) -> None:
        self.assertEqual(self.lines("1", 12.3456),
                         [history.Line("1", "random", "back to back", "at", "bare_rtl", 12.3),
                          history.Line("1", "random", "back to back", "at", "empty_at", 0.912)])

    def test_a_version_keeps_its_place(self) -> None:
        both = history.added(history.added([], self.lines("1", 10), "1"), self.lines("2", 20), "2")
        again = history.added(both, self.lines("1", 11), "1")
        self.assertEqual([(line.version, line.ratio) for line in again if line.of == "bare_rtl"],
                         [("1", 11), ("2", 20)])

    def test_written_results_are_read(self) -> None:
        lines = self.lines("1, later", 10)
        history.write(self.root / "history.csv", lines)
        self.assertEqual(history.read(self.root / "history.csv"), lines)

    def test_a_file_without_ratios_is_refused(self) -> None:
        path = self.root / "bench.json"
        path.write_text('{"tables": []}')
        with self.assertRaisesRegex(ValueError, "no ratios"):
            history.lines_of(path, "1")

    def test_the_kept_figures_are_ratios_of_known_rows(self) -> None:
        kept = history.read(history.HERE / "history.csv")
        self.assertTrue(kept)
        for line in kept:
            self.assertIn((line.row, line.of), history.RATIOS)
            self.assertGreater(line.ratio, 0)


if __name__ == "__main__":
    unittest.main()
