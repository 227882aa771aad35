# SPDX-License-Identifier: Apache-2.0
"""The pictures of the documentation are those of today: scripts/pictures, scripts/studies/search_coverage."""

import importlib.machinery
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pandas as pd
import support

SCRIPT = support.ROOT / "scripts" / "pictures"


def module() -> Any:
    loader = importlib.machinery.SourceFileLoader("pictures", str(SCRIPT))
    spec = importlib.util.spec_from_loader("pictures", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


class PicturesTest(support.FolderTest):
    def test_no_picture_is_stale(self) -> None:
        self.browser()
        pictures = module()
        names = set(pictures.PICTURES) - set(pictures.STUDIES)  # studies_test has these
        if not os.path.exists("/usr/games/neverball"):
            self.assertNotEqual(os.environ.get("ISBESIM_REQUIRE_PACKAGES"), "1", "no game whose frame is shown")
            names.remove("frame")
        done = subprocess.run([sys.executable, SCRIPT, *sorted(names), "--check", "--isbesim", support.ISBESIM],
                              capture_output=True, text=True, check=False, timeout=1200)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_stale_picture_is_found(self) -> None:
        """One with another number, one with another area."""
        self.browser()
        from PIL import Image, PngImagePlugin

        pictures = module()
        for name, (_, place) in pictures.PICTURES.items():
            kept = support.ROOT / place
            changed = self.folder / f"changed{kept.suffix}"
            shutil.copy(kept, changed)
            self.assertEqual(pictures.difference(kept, changed), "", name)
            if kept.suffix == ".svg":
                text = kept.read_text(encoding="utf-8")
                changed.write_text(re.sub("(<text.*?>)", r"\1 7", text, count=1), encoding="utf-8")
                self.assertIn("expected ' 7", pictures.difference(kept, changed), name)
                changed.write_text(text.replace("<desc>", "<desc>7 "), encoding="utf-8")
                self.assertIn(" expected ", pictures.difference(kept, changed), name)
                changed.write_text(text.replace(pictures.BLUE, "#ffffff"), encoding="utf-8")
            else:
                with Image.open(kept) as picture:
                    words = re.sub("([0-9])([0-9])", r"\1\2\1", picture.text["text"], count=1)
                    self.assertNotEqual(words, picture.text["text"], name)
                    for text, shown in ((words, picture), (picture.text["text"], picture.convert("RGB"))):
                        info = PngImagePlugin.PngInfo()
                        info.add_itxt("text", text)
                        if text != words:
                            wide, high = shown.size
                            shown.paste("#0072b2", (wide // 4, high * 2 // 3, wide * 3 // 4, high * 3 // 4))
                        shown.save(changed, pnginfo=info)
                        self.assertIn(" expected ", pictures.difference(kept, changed), name)
            self.assertIn("of its area", pictures.difference(kept, changed), name)

    def texts(self, file: Path) -> list[str]:
        return ["".join(node.itertext()).strip() for node in ElementTree.parse(file).iter()
                if node.tag.endswith("}text")]

    def test_drawings_of_the_pipeline_and_the_timeline(self) -> None:
        """Those that are kept: no picture is stale."""
        kept = {name: support.ROOT / module().PICTURES[name][1] for name in ("kanata", "timeline")}
        kanata = self.texts(kept["kanata"])
        self.assertIn("0 vertex 0008: ALD.128 R0, a[0x90]", kanata)
        self.assertIn("Lt", kanata)
        self.assertIn("resident warps", self.texts(kept["timeline"]))
        for name, file in kept.items():  # no glyph is drawn, no point twice
            text = file.read_text(encoding="utf-8")
            self.assertNotIn("DejaVuSans-", text)
            self.assertLess(len(text.splitlines()), 500, name)
            self.assertNotRegex(text, r"(L [-\d.]+ [-\d.]+ )\1")

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
