# SPDX-License-Identifier: Apache-2.0
"""The sentences of the page, on tables whose answer is known."""

import unittest
from pathlib import Path
from typing import Any

import pandas as pd
import support

from exploration.analysis import (average, best, comparable, effect, effects, gaps, interacting, interaction,
                                  reasons, scores)
from exploration.results import Results
from isbesim.result import number
from isbesim.simulator import Simulator
from exploration.sweep import Axis, Objective, Scenario, Sweep
from exploration.words import best_texts, effect_text, gap_text, times


def make_results(rows: list[dict[str, object]], axes: dict[str, list[Any]], **keys: Any) -> tuple[Sweep, Results]:
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
    return make_results(rows, {"skew": [True, False], "banks": [8, 32]})


class FigureTableTest(unittest.TestCase):
    """Units and directions are the simulator's words."""

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
        results.table.loc[0, "cycles"] = None  # point 0 on scenario a
        self.assertEqual(list(scores(results, "cycles").index), [1, 2, 3])
        results.table.loc[results.table.scenario == "a", "cycles"] = None
        self.assertEqual(list(scores(results, "cycles")), [2000, 1000, 8000, 4000])

    def test_average_states_its_spread(self) -> None:
        """Skewed is 1.2 times as fast with 32 banks, 6 times with 8."""
        rows = [{"point": point, "scenario": "a", "skew": skew, "banks": banks, "cycles": cycles}
                for point, (skew, banks, cycles) in enumerate([(True, 8, 200), (True, 32, 100), (False, 8, 1200),
                                                               (False, 32, 120)])]
        sweep, results = make_results(rows, {"skew": [True, False], "banks": [8, 32]})
        found = effect(sweep, results.done, "skew", "cycles", False)
        self.assertEqual([round(ratio, 9) for ratio in found.ratios], [1.2, 6.0])
        self.assertIn("(from 1.2 to 6 times); true is never worse", effect_text(found, sweep.objective))
        rows[2]["cycles"] = 280  # 1.4 times: a mean below 1.5 in the unit of its range
        sweep, results = make_results(rows, {"skew": [True, False], "banks": [8, 32]})
        self.assertIn("false is 1.3 times as high as with true, averaged over 2 settings of everything else (from 1.2 "
                      "to 1.4 times)",
                      effect_text(effect(sweep, results.done, "skew", "cycles", False), sweep.objective))
        sweep, results = grid()  # where every comparison says the same
        self.assertIn("averaged over 4 settings of everything else; true is never worse",
                      effect_text(effect(sweep, results.done, "skew", "cycles", False), sweep.objective))

    def test_the_best_point(self) -> None:
        sweep, results = grid()
        found = best(sweep, results)
        self.assertEqual((found.point, found.settings, found.count), (1, {"skew": True, "banks": 32}, 4))
        self.assertAlmostEqual(found.worst / found.score, 8)
        self.assertEqual(best_texts(found, sweep.objective)[0],
                         "Lowest cycles: 316.2 at point 1 (skew = true, banks = 32).")
        self.assertIn("8 times as high", best_texts(found, sweep.objective)[1])
        results.table.cycles = 5
        self.assertEqual(best_texts(best(sweep, results), sweep.objective)[0],
                         "Lowest cycles: 5 at point 0 (skew = true, banks = 8); 3 of the others have the same.")
        sweep.objective = Objective("latency.isbewr.mean")  # which no run measured
        self.assertEqual(best_texts(best(sweep, results), sweep.objective),
                         ["No point ended well on every scenario with latency.isbewr.mean and without breaking a "
                          "constraint."])

    def test_failed_and_forbidden_points_are_never_best(self) -> None:
        sweep, results = grid()
        results.table.loc[2, "status"] = "deadlock: nothing moves"
        self.assertEqual(best(sweep, results).point, 0)
        results.table.loc[1, "violates"] = "cycles < 1"
        self.assertEqual(best(sweep, results).point, 3)
        results.table["status"] = "not finished: killed"
        self.assertIsNone(best(sweep, results))

    def test_effects_compare_points_with_one_difference(self) -> None:
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
                         "Along attributes the gap is widest at 4: 4 times as high; there is no gap at 5.")
        self.assertEqual(gap_text("attributes", [(4, 4.0), (5, 4.01)]), "")

    def test_the_reason_is_the_stall_that_moves(self) -> None:
        sweep, results = grid()
        results.table["stalls.pipe"] = [5] * 4 + [None] * 4  # not measured at the worst value
        of = effects(sweep, results, "cycles")[0]
        found = reasons(sweep, results, of, ["stalls.pipe", "stalls.drain", "stalls.bank_conflict"])
        self.assertEqual([c.figure for c in found], ["stalls.bank_conflict"])
        self.assertEqual((found[0].at_best, found[0].at_worst), (0, 1650))

    def test_the_smallest_that_is_good_enough(self) -> None:
        rows = [{"point": point, "scenario": "a", "lines": lines, "banks": banks, "cycles": cycles}
                for point, (lines, banks, cycles) in enumerate(
                    [(64, 8, 300), (128, 8, 200), (256, 8, 103), (256, 32, 102), (512, 8, 101), (1024, 32, 100)])]
        for within, share, point, lines in ((0.02, "2 %", 3, 256), (0, "0 %", 5, 1024), (1.0, "100 %", 1, 128),
                                            (0.03, "3 %", 3, 256)):
            sweep, results = make_results(rows, {"lines": [64, 128, 256, 512, 1024], "banks": [8, 32]})
            sweep.objective = Objective("cycles", within=within, choose="lines")
            found = best(sweep, results)
            self.assertEqual((found.point, found.chosen, found.top, found.top_score), (point, lines, 5, 100), within)
            text = best_texts(found, sweep.objective)
            self.assertIn(f"Lowest lines within {share} of the best cycles: {lines:,} at point {point}", text[0])
            self.assertIn("the best is 100 at point 5 (lines = 1024, banks = 32)", text[1])
        sweep.objective = Objective("cycles", within=0.02, choose="lines", choose_most=True)
        self.assertEqual(best(sweep, results).point, 5)
        # A figure of which more is better, and a key that is not an axis.
        results.table["speed"] = [1, 2, 98, 99, 99.5, 100]
        results.table["config.ports"] = [1, 1, 2, 1, 1, 2]
        sweep.objective = Objective("speed", True, 0.02, "ports")
        self.assertEqual(best(sweep, results).point, 4)

    def test_an_axis_that_multiplies_may_be_averaged_over_and_one_that_bends_may_not(self) -> None:
        sweep, results = grid()
        self.assertAlmostEqual(interaction(results.table, ["skew"], "banks", "cycles"), 0)
        self.assertAlmostEqual(interaction(results.table, ["skew", "banks"], "scenario", "cycles"), 0)
        table = results.table.copy()
        # Without skew and with 8 banks alone it takes twice as long: the mean over banks would show 1.4 times.
        table.loc[(table["skew"] == False) & (table["banks"] == 8), "cycles"] *= 2  # noqa: E712
        self.assertGreater(interaction(table, ["skew"], "banks", "cycles"), 0.4)
        self.assertEqual(interacting(table, ["skew"], ["scenario", "banks"], "cycles", 12), ["banks"])
        self.assertEqual(interacting(table, ["skew"], ["scenario", "banks"], "cycles", 1), [])

    def test_sums_over_sms_are_compared_per_sm(self) -> None:
        rows = [{"point": point, "scenario": "a", "sm_count": sms, "config.sm_count": sms, "cycles": 1000,
                 "stalls.scoreboard": 100 * sms, "bandwidth.read.bytes": 64} for point, sms in enumerate([1, 8])]
        sweep, results = make_results(rows, {"sm_count": [1, 8]}, figures=Simulator(support.ISBESIM).figure_table)
        same = comparable(sweep, results).table
        self.assertEqual(list(same["stalls.scoreboard"]), [100, 100])
        self.assertEqual(list(same["cycles"]), [1000, 1000])  # of the run
        self.assertEqual(list(same["bandwidth.read.bytes"]), [64, 64])  # the work is the same
        self.assertEqual(list(results.table["stalls.scoreboard"]), [100, 800])  # results.csv has the reported value
        sweep.objective = Objective("stalls.scoreboard")
        self.assertEqual(best(sweep, results).score, 100)
        self.assertEqual(effects(sweep, comparable(sweep, results), "stalls.scoreboard")[0].spread, 1)
        one = results.table.iloc[:1]
        self.assertEqual(list(comparable(sweep, Results(one, None, None)).table["stalls.scoreboard"]), [100])

    def test_numbers_for_people(self) -> None:
        self.assertEqual([number(v) for v in (True, 1234567, 0.123456, 12345.6, "line")],
                         ["true", "1,234,567", "0.1235", "12,346", "line"])
        self.assertEqual((times(1.08), times(2.5)), ("8 % higher", "2.5 times as high"))
