# SPDX-License-Identifier: Apache-2.0
"""results.csv and results.sqlite hold the figures that the runs reported."""

import os
import sqlite3
import unittest
from pathlib import Path

import support
from exploration.costs import memory_bits
from exploration.reading import read_sweep
from isbesim.errors import InputError
from isbesim.simulator import Simulator, flatten


class ResultsTest(support.FolderTest):
    scenario = support.SCENARIOS / "gs_amplify_once" / "scenario.json"
    simulator = Simulator(support.ISBESIM)

    def sweep(self, **keys: object) -> Path:
        return self.write_sweep(scenarios=[{"file": str(self.scenario), "name": "amplify", "values": {"strips": 3}}],
                                **keys)

    def test_a_row_is_the_report_of_the_same_run_by_hand(self) -> None:
        sweep = self.sweep(base={"isbe.lines": 512}, axes={"isbe.skew": [True, False]}, seed=5)
        self.assertEqual(self.explore(sweep).returncode, 0)
        settings = ("--set", "isbe.lines=512", "--set", "isbe.skew=false")
        report = self.report_of("run", self.scenario, *settings, "--seed", "5")
        row = self.rows()[1]
        self.assertEqual(list(row)[:6], ["point", "scenario", "status", "violates", "isbe.skew", "strips"])
        self.assertEqual((row["scenario"], row["status"], row["isbe.skew"], row["strips"]),
                         ("amplify", "done", "false", "3"))
        self.assertEqual((row["seed"], row["version"]), ("5", report["tool"]["version"]))
        compared = 0
        for name, value in flatten({k: v for k, v in report.items()
                                    if k not in ("covers", "critical_path", "draw", "histograms", "host", "measured",
                                                 "of", "rests_on", "scenario", "series", "stacks", "tool", "traps",
                                                 "warnings")}):
            if name == "result.text":
                continue
            compared += 1
            if isinstance(value, float):
                self.assertEqual(float(row[name]), value, name)
            else:
                self.assertEqual(row[name], str(value).lower() if isinstance(value, bool) else str(value), name)
        self.assertGreater(compared, 150)
        self.assertFalse([name for name in row if name.startswith(("critical_path.", "host.", "stacks."))])
        self.assertEqual(row["bottleneck"], report["bottleneck"])

    def test_scenario_value_named_like_a_column_is_refused(self) -> None:
        """Columns of a draw on each back end and of a trace's replay on another machine."""
        trace = self.folder / "trace"
        self.report_of("run", self.scenario, "--record", trace)
        sweep = self.sweep(axes={"isbe.banks": [8], "backend": ["lt", "at", "lockstep"]}, traces=[str(trace)])
        self.assertEqual(self.explore(sweep).returncode, 0)
        names = set(self.rows()[0]) - {"strips"}
        with sqlite3.connect(self.folder / "out" / "results.sqlite") as database:
            names |= {name for (name,) in database.execute("SELECT name FROM pragma_table_info('stacks')")}
        self.assertTrue({"replay.operations", "estimate.of", "crosscheck.data_mismatches", "part"} < names)
        for name in names:
            for written in (name, name.upper()):
                with self.assertRaises(InputError, msg=written):
                    read_sweep(self.write_sweep(scenarios=[{"file": str(self.scenario), "values": {written: 1}}]),
                               self.simulator)

    def test_the_database_holds_the_same_with_types(self) -> None:
        self.assertEqual(self.explore(self.sweep(base={"sm_count": 2})).returncode, 0)
        with sqlite3.connect(self.folder / "out" / "results.sqlite") as database:
            cycles = database.execute('SELECT cycles, typeof(cycles), "latency.ald.mean" FROM results').fetchall()
            self.assertEqual([(str(a), kind) for a, kind, _ in cycles],
                             [(row["cycles"], "integer") for row in self.rows()])
            self.assertEqual([str(mean) for _, _, mean in cycles], [row["latency.ald.mean"] for row in self.rows()])
            per_sm = database.execute('SELECT point, SUM("invocations.vertex") FROM instances GROUP BY point')
            self.assertEqual([str(total) for _, total in per_sm], [row["invocations.vertex"] for row in self.rows()])
            self.assertEqual(database.execute("SELECT COUNT(*) FROM host WHERE wall_s > 0").fetchone(), (3,))
            wholes = database.execute("SELECT point, resource, SUM(cycles), SUM(share) FROM stacks GROUP BY 1, 2")
            count = {"pass_engine": 2, "scheduler": 8, "fetch": 1}  # of two SMs
            for point, resource, total, share in wholes.fetchall():
                self.assertEqual(total, cycles[point][0] * count.pop(resource) if point == 0 else total)
                self.assertAlmostEqual(share, 1)
            self.assertEqual(count, {})

    def test_constraints_forbid_or_mark(self) -> None:
        sweep = self.sweep(axes={"isbe.lines": [256, 512, 1024]},
                           constraints=["isbe.lines <= 512", "cycles < 1 or isbe.lines == 256"],
                           objective={"maximize": "occupancy.isbe_lines_peak"})
        result = self.explore(sweep)
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = self.rows()
        self.assertEqual([row["status"] for row in rows], ["done", "done", "constraint: isbe.lines <= 512"])
        self.assertEqual([row["violates"] for row in rows],
                         ["", "cycles < 1 or isbe.lines == 256", "isbe.lines <= 512"])
        self.assertEqual(len(self.history("start")), 2)
        self.assertEqual(rows[2]["config.isbe.lines"], "1024")
        self.assertIn("at point 0 (isbe.lines = 256)", result.stdout)

    def test_the_best_points_of_loosely_timed_runs_run_again_on_at(self) -> None:
        axes: dict[str, object] = {"isbe.banks": [8, 16, 32], "isbe.response_queue_depth": [1, 4, 16]}
        self.assertEqual(self.explore(self.sweep(axes=axes, backend="at")).returncode, 0)
        cycles = {int(row["point"]): int(row["cycles"]) for row in self.rows()}
        sweep = self.sweep(axes=axes, backend="lt", confirm=3, objective={"minimize": "cycles"})
        result = self.explore(sweep)
        self.assertEqual(result.returncode, 0, result.stderr)
        estimates = {int(row["point"]): int(row["cycles"]) for row in self.rows()}
        self.assertNotEqual(cycles, estimates)
        confirmed = sorted(sorted(estimates, key=lambda point: estimates[point])[:3], key=lambda point: cycles[point])
        self.assertIn(f"On AT the best of 3 is point {confirmed[0]}: cycles {cycles[confirmed[0]]:,} "
                      f"(estimated {estimates[confirmed[0]]:,}).", result.stdout)
        before = len(self.history("start"))
        self.assertEqual(self.explore(sweep).returncode, 0)
        self.assertEqual(len(self.history("start")), before, "a second start runs nothing again")
        off = self.explore(self.sweep(axes=axes, backend="lt", confirm=0, objective={"minimize": "cycles"}))
        self.assertIn("unconfirmed", off.stdout)
        label = "Cycles of loosely timed runs (backend lt) are an estimate, within 20 % of AT over the shipped draws"
        plain = self.explore(self.sweep(axes=axes, backend="lt"), "--page")
        for text in (result.stdout, off.stdout, plain.stdout, (self.folder / "out/explore.html").read_text()):
            self.assertIn(label, text)

    def test_a_trace_is_replayed(self) -> None:
        self.report_of("run", self.scenario, "--record", "draw.trace")
        sweep = self.write_sweep(scenarios=[], traces=["draw.trace"], axes={"isbe.banks": [8, 32]})
        self.assertEqual(self.explore(sweep).returncode, 0)
        rows = self.rows()
        self.assertEqual([row["status"] for row in rows], ["done", "done"])
        self.assertGreater(int(rows[0]["cycles"]), int(rows[1]["cycles"]))
        self.assertEqual([row["replay.differences"] for row in rows], ["0", "0"])
        # More lines make the draw faster, not the replay: the trace fixes the operations and when they come.
        sweep = self.write_sweep(scenarios=[], traces=["draw.trace"], axes={"isbe.lines": [1024, 2048]},
                                 objective={"minimize": "cycles"})
        result = self.explore(sweep, "--page")
        self.assertIn("an estimate, without what isbe.lines would do to the operations that come", result.stdout)
        page = str(self.page_data())
        self.assertNotIn("makes no difference", page)
        self.assertIn("cycles (partly an estimate)", page)

    def test_a_replay_that_is_refused_or_differs_is_not_done(self) -> None:
        self.report_of("run", self.scenario, "--record", "draw.trace")
        # The machine with 8 lines is refused; on the other, an open loop loses the order of operations.
        isbesim = self.served("if request['config']['isbe.banks'] == 8: request['options'] = ['--open-loop']")
        sweep = self.write_sweep(scenarios=[], traces=["draw.trace"], axes={"isbe.lines": [8, 1024], "isbe.banks": [8]})
        self.assertEqual(self.explore(sweep, isbesim=isbesim).returncode, 1)
        rows = self.rows()
        self.assertRegex(rows[0]["status"], "^wrong input: .*isbe.lines is 8, recorded with 1024")
        self.assertRegex(rows[1]["status"], "^mismatch: the replay .* differs .* the first: operation [0-9]+ ")
        self.assertEqual(rows[0]["cycles"], "")

    @unittest.skipUnless(os.environ.get("ISBESIM_RTL") == "1", "built without the RTL")
    def test_lockstep_marks_checked_cycles_in_the_row(self) -> None:
        self.assertEqual(self.explore(self.sweep(axes={"isbe.skew": [True]}, backend="lockstep",
                                                 metrics=["crosscheck.cycle_mismatches"])).returncode, 0)
        row = self.rows()[0]
        self.assertEqual((row["backend"], row["crosscheck.cycle_mismatches"]), ("lockstep", "0"))
        self.assertGreater(int(row["crosscheck.transactions"]), 100)

    def test_memory_bits_of_the_smallest_block(self) -> None:
        config = {"isbe.lines": 8, "isbe.contexts": 1, "isbe.ports": 1, "isbe.request_queue_depth": 1,
                  "isbe.response_queue_depth": 1, "sm_count": 1, "chip.gpcs": 1, "chip.tpcs": 1}
        # 256 words of 33 bits, 64 context words, a request of 6239 bits, a response of 4632.
        self.assertEqual(memory_bits(config), 8448 + 2048 + 6239 + 4632)
        self.assertEqual(memory_bits({**config, "sm_count": 3}), 3 * memory_bits(config))
        self.assertEqual(memory_bits({**config, "sm_count": 2, "chip.gpcs": 3, "chip.tpcs": 4}),
                         24 * memory_bits(config))
