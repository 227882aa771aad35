# SPDX-License-Identifier: Apache-2.0
"""Combinational modules of the RTL as text for a solver: what Yosys writes, made a list of equations between constants
(in:NAME of inputs, out:NAME of outputs), without the states that its modules are functions of. Equations and not nested
definitions: Z3 would write out each of those wherever it is used."""
from __future__ import annotations

import json
import pathlib
import re
import subprocess
from typing import Any, Mapping, Sequence

ROOT = pathlib.Path(__file__).resolve().parents[2]
RTL = ROOT / "rtl_ref"
HERE = pathlib.Path(__file__).resolve().parent


class ProofError(Exception):
    """Something that keeps a proof from being tried."""


def table() -> dict[str, Any]:
    """rtl_ref/configurations.json"""
    read: dict[str, Any] = json.loads((RTL / "configurations.json").read_text())
    return read


def source(folder: pathlib.Path, name: str) -> pathlib.Path:
    """A file of the RTL: that of `folder` where it has one."""
    return folder / name if (folder / name).exists() else RTL / name


written: dict[tuple[str, ...], str] = {}  # by Yosys, by what it was made of


def yosys(module: str, sources: Sequence[pathlib.Path], parameters: Mapping[str, int], output: pathlib.Path,
          passes: Sequence[str] = ()) -> None:
    """Writes Yosys's output for `module`, flat, with all its named wires; once in a process."""
    made_of = (module, str(parameters), *passes, *(file.read_text() for file in sources))
    if made_of in written:
        output.write_text(written[made_of])
        return
    files = " ".join(f'"{file}"' for file in sources)
    settings = " ".join(f"-set {name} {value}" for name, value in parameters.items())
    script = [f'read_verilog -sv "{RTL / "isbe_pkg.sv"}"', f"read_verilog -sv -defer {files}",
              f"chparam {settings} {module}", f"hierarchy -check -top {module}", "proc -noopt -norom", "flatten",
              *passes, f'write_smt2 -wires "{output}"']
    done = subprocess.run(["yosys", "-q", "-p", "; ".join(script)], capture_output=True, text=True)
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise ProofError(f"yosys, {module}: {lines[-1] if lines else f'status {done.returncode}'}")
    written[made_of] = output.read_text()


DECLARED = re.compile(r"\(declare-fun (?P<name>\|[^|]*\|) \(\|[^|]*\|\) (?P<sort>Bool|\(_ BitVec \d+\))\)"
                      r" ; (?P<bits>.*)$")
BITS = re.compile(r"\\(?P<port>\S+)(?: \[(?P<high>\d+)(?::(?P<low>\d+))?\])?")
DEFINED = re.compile(r"\(define-fun (?P<name>\|[^|]*\|) \(\(state \|[^|]*\|\)\) (?P<sort>Bool|\(_ BitVec \d+\)) "
                     r"(?P<formula>.*)\)(?: ; .*)?$")


def bits_of(declared: re.Match[str], inputs: Mapping[str, int]) -> str | None:
    """The bits of inputs that a declaration of Yosys says it is; None of one that nothing drives."""
    parts: list[str | None] = []
    for bits in BITS.finditer(declared["bits"]):
        if bits["port"] not in inputs:
            parts.append(None)
            continue
        high = int(bits["high"] or inputs[bits["port"]] - 1)
        low = int(bits["low"] or (high if bits["high"] else 0))
        parts.append(f"((_ extract {high} {low}) |in:{bits['port']}|)")
    inside = [part for part in parts if part is not None]
    if not inside:
        return None
    if len(inside) < len(parts):
        raise ProofError(f"bits of inputs beside others: {declared['bits']}")
    formula = inside[-1]
    for part in reversed(inside[:-1]):
        formula = f"(concat {part} {formula})"
    return f"(= {formula} #b1)" if declared["sort"] == "Bool" else formula


def equations(text: str, module: str, outputs: Mapping[str, str]) -> str:
    """`outputs`: the name of each output and the wire that it is."""
    inputs = {name: int(width) for name, width in re.findall(r"^; yosys-smt2-input (\S+) (\d+)$", text, re.MULTILINE)}
    sorts: dict[str, str] = {}
    lines = [f"(declare-fun |in:{name}| () (_ BitVec {width}))" for name, width in inputs.items()]
    for line in text.splitlines():
        if line.startswith(f"(define-fun |{module}_a|"):
            break  # then the transition relation
        if line.startswith(("(define-fun", "(declare-fun")) and f"|{module}_is|" not in line:
            declared, defined = DECLARED.match(line), DEFINED.match(line)
            found = declared or defined
            if found is None:
                raise ProofError(f"{module}: a line of Yosys is not understood: {line}")
            lines.append(f"(declare-fun {found['name']} () {found['sort']})")
            sorts[found["name"]] = found["sort"]
            formula = (re.sub(r"\((\|[^|]*\|) state\)", r"\1", defined["formula"]) if defined
                       else bits_of(found, inputs))
            if formula is not None:
                lines.append(f"(assert (= {found['name']} {formula}))")
    for name, wire in outputs.items():
        source = f"|{module}_n {wire}|"
        if source not in sorts:
            raise ProofError(f"{module} has no wire {wire}")
        sort, formula = sorts[source], source
        if sort == "Bool":
            sort, formula = "(_ BitVec 1)", f"(ite {source} #b1 #b0)"
        lines += [f"(declare-fun |out:{name}| () {sort})", f"(assert (= |out:{name}| {formula}))"]
    return "\n".join(lines) + "\n"


LANE_WIRES = ("first_id", "members", "enabled", "rank")  # where a proof is cut
LANE_OUTPUTS = ("access", "word", "byte_enable", "write_data", "value", "first_byte", "status")
LANE_INPUTS = ("lane", "active", "common", "space", "rank_of_word", "prim_index", "address", "handle", "data")
LANE_PARAMETERS = ("SKEW", "GS_BLOCKED", "ATTRIBUTE_DEFAULT", "POSITION_W_DEFAULT", "MAP_BYTE_SWAP")
UNIT_PARAMETERS = ("LINES", *LANE_PARAMETERS)


def address_circuits(parameters: Mapping[str, int], folder: pathlib.Path, sources: pathlib.Path) -> list[pathlib.Path]:
    """Makes three files for address_proof: address_lane with its submodules, of an active lane and of any, and
    address_unit around 32 lanes of which anything may come."""
    active, any_lane, unit = circuits = [folder / f"{name}.smt2" for name in ("active", "lane", "unit")]
    files = [source(sources, name) for name in ("gs_state.sv", "default_value.sv", "address_lane.sv")]
    chosen = {name: parameters[name] for name in LANE_PARAMETERS}
    yosys("active_lane", [*files, HERE / "active_lane.sv"], chosen, active, ("opt_expr", "opt_clean"))
    outputs = {name: name for name in LANE_OUTPUTS}
    wires = outputs | {name: f"of.{name}" for name in LANE_WIRES}
    active.write_text(equations(active.read_text(), "active_lane", wires))
    yosys("address_lane", files, chosen, any_lane)
    any_lane.write_text(equations(any_lane.read_text(), "address_lane", outputs))
    files = [HERE / "address_probe.sv", source(sources, "address_unit.sv")]
    # No opt_clean: it drops what only the probe reads.
    yosys("address_unit", files, {name: parameters[name] for name in UNIT_PARAMETERS}, unit)
    wires = {name: name for name in ("operation", "access", "write_data", "value", "common", "rank_of_word")}
    wires["space"] = "lanes[0].address_of.space"  # one net with the unit's own
    for i in range(32):
        wires |= {f"lane{i}.{port}": f"lanes[{i}].address_of.{port}" for port in (*LANE_INPUTS, *LANE_OUTPUTS)}
    unit.write_text(equations(unit.read_text(), "address_unit", wires))
    return circuits
