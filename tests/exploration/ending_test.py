# SPDX-License-Identifier: Apache-2.0
"""Interrupted sweeps end at once, by the signal, with one line, and keep their finished points."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from unittest import mock

import support
from exploration.driver import drive
from exploration.jobs import Folder, make_rows
from exploration.points import expand
from exploration.reading import read_sweep
from exploration.workflow import Progress, _prepare, place_of
from isbesim.simulator import Simulator


class EndingTest(support.FolderTest):
    def waiting(self) -> str:
        """Runs of one point wait for the trigger's end."""
        (self.folder / "trigger").touch()
        return (f"while request['config']['isbe.banks'] == 32 and os.path.exists({str(self.folder / 'trigger')!r}):\n"
                "    time.sleep(0.1)")

    def test_by_a_signal_with_finished_points(self) -> None:
        slow = self.served(self.waiting())
        sweep = self.write_sweep()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            driver = self.start(sweep, "--cores", "2", isbesim=slow)
            assert driver.stderr is not None
            self.assertIn("3 runs", driver.stderr.readline())
            self.wait_for_results(driver, 2)
            driver.send_signal(number)
            _, errors = driver.communicate(timeout=120)
            self.assertEqual(driver.returncode, -number, errors)
            messages = [line for line in errors.splitlines() if "runs" not in line]
            self.assertEqual(messages, [f"explore: ended by {number.name}, results so far: "
                                        f"{self.folder / 'out' / 'results.csv'}"])
            self.wait_for_the_last_process()
            self.assertEqual([row["status"] for row in self.rows()],
                             ["done", "done", "not finished: the run was interrupted"])
        (self.folder / "trigger").unlink()
        self.assertEqual(self.explore(sweep, isbesim=slow).returncode, 0)
        self.assertEqual(len(self.results()), 3)
        self.assertFalse((self.folder / "out" / ".workflow" / "scratch").exists())

    def test_before_it_has_begun(self) -> None:
        """While it still reads its libraries, of which one takes its time here."""
        library, reading = self.folder / "libraries" / "pandas.py", self.folder / "reading"
        library.parent.mkdir()
        library.write_text(f"import pathlib, time\npathlib.Path({str(reading)!r}).touch()\ntime.sleep(60)\n")
        environment = support.environment()
        environment["PYTHONPATH"] = f"{library.parent}:{environment['PYTHONPATH']}"
        driver = subprocess.Popen(self.command(self.write_sweep()), stderr=subprocess.PIPE, text=True, env=environment)
        while not reading.exists():
            self.assertIsNone(driver.poll())
            time.sleep(0.01)
        driver.send_signal(signal.SIGTERM)
        _, errors = driver.communicate(timeout=120)
        self.assertEqual((driver.returncode, errors), (-signal.SIGTERM, "explore: ended by SIGTERM\n"))

    def test_before_the_first_run_is_known(self) -> None:
        """Results of an earlier start remain."""
        sweep, out = self.write_sweep(), self.folder / "out"
        self.assertEqual(self.explore(sweep).returncode, 0)
        before = (out / "results.csv").read_bytes()
        with mock.patch("exploration.driver.make_rows", side_effect=KeyboardInterrupt):
            with self.assertRaises(KeyboardInterrupt):
                drive(sweep, Simulator(support.ISBESIM), place_of(1, None), out, Progress)
        self.assertEqual((out / "results.csv").read_bytes(), before)

    def test_by_the_end_of_a_simulator_with_a_request(self) -> None:
        sweep = self.write_sweep(objective={"minimize": "cycles"})
        for asked in ("$* == *--version", "$* == *'help schema sweep'*", "$* == *'help config'*",
                      "$* == *'help figures'*", "$* == *max-cycles*"):
            with self.subTest(asked):
                done = self.explore(sweep, isbesim=self.wrapper(f"[[ {asked} ]] && kill -9 $$"))
                messages = [line for line in done.stderr.splitlines() if "runs" not in line]
                self.assertEqual((done.returncode, messages), (1, ["isbesim: error: killed by signal 9: no message"]))

    def test_quietly_without_a_reader(self) -> None:
        words = self.command(self.write_sweep(), isbesim=self.served(self.waiting()))
        script = f"{shlex.join(words)} 2>&1 >/dev/null | true; echo ${{PIPESTATUS[0]}}"
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, timeout=60,
                              env=support.environment())
        self.assertEqual((done.stdout, done.stderr), (f"{128 + signal.SIGPIPE}\n", ""))
        self.wait_for_the_last_process()

    def test_runs_of_an_earlier_start_go_on(self) -> None:
        """Jobs of a cluster outlive a killed driver."""
        simulator = Simulator(self.served(self.waiting()))
        sweep = read_sweep(self.write_sweep(axes={"isbe.banks": [32]}), simulator)
        folder = Folder(self.folder / "out")
        folder.create()
        [job] = [row.job for row in make_rows(sweep, simulator, expand(sweep))]
        assert job is not None
        folder.pack(job.key).write_text(json.dumps([asdict(job)]))
        worker = subprocess.Popen([sys.executable, "-m", "exploration.worker", folder.root, job.key, str(os.getpid())],
                                  env=support.environment())
        self.addCleanup(worker.kill)
        while not folder.history.exists():
            self.assertIsNone(worker.poll())
            time.sleep(0.02)
        time.sleep(0.3)
        _prepare(folder, [[job]])
        (self.folder / "trigger").unlink()
        self.assertEqual(worker.wait(60), 0)
        self.assertEqual(json.loads(folder.result(job.key).read_text())["status"], "done")
