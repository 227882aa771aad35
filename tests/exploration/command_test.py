# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/explore, from outside."""

import io
import subprocess

import support
from exploration.workflow import Progress, duration


class CommandTest(support.FolderTest):
    def refused(self, result: subprocess.CompletedProcess[str], part: str) -> None:
        self.assertEqual(result.returncode, 2, result.stderr)
        last = result.stderr.strip().splitlines()[-1]
        self.assertRegex(last, r"^isbesim: error: [^:]+:\d+:\d+: .*expected")
        self.assertIn(part, last)
        self.assertEqual(result.stdout, "")

    def test_wrong_input_is_2_with_one_line(self) -> None:
        self.refused(self.explore(self.write_sweep(axes={"isbe.bank": [8]})), "isbe.banks")
        self.refused(self.explore(self.folder / "nothing.json"), "nothing.json:1:1")
        self.refused(self.explore(self.write_sweep(), "--profile", "slrm"), "slurm")
        self.refused(self.explore(self.write_sweep(), "--cores", "0"), "at least 1")

    def test_results_of_others_stay_alone(self) -> None:
        (self.folder / "draw").mkdir()
        (self.folder / "draw" / "scenario.json").write_text("{}")
        self.refused(self.explore(self.write_sweep(), out="draw"), "holds files that are of no sweep, expected a new")
        self.assertEqual([file.name for file in (self.folder / "draw").iterdir()], ["scenario.json"])

    def test_progress_has_the_time_left(self) -> None:
        stream = io.StringIO()
        progress = Progress(10, stream, every=0)
        progress.begin(4)
        self.assertEqual(progress.left(4, progress.begun + 100), "time left unknown")
        # 2 in 30 s by this start: the other 4 take 60 s.
        self.assertEqual(progress.left(6, progress.begun + 30), "0:01:00 left")
        progress.show(9)
        progress.end(10)
        self.assertRegex(stream.getvalue(), r"^explore: 10 runs, 4 of them finished before\n"
                                            r"explore: 9/10 runs, 0:00:00 left\nexplore: 10/10 runs in 0:00:00\n$")
        self.assertEqual(duration(3723.4), "1:02:03")
