# SPDX-License-Identifier: Apache-2.0
"""A Slurm of its own for tests: real controller, node daemon and munge, on this machine, in a folder and on ports of
their own."""

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
