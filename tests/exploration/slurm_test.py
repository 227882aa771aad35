# SPDX-License-Identifier: Apache-2.0
"""The same sweep on a Slurm of its own. Skipped where it cannot be brought up, with the reason."""

import os
import subprocess
import time
from pathlib import Path

import support
from slurm_cluster import Cluster


class StatusTest(support.FolderTest):
    """The states of jobs for Snakemake, with a script in the place of Slurm's scontrol."""

    def status(self, *answers: str) -> str:
        """`answers`: of one call of scontrol after the other, "-" before those that fail; the last one stays."""
        calls = self.folder / "calls"
        calls.write_text("".join(f"{answer}\n" for answer in answers))
        controller = self.folder / "scontrol"
        controller.write_text(f'#!/bin/bash\nread -r answer < {calls}\n'
                              f'(($(wc -l < {calls}) > 1)) && sed -i 1d {calls}\n'
                              '[[ $answer == -* ]] && echo "${answer#-}" >&2 && exit 1\necho "$answer"\n')
        controller.chmod(0o755)
        return subprocess.run([support.ROOT / "scripts" / "exploration" / "slurm" / "status", "7"], text=True,
                              capture_output=True, check=True, timeout=60,
                              env={**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"}).stdout.strip()

    def test_states(self) -> None:
        for state, word in {"COMPLETED": "success", "RUNNING": "running", "PENDING": "running", "FAILED": "failed",
                            "CANCELLED": "failed", "NODE_FAIL": "failed"}.items():
            self.assertEqual(self.status(f"JobId=7 JobState={state} Reason=None"), word)

    def test_busy_controller_is_polled_again(self) -> None:
        busy = "-slurm_load_jobs error: Unable to contact slurm controller (connect failure)"
        self.assertEqual(self.status(busy, busy, "JobId=7 JobState=RUNNING"), "running")
        self.assertEqual(self.status("-slurm_load_jobs error: Invalid job id specified", "JobState=RUNNING"), "failed")


class SlurmTest(support.FolderTest):
    cluster: Cluster

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.stop)
        cls.cluster.start()

    def test_jobs_equal_a_local_run_and_a_killed_one_runs_again(self) -> None:
        sweep = self.write_sweep(axes={"isbe.banks": [8, 32], "isbe.skew": [True, False]},
                                 scenarios=[str(support.SCENARIOS / "gs_amplify_once" / "scenario.json")],
                                 objective={"minimize": "cycles"})
        # One point says which job runs it, then waits as long as the trigger is there: that job is killed under way.
        trigger, waiting = self.write_text("", "trigger"), self.folder / "waiting"
        program = self.served("if not request['config']['isbe.skew'] and request['config']['isbe.banks'] == 8:\n"
                              f"    open({str(waiting)!r}, 'w').write(os.environ.get('SLURM_JOB_ID', ''))\n"
                              f"    while os.path.exists({str(trigger)!r}): time.sleep(0.1)")
        driver = self.start(sweep, "--profile", "slurm", isbesim=program)
        self.addCleanup(driver.kill)
        self.cluster.ask("scancel", "--signal=KILL", "--full", self.wait_for_job_in(waiting, driver))
        _, errors = driver.communicate(timeout=400)
        self.assertEqual(driver.returncode, 1, errors + self.log())
        # It has run beside the first point, whose result may not have been kept yet.
        kept = [row["status"] for row in self.rows()].count("done")
        self.assertIn(kept, (2, 3), self.log())
        self.assertIn("point 1", errors)

        trigger.unlink()
        again = self.explore(sweep, "--profile", "slurm", isbesim=program)
        self.assertEqual(again.returncode, 0, again.stderr + self.log())
        self.assertIn(f"{kept} of them finished before", again.stderr)
        self.assertEqual(len(self.history("start")), 8 - kept)
        self.check_local_run(sweep, program)

    def test_a_search_asks_for_the_same_points_as_here(self) -> None:
        sweep = self.write_sweep(axes={"isbe.lines": [256, 512, 1024], "isbe.skew": [True, False]},
                                 search={"budget": 4, "batch": 2})
        found = self.explore(sweep, "--profile", "slurm")
        self.assertEqual(found.returncode, 0, found.stderr + self.log())
        self.assertEqual(len(self.rows()), 4)
        self.check_local_run(sweep)

    def wait_for_job_in(self, waiting: Path, driver: subprocess.Popen[str]) -> str:
        """The id that the simulator itself wrote. That Slurm calls a job running does not mean yet that its worker
        has begun."""
        deadline = time.monotonic() + 400
        while time.monotonic() < deadline:
            self.assertIsNone(driver.poll(), "the sweep ended before a job could be killed")
            if waiting.exists() and (job := waiting.read_text().strip()):
                return job
            time.sleep(0.1)
        self.fail("the jobs did not run: " + self.cluster.ask("squeue", "--long") + self.log())

    def log(self) -> str:
        """The output of Snakemake and the workers, for failure messages."""
        out = self.folder / "out"
        return "".join(f"\n{file.name}:\n{file.read_text()}"
                       for file in (out / ".workflow" / "snakemake.log", out / "history.log") if file.exists())
