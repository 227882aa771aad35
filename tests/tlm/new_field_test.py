#!/usr/bin/python3 -Xutf8
# SPDX-License-Identifier: Apache-2.0
"""A field of an operation takes the three files that models/README.md names: new_field_test.py COMPILER."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEMBER = ("tlm/warp_op.h", "    bool skew = false;", "    std::uint8_t hint = 0;\n")
ROW = ("tlm/request_fields.inc", "ISBESIM_FIELD(skew,", 'ISBESIM_FIELD(hint, 4, values_below(9), true, "hint")\n')
C_MEMBER = ("testbench/c_interface/isbesim.h", "    uint32_t skew;", "    uint32_t hint;\n")
COMPILER = ""


class NewField(unittest.TestCase):
    def compiles(self, folder: pathlib.Path, *sources: str) -> bool:
        return all(subprocess.run([COMPILER, "-std=c++17", "-fsyntax-only", "-I", folder, folder / source],
                                  capture_output=True, check=False).returncode == 0 for source in sources)

    def test_field_takes_three_files(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for part in ("tlm", "testbench/c_interface"):
                shutil.copytree(ROOT / part, folder / part)
            lists, values = "tlm/warp_fields.cpp", "testbench/c_interface/request_values.cpp"
            self.assertTrue(self.compiles(folder, lists, values))
            # The member alone, with its row, and with the member of the C structure, too.
            for (file, place, text), fails in ((MEMBER, lists), (ROW, values), (C_MEMBER, None)):
                old = (folder / file).read_text()
                self.assertEqual(old.count(place), 1, file)
                (folder / file).write_text(old.replace(place, text + place))
                for source in (lists, values):
                    self.assertEqual(self.compiles(folder, source), source != fails, (file, source))


if __name__ == "__main__":
    COMPILER = sys.argv.pop(1)
    unittest.main()
