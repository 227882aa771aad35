# SPDX-License-Identifier: Apache-2.0
"""The cost of meshlets: NAK's mesh programs and meshlets of other sizes, by bank map and room in the ISBE."""

from pathlib import Path
from typing import Any

import pandas as pd

from studies.draws import SCENARIOS, Draws
from studies.plot import lines

GROUPS = 64
SIZES = ((32, 32), (64, 64), (64, 126), (128, 128), (128, 256), (256, 256))
ADDRESSES = ("one", "own", "offset")
HERE = Path(__file__).resolve().parent
SM86 = SCENARIOS.parents[1] / "tests" / "data" / "nak" / "sm86"  # programs of mesh_nak_* for GA102
# Scenario, grid, vertices and primitives of a workgroup, GA102's program.
NAK = (("points", (GROUPS, 1), 64, 64, "m01_points"), ("primitives", (GROUPS, 1), 64, 126, "m03_perprim"),
       ("array", (GROUPS, 1), 96, 32, "m05_dynarr"), ("cull", (GROUPS, 1), 96, 32, "m07_cull"),
       ("shared", (GROUPS, 1), 64, 62, "m09_shared"), ("ballot", (5, GROUPS // 5), 32, 32, "m11_ballot"))


def sweep(draws: Draws) -> dict[str, Any]:
    nak = [draws.nak(name, grid, vertices, primitives, variant, code)
           for name, grid, vertices, primitives, file in NAK
           for variant, code in (("NAK sm75", None), ("NAK sm86", SM86 / f"{file}.mesh.code.bin"))]
    return {
        "title": "Meshlets",
        "question": "What does a primitive of a meshlet cost in passes of the ISBE and in cycles, as Mesa's compiler "
                    "writes it and by size, and which bank map and how much room suit it?",
        "axes": {"isbe.bank_map": ["modulo", "rotate", "xor"], "isbe.lines": [128, 256, 512, 1024]},
        "scenarios": [*nak, draws.nak("cull", (GROUPS, 1), 96, 32, "all lanes", HERE / "cull_by_all_lanes.sass"),
                      *(draws.meshlet(*size, addresses, GROUPS) for size in SIZES for addresses in ADDRESSES)],
        "metrics": ["bank_conflicts.passes", "bank_conflicts.efficiency", "output.primitives_out_stream_0"],
        "objective": {"minimize": "cycles"},
    }


def plot(table: pd.DataFrame, file: Path) -> None:
    """Cycles per primitive of the synthetic meshlets, by how their addresses are computed and the ISBE's room."""
    table = table[table.variant.isin(ADDRESSES) & (table["isbe.bank_map"] == "modulo")]
    table = table[table["isbe.lines"].isin([table["isbe.lines"].min(), table["isbe.lines"].max()])]
    sizes = {size: number for number, size in enumerate(SIZES)}
    table = table.assign(per_primitive=table.cycles / table["output.primitives_out_stream_0"],
                         size=[sizes[size] for size in zip(table.vertices, table.primitives)])
    lines(table, "size", "per_primitive", ["variant", "isbe.lines"],
          ("meshlet: " + ", ".join(f"{n}: {v}/{p}" for n, (v, p) in enumerate(SIZES)), "cycles per primitive"), file)
