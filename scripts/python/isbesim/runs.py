# SPDX-License-Identifier: Apache-2.0
"""The simulator's commands run, replay and traffic as functions."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any, Mapping, Sequence

from .process import Outcome, outcome_of
from .result import Result, TrafficResult
from .simulator import Simulator, find_simulator, machine_words, settings_of

Machine = str | Path | Mapping[str, Any] | None


def run(scenario: str | Path, machine: Machine = None, *, backend: str = "at", seed: int = 1,
        max_cycles: int | None = None, out: str | Path | None = None, options: Sequence[str] = (), check: bool = True,
        isbesim: str | Path | None = None, **keys: Any) -> Result:
    """Runs a draw. `scenario`: a file, a folder with a scenario.json, the name of a shipped scenario, or a capture.
    `machine`: a name, a file, or keys; `keys` change it: isbe_lines=512 or **{"isbe.lines": 512}. `out`: a folder for
    the results; without it they live as long as the Result. `options`: further options of the command, as words. Raises
    the errors of errors.py, those of failed checks only with `check`."""
    file = Path(scenario)
    return _start("run", file / "scenario.json" if file.is_dir() else file, machine, keys, out, check, isbesim, options,
                  backend=backend, seed=seed, max_cycles=max_cycles)


def replay(trace: str | Path, machine: Machine = None, *, backend: str = "at", out: str | Path | None = None,
           options: Sequence[str] = (), check: bool = True, isbesim: str | Path | None = None, **keys: Any) -> Result:
    """Plays a trace of `run(..., options=["--record", FILE])` on any machine that can play it. Arguments as for
    run."""
    return _start("replay", Path(trace), machine, keys, out, check, isbesim, options, backend=backend)


def traffic(machine: Machine = None, *, rate: float | None = None, outstanding: int | None = None, curve: bool = False,
            backend: str = "at", seed: int = 1, out: str | Path | None = None, options: Sequence[str] = (),
            check: bool = True, isbesim: str | Path | None = None, **keys: Any) -> TrafficResult:
    """Sends synthetic traffic to the ISBE: `rate` operations per cycle, a number of `outstanding` operations, or the
    whole `curve` of latency over load. All other options of `isbesim traffic` are arguments, too:
    traffic(curve=True, mix="ald=3,ast=1", operations=5000). Raises the errors of errors.py."""
    simulator = find_simulator(isbesim)
    words = ["--curve"] if curve else []
    words += ["--rate", str(rate)] if rate is not None else []
    words += ["--outstanding", str(outstanding)] if outstanding is not None else []
    names = {key.replace(".", "_") for key in simulator.keys}
    for name in [name for name in keys if name.replace(".", "_") not in names and not isinstance(keys[name], Mapping)]:
        words += [f"--{name.replace('_', '-')}", str(keys.pop(name))]
    result = _start("traffic", None, machine, keys, out, check, simulator.binary, [*words, *options], backend=backend,
                    seed=seed, kind=TrafficResult)
    assert isinstance(result, TrafficResult)
    return result


def _start(command: str, file: Path | None, machine: Machine, keys: Mapping[str, Any], out: str | Path | None,
           check: bool, isbesim: str | Path | None, options: Sequence[str], *, backend: str, seed: int | None = None,
           max_cycles: int | None = None, kind: type[Result] = Result) -> Result:
    simulator = find_simulator(isbesim)
    kept = tempfile.TemporaryDirectory(prefix="isbesim.") if out is None else None
    folder = Path(kept.name) / "out" if kept else Path(str(out))
    with tempfile.TemporaryDirectory(prefix="isbesim.") as scratch:
        words = [str(file)] if file is not None else []
        words += machine_words(_machine_of(simulator, machine, Path(scratch)), settings_of(simulator, keys))
        for name, number in (("--seed", seed), ("--max-cycles", max_cycles)):
            words += [name, str(number)] if number is not None else []
        done = simulator.call(command, *words, "--isbe", backend, "--out", str(folder), "--quiet", *options)
    report: dict[str, Any] = {}
    if done.returncode in (0, 1) and (folder / "report.json").exists():
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    outcome = outcome_of(done, report)
    result = kind(simulator, folder, outcome, report, kept)
    if must_raise(outcome, check) and (error := outcome.error(result)):
        raise error
    return result


def request_of(simulator: Simulator, scenario: str | Path, machine: Machine = None, *, backend: str = "at",
               seed: int = 1, max_cycles: int | None = None, options: Sequence[str] = (),
               **keys: Any) -> dict[str, Any]:
    """A request to `isbesim serve` for the report of the run that run() makes of these arguments."""
    config = settings_of(simulator, machine) if isinstance(machine, Mapping) else machine
    if config is not None and not isinstance(config, dict):
        config = str(Path(config).absolute() if Path(config).is_file() else config)
    shipped = None if Path(scenario).exists() else simulator.shipped_scenario(scenario)
    request = {"scenario": str(shipped or Path(scenario).absolute()), "config": config,
               "set": settings_of(simulator, keys), "isbe": backend, "seed": seed,
               "max_cycles": max_cycles, "options": list(options), "report": True}
    return {key: value for key, value in request.items() if value not in (None, [])}


def must_raise(outcome: Outcome, check: bool) -> bool:
    """True if a failure has to raise: without `check`, a failed check leaves a result; other failures leave none."""
    return check or outcome.code != 1


def _machine_of(simulator: Simulator, machine: Machine, scratch: Path) -> str | None:
    if not isinstance(machine, Mapping):
        return None if machine is None else str(machine)
    file = scratch / "machine.json"
    file.write_text(json.dumps(settings_of(simulator, machine)), encoding="utf-8")
    return str(file)
