# SPDX-License-Identifier: Apache-2.0
"""Mistakes in the RTL (tests/mutation/rtl_mutants.toml) in a simulation with the monitor: one build for a configuration
holds all of them behind a switch."""
from __future__ import annotations

import pathlib

import simulation  # which says where the next ones are
import building
import rewrite
import sites

CONFIGURATION = "small"
RESETS = 60
SEEDS = range(1, 5)  # of traffic with resets: one alone may have no store under way when they come
QUIET = "nothing was transferred"


def built(mutations: list[sites.Mutation], build: pathlib.Path, library: pathlib.Path, name: str,
          link: str = "") -> pathlib.Path:
    """The simulation of the mutated RTL in a configuration."""
    folder = build / "mutation_monitor" / name
    block = rewrite.write_block(rewrite.mutated_files(mutations, simulation.ROOT),
                                building.sources_of_block(simulation.ROOT), simulation.ROOT, folder / "block")
    bench = [simulation.HERE / "isbe_traffic.sv", simulation.HERE / "isbe_monitor_tb.sv"]
    vlt = simulation.ROOT / "testbench" / "rtl" / "plugin" / "block.vlt"
    return simulation.build(folder, "isbe_monitor_tb", [vlt, *block, *simulation.MONITOR, *bench], library,
                            building.parameters(name), link)


def verdict(program: pathlib.Path, name: str, number: int, mode: str, transactions: int, seed: int = 1,
            apart: bool = False, resets: int = 0) -> str:
    """How mutant `number` (0: none) was noticed; "" when it was not."""
    status, text = simulation.run(
        program, f"+machine={simulation.machine(building.parameters(name))}", f"+isbe_monitor_mode={mode}",
        f"+transactions={transactions}", f"+seed={seed}", f"+resets={resets}", *(["+apart"] if apart else []),
        environment={rewrite.VARIABLE: str(number)})
    if status == -1:
        return "endless"
    lines = text.splitlines()
    if status != 0:  # nothing of the block's does that
        raise simulation.SimulationError(f"the simulation ends with {status}: {lines[-1:]}")
    if "PASS" in lines and ", 0 differences: " in text:
        return ""
    if QUIET in text and ", 0 differences: " in text:
        return "nothing responds"
    for line in lines:
        if line.startswith("isbe_monitor ") and " at " in line:
            return line.split(": ", 1)[1]
    if "without a response" in text:
        return "operations without a response"
    raise simulation.SimulationError(f"a run that says neither what it found nor that it found nothing: {lines[-3:]}")


def load() -> list[sites.Mutation]:
    return sites.load(simulation.ROOT / "tests" / "mutation" / "rtl_mutants.toml", with_rows=False)


def found(program: pathlib.Path, name: str, number: int, mode: str, transactions: int, apart: bool = False) -> str:
    """The same as verdict(), and, where that finds nothing, with resets in the middle of the run. Without the model's
    cycles nobody knows how far a store has come then."""
    first = verdict(program, name, number, mode, transactions, apart=apart)
    if first or mode == "data":
        return first
    tries = (verdict(program, name, number, mode, transactions, seed, apart, RESETS) for seed in SEEDS)
    return next(filter(None, tries), "")
