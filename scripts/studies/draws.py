# SPDX-License-Identifier: Apache-2.0
"""Draws made for a study: SM50 programs that only move attributes, so that they wait for the ISBE."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any, Iterable, Iterator

GENERIC = 0x80  # first generic attribute
SCENARIOS = Path(__file__).resolve().parents[2] / "testbench" / "scenarios"
MAX_ATTRIBUTES = 124  # 31 generic vectors
_SIZES = {1: "", 2: ".64", 3: ".96", 4: ".128"}
_VECTORS_AT_ONCE = 4  # a scoreboard each, 16 registers
_LANES = 32
MESHLET_VERTEX_WORDS, MESHLET_PRIMITIVE_WORDS = 8, 7  # as shaders of mesh_nak_primitives have them
_LINE = 128  # bytes

# Loads the handle of the primitive's first vertex into R28, like code of the open-source driver's compiler.
_HANDLE = """\
S2R R24, SR_INVOCATION_INFO &wr=0 ?stall=15 ;
PRMT R25, R24, 0x4442, RZ &req=0x01 ?stall=6 ;
PRMT R24, R24, 0x4440, RZ ?stall=15 ;
XMAD R26, R25, R24, RZ ?stall=6 ;
XMAD.MRG R24, R25, R24.H1, RZ ?stall=6 ;
XMAD.PSL.CBCC R24, R25.H1, R24.H1, R26 ?stall=6 ;
ISBERD R28, [R24] &wr=0 ?stall=15 ;
"""


def vectors(attributes: int) -> list[tuple[int, int]]:
    """(address, components) of `attributes` scalars, packed as by a compiler: four at a time."""
    if not 1 <= attributes <= MAX_ATTRIBUTES:
        raise ValueError(f"{attributes} attributes, expected 1 to {MAX_ATTRIBUTES}")
    return [(GENERIC + 4 * first, min(4, attributes - first)) for first in range(0, attributes, 4)]


def vertex_program(attributes: int) -> str:
    """Copies every attribute from input to output. The reuse of registers waits for the stores (scoreboard 4)."""
    lines = []
    packed = vectors(attributes)
    for first in range(0, len(packed), _VECTORS_AT_ONCE):
        group = packed[first:first + _VECTORS_AT_ONCE]
        for slot, (address, count) in enumerate(group):
            wait = " &req=0x10" if first and slot == 0 else ""
            lines.append(f"ALD{_SIZES[count]} R{4 * slot}, a[{address:#x}]{wait} &wr={slot} ?stall=2 ;")
        for slot, (address, count) in enumerate(group):
            lines.append(f"AST{_SIZES[count]} a[{address:#x}], R{4 * slot} &req={1 << slot:#04x} &rd=4 ?stall=2 ;")
    return "\n".join([*lines, "EXIT &req=0x10 ?stall=15 ;", ""])


def geometry_program(attributes: int, emits: int) -> str:
    """Reads one vertex and emits it several times. At most 16 attributes, which stay in registers. At the end the state
    is in R0, where the hardware expects it."""
    if attributes > 4 * _VECTORS_AT_ONCE:
        raise ValueError(f"{attributes} attributes, expected at most {4 * _VECTORS_AT_ONCE}")
    lines = ["MOV32I R0, 0x0 ?stall=6 ;"]
    packed = vectors(attributes)
    lines += _HANDLE.splitlines()
    for slot, (address, count) in enumerate(packed):
        lines.append(f"ALD{_SIZES[count]} R{4 + 4 * slot}, a[{address:#x}], R28 &req=0x01 &wr=1 ?stall=2 ;")
    for _ in range(emits):
        for slot, (address, count) in enumerate(packed):
            lines.append(f"AST{_SIZES[count]} a[{address:#x}], R{4 + 4 * slot}, R0 &req=0x03 &rd=2 ?stall=2 ;")
        lines.append("OUT.EMIT R0, R0, RZ &req=0x04 &wr=0 ?stall=2 ;")
    return "\n".join([*lines, "EXIT &req=0x05 ?stall=15 ;", ""])


def _mesh_program(bytes_apart: int, values: Iterable[str], accesses: Iterable[str]) -> str:
    """Lane in R0, 4 * lane in R1, `bytes_apart` * lane in R2; then `accesses`, and 32 vertices, each a point."""
    return "\n".join([
        "S2R R0, SR_LANEID &wr=0 ?stall=2 ;", "SHF.L.U32 R1, R0, 0x2, RZ &req=0x01 ?stall=6 ;",
        f"IMAD R2, R0, {bytes_apart:#x}, RZ &wr=0 ?stall=2 ;", "IADD3 R3, R0, 0x4, RZ &req=0x01 ?stall=6 ;",
        *values, *accesses, "MOV R2, 0x3 &req=0x02 ?stall=1 ;", "MOV R4, 0x20 ?stall=1 ;",
        "ISETP.EQ.AND P0, PT, R0, RZ, PT ?stall=13 ;", "@P0 ISBEWR.O.32 [R2], R4 &rd=1 ?stall=2 ;",
        "ISBEWR.O [R3], R0 &rd=1 ?stall=2 ;", "EXIT &req=0x02 ?stall=1 ;", ""])


def _mesh_values(first: int, from_register: int, step: int, start: int = 0) -> list[str]:
    """32 registers: R[from_register] + start + step * k."""
    return [f"IADD3 R{first + k}, R{from_register}, {start + step * k:#x}, RZ ?stall={1 if k + 1 < _LANES else 6} ;"
            for k in range(_LANES)]


def transposing_program(pitch: int) -> str:
    """The lanes write a matrix of 32 rows and 32 columns into shared memory, row after row, `pitch` words apart, and
    read it back column after column; lane i, vertex i, outputs row i. Element (row, column) is 32 * row + column.
    Addresses and values have registers of their own, so that lanes wait only for the ISBE."""
    shared = _LINE * _LANES  # after 32 attributes of 32 vertices
    value, row, column, output, loaded = 4, 36, 68, 100, 132  # first registers of 32 each
    return _mesh_program(
        4 * pitch,
        [*_mesh_values(value, 0, _LANES), *_mesh_values(row, 1, 4 * pitch, shared), *_mesh_values(column, 2, 4, shared),
         *_mesh_values(output, 1, _LINE)],
        [*(f"ISBEWR.O.ATTR.32 [R{row + k}], R{value + k} &rd=1 ?stall=2 ;" for k in range(_LANES)),
         *(f"ISBERD.O.ATTR.32 R{loaded + k}, [R{column + k}] &rd=1 &wr=2 ?stall=2 ;" for k in range(_LANES)),
         *(f"ISBEWR.O.ATTR.SKEW.32 [R{output + k}], R{loaded + k} &req=0x04 &rd=1 ?stall=2 ;" for k in range(_LANES))])


def records_program() -> str:
    """Writes that output vertex by vertex: lane i writes attribute i, a word of a column of 32 lines."""
    value, place = 4, 36
    return _mesh_program(
        _LINE, [*_mesh_values(value, 0, _LANES), *_mesh_values(place, 2, 4)],
        [f"ISBEWR.O.ATTR.SKEW.32 [R{place + k}], R{value + k} &rd=1 ?stall=2 ;" for k in range(_LANES)])


_WRITES = {"one": ("IADD3 R16, {base}, {offset:#x}, RZ{wait} ?stall=6 ;",
                   "ISBEWR.O{form} [R16], {value} &rd=0 ?stall=2 ;"),
           "own": ("IADD3 R{own}, {base}, {offset:#x}, RZ{wait} ?stall={stall} ;",
                   "ISBEWR.O{form} [R{own}], {value} &rd=0 ?stall=2 ;"),
           "offset": ("", "ISBEWR.O{form} [{base}+{offset:#x}], {value}{wait} &rd=0 ?stall=2 ;")}


def _mesh_writes(addresses: str, form: str, base: str, offsets: list[int], values: list[str]) -> list[str]:
    """Stores of a lane at base + offset. `one`: a single address register, so each store waits until the previous store
    has read it; `own`: a register for each, all computed first; `offset`: in the instruction, from SM86 on."""
    place, store = _WRITES[addresses]
    fields = [{"form": form, "base": base, "offset": offset, "value": value, "own": 16 + k,
               "wait": " &req=0x01" if addresses == "one" or k == 0 else "",
               "stall": 6 if k + 1 == len(offsets) else 1}
              for k, (offset, value) in enumerate(zip(offsets, values))]
    places, stores = [place.format(**each) for each in fields], [store.format(**each) for each in fields]
    if addresses == "one":
        return [line for pair in zip(places, stores) for line in pair]
    return [*filter(None, places), *stores]


def meshlet_program(vertices: int, primitives: int, addresses: str) -> str:
    """A program like NAK's for a meshlet with 8 words per vertex, 7 per primitive and three indices: turns of a warp
    over the vertices, then over the primitives. Vertex i has i in all its words; primitive i has the vertices i, i + 1,
    i + 2, and i in its words. `vertices` is a power of two of at least 32."""
    own_lines = vertices // _LANES * MESHLET_VERTEX_WORDS
    lines = ["S2R R1, SR_LANEID &wr=1 ?stall=2 ;", "ISETP.EQ.AND P0, PT, R1, RZ, PT &req=0x02 ?stall=1 ;",
             f"MOV R2, {primitives:#x} ?stall=1 ;", "MOV R3, 0x3 ?stall=12 ;",
             "@P0 ISBEWR.O.32 [R3], R2 &rd=0 ?stall=2 ;"]
    for first in range(0, vertices, _LANES):
        lines += [f"IADD3 R4, R1, {first:#x}, RZ &req=0x01 ?stall=1 ;",
                  "SHF.L.U32 R5, R1, 0x2, RZ ?stall=6 ;",
                  f"IADD3 R5, R5, {first // _LANES * MESHLET_VERTEX_WORDS * _LINE:#x}, RZ ?stall=6 ;",
                  *_mesh_writes(addresses, ".ATTR.SKEW.32", "R5", [_LINE * k for k in range(MESHLET_VERTEX_WORDS)],
                                ["R4"] * MESHLET_VERTEX_WORDS)]
    for first in range(0, primitives, _LANES):
        lines += [f"IADD3 R4, R1, {first:#x}, RZ &req=0x01 ?stall=6 ;",
                  f"ISETP.GE.U32.AND P0, PT, R4, {primitives:#x}, PT ?stall=13 ;", "@P0 EXIT ?stall=2 ;",
                  "IMAD.U32 R6, R4, 0x3, RZ ?stall=1 ;", "SHF.L.U32 R5, R1, 0x2, RZ ?stall=1 ;",
                  *(f"IADD3 R{8 + k}, R4, {k:#x}, RZ ?stall={1 if k < 2 else 6} ;" for k in range(3)),
                  *(f"LOP3.LUT R{8 + k}, R{8 + k}, {vertices - 1:#x}, RZ, 0xc0, !PT ?stall={1 if k < 2 else 6} ;"
                    for k in range(3)),
                  f"IADD3 R5, R5, {(own_lines + first // _LANES * MESHLET_PRIMITIVE_WORDS) * _LINE:#x}, RZ ?stall=6 ;",
                  *_mesh_writes(addresses, "", "R6", [4, 5, 6], ["R8", "R9", "R10"]),
                  *_mesh_writes(addresses, ".ATTR.SKEW.32", "R5", [_LINE * k for k in range(MESHLET_PRIMITIVE_WORDS)],
                                ["R4"] * MESHLET_PRIMITIVE_WORDS)]
    return "\n".join([*lines, "EXIT &req=0x01 ?stall=1 ;", ""])


def level_program() -> str:
    """A tessellation init program whose patch has the level that its vertices carry in 0x80."""
    handle = ["S2R R0, SR_INVOCATION_ID &wr=0 ?stall=1 ;", *_HANDLE.splitlines()[:-2],
              "XMAD.PSL.CBCC R24, R25.H1, R24.H1, R26 ?stall=6 ;", "IADD R24, R24, R0 &req=0x01 ?stall=6 ;",
              "ISBERD R28, [R24] &wr=0 ?stall=15 ;"]
    return "\n".join([
        *handle, "ALD.128 R4, a[0x70], R28 &req=0x01 &wr=0 ?stall=2 ;", "ALD.128 R8, a[0x80], R28 &wr=1 ?stall=2 ;",
        "AST.128 a[0x70], R4 &req=0x01 &rd=2 ?stall=2 ;", "AST.128 a[0x80], R8 &req=0x02 &rd=2 ?stall=2 ;",
        *(f"AST.P a[{address:#x}], R8 &rd=2 ?stall=2 ;" for address in range(0, 0x18, 4)),
        "EXIT &req=0x04 ?stall=15 ;", ""])


def _input_words(vector: int, vertices: int, components: int) -> Iterator[str]:
    """Small whole numbers as floats, from 1.0 on, different for every component of a few vertices."""
    for index in range(vertices * components):
        yield f"0x{0x3f800000 + (vector << 16) + (index << 8):08x}"


class Draws:
    """Writes scenarios into a folder; entries are ready for the `scenarios` of a sweep."""

    def __init__(self, folder: Path):
        self.folder = folder

    def vertex(self, attributes: int, vertex_count: int) -> dict[str, Any]:
        return self._write(f"vertex_{attributes}", {"attributes": attributes}, attributes, vertex_count, {})

    def geometry(self, attributes: int, emits: int, point_count: int) -> dict[str, Any]:
        covered = f"{GENERIC:#x}..{GENERIC + 4 * attributes - 4:#x}"
        stage = {"code": "gs.sass", "sph": {"imap": [covered], "omap": [covered], "output_topology": "points",
                                            "max_output_vertex_count": emits, "threads_per_input_primitive": 1,
                                            "stream_out_mask": 1}}
        return self._write(f"geometry_{attributes}_{emits}", {"emits": emits}, attributes, point_count,
                           {"gs.sass": geometry_program(attributes, emits)}, {"geometry": stage})

    def triangles(self, attributes: int, triangle_count: int) -> dict[str, Any]:
        """A draw of a triangle strip."""
        return self._write(f"triangles_{attributes}", {"attributes": attributes}, attributes, triangle_count + 2, {},
                           topology="triangle_strip")

    def patches(self, name: str, levels: list[int]) -> dict[str, Any]:
        """Quads, each with its level on all edges and inside; all programs but one are those of tess_quads_odd."""
        shipped = SCENARIOS / "tess_quads_odd"
        scenario = json.loads((shipped / "scenario.json").read_text())
        del scenario["expect"], scenario["expect_order"]
        for stage in scenario["stages"].values():
            for key in ("code", "sph"):
                stage[key] = str(shipped / stage[key])
        scenario["stages"]["tess_init"]["code"] = "ti.sass"
        scenario["draw"]["vertex_count"] = 3 * len(levels)
        scenario["draw"]["tessellation"]["spacing"] = "equal"
        positions = list(_input_words(0, 3 * len(levels), 4))
        values = [struct.pack(">f", level).hex() for level in levels for _ in range(3 * 4)]
        scenario["attributes"] = {"0x80": {"components": 4, "words": positions},
                                  "0x90": {"components": 4, "words": [f"0x{value}" for value in values]}}
        return self._save(name, {"patches": len(levels)}, scenario, {"ti.sass": level_program()})

    def transpose(self, pitch: int, group_count: int) -> dict[str, Any]:
        """Workgroups of a mesh program that transpose a matrix in shared memory."""
        return self._mesh(f"transpose_{pitch}", {"pitch": pitch}, group_count, (31 * pitch + 63) // 32,
                          transposing_program(pitch))

    def records(self, group_count: int) -> dict[str, Any]:
        """Workgroups of a mesh program that writes its output vertex by vertex, a lane per attribute."""
        return self._mesh("records", {"pitch": 32}, group_count, 0, records_program())

    def meshlet(self, vertices: int, primitives: int, addresses: str, group_count: int) -> dict[str, Any]:
        """Workgroups that make a meshlet of `vertices` vertices and `primitives` triangles."""
        omap = [f"{GENERIC:#x}..{GENERIC + 4 * MESHLET_VERTEX_WORDS - 4:#x}"]
        per_primitive = [f"{GENERIC + 4 * k:#x}" for k in range(MESHLET_VERTEX_WORDS,
                                                                MESHLET_VERTEX_WORDS + MESHLET_PRIMITIVE_WORDS)]
        scenario = {
            "arch": "sm86" if addresses == "offset" else "sm75",
            "stages": {"mesh": {"code": "mesh.sass", "sph": {"omap": omap}}},
            "draw": {"topology": "mesh", "group_count": group_count,
                     "mesh": {"output_topology": "triangles", "max_vertices": vertices, "max_primitives": primitives,
                              "per_primitive": per_primitive}},
        }
        return self._save(f"meshlet_{vertices}_{primitives}_{addresses}",
                          {"vertices": vertices, "primitives": primitives, "groups": group_count,
                           "variant": addresses}, scenario,
                          {"mesh.sass": meshlet_program(vertices, primitives, addresses)})

    def nak(self, name: str, grid: tuple[int, int], vertices: int, primitives: int, variant: str = "NAK sm75",
            code: Path | None = None) -> dict[str, Any]:
        """A shipped pipeline of Mesa's compiler with another grid; `code`: another mesh program for it."""
        shipped = SCENARIOS / f"mesh_nak_{name}"
        scenario = json.loads((shipped / "scenario.json").read_text())
        del scenario["expect"]
        scenario["arch"] = "sm86" if "sm86" in variant else "sm75"
        stage = scenario["stages"]["mesh"]
        stage["code"] = str(code or shipped / stage["code"])
        for holder, key in ((stage, "sph"), (scenario["draw"].get("mesh", {}).get("per_primitive", {}), "sph"),
                            *((buffer, "file") for buffer in scenario.get("memory", []))):
            if key in holder:
                holder[key] = str(shipped / holder[key])
        scenario["constants"]["24"]["0x8"] = list(grid)
        scenario["draw"]["group_count"] = grid[0] * grid[1]
        return self._save(f"{name}, {variant}", {"vertices": vertices, "primitives": primitives,
                                                 "groups": grid[0] * grid[1], "variant": variant}, scenario, {})

    def _mesh(self, name: str, values: dict[str, Any], group_count: int, shared_lines: int,
              code: str) -> dict[str, Any]:
        scenario = {
            "arch": "sm75",
            "stages": {"mesh": {"code": "mesh.sass", "sph": {"omap": ["0x80..0xfc"]}}},
            "draw": {"topology": "mesh", "group_count": group_count,
                     "mesh": {"output_topology": "points", "max_vertices": 32, "max_primitives": 32, "threads": 32,
                              "shared_lines": shared_lines}},
        }
        return self._save(name, values, scenario, {"mesh.sass": code})

    @staticmethod
    def shipped(name: str) -> dict[str, Any]:
        """One of testbench/scenarios."""
        return {"file": str(SCENARIOS / name / "scenario.json"), "name": name}

    def _write(self, name: str, values: dict[str, Any], attributes: int, count: int, programs: dict[str, str],
               stages: dict[str, Any] | None = None, topology: str = "points") -> dict[str, Any]:
        covered = f"{GENERIC:#x}..{GENERIC + 4 * attributes - 4:#x}"
        scenario = {
            "arch": "sm50",
            "stages": {"vertex": {"code": "vs.sass", "sph": {"imap": [covered], "omap": [covered]}}, **(stages or {})},
            "draw": {"topology": topology, "vertex_count": count},
            "attributes": {f"{address:#x}": {"components": size, "repeat": True,
                                             "words": list(_input_words(index, 8, size))}
                           for index, (address, size) in enumerate(vectors(attributes))},
        }
        return self._save(name, values, scenario, {"vs.sass": vertex_program(attributes), **programs})

    def _save(self, name: str, values: dict[str, Any], scenario: dict[str, Any],
              programs: dict[str, str]) -> dict[str, Any]:
        folder = self.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        for file, text in programs.items():
            (folder / file).write_text(text)
        (folder / "scenario.json").write_text(json.dumps(scenario, indent=1))
        return {"file": f"{self.folder.name}/{name}/scenario.json", "name": name, "values": values}
