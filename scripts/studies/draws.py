"""Draws made for a study: SM50 programs that do nothing but move attributes, so that the ISBE is what they wait for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Iterator

GENERIC = 0x80  # first generic attribute
SCENARIOS = Path(__file__).resolve().parents[2] / "testbench" / "scenarios"
MAX_ATTRIBUTES = 124  # 31 generic vectors
_SIZES = {1: "", 2: ".64", 3: ".96", 4: ".128"}
_VECTORS_AT_ONCE = 4  # a scoreboard each, 16 registers

# The handle of the primitive's first vertex into R28, as the open-source driver's compiler writes it.
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
    """(address, components) of so many scalars, as a compiler packs them: four at a time."""
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
    """Reads one vertex and emits it so many times. Up to 16 attributes: they stay in registers. The state is R0 at the
    end, where the hardware looks for it."""
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


def _input_words(vector: int, vertices: int, components: int) -> Iterator[str]:
    """Small whole numbers as floats: 1.0 and up, a different one for every component of a few vertices."""
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

    @staticmethod
    def shipped(name: str) -> dict[str, Any]:
        """One of testbench/scenarios."""
        return {"file": str(SCENARIOS / name / "scenario.json"), "name": name}

    def _write(self, name: str, values: dict[str, Any], attributes: int, count: int, programs: dict[str, str],
               stages: dict[str, Any] | None = None) -> dict[str, Any]:
        folder = self.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        covered = f"{GENERIC:#x}..{GENERIC + 4 * attributes - 4:#x}"
        scenario = {
            "arch": "sm50",
            "stages": {"vertex": {"code": "vs.sass", "sph": {"imap": [covered], "omap": [covered]}}, **(stages or {})},
            "draw": {"topology": "points", "vertex_count": count},
            "attributes": {f"{address:#x}": {"components": size, "repeat": True,
                                             "words": list(_input_words(index, 8, size))}
                           for index, (address, size) in enumerate(vectors(attributes))},
        }
        for file, text in {"vs.sass": vertex_program(attributes), **programs}.items():
            (folder / file).write_text(text)
        (folder / "scenario.json").write_text(json.dumps(scenario, indent=1))
        return {"file": f"{self.folder.name}/{name}/scenario.json", "name": name, "values": values}
