# SPDX-License-Identifier: Apache-2.0
"""A search finds the front of a grid that it does not run, the same one each time, and goes on where it was stopped."""

import signal
import unittest
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import support
from exploration.front import Matrix, Reach, front, front_table, hypervolume, importances
from exploration.points import Grid
from exploration.reading import read_sweep
from exploration.results import Results
from exploration.search import Sampler, seek
from exploration.sweep import Axis, Goal, Scenario, Search, Sweep

import isbesim

DRAW = support.SCENARIOS / "gs_amplify_once"
AXES: dict[str, list[Any]] = {
    "isbe.lines": [256, 320, 448, 512, 768, 1024], "isbe.banks": [8, 16, 32], "isbe.skew": [True, False],
    "isbe.request_queue_depth": [1, 4, 8, 32], "pe.batch_vertices": [8, 16, 32],
}
GOALS = ("cycles", "proxies.area.mm2", "proxies.energy_pj")
BUDGET = 60


@cache
def whole_grid() -> tuple[list[dict[str, Any]], Matrix]:
    """Every point's settings, and its objectives, all run."""
    points = [dict(zip(AXES, values)) for values in product(*AXES.values())]
    results = isbesim.run_all(points, scenario=DRAW, options=["--no-vertices"])
    return points, np.array([[float(result[name]) for name in GOALS] for result in results])


class FrontTest(unittest.TestCase):
    def test_a_front_by_hand(self) -> None:
        values = np.array([[1.0, 5.0], [2.0, 2.0], [2.0, 3.0], [5.0, 1.0], [2.0, 2.0], [6.0, 6.0]])
        self.assertEqual(front(values), [0, 1, 3])
        self.assertEqual(hypervolume(values, np.array([6.0, 6.0])), 5 + 3 * 4 + 1)
        self.assertEqual(hypervolume(values, np.array([1.0, 1.0])), 0)
        self.assertEqual(Reach(values).share(values[[0, 1, 3]]), 1)
        self.assertLess(Reach(values).share(values[[2]]), 0.9)

    def test_a_volume_of_three_by_counting(self) -> None:
        values = np.random.default_rng(3).integers(0, 8, (12, 3)).astype(float)
        cells = np.array(list(product(range(8), repeat=3)))
        beaten = (values[:, None, :] <= cells[None, :, :]).all(axis=2).any(axis=0).sum()
        self.assertEqual(hypervolume(values, np.array([8.0, 8.0, 8.0])), beaten)

    def make_results(self, rows: list[dict[str, object]], axes: dict[str, list[Any]]) -> tuple[Sweep, Results]:
        sweep = Sweep(Path("s.json"), axes=[Axis(key, tuple(values)) for key, values in axes.items()],
                      scenarios=[Scenario("a", Path("a"))],
                      search=Search(9, (Goal("cycles"), Goal("efficiency", True)), "nsga2", 1, 4))
        heads = ({"point": point, "scenario": "a", "status": "done", "violates": ""} for point in range(len(rows)))
        table = pd.DataFrame([{**head, **row} for head, row in zip(heads, rows)], dtype=object)
        return sweep, Results(table, None, None)

    def test_importances_of_a_known_law(self) -> None:
        """cycles = 2^lines * 4^skew: the logarithm's variance has 2/3 from lines and 1 from skew."""
        axes: dict[str, list[Any]] = {"lines": [1, 2, 3], "skew": [True, False], "idle": [1, 2]}
        rows = [{**dict(zip(axes, values)), "cycles": 2 ** values[0] * 4 ** values[1], "efficiency": 5 - values[0]}
                for values in product(*axes.values())]
        sweep, results = self.make_results(rows, axes)
        shares = importances(sweep, results)
        parts = {"lines": 2 / 3, "skew": 1.0, "idle": 0.0}
        for axis, part in parts.items():
            self.assertAlmostEqual(shares.loc[axis, "cycles"], part / sum(parts.values()))
        self.assertAlmostEqual(shares.loc["lines", "efficiency"], 1)
        # More is better in one of them.
        table = front_table(sweep, results)
        self.assertEqual([tuple(row) for row in table[["lines", "skew"]].to_numpy()], [(1, False)])

    def test_interaction_is_no_axis_own(self) -> None:
        axes: dict[str, list[Any]] = {"a": [0, 1], "b": [0, 1]}
        rows = [{"a": a, "b": b, "cycles": 2 ** (a ^ b), "efficiency": 1} for a, b in product((0, 1), repeat=2)]
        sweep, results = self.make_results(rows, axes)
        self.assertAlmostEqual(float(importances(sweep, results)["cycles"].sum()), 0)


class SamplerTest(unittest.TestCase):
    def search(self, sampler: str, seed: int = 1, goals: int = 3, budget: int = BUDGET) -> tuple[list[int], Search]:
        points, values = whole_grid()
        grid = Grid(Sweep(Path("s.json"), axes=[Axis(key, tuple(value)) for key, value in AXES.items()]))
        search = Search(budget, tuple(Goal(name) for name in GOALS[:goals]), sampler, seed, 15)
        return seek(search, grid, lambda numbers: [list(values[number][:goals]) for number in numbers]), search

    def test_the_front_covers_the_grid_s(self) -> None:
        """The search has a seventh of the grid's runs."""
        points, values = whole_grid()
        self.assertGreater(len(points), 7 * BUDGET)
        for seed in (1, 2):
            numbers, _ = self.search("nsga2", seed)
            self.assertEqual(len(set(numbers)), BUDGET)
            self.assertGreaterEqual(Reach(values).share(values[numbers]), 0.95, seed)

    def test_one_objective(self) -> None:
        _, values = whole_grid()
        numbers, _ = self.search("tpe", goals=1, budget=45)
        self.assertLessEqual(values[numbers, 0].min(), 1.01 * values[:, 0].min())

    def test_the_seed_decides(self) -> None:
        for sampler, goals in (("nsga2", 3), ("tpe", 1)):
            first = self.search(sampler, 7, goals, 45)[0]
            self.assertEqual(self.search(sampler, 7, goals, 45)[0], first)
            self.assertNotEqual(self.search(sampler, 8, goals, 45)[0], first)

    def test_a_larger_budget_begins_the_same(self) -> None:
        self.assertEqual(self.search("nsga2", budget=60)[0][:30], self.search("nsga2", budget=30)[0])

    def test_a_grid_smaller_than_the_budget_is_run_once(self) -> None:
        sampler = Sampler(Search(50, (Goal("cycles"),), "tpe", 1, 4), [3, 2], [True, False])
        seen = []
        while asked := sampler.ask(4):
            seen += asked
            for positions in asked:
                sampler.tell(positions, None if positions[0] == 1 else [1.0])
        self.assertEqual(sorted(seen), list(product(range(3), range(2))))


class SearchTest(support.FolderTest):
    axes = {"isbe.lines": [256, 320, 512, 1024], "isbe.banks": [8, 32], "isbe.skew": [True, False]}

    def sweep(self, budget: int = 8, **keys: Any) -> Path:
        search = {"budget": budget, "batch": 4, "seed": 2, **keys.pop("search", {})}
        return self.write_sweep(**{"axes": self.axes, "scenarios": [str(DRAW / "scenario.json")], "search": search,
                                   "objective": {"minimize": "cycles"}, **keys})

    def test_it_goes_on_where_it_was_stopped(self) -> None:
        """Killed within the second batch."""
        slow = self.served("time.sleep(0.3)")
        driver = self.start(self.sweep(), "--cores", "1", isbesim=slow)
        self.wait_for_results(driver, 5)
        driver.send_signal(signal.SIGKILL)
        driver.communicate()
        kept = self.results()
        self.assertLess(len(kept), 8)
        begun = len(self.history("start"))
        again = self.explore(self.sweep(), "--page", isbesim=slow)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(set(self.history("start")[begun:]) & kept, set(), "what was finished ran again")
        rows = self.rows()
        self.assertEqual([int(row["point"]) for row in rows], list(range(8)))
        self.assertEqual(self.explore(self.sweep(), out="whole").returncode, 0)
        # The slow program is another one: its digest, and nothing else, differs.
        self.assertEqual([{**row, "program": ""} for row in rows],
                         [{**row, "program": ""} for row in self.rows("whole")])
        self.check_page(rows)

    def test_without_an_objective_its_own_are_on_the_page(self) -> None:
        sought = ["latency.ald.p99", "occupancy.warps_mean", "cycles"]
        done = self.explore(self.sweep(4, objective=None, search={"objectives": sought}), "--page")
        self.assertEqual(done.returncode, 0, done.stderr)
        page = self.page_data()
        differ = {column["name"] for column in page["data"]["columns"] if len(set(column["values"])) > 1} & set(sought)
        self.assertGreaterEqual(len(differ), 2)
        for pair in combinations([name for name in sought if name in differ], 2):
            self.assertIn(list(pair), page["charts"]["pareto"]["pairs"])
        self.assertIn("A search: 4 of 16 points were run", str(page["answer"]))

    def check_page(self, rows: list[dict[str, str]]) -> None:
        """The front and the importances are the table's."""
        page = self.page_data()
        values = np.array([[float(row[name]) for name in GOALS] for row in rows])
        chosen, part = set(front(values)), page["parts"]["The front"]
        self.assertEqual({int(point) for point, *_ in part["rows"]}, chosen)
        self.assertIn(f"{len(chosen)} of {len(rows)} points", part["text"])
        # Its points are where it is good: no means over them.
        self.assertNotIn("overview", page["charts"])
        self.assertIn(f"A search: {len(rows)} of 16 points were run", str(page["answer"]))
        shown: dict[str, list[tuple[str, float]]] = {}
        axis = ""
        for name, *rest in page["charts"]["importance"]["rows"]:
            if rest:
                shown.setdefault(name.split(" (")[0], []).append((axis, rest[0]))
            else:
                axis = name
        self.assertEqual(list(shown), list(GOALS))
        for shares in shown.values():
            self.assertEqual({axis for axis, _ in shares}, set(self.axes))
            self.assertLessEqual(sum(share for _, share in shares), 100.001)
        covered = page["charts"]["progress"]["panels"][0]["lines"][0]["y"]
        self.assertEqual(len(covered), len(rows))
        self.assertEqual(covered, sorted(covered))
        with (self.folder / "out" / "front.csv").open() as file:
            self.assertEqual(len(file.readlines()), 1 + len(chosen))

    def test_constraints_and_within(self) -> None:
        """A search for one objective, and the smallest memory within reach of the best."""
        sweep = self.sweep(12, constraints=["isbe.banks >= 16"], search={"objectives": ["cycles"], "batch": 12},
                           objective={"within": 0.02, "minimize": "isbe.lines"})
        result = isbesim.sweep(sweep, self.folder / "out", isbesim=support.ISBESIM)
        table = result.table
        forbidden = table.status.str.startswith("constraint")
        self.assertEqual(set(table[forbidden]["isbe.banks"]), {8})
        self.assertEqual(len(table), 12)
        done = result.done
        near = done[done.cycles <= 1.02 * done.cycles.min()]
        self.assertEqual(result.best.settings["isbe.lines"], near["isbe.lines"].min())
        self.assertEqual(list(result.front.cycles), [done.cycles.min()])
        # Only one number of banks is left: it explains nothing.
        self.assertEqual(list(result.importances.index), ["isbe.lines", "isbe.skew"])
        self.assertGreater(result.importances.loc["isbe.skew", "cycles"], 0.5)
        self.assertLess(result.importances.cycles.sum(), 1.0001)
        page = result.write_page().read_text(encoding="utf-8")
        self.assertIn(f"A search: {len(done)} of 16 points were run", page)

    def test_without_resume_all_runs_again(self) -> None:
        sweep = self.sweep(4, search={"resume": False})
        for starts in (4, 8):
            self.assertEqual(self.explore(sweep).returncode, 0)
            self.assertEqual(len(self.history("start")), starts)

    def test_defaults_of_a_search(self) -> None:
        simulator = isbesim.find_simulator(support.ISBESIM)
        read = read_sweep(self.write_sweep(search={"budget": 3}, objective={"maximize": "bank_conflicts.efficiency"}),
                          simulator)
        self.assertEqual(read.search, Search(3, (Goal("bank_conflicts.efficiency", True), Goal("proxies.area.mm2"),
                                                 Goal("proxies.energy_pj")), "nsga2", 1, 20))
        self.assertEqual(read_sweep(self.write_sweep(search={"budget": 3, "objectives": ["cycles"]}),
                                    simulator).search.sampler, "tpe")
