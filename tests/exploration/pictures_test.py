# SPDX-License-Identifier: Apache-2.0
"""The pictures of the documentation can be made again: scripts/pictures, scripts/studies/search_coverage."""

import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pandas as pd
import support


class PicturesTest(support.FolderTest):
    def made(self, *names: str) -> Path:
        out = self.folder / "pictures"
        subprocess.run([sys.executable, support.ROOT / "scripts" / "pictures", *names, "--out", out, "--isbesim",
                        support.ISBESIM], check=True, timeout=600, stdout=subprocess.DEVNULL)
        return out

    def texts(self, file: Path) -> list[str]:
        return ["".join(node.itertext()).strip() for node in ElementTree.parse(file).iter()
                if node.tag.endswith("}text")]

    def test_drawings_of_the_pipeline_and_the_timeline(self) -> None:
        out = self.made("kanata", "timeline")
        kanata = self.texts(out / "kanata.svg")
        self.assertIn("0 vertex 0008: ALD.128 R0, a[0x90]", kanata)
        self.assertIn("Lt", kanata)
        self.assertIn("resident warps", self.texts(out / "timeline.svg"))
        for name in ("kanata", "timeline"):  # no glyph is drawn, no point twice
            text = (out / f"{name}.svg").read_text()
            self.assertNotIn("DejaVuSans-", text)
            self.assertLess(len(text.splitlines()), 500)
            self.assertNotRegex(text, r"(L [-\d.]+ [-\d.]+ )\1")

    def test_parts_of_pages(self) -> None:
        self.browser()
        from PIL import Image

        with Image.open(self.made("report") / "report.png") as picture:
            self.assertEqual(picture.width, 1000)
            self.assertGreater(picture.height, 500)  # a sentence, two charts
            self.assertGreater(len(picture.getcolors()), 10)
        self.assertLess((self.folder / "pictures" / "report.png").stat().st_size, 60_000)

    def test_unknown_pictures(self) -> None:
        wrong = subprocess.run([sys.executable, support.ROOT / "scripts" / "pictures", "portrait"], capture_output=True,
                               text=True, check=False)
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("expected kanata, ", wrong.stderr)


class SearchCoverageTest(support.FolderTest):
    def test_search_of_a_small_grid(self) -> None:
        out = self.folder / "search"
        subprocess.run([sys.executable, support.ROOT / "scripts" / "studies" / "search_coverage", "--small", "--seeds",
                        "1", "--out", out, "--isbesim", support.ISBESIM], check=True, timeout=900,
                       stdout=subprocess.DEVNULL)
        self.assertEqual(len(pd.read_csv(out / "grid.csv")), 576)
        table = pd.read_csv(out / "search.csv")
        found = table[table["chosen by"] == "search"].percent
        self.assertTrue(found.is_monotonic_increasing)
        self.assertGreaterEqual(found.iloc[-1], 95)
        ElementTree.parse(out / "search.svg")
