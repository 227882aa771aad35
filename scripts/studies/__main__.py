# SPDX-License-Identifier: Apache-2.0
"""scripts/studies/run NAME: makes the draws, runs the sweep, draws the picture."""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

from exploration.command import ROOT, explore, guarded, parser
from exploration.ending import run_until_signal

from .library import NAMES, notebook, prepare, study_of


def keys_of(file: str) -> Any:
    try:
        return json.loads(Path(file).read_text())
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(f"{file}: {error}, expected a file of keys") from error


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in NAMES:
        print(f"usage: scripts/studies/run {'|'.join(NAMES)} [options of scripts/explore]", file=sys.stderr)
        return 2
    name, folder = arguments[0], ROOT / "out" / "studies" / arguments[0]
    known = parser()
    known.add_argument("--base", type=keys_of, metavar="FILE", help="keys in place of the study's machine")
    known.add_argument("--notebook", action="store_true", help="only writes a notebook for Jupyter, NAME.ipynb")
    options = known.parse_args([str(folder / "sweep.json"), "--out", str(folder / "results"), *arguments[1:]])
    if options.notebook:
        file = folder / f"{name}.ipynb"
        file.write_text(json.dumps(notebook(name, folder), indent=1) + "\n")
        print(f"notebook: {file}")
        return 0
    prepare(name, folder, options.base)
    return guarded(partial(answer, name), options)


def answer(name: str, options: argparse.Namespace) -> int:
    """Runs the sweep and draws its picture: not that of earlier results, if there is no room for new ones."""
    status = explore(options)
    import pandas as pd  # after the sweep: nothing before needs it

    done = pd.read_csv(options.out / "results.csv")
    study_of(name).plot(done[done.status == "done"], options.out / "plot.svg")
    print(f"plot:    {options.out / 'plot.svg'}")
    return status


if __name__ == "__main__":
    sys.exit(run_until_signal(partial(main, sys.argv[1:])))
