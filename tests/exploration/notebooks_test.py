# SPDX-License-Identifier: Apache-2.0
"""Every study's notebook runs from its first cell to its last, on a small part of its sweep."""

import os
from pathlib import Path
from typing import Any
from unittest import mock

import nbformat
import support
from nbclient.client import NotebookClient
from studies.library import NAMES, load, notebook, small

STUDIES = support.ROOT / "scripts" / "studies"


class NotebooksTest(support.FolderTest):
    def setUp(self) -> None:
        super().setUp()
        self.enterContext(mock.patch.dict(os.environ, {
            "ISBESIM": str(support.ISBESIM), "MPLBACKEND": "module://matplotlib_inline.backend_inline",
            "PYDEVD_DISABLE_FILE_VALIDATION": "1", "IPYTHONDIR": str(self.folder / "ipython")}))

    def read(self, name: str) -> Any:
        content = nbformat.from_dict(notebook(name, self.folder / "draws"))
        nbformat.validate(content)
        return content

    def test_every_study_has_one(self) -> None:
        self.assertEqual(sorted(file.parent.name for file in STUDIES.glob("*/cells.txt")), NAMES)
        for name in NAMES:
            first, second, third, *cells = self.read(name).cells
            self.assertRegex(first.source, rf"^# .+\n\n.+\?\n\n\[What it found\]\(.*/{name}/README.md\)")
            self.assertIn("full = True", second.source)
            self.assertIn(f'run_study("{name}", out, full)', third.source)
            self.assertEqual((STUDIES / name / "cells.txt").read_text().split("\n", 2)[2],
                             "\n\n".join("# %%" + " [markdown]" * (cell.cell_type == "markdown") + "\n" + cell.source
                                         for cell in cells) + "\n", name)

    def test_they_run(self) -> None:
        for name in NAMES:
            out = self.folder / name
            content = self.read(name)
            content.cells[1].source = f"full = False\nout = {str(out)!r}"
            place = {"metadata": {"path": str(STUDIES / name)}}
            NotebookClient(content, timeout=300, resources=place).execute()
            self.check(name, out, content)

    def check(self, name: str, out: Path, content: Any) -> None:
        """It shows the sweep's table and its picture."""
        shown = [data for cell in content.cells if cell.cell_type == "code" for output in cell.outputs
                 for data in [output.get("data", {})]]
        expected = small(load(name, out)[1])
        runs = len(expected["scenarios"])
        for values in expected["axes"].values():
            runs *= len(values)
        self.assertEqual(len((out / "results" / "results.csv").read_text().splitlines()), 1 + runs, name)
        self.assertTrue(any("Lowest cycles" in data.get("text/html", "") for data in shown), name)
        self.assertTrue(any(data.get("image/svg+xml", "").strip().startswith("<") for data in shown), name)
