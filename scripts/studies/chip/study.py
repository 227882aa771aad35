# SPDX-License-Identifier: Apache-2.0
"""TPCs of a GPC until its front end limits, and the effect of one hot patch on their balance."""

from pathlib import Path
from typing import Any

import pandas as pd

from studies.draws import Draws
from studies.plot import lines

POINTS = 4096
TRIANGLES = 2048
PATCHES = 64
FACTORS = (1, 4, 16, 64)
WORKGROUPS = 128


def sweep(draws: Draws) -> dict[str, Any]:
    return {
        "title": "TPCs behind one front end",
        "question": "A GPC takes one primitive per cycle. How many TPCs does it keep busy with points, triangles, "
                    "patches and meshlets, and what does one hot patch do to their balance?",
        # A patch is a batch.
        "base": {"chip.primitives_per_cycle": 1, "pe.patches_per_batch": 1},
        "axes": {"chip.tpcs": [1, 2, 3, 4, 6, 8, 12, 16]},
        "scenarios": [draws.vertex(8, POINTS), draws.triangles(8, TRIANGLES),
                      *(draws.patches(f"patches_{factor}", [factor] * PATCHES) for factor in FACTORS),
                      draws.patches("hot_patch", [64] + [4] * (PATCHES - 1)),
                      draws.meshlet(64, 126, "own", WORKGROUPS)],
        "metrics": ["output.primitives_in", "output.vertices_captured"],
        "objective": {"minimize": "cycles"},
    }


def plot(table: pd.DataFrame, file: Path) -> None:
    """Speed-up over one TPC, by draw."""
    alone = table[table["chip.tpcs"] == table["chip.tpcs"].min()].set_index("scenario").cycles
    table = table.assign(speed_up=[alone[name] / cycles for name, cycles in zip(table.scenario, table.cycles)])
    chosen = ["vertex_8", "triangles_8", "patches_4", "patches_64", "hot_patch", "meshlet_64_126_own"]
    lines(table[table.scenario.isin(chosen)], "chip.tpcs", "speed_up", ["scenario"],
          ("TPCs of the GPC", "cycles of one TPC / cycles"), file)
