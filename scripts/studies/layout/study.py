# SPDX-License-Identifier: Apache-2.0
"""Skewed or unskewed: how the two layouts compare when draws have more and more attributes."""

from pathlib import Path
from typing import Any

import pandas as pd

from studies.draws import Draws
from studies.plot import lines

VERTICES = 2048
ATTRIBUTES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 17, 20, 24, 28, 31, 32, 33, 40, 48, 56, 63, 64, 65, 80, 96,
              112, 124)


def sweep(draws: Draws) -> dict[str, Any]:
    return {
        "title": "Skewed or unskewed attribute layout",
        "question": "A vertex program copies its attributes, 1 to 124 words per vertex. Which layout needs fewer "
                    "cycles, by how much, and why?",
        "axes": {"isbe.skew": [True, False], "isbe.banks": [8, 16, 32]},
        "scenarios": [draws.vertex(count, VERTICES) for count in ATTRIBUTES],
        "metrics": ["bank_conflicts.efficiency", "stalls.bank_conflict", "latency.ald.p99"],
        "objective": {"minimize": "cycles"},
    }


def plot(table: pd.DataFrame, file: Path) -> None:
    table = table.assign(per_word=table.cycles / (table.attributes * VERTICES))
    lines(table, "attributes", "per_word", ["isbe.skew", "isbe.banks"],
          ("attributes per vertex (32-bit words)", "cycles per vertex and attribute"), file, log_y=True)
