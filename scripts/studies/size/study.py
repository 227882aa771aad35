# SPDX-License-Identifier: Apache-2.0
"""How large an ISBE, and how large a batch, for a geometry program that amplifies."""

from pathlib import Path
from typing import Any

import pandas as pd

from studies.draws import Draws
from studies.plot import lines


def sweep(draws: Draws) -> dict[str, Any]:
    return {
        "title": "ISBE size and batch size under amplification",
        "question": "30,000 points, each amplified to three strips by a geometry program: how many lines and how many "
                    "vertices in a batch until the PE no longer waits for room?",
        "axes": {"isbe.lines": {"log2": [64, 4096]}, "pe.batch_vertices": [4, 8, 16, 32]},
        "scenarios": [draws.shipped("gs_amplify")],
        "metrics": ["stalls.isbe_full", "occupancy.isbe_lines_mean", "occupancy.warps_mean"],
        "objective": {"minimize": "cycles"},
    }


def plot(table: pd.DataFrame, file: Path) -> None:
    lines(table, "isbe.lines", "cycles", ["pe.batch_vertices"], ("isbe.lines (128-byte lines)", "cycles"), file,
          log_x=True)
