# SPDX-License-Identifier: Apache-2.0
"""Every study's notebook runs from its first cell to its last, on a small part of its sweep, and is kept without
outputs."""

import json
import os
from pathlib import Path
from typing import Any
from unittest import mock

import nbformat
import support
from nbclient.client import NotebookClient
from studies.library import NAMES, load, small

STUDIES = support.ROOT / "scripts" / "studies"


class NotebooksTest(support.FolderTest):
    def setUp(self) -> None:
        super().setUp()
        self.enterContext(mock.patch.dict(os.environ, {
            "ISBESIM": str(support.ISBESIM), "MPLBACKEND": "module://matplotlib_inline.backend_inline",
            "PYDEVD_DISABLE_FILE_VALIDATION": "1", "IPYTHONDIR": str(self.folder / "ipython")}))

    def read(self, name: str) -> Any:
        return nbformat.read(STUDIES / name / f"{name}.ipynb", as_version=4)

    def test_every_study_has_one_without_outputs(self) -> None:
        self.assertEqual(sorted(file.stem for file in STUDIES.glob("*/*.ipynb")), NAMES)
        for name in NAMES:
            notebook = self.read(name)
            nbformat.validate(notebook)
            for cell in notebook.cells:
                if cell.cell_type == "code":
                    self.assertEqual((cell.outputs, cell.execution_count), ([], None), name)
            self.assertIn("full = True", notebook.cells[1].source, name)
            text = (STUDIES / name / f"{name}.ipynb").read_text()
            self.assertEqual(text, json.dumps(json.loads(text), indent=1) + "\n", name)

    def test_they_run(self) -> None:
        for name in NAMES:
            out = self.folder / name
            notebook = self.read(name)
            notebook.cells[1].source = f"full = False\nout = {str(out)!r}"
            place = {"metadata": {"path": str(STUDIES / name)}}
            NotebookClient(notebook, timeout=300, resources=place).execute()
            self.check(name, out, notebook)

    def check(self, name: str, out: Path, notebook: Any) -> None:
        """It shows the sweep's table and its picture."""
        shown = [data for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs
                 for data in [output.get("data", {})]]
        expected = small(load(name, out)[1])
        runs = len(expected["scenarios"])
        for values in expected["axes"].values():
            runs *= len(values)
        self.assertEqual(len((out / "results" / "results.csv").read_text().splitlines()), 1 + runs, name)
        self.assertTrue(any("Lowest cycles" in data.get("text/html", "") for data in shown), name)
        self.assertTrue(any(data.get("image/svg+xml", "").strip().startswith("<") for data in shown), name)
