"""scripts/studies/run NAME: makes the draws, runs the sweep, draws the picture."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

from exploration.__main__ import ROOT, explore, guarded, parser

from .draws import Draws

HERE = Path(__file__).resolve().parent
NAMES = sorted(file.parent.name for file in HERE.glob("*/study.py"))


def prepare(name: str, folder: Path) -> Path:
    """Writes draws and SWEEP.json of a study."""
    study = importlib.import_module(f"studies.{name}.study")
    folder.mkdir(parents=True, exist_ok=True)
    sweep = folder / "sweep.json"
    sweep.write_text(json.dumps(study.sweep(Draws(folder / "draws")), indent=1))
    return sweep


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in NAMES:
        print(f"usage: scripts/studies/run {'|'.join(NAMES)} [options of scripts/explore]", file=sys.stderr)
        return 2
    name, folder = arguments[0], ROOT / "out" / "studies" / arguments[0]
    options = parser().parse_args([str(prepare(name, folder)), "--out", str(folder / "results"), *arguments[1:]])
    status = guarded(explore, options)
    if status < 2:
        import pandas as pd  # after the sweep: nothing before needs it

        study = importlib.import_module(f"studies.{name}.study")
        done = pd.read_csv(options.out / "results.csv")
        study.plot(done[done.status == "done"], options.out / "plot.svg")
        print(f"plot:    {options.out / 'plot.svg'}")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
