# SPDX-License-Identifier: Apache-2.0
"""The same draws on five presets."""

from pathlib import Path
from typing import Any

import pandas as pd

from studies.draws import Draws
from studies.plot import bars

MACHINES = ("gm107", "gm200", "gp102", "gv100", "tu102")


def sweep(draws: Draws) -> dict[str, Any]:
    return {
        "title": "The same draws on five chips",
        "question": "What do the public buffer sizes and warp limits of five chips mean for the same draws?",
        # One SM each: the number of SMs of a chip is another question.
        "base": {"sm_count": 1},
        "axes": {"machine": list(MACHINES)},
        "scenarios": [draws.vertex(16, 8192), draws.vertex(64, 8192), draws.geometry(8, 4, 8192),
                      draws.geometry(16, 16, 8192), draws.shipped("gs_amplify")],
        "metrics": ["stalls.isbe_full", "stalls.warp_slot", "occupancy.isbe_lines_peak", "occupancy.warps_mean"],
        "objective": {"minimize": "cycles"},
    }


def plot(table: pd.DataFrame, file: Path) -> None:
    draws = list(dict.fromkeys(table.scenario))
    cycles = table.pivot(index="scenario", columns="machine", values="cycles").loc[draws]
    relative = cycles.div(cycles.min(axis=1), axis=0)
    bars(draws, {machine: list(relative[machine]) for machine in MACHINES if machine in relative},
         ("draw", "cycles / fewest"), file)
