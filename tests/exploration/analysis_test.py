"""What the page says, on tables whose answer is known."""

import unittest
from pathlib import Path
from typing import Any

import pandas as pd
import support

from exploration.analysis import average, best, effect, effects, gaps, pareto, reasons, scores
from exploration.results import Results
from exploration.simulator import Simulator
from exploration.sweep import Axis, Objective, Scenario, Sweep
from exploration.words import best_texts, effect_text, gap_text, number, times


def made(rows: list[dict[str, object]], axes: dict[str, list[Any]], **keys: Any) -> tuple[Sweep, Results]:
    sweep = Sweep(Path("s.json"), axes=[Axis(key, tuple(values)) for key, values in axes.items()],
                  scenarios=[Scenario("a", Path("a")), Scenario("b", Path("b"))],
                  objective=Objective("cycles"), **keys)
    defaults: dict[str, object] = {"status": "done", "violates": ""}
    return sweep, Results(pd.DataFrame([{**defaults, **row} for row in rows], dtype=object), None, None)


def grid() -> tuple[Sweep, Results]:
    """cycles = 100 * (4 if not skewed else 1) * (2 if 8 banks else 1), times 10 on scenario b."""
    rows = []
    for point, (skew, banks) in enumerate([(True, 8), (True, 32), (False, 8), (False, 32)]):
        for scenario, factor in (("a", 1), ("b", 10)):
            rows.append({"point": point, "scenario": scenario, "skew": skew, "banks": banks,
                         "cycles": 100 * factor * (1 if skew else 4) * (2 if banks == 8 else 1),
                         "stalls.bank_conflict": 0 if skew else 300 * factor, "stalls.drain": 7})
    return made(rows, {"skew": [True, False], "banks": [8, 32]})


class FigureTableTest(unittest.TestCase):
    """Units, and what is better, are the simulator's words."""

    def test_figures_are_found_by_the_names_of_columns(self) -> None:
        table = Simulator(support.ISBESIM).figure_table
        for name, unit in {"cycles": "cycles", "latency.ald.p99": "cycles", "latency.ald.count": "warp instructions",
                           "per_instance.1.bandwidth.read.bytes": "bytes", "proxies.area.mm2": "mm²",
                           "per_instance.0.ports.1.queue_full_cycles": "cycles", "memory_bits": "bits",
                           "latency.ald.p98": "", "isbe.lines": ""}.items():
            self.assertEqual(table.unit(name), unit, name)
        self.assertTrue(table.more_is_better("bank_conflicts.efficiency"))
        self.assertFalse(table.more_is_better("cycles"))
        self.assertEqual((table.costs("machine"), table.costs("draw")), (["proxies.area.mm2"], ["proxies.energy_pj"]))


class AnalysisTest(unittest.TestCase):
    def test_scenarios_weigh_the_same(self) -> None:
        sweep, results = grid()
        self.assertAlmostEqual(scores(results, "cycles")[1], (100 * 1000) ** 0.5)
        self.assertEqual(average(pd.Series([0, 4])), 2)

    def test_the_best_point(self) -> None:
        sweep, results = grid()
        found = best(sweep, results)
        self.assertEqual((found.point, found.settings, found.count), (1, {"skew": True, "banks": 32}, 4))
        self.assertAlmostEqual(found.worst / found.score, 8)
        self.assertIn("8 times as high", best_texts(found, sweep.objective)[1])

    def test_failed_and_forbidden_points_are_never_best(self) -> None:
        sweep, results = grid()
        results.table.loc[2, "status"] = "deadlock: nothing moves"
        self.assertEqual(best(sweep, results).point, 0)
        results.table.loc[1, "violates"] = "cycles < 1"
        self.assertEqual(best(sweep, results).point, 3)
        results.table["status"] = "not finished: killed"
        self.assertIsNone(best(sweep, results))

    def test_effects_compare_what_differs_in_nothing_else(self) -> None:
        sweep, results = grid()
        strongest, second = effects(sweep, results, "cycles")
        self.assertEqual((strongest.axis, second.axis), ("skew", "banks"))
        self.assertAlmostEqual(strongest.spread, 4)
        self.assertAlmostEqual(second.spread, 2)
        self.assertEqual((strongest.comparisons, strongest.wins), (4, [4, 0]))
        text = effect_text(strongest, sweep.objective)
        self.assertIn("true is best", text)
        self.assertIn("4 times as high", text)
        self.assertIn("never worse", text)

    def test_an_unbalanced_sweep_is_compared_where_it_is_whole(self) -> None:
        sweep, results = grid()
        # Without the skewed runs on scenario b, plain averages would make skewing look far better than it is.
        rows = results.table[(results.table["skew"] != True) | (results.table["scenario"] != "b")]  # noqa: E712
        found = effect(sweep, rows, "skew", "cycles", False)
        self.assertAlmostEqual(found.spread, 4)
        self.assertEqual(found.comparisons, 2)

    def test_where_an_axis_matters(self) -> None:
        sweep, results = grid()
        table = results.table
        table["attributes"] = [4, 5] * 4
        sweep.scenarios[0] = Scenario("a", Path("a"), values={"attributes": 4})
        sweep.scenarios[1] = Scenario("b", Path("b"), values={"attributes": 5})
        table.loc[(table["skew"] != True) & (table.scenario == "b"), "cycles"] //= 4  # noqa: E712
        skew = next(e for e in effects(sweep, results, "cycles") if e.axis == "skew")
        found = gaps(sweep, results, skew, "attributes", "cycles")
        self.assertEqual([(value, round(ratio, 6)) for value, ratio in found], [(4, 4), (5, 1)])
        self.assertEqual(gap_text("attributes", found),
                         "Along attributes the gap is widest at 4: 4 times as high; there is none at 5.")

    def test_the_reason_is_the_stall_that_moves(self) -> None:
        sweep, results = grid()
        of = effects(sweep, results, "cycles")[0]
        found = reasons(sweep, results, of, ["stalls.drain", "stalls.bank_conflict"])
        self.assertEqual([c.figure for c in found], ["stalls.bank_conflict"])
        self.assertEqual((found[0].at_best, found[0].at_worst), (0, 1650))

    def test_pareto(self) -> None:
        x, y = pd.Series([1, 2, 3, 2, 4]), pd.Series([9, 5, 5, 4, 1])
        self.assertEqual(pareto(x, y, False, False), [0, 3, 4])
        self.assertEqual(pareto(x, y, True, False), [4])
        self.assertEqual(pareto(x, y, True, True), [4, 2, 0])

    def test_numbers_for_people(self) -> None:
        self.assertEqual([number(v) for v in (True, 1234567, 0.123456, 12345.6, "line")],
                         ["true", "1,234,567", "0.1235", "12,346", "line"])
        self.assertEqual((times(1.08), times(2.5)), ("8 % higher", "2.5 times as high"))
