# SPDX-License-Identifier: Apache-2.0
"""scripts/explore SWEEP.json: reads the sweep, runs the unfinished points, merges, prints the best point."""

from __future__ import annotations

import argparse
import sqlite3
import sys
from pathlib import Path
from typing import Callable

from isbesim.errors import InputError, IsbesimError
from isbesim.simulator import Simulator

from .driver import drive
from .front import front_text
from .results import Results
from .sweep import Sweep
from .words import answer_texts
from .workflow import Progress, WorkflowError, place_of

SHOWN_FAILURES = 20
ROOT = Path(__file__).resolve().parents[2]


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(prog="explore", description="Runs a sweep over machines and draws.",
                                     epilog="Exit status: 0 every run ended well; 1 some did not, or there was no "
                                            "room for results; 2 wrong input.")
    result.add_argument("sweep", type=Path, metavar="SWEEP.json", help="what to vary, what to run")
    result.add_argument("--cores", type=int, metavar="N",
                        help="runs at a time on this machine (default: all cores), or cluster jobs at a time")
    result.add_argument("--profile", metavar="NAME", help="'slurm', or a folder with a Snakemake profile")
    result.add_argument("--out", type=Path, metavar="DIR",
                        help="results (default: out/<name of the sweep>); a sweep that was stopped goes on")
    result.add_argument("--isbesim", type=Path, metavar="FILE", default=ROOT / "build" / "isbesim",
                        help="the simulator (default: build/isbesim)")
    result.add_argument("--no-page", action="store_true", help="results.csv and results.sqlite only")
    return result


def explore(arguments: argparse.Namespace) -> int:
    if not arguments.isbesim.is_file():
        raise WorkflowError(f"{arguments.isbesim} is no file, expected the simulator (scripts/explore builds it)")
    if arguments.cores is not None and arguments.cores < 1:
        raise WorkflowError(f"--cores {arguments.cores}, expected at least 1")
    place = place_of(arguments.cores, arguments.profile)
    explored = drive(arguments.sweep, Simulator(arguments.isbesim), place, arguments.out, Progress)
    if explored.interrupted:
        raise KeyboardInterrupt(f", results so far: {explored.folder.root / 'results.csv'}")
    if explored.aside:
        say(f"{explored.aside} results of another program, scenario or sweep are left aside")
    say_outcome(explored.sweep, explored.results)
    print(f"results: {explored.folder.root / 'results.csv'}")
    if not arguments.no_page:
        print(f"page:    {explored.write_page()}")
    return 0 if explored.is_complete else 1


def say(text: str) -> None:
    print(f"explore: {text}", file=sys.stderr)


def say_outcome(sweep: Sweep, results: Results) -> None:
    for _, row in results.failed.head(SHOWN_FAILURES).iterrows():
        say(f"point {row.point}, {row.scenario}: {row.status}")
    if len(results.failed) > SHOWN_FAILURES:
        say(f"and {len(results.failed) - SHOWN_FAILURES} more: status in results.csv")
    if len(results.not_run):
        say(f"{len(results.not_run)} not run: a constraint forbids them")
    for text in answer_texts(sweep, results):
        print(text)
    if sweep.search is not None:
        print(front_text(sweep, results))


def guarded(command: Callable[[argparse.Namespace], int], arguments: argparse.Namespace) -> int:
    """Wrong input ends with one line and exit status 2; a simulator that does not respond or a place that stores no
    results with one line and status 1."""
    try:
        return command(arguments)
    except (InputError, WorkflowError) as error:
        print(f"isbesim: error: {error if isinstance(error, InputError) else f'command-line:1:1: {error}'}",
              file=sys.stderr)
        return 2
    except IsbesimError as error:  # the simulator was killed or broke down during a query
        print(f"isbesim: error: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        raise
    except (OSError, sqlite3.OperationalError) as error:  # the disk is full, or the folder has gone
        reason = error.strerror if isinstance(error, OSError) else str(error)
        place = getattr(error, "filename", None)
        print(f"isbesim: error: {f'{place}: ' if place else ''}results can't be written or read back: {reason}",
              file=sys.stderr)
        return 1


def main() -> int:
    return guarded(explore, parser().parse_args())
