# SPDX-License-Identifier: Apache-2.0
"""Output vertices of geometry threads slot by slot or thread by thread, and the number of banks that it takes."""

from pathlib import Path
from typing import Any

import pandas as pd

from studies.draws import Draws
from studies.plot import lines

POINTS = 2048
EMITS = (1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16)


def sweep(draws: Draws) -> dict[str, Any]:
    return {
        "title": "Geometry slot order and number of banks",
        "question": "Each geometry thread emits 1 to 16 vertices of 8 words. Interleaved or blocked slots, and with "
                    "how many banks?",
        "axes": {"isbe.gs_slot_order": ["interleaved", "blocked"], "isbe.banks": [8, 16, 32]},
        "scenarios": [draws.geometry(8, emits, POINTS) for emits in EMITS],
        "metrics": ["bank_conflicts.efficiency", "stalls.bank_conflict", "latency.ast.p99"],
        "objective": {"minimize": "cycles"},
    }


def plot(table: pd.DataFrame, file: Path) -> None:
    table = table.assign(per_vertex=table.cycles / (table.emits * POINTS))
    lines(table, "emits", "per_vertex", ["isbe.gs_slot_order", "isbe.banks"],
          ("vertices emitted per geometry thread", "cycles per emitted vertex"), file)
