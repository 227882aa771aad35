"""The same sweep on a Slurm of its own: real controller, node daemon and munge, on this machine, in a folder and on
ports of their own. Skipped where it cannot be brought up, with the reason."""

import atexit
import contextlib
import getpass
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from typing import Callable

import support

DAEMONS = ("munged", "slurmctld", "slurmd")


def find(program: str) -> str:
    path = shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/usr/local/sbin")
    if path is None:
        raise unittest.SkipTest(f"{program} is not installed; scripts/test installs it")
    return path


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


class Cluster:
    """One node that is its own controller. stop() leaves no process behind, however far start() came."""

    def __init__(self) -> None:
        self.programs = {name: find(name) for name in DAEMONS}
        if os.geteuid() != 0:
            raise unittest.SkipTest("not root: slurmd starts jobs for root only")
        self.folder = Path(tempfile.mkdtemp(prefix="slurm.", dir="/tmp"))
        self.processes: list[subprocess.Popen[bytes]] = []
        atexit.register(self.stop)
        os.environ["SLURM_CONF"] = str(self.folder / "slurm.conf")
        os.environ["CI"] = "true"  # Snakemake then asks for the states of jobs every second, not every ten

    def start(self) -> None:
        self._start_munge()
        self._write_configuration()
        self._daemon("slurmctld", "-D", "-c", "-f", str(self.folder / "slurm.conf"))
        self._daemon("slurmd", "-D", "-f", str(self.folder / "slurm.conf"), "-N", "here")
        self._wait_for("the node", lambda: "idle" in self.ask("sinfo", "--noheader", "--format=%T"))

    def _start_munge(self) -> None:
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        self.folder.chmod(0o755)
        self._daemon("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder / 'munge'}",
                     f"--pid-file={self.folder / 'munged.pid'}", f"--log-file={self.folder / 'munged.log'}",
                     f"--seed-file={self.folder / 'munged.seed'}")
        self._wait_for("munge", (self.folder / "munge").exists)

    def _write_configuration(self) -> None:
        controller, node = free_ports(2)
        host = socket.gethostname()
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        (self.folder / "slurm.conf").write_text(f"""
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={node}
SlurmUser={getpass.getuser()}
AuthType=auth/munge
AuthInfo=socket={self.folder}/munge
CryptoType=crypto/munge
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.pid
SlurmctldLogFile={self.folder}/slurmctld.log
SlurmdLogFile={self.folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0,defer_batch
SchedulerType=sched/builtin
ReturnToService=2
KillWait=1
MinJobAge=300
MailProg=/bin/true
NodeName=here NodeHostname={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN
PartitionName=all Nodes=here Default=YES MaxTime=INFINITE State=UP
""".lstrip())

    def _daemon(self, name: str, *arguments: str) -> None:
        with (self.folder / f"{name}.out").open("wb") as log:
            self.processes.append(subprocess.Popen([self.programs[name], *arguments], stdout=log, stderr=log,
                                                   start_new_session=True))

    def _wait_for(self, what: str, ready: Callable[[], object], seconds: float = 120) -> None:
        deadline = time.monotonic() + seconds
        while not ready():
            ended = [str(process.args) for process in self.processes if process.poll() is not None]
            if ended or time.monotonic() > deadline:
                logs = "".join(f"\n{log.name}: {log.read_text(errors='replace')[-500:]}"
                               for log in sorted(self.folder.glob("*.out")) + sorted(self.folder.glob("*.log")))
                self.stop()
                raise unittest.SkipTest(f"{what} did not come up here{logs}")
            time.sleep(0.1)

    def ask(self, *command: str) -> str:
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120).stdout

    def stop(self) -> None:
        if self.processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.ask("scancel", "--user", getpass.getuser())
        for process in reversed(self.processes):
            if process.poll() is None:
                process.terminate()
        for process in self.processes:
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        self.processes = []
        shutil.rmtree(self.folder, ignore_errors=True)


class StatusTest(support.FolderTest):
    """What Snakemake hears of a job, with a controller in the place of Slurm's."""

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

    def test_a_busy_controller_is_asked_again(self) -> None:
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

    def test_jobs_give_what_a_local_run_gives_and_a_killed_one_runs_again(self) -> None:
        sweep = self.write_sweep(axes={"isbe.banks": [8, 32], "isbe.skew": [True, False]},
                                 scenarios=[str(support.SCENARIOS / "gs_amplify_once" / "scenario.json")],
                                 objective={"minimize": "cycles"})
        # One point says which job runs it, then waits as long as the trigger is there: that job is killed under way.
        trigger, waiting = self.folder / "trigger", self.folder / "waiting"
        trigger.touch()
        program = self.wrapper(f'[[ $1 == run && $* != *max-cycles* ]] && grep -q \'"isbe.skew": false\' "$4" && '
                               f'grep -q \'"isbe.banks": 8,\' "$4" && echo $SLURM_JOB_ID > {waiting} && '
                               f'while [[ -e {trigger} ]]; do sleep 0.1; done')
        driver = self.start(sweep, "--profile", "slurm", isbesim=program)
        self.addCleanup(driver.kill)
        self.cluster.ask("scancel", "--signal=KILL", "--full", self.wait_for_job_in(waiting, driver))
        _, errors = driver.communicate(timeout=400)
        self.assertEqual(driver.returncode, 1, errors + self.log())
        self.assertEqual([row["status"] for row in self.rows()].count("done"), 3, self.log())
        self.assertIn("point 1", errors)

        trigger.unlink()
        again = self.explore(sweep, "--profile", "slurm", isbesim=program)
        self.assertEqual(again.returncode, 0, again.stderr + self.log())
        self.assertIn("3 of them finished before", again.stderr)
        self.assertEqual(len(self.history("start")), 5)
        self.assertEqual(self.explore(sweep, "--cores", "2", isbesim=program, out="local").returncode, 0)
        self.assertEqual((self.folder / "out" / "results.csv").read_bytes(),
                         (self.folder / "local" / "results.csv").read_bytes())

    def test_a_search_asks_for_the_same_points_as_here(self) -> None:
        sweep = self.write_sweep(axes={"isbe.lines": [256, 512, 1024], "isbe.skew": [True, False]},
                                 search={"budget": 4, "batch": 2})
        found = self.explore(sweep, "--profile", "slurm")
        self.assertEqual(found.returncode, 0, found.stderr + self.log())
        self.assertEqual(len(self.rows()), 4)
        self.assertEqual(self.explore(sweep, "--cores", "2", out="local").returncode, 0)
        self.assertEqual((self.folder / "out" / "results.csv").read_bytes(),
                         (self.folder / "local" / "results.csv").read_bytes())

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
        """What Snakemake and the workers said, for whoever reads of a failure here."""
        out = self.folder / "out"
        return "".join(f"\n{file.name}:\n{file.read_text()}"
                       for file in (out / ".workflow" / "snakemake.log", out / "history.log") if file.exists())
