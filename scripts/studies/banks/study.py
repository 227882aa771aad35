# SPDX-License-Identifier: Apache-2.0
"""Three ways to lay words out over the banks, for accesses whose lanes are any number of words apart."""

from pathlib import Path
from typing import Any

import pandas as pd

from studies.draws import Draws
from studies.plot import lines

VERTICES = 512
GROUPS = 32
ATTRIBUTES = range(1, 67)
PITCHES = (32, 33, 34, 36, 40, 44, 48, 52, 56, 60, 62, 63, 64, 65, 66)


def sweep(draws: Draws) -> dict[str, Any]:
    return {
        "title": "Bank maps",
        "question": "Vertices as records of 1 to 66 words, matrices in a mesh program's shared memory that are written "
                    "by rows and read by columns, outputs written vertex by vertex: which bank map needs the fewest "
                    "cycles?",
        "base": {"isbe.skew": False},  # skewed attributes have no conflicts under any map
        "axes": {"isbe.bank_map": ["modulo", "rotate", "xor"]},
        "scenarios": [*(draws.vertex(count, VERTICES) for count in ATTRIBUTES),
                      *(draws.transpose(pitch, GROUPS) for pitch in PITCHES), draws.records(GROUPS)],
        "metrics": ["bank_conflicts.efficiency", "stalls.bank_conflict"],
        "objective": {"minimize": "cycles"},
    }


def plot(table: pd.DataFrame, file: Path) -> None:
    table = table[table.scenario != "records"]
    matrix = table.attributes.isna()
    pitch = table.pitch if "pitch" in table else table.attributes  # a part of the sweep may have no matrix
    table = table.assign(apart=pitch.where(matrix, table.attributes),
                         draw=matrix.map({True: "matrix, ", False: "vertices, "}) + table["isbe.bank_map"],
                         passes=1 / table["bank_conflicts.efficiency"])
    lines(pd.concat([table[~matrix], table[matrix]]), "apart", "passes", ["draw"],
          ("words between the words of neighbouring lanes", "bank passes, for one without conflicts"), file, log_y=True)
