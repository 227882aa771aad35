#!/usr/bin/python3 -Xutf8
# SPDX-License-Identifier: Apache-2.0
"""How fast versions of the simulator are beside each other, as ratios: seconds of different machines can't be compared.

  tests/bench/history.py add BENCH_JSON VERSION   what scripts/bench has written, into history.csv: in place of the
                                                  rows of that version, or behind all others
  tests/bench/history.py plot FILE                every ratio over the versions (.svg, .png or .pdf)

`scripts/bench --keep VERSION` does both. Exit status: 0 done, 2 wrong input.
"""
from __future__ import annotations

import argparse
import csv
import json
import pathlib
import sys
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
RATIOS = (("at", "bare_rtl"), ("lt", "bare_rtl"), ("lockstep", "bare_rtl"), ("at", "empty_at"), ("lt", "empty_lt"),
          ("at", "copies"), ("lt", "copies"))


class Line(NamedTuple):
    """The speed of `row` as a multiple of that of `of`, both in one run."""

    version: str
    trace: str
    pace: str
    row: str
    of: str
    ratio: float


def read(path: pathlib.Path) -> list[Line]:
    if not path.is_file():
        return []
    with open(path, newline="") as lines:
        return [Line(row["version"], row["trace"], row["pace"], row["row"], row["of"], float(row["ratio"]))
                for row in csv.DictReader(lines)]


def lines_of(bench: pathlib.Path, version: str) -> list[Line]:
    found = []
    for table in json.loads(bench.read_text())["tables"]:
        rows = {row["name"]: row["ratio"] for row in table["rows"]}
        found += [Line(version, table["trace"], table["pace"], row, of, float(f"{rows[row][of]:.3g}"))
                  for row, of in RATIOS if of in rows.get(row, {})]
    if not found:
        raise ValueError(f"{bench}: no ratios, expected what scripts/bench writes")
    return found


def write(path: pathlib.Path, lines: list[Line]) -> None:
    with open(path, "w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(Line._fields)
        writer.writerows(lines)


def added(before: list[Line], more: list[Line], version: str) -> list[Line]:
    """A version that is there already keeps its place."""
    at = next((i for i, line in enumerate(before) if line.version == version), len(before))
    others = [line for line in before if line.version != version]
    return others[:at] + more + others[at:]


def plot(lines: list[Line], path: pathlib.Path) -> None:
    import matplotlib
    matplotlib.use("agg")
    matplotlib.rcParams["svg.hashsalt"] = "isbesim"  # the same file from the same figures
    import matplotlib.pyplot as plt

    versions = list(dict.fromkeys(line.version for line in lines))
    figure, axes = plt.subplots(2, (len(RATIOS) + 1) // 2, figsize=(16, 7), squeeze=False)
    for (row, of), axis in zip(RATIOS, axes.flat):
        here = [line for line in lines if (line.row, line.of) == (row, of)]
        for series in dict.fromkeys((line.trace, line.pace) for line in here):
            points = {line.version: line.ratio for line in here if (line.trace, line.pace) == series}
            axis.plot([versions.index(version) for version in points], list(points.values()), marker="o",
                      label=", ".join(series))
        axis.set_title(f"{row} of {of}")
        axis.set_ylim(bottom=0)
        axis.set_xticks(range(len(versions)), versions, rotation=20)
    axes.flat[0].legend(fontsize="small")
    for axis in list(axes.flat)[len(RATIOS):]:
        axis.set_visible(False)
    figure.suptitle("Transactions per second of host CPU time, as a multiple of another row of the same run")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--history", type=pathlib.Path, default=HERE / "history.csv", help="(%(default)s)")
    commands = parser.add_subparsers(dest="command", required=True)
    add = commands.add_parser("add")
    add.add_argument("bench", type=pathlib.Path)
    add.add_argument("version")
    commands.add_parser("plot").add_argument("file", type=pathlib.Path)
    arguments = parser.parse_args()
    try:
        lines = read(arguments.history)
        if arguments.command == "add":
            write(arguments.history, added(lines, lines_of(arguments.bench, arguments.version), arguments.version))
        else:
            plot(lines, arguments.file)
        return 0
    except (OSError, ValueError, KeyError) as error:
        print(f"history: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
