"""What the points of a sweep say about their neighbours: a run predicts the cycles of machines that differ from its own
in one key (`isbesim run --what-if`), and where the sweep has such a machine they stand beside what it took."""

from __future__ import annotations

import json
from typing import Any, Mapping

from isbesim.simulator import Flat

from .jobs import Row


# The columns that a prediction has in results.csv.
PREDICTED = ("predicted_cycles", "predicted_bound", "predicted_from", "prediction_error")


class Neighbours:
    """Rows of results.csv, each found by its scenario, its back end and its whole machine."""

    def __init__(self) -> None:
        self._rows: dict[str, Flat] = {}
        self._predictions: list[tuple[Row, Mapping[str, Any]]] = []

    def add(self, row: Row, report: Mapping[str, Any], columns: Flat) -> None:
        self._rows[_place(row, row.point.config)] = columns
        self._predictions += ((row, change) for change in report.get("what_if", ()))

    def predict(self) -> None:
        """Fills predicted_cycles, predicted_bound (about, at_least), predicted_from (a point) and prediction_error, the
        share by which that is more than the cycles. Of several neighbours the first one whose prediction is no
        bound; of bounds the highest."""
        for row, change in self._predictions:
            to = self._rows.get(_place(row, {**row.point.config, change["key"]: change["to"]}))
            if to is None or not isinstance(to.get("cycles"), int):
                continue
            if "predicted_cycles" in to and _rank(to["predicted_bound"], to["predicted_cycles"]) >= _rank(
                    change["bound"], change["predicted"]):
                continue
            error = round(change["predicted"] / max(to["cycles"], 1) - 1, 6)
            to.update(zip(PREDICTED, (change["predicted"], change["bound"], row.point.index, error)))


def _rank(bound: Any, cycles: Any) -> tuple[bool, int]:
    return (True, 0) if bound == "about" else (False, int(cycles))


def _place(row: Row, config: Mapping[str, Any]) -> str:
    return json.dumps([row.scenario.name, row.point.backend, config], sort_keys=True)
