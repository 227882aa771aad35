# SPDX-License-Identifier: Apache-2.0
"""Detector: proves that a mutant of the RTL does what the RTL does, for all inputs and from every state: nothing can
notice it.

Yosys reads the module as it is and with the mistake. Registers, memories and the instances inside become pins, so that
two circuits without a state are left; their outputs are compared by Yosys' solver for all values of the inputs. Two
modules that agree on that agree in every block that they stand in."""
from __future__ import annotations

import dataclasses
import pathlib
import shutil
import subprocess
import sys
from typing import Mapping, Sequence

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "proof"))

import block_properties
import rewrite
from building import BuildError, parameters
from source_mutants import Mutant
from sites import ROOT

RTL = ROOT / "rtl_ref"
PACKAGE = "isbe_pkg.sv"
SECONDS = 60  # of a solver; reading may take longer on a busy machine


@dataclasses.dataclass(frozen=True)
class Level:
    """A module that is compared; `inside`: files of the instances that are part of it, the others are pins."""

    top: str
    inside: tuple[str, ...] = ()
    boxes: tuple[str, ...] = ()


LANE = Level("address_lane", ("gs_state.sv", "default_value.sv"))
LEVELS: dict[str, tuple[Level, ...]] = {
    "address_lane.sv": (LANE,),
    "gs_state.sv": (Level("gs_state"), LANE),
    "default_value.sv": (Level("default_value"), LANE),
    "address_unit.sv": (Level("address_unit", boxes=("address_lane.sv", *LANE.inside)),),
    "arbiter.sv": (Level("arbiter"),),
    "context_table.sv": (Level("context_table"),),
    "request_queue.sv": (Level("request_queue"),),
    "response_queue.sv": (Level("response_queue"),),
    "client_port.sv": (Level("client_port", boxes=("request_queue.sv", "response_queue.sv")),),
    "bank_sram.sv": (Level("bank_sram"),),
}


def parameters_of(module: str, configuration: str) -> dict[str, int]:
    """Those of the configuration that the module has, under its own names."""
    values = parameters(configuration)
    queue = {"request_queue": "REQUEST_QUEUE_DEPTH", "response_queue": "RESPONSE_QUEUE_DEPTH"}.get(module)
    if queue:
        values["DEPTH"] = values[queue]
    if module == "bank_sram":
        values["ROWS"] = 8  # all rows are alike
    head = (RTL / f"{module}.sv").read_text().split(");", 1)[0]
    return {name: value for name, value in values.items() if f"unsigned {name} " in head}


def _yosys(script: Sequence[str], seconds: float) -> bool:
    try:
        done = subprocess.run(["yosys", "-q", "-p", "; ".join(script)], capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def _read(package: pathlib.Path, level: Level, mutated: pathlib.Path | None, parameters: Mapping[str, int],
          name: str) -> list[str]:
    """Commands that make `name` of the module: with `mutated` in the place of the file of that name."""
    files = [RTL / file for file in (*level.inside, *level.boxes, f"{level.top}.sv")]
    files = [mutated if mutated is not None and file.name == mutated.name else file for file in files]
    settings = " ".join(f"-set {key} {value}" for key, value in parameters.items())
    flat = ["flatten"] if level.inside else []
    # A name that nothing declares is an error: what Yosys makes of it instead may be proved to be anything.
    return ["verilog_defaults -add -noautowire", f'read_verilog -sv "{package}"',
            "read_verilog -sv -defer " + " ".join(f'"{f}"' for f in files),
            *([f"chparam {settings} {level.top}"] if settings else []), f"hierarchy -check -top {level.top}",
            "proc -noopt -norom", *flat, "memory_collect", "memory_map", "opt_clean",
            f"expose -evert -evert-dff {level.top}/c:*", f"rename {level.top} {name}"]


class Prover:
    """Files of proofs lie in `folder`."""

    def __init__(self, folder: pathlib.Path) -> None:
        if shutil.which("yosys") is None:
            raise BuildError("Yosys is not installed: nothing can be proved")
        self.folder = folder
        self.known: set[pathlib.Path] = set()  # modules that are read
        folder.mkdir(parents=True, exist_ok=True)

    def package(self, level: Level) -> pathlib.Path:
        """Queues hand all bits on alike: of data, addresses, handles and status they get one each."""
        if not level.top.endswith("_queue"):
            return RTL / PACKAGE
        path = self.folder / PACKAGE
        pairs = block_properties.NARROW[PACKAGE]
        rewrite.write_if_changed(path, block_properties.replaced((RTL / PACKAGE).read_text(), pairs).encode())
        return path

    def gold(self, level: Level, configuration: str) -> pathlib.Path:
        """The module as it is."""
        path = self.folder / f"{level.top}_{configuration}.il"
        if path not in self.known:
            self.known.add(path)
            parameters = parameters_of(level.top, configuration)
            partial = path.with_suffix(".partial")
            script = _read(self.package(level), level, None, parameters, "gold")
            if not _yosys([*script, "select gold", f'write_rtlil -selected "{partial}"'], 1000):
                raise BuildError(f"yosys does not read {level.top}")
            partial.replace(path)
        return path

    def read(self, mutants: Sequence[Mutant], configurations: Sequence[str]) -> None:
        """The modules of these mutants, ahead: proofs run side by side."""
        for name in sorted({pathlib.Path(mutant.file).name for mutant in mutants}):
            for level in LEVELS.get(name, ()):
                for configuration in configurations:
                    self.gold(level, configuration)

    def proved(self, mutant: Mutant, number: int, configurations: Sequence[str]) -> bool:
        """That nothing can notice it in any of `configurations`."""
        name = pathlib.Path(mutant.file).name
        folder = self.folder / f"mutant_{number}"
        folder.mkdir(exist_ok=True)
        language = rewrite.SYSTEMVERILOG
        text = rewrite.rewrite_spans((ROOT / mutant.file).read_text(), [mutant.span(number)], language).text
        (folder / name).write_text(text.replace(language.condition(number), "1'b1"))
        return all(any(self.equal(level, folder / name, configuration) for level in LEVELS.get(name, ()))
                   for configuration in configurations)

    def equal(self, level: Level, mutated: pathlib.Path, configuration: str) -> bool:
        gold = self.gold(level, configuration)
        script = _read(self.package(level), level, mutated, parameters_of(level.top, configuration), "gate")
        return _yosys([*script, "delete * gate %d", f'read_rtlil "{gold}"', "miter -equiv -flatten gold gate miter",
                       "hierarchy -top miter", *2 * ("opt_expr", "opt_merge -share_all", "opt_clean"),
                       f"sat -timeout {SECONDS} -verify -prove trigger 0 miter"], 15 * SECONDS)
