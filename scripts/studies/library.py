# SPDX-License-Identifier: Apache-2.0
"""The studies as sweeps, which the command, the notebooks and, in part, tests run."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path
from typing import Any

from exploration.axes import axis_values

from .draws import Draws

HERE = Path(__file__).resolve().parent
NAMES = sorted(file.parent.name for file in HERE.glob("*/study.py"))


def prepare(name: str, folder: Path, base: dict[str, Any] | None = None) -> Path:
    """Writes draws and SWEEP.json of a study; `base` has the keys of another machine."""
    folder.mkdir(parents=True, exist_ok=True)
    sweep = folder / "sweep.json"
    content = study_of(name).sweep(Draws(folder / "draws"))
    if base is not None:
        content["base"] = base
    sweep.write_text(json.dumps(content, indent=1))
    return sweep


def load(name: str, folder: str | Path) -> tuple[Any, dict[str, Any]]:
    """For isbesim.sweep: the module with plot(), and the sweep, whose draws are written, with absolute paths."""
    place = Path(folder).resolve()
    sweep = json.loads(prepare(name, place).read_text())
    sweep["scenarios"] = [{**entry, "file": str(place / entry["file"])} for entry in sweep["scenarios"]]
    return study_of(name), sweep


def small(sweep: dict[str, Any]) -> dict[str, Any]:
    """A part of the sweep: two values of every axis and two draws, the middle and the last."""
    def two(values: list[Any]) -> list[Any]:
        return [values[(len(values) - 1) // 2], values[-1]] if len(values) > 1 else values

    return {**sweep, "axes": {key: two(axis_values(spec)) for key, spec in sweep["axes"].items()},
            "scenarios": two(sweep["scenarios"])}


def run_study(name: str, folder: str | Path, full: bool) -> tuple[dict[str, Any], Any, Any]:
    """For notebooks: the sweep, or a small part of it, its results, and the study's plot of them."""
    import isbesim  # only notebooks need it
    from IPython.display import SVG

    study, sweep = load(name, folder)
    sweep = sweep if full else small(sweep)
    found = isbesim.sweep(sweep, f"{folder}/results")
    study.plot(found.done, f"{folder}/plot.svg")
    return sweep, found, SVG(f"{folder}/plot.svg")


def notebook(name: str, folder: Path) -> dict[str, Any]:
    """For Jupyter: the cells that all studies begin with, and those of the study. Writes its draws."""
    sweep = json.loads(prepare(name, folder).read_text())
    text = (HERE / "cells.txt").read_text()
    for word, value in (("NAME", name), ("TITLE", sweep["title"]), ("QUESTION", sweep["question"])):
        text = text.replace(word, value)
    text += (HERE / name / "cells.txt").read_text()
    kinds: dict[str, dict[str, Any]] = {
        " [markdown]": {"cell_type": "markdown"},
        "": {"cell_type": "code", "execution_count": None, "outputs": []}}
    cells = re.findall(r"^# %%([^\n]*)\n(.*?)\n*(?=^# %%|^# SPDX|\Z)", text, re.M | re.S)
    return {"cells": [{**kinds[kind], "id": f"{name}-{at}", "metadata": {}, "source": source}
                      for at, (kind, source) in enumerate(cells)],
            "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
            "nbformat": 4, "nbformat_minor": 5}


def study_of(name: str) -> Any:
    """The module with sweep() and plot()."""
    return importlib.import_module(f"studies.{name}.study")
