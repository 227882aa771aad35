# SPDX-License-Identifier: Apache-2.0
"""A sweep goes on where it was stopped, however it was stopped, and never mixes programs or scenarios."""

import json
import os
import shutil
import signal
import subprocess
import time
import unittest
from dataclasses import replace
from unittest import mock

import support
from exploration.jobs import Folder, jobs_of, make_rows
from exploration.points import expand
from exploration.reading import read_sweep
from exploration.worker import run
from isbesim.simulator import Simulator

GRID = {"isbe.banks": [8, 16, 32], "isbe.skew": [True, False], "isbe.request_queue_depth": {"log2": [1, 16]}}


class ResumeTest(support.FolderTest):
    def test_killed_drivers_go_on_without_repeating_a_point(self) -> None:
        sweep = self.write_sweep(axes=GRID)
        slow = self.served("time.sleep(0.1)")
        whole = self.explore(sweep, "--cores", "2", isbesim=slow, out="whole")
        self.assertEqual(whole.returncode, 0, whole.stderr)
        kept: set[str] = set()
        for finished in (4, 14):
            driver = self.start(sweep, "--cores", "2", isbesim=slow)
            self.wait_for_results(driver, finished)
            driver.send_signal(signal.SIGKILL)
            driver.communicate()
            self.wait_for_the_last_process()
            kept = self.results()
            self.assertLess(len(kept), 30, "the sweep ended before it could be killed")
            starts = self.history("start")
        last = self.explore(sweep, "--cores", "2", isbesim=slow)
        self.assertEqual(last.returncode, 0, last.stderr)
        self.assertIn(f"{len(kept)} of them finished before", last.stderr)
        later = self.history("start")[len(starts):]
        self.assertEqual(len(later), len(set(later)))
        self.assertEqual(set(later), self.results() - kept, "finished points ran again")
        self.assertEqual((self.folder / "out" / "results.csv").read_bytes(),
                         (self.folder / "whole" / "results.csv").read_bytes())
        self.assertEqual(self.explore(sweep, isbesim=slow).returncode, 0)
        self.assertEqual(len(self.history("start")), len(starts) + len(later), "a finished sweep ran again")

    def test_a_profile_gets_packs_of_points(self) -> None:
        sweep = self.write_sweep(axes=GRID)
        profile = self.folder / "profile"
        profile.mkdir()
        (profile / "config.yaml").write_text("cores: 2\n")
        done = self.explore(sweep, "--profile", str(profile))
        self.assertEqual(done.returncode, 0, done.stderr)
        history = (self.folder / "out" / "history.log").read_text().splitlines()
        workers = [line.split()[-1] for line in history if " start " in line]
        self.assertEqual(len(workers), 30)
        # Two that tell the time, the others together: a run takes a small part of a minute.
        self.assertEqual(sorted(workers.count(worker) for worker in set(workers)), [2, 28])
        self.check_local_run(sweep)

    def test_a_killed_run_is_listed_and_runs_again(self) -> None:
        """Its process dies; that of the others goes on."""
        trigger = self.write_text("", "trigger")
        large = json.loads((support.SCENARIOS / "vs_text" / "scenario.json").read_text())
        large["stages"]["vertex"]["code"] = str(support.SCENARIOS / "vs_text" / "vs.sass")
        large["draw"]["vertex_count"] = 4_000_000
        large["attributes"]["0x80"]["repeat"] = True
        del large["expect"]
        long = self.write_text(json.dumps(large), "long.json")
        fragile = self.served(f"if request['config']['isbe.banks'] == 16 and os.path.exists({str(trigger)!r}):\n"
                              f"    request['scenario'] = {str(long)!r}\n"
                              "    real.stdin.write(json.dumps(request).encode() + b'\\n')\n"
                              "    real.stdin.flush()\n"
                              "    time.sleep(1)\n"
                              "    for child in open(f'/proc/{real.pid}/task/{real.pid}/children').read().split():\n"
                              "        os.kill(int(child), signal.SIGKILL)\n"
                              "    continue")
        sweep = self.write_sweep()
        first = self.explore(sweep, isbesim=fragile)
        self.assertEqual(first.returncode, 1)
        self.assertEqual([row["status"].partition(":")[0] for row in self.rows()], ["done", "not finished", "done"])
        self.assertIn("the model crashed: Killed", self.rows()[1]["status"])
        self.assertIn("point 1", first.stderr)
        trigger.unlink()
        self.assertEqual(self.explore(sweep, isbesim=fragile).returncode, 0)
        self.assertEqual([row["status"] for row in self.rows()], ["done"] * 3)
        self.assertEqual(len(self.history("finish")), 3)

    def test_killed_server_costs_the_running_points(self) -> None:
        trigger = self.write_text("", "trigger")
        fragile = self.served(f"if request['config']['isbe.banks'] == 16 and os.path.exists({str(trigger)!r}):\n"
                              f"    os.remove({str(trigger)!r})\n    os.kill(os.getpid(), signal.SIGKILL)")
        sweep = self.write_sweep(axes=GRID)
        first = self.explore(sweep, "--cores", "1", isbesim=fragile)
        self.assertEqual(first.returncode, 1)
        broken = [row["status"] for row in self.rows() if row["status"] != "done"]
        self.assertIn(len(broken), (1, 2))
        self.assertEqual(set(broken), {"not finished: killed by signal 9: no message"})
        self.assertEqual(self.explore(sweep, isbesim=fragile).returncode, 0)
        self.assertEqual([row["status"] for row in self.rows()], ["done"] * 30)

    def test_a_failed_run_keeps_its_row_and_the_rest_goes_on(self) -> None:
        large = str(support.SCENARIOS / "gs_amplify_once" / "scenario.json")
        small = str(support.SCENARIOS / "vs_text" / "scenario.json")
        result = self.explore(self.write_sweep(scenarios=[large, small], max_cycles=300, axes={"isbe.banks": [8, 32]}))
        self.assertEqual(result.returncode, 1)
        rows = self.rows()
        self.assertEqual([row["status"].partition(":")[0] for row in rows], ["watchdog", "done"] * 2)
        self.assertEqual([row["point"] for row in rows], ["0", "0", "1", "1"])
        again = self.explore(self.write_sweep(scenarios=[large, small], max_cycles=300, axes={"isbe.banks": [8, 32]}))
        self.assertEqual(again.returncode, 1)
        self.assertEqual(len(self.history("start")), 4, "a verdict that repeats itself was asked for twice")

    def test_no_room_for_results_is_1_with_one_line_and_a_later_start_goes_on(self) -> None:
        """A limit on the size of files stands for a full disk."""
        sweep = self.write_sweep()
        for kib in (0, 16):
            ended = subprocess.run(["bash", "-c", f'ulimit -f {kib}; exec "$@"', "-", *self.command(sweep)],
                                   capture_output=True, text=True, check=False, env=support.environment(), timeout=600)
            self.assertEqual(ended.returncode, 1, ended.stderr)
            messages = [line for line in ended.stderr.splitlines() if not line.startswith("explore: ")]
            self.assertEqual(len(messages), 1, ended.stderr)
            self.assertRegex(messages[0], "^isbesim: error: .*results can't be written or read back: ")
        self.assertEqual(self.explore(sweep).returncode, 0)
        self.assertEqual(len(self.results()), 3)
        self.assertEqual([file.name for file in (self.folder / "out").glob(".results*")], [])

    def test_a_changed_program_runs_everything_again(self) -> None:
        sweep = self.write_sweep()
        self.assertEqual(self.explore(sweep, isbesim=self.wrapper("# one")).returncode, 0)
        programs = {row["program"] for row in self.rows()}
        second = self.explore(sweep, isbesim=self.wrapper("# two"))
        self.assertIn("3 results of another program, scenario or sweep are left aside", second.stderr)
        self.assertEqual(len(self.history("finish")), 6)
        self.assertTrue(programs.isdisjoint(row["program"] for row in self.rows()))

    @unittest.skipUnless(os.environ.get("ISBESIM_RTL") == "1", "built without the RTL")
    def test_an_own_block_runs_again(self) -> None:
        """The block, what it includes and its plusargs may be others."""
        sweep = self.write_sweep(axes={"pe.batch_vertices": [16, 32]}, backend="lockstep")
        block = {"ISBESIM_RTL_BLOCK": str(support.ISBESIM.parent / "rtl" / "default.so")}
        for variables, starts in (({}, 2), ({}, 2), (block, 4), (block, 6), ({}, 6)):
            with mock.patch.dict(os.environ, variables):
                self.assertEqual(self.explore(sweep).returncode, 0)
            self.assertEqual(len(self.history("start")), starts, variables)

    def test_a_changed_scenario_runs_again_whichever_of_its_files_changed(self) -> None:
        draw = self.folder / "draw"
        shutil.copytree(support.SCENARIOS / "vs_text", draw)
        sweep = self.write_sweep(scenarios=["draw/scenario.json"])
        self.assertEqual(self.explore(sweep).returncode, 0)
        code = draw / "vs.sass"
        code.write_text(code.read_text() + "// another\n")
        self.assertEqual(self.explore(sweep).returncode, 0)
        self.assertEqual(len(self.history("finish")), 6)
        scenario = draw / "scenario.json"
        text = json.loads(scenario.read_text())
        text["description"] = "another"
        scenario.write_text(json.dumps(text))
        self.assertEqual(self.explore(sweep).returncode, 0)
        self.assertEqual(len(self.history("finish")), 9)

    def test_a_program_that_changes_under_way_is_noticed(self) -> None:
        """Between the reading of the sweep and the start of its runs."""
        simulator = Simulator(support.ISBESIM)
        sweep = read_sweep(self.write_sweep(), simulator)
        folder = Folder(self.folder / "out")
        folder.create()
        jobs = {job.key: replace(job, program="another") for job in jobs_of(make_rows(sweep, simulator, expand(sweep)))}
        self.assertFalse(run(folder, jobs, 1))
        self.assertEqual({folder.error(key).read_text() for key in jobs},
                         {"the program has changed since the sweep began"})
        self.assertEqual(self.results(), set())

    def test_a_scenario_that_changes_under_way_is_noticed(self) -> None:
        draw = self.folder / "draw"
        shutil.copytree(support.SCENARIOS / "vs_text", draw)
        code = draw / "vs.sass"
        # The second request is passed on when the first has been; the third one is asked for when one has an answer.
        changing = self.served(f"if request['config']['isbe.banks'] == 16:\n    time.sleep(0.5)\n"
                               f"    open({str(code)!r}, 'a').write('// another\\n')")
        sweep = self.write_sweep(scenarios=["draw/scenario.json"],
                                 axes={"isbe.banks": [8, 16, 32], "isbe.skew": [True, False]})
        result = self.explore(sweep, "--cores", "1", isbesim=changing)
        self.assertEqual(result.returncode, 1)
        self.assertIn("not finished: the scenario has changed since the sweep began",
                      {row["status"] for row in self.rows()})

    def test_more_axis_values_run_new_points_only(self) -> None:
        self.assertEqual(self.explore(self.write_sweep(axes={"isbe.banks": [8, 32]})).returncode, 0)
        self.assertEqual(self.explore(self.write_sweep(axes={"isbe.banks": [8, 16, 32]})).returncode, 0)
        self.assertEqual(len(self.history("finish")), 3)

    def test_two_drivers_of_one_folder_are_refused(self) -> None:
        trigger = self.write_text("", "trigger")
        slow = self.served(f"while os.path.exists({str(trigger)!r}): time.sleep(0.1)")
        sweep = self.write_sweep()
        first = self.start(sweep, "--cores", "1", isbesim=slow)
        self.addCleanup(first.kill)
        while not (self.folder / "out" / "history.log").exists():
            self.assertIsNone(first.poll())
            time.sleep(0.02)
        second = self.explore(sweep, isbesim=slow)
        self.assertEqual(second.returncode, 2)
        self.assertIn("in use", second.stderr)
        trigger.unlink()
        first.communicate()
        self.assertEqual(first.returncode, 0)
