# SPDX-License-Identifier: Apache-2.0
"""The package isbesim: what its results say is what the files say; every exit status has its exception."""

import contextlib
import csv
import itertools
import json
import math
import os
import re
import shutil
import subprocess
import sys
import time
import unittest
from pathlib import Path
from threading import Thread
from types import FrameType
from typing import Any
from unittest import mock

import numpy as np
import support

import isbesim
from isbesim.pool import each
from isbesim.process import outcome_of
from isbesim.server import Server
from isbesim.simulator import settings_of

DRAW = support.SCENARIOS / "gs_amplify_once"


class ResultTest(support.FolderTest):
    def test_result_equals_the_commands(self) -> None:
        machine = ("--config", "gm107", "--set", "isbe.banks=8")
        report = self.report_of("run", DRAW / "scenario.json", *machine, "--seed", "3")
        result = isbesim.run(DRAW, "gm107", isbe_banks=8, seed=3)
        own = {key: value for key, value in result.report.items() if key not in ("host", "of")}
        self.assertEqual(own, {key: value for key, value in report.items() if key not in ("host", "of")})
        self.assertEqual((result.status, result.error, result.cycles), ("done", None, report["cycles"]))
        self.assertEqual(result["latency.ast.p99"], report["latency"]["ast"]["p99"])
        self.assertEqual((result.config["isbe.banks"], result.unit("cycles")), (8, "cycles"))
        self.assertEqual(result.latencies.loc["ald", "mean"], report["latency"]["ald"]["mean"])
        with (self.folder / "result" / "vertices.csv").open() as file:
            rows = list(csv.DictReader(file))
        words = result.vertices
        self.assertEqual([int(row["0x80"], 16) for row in rows], list(words["0x80"]))
        self.assertEqual([int(row["primitive"]) for row in rows], list(words["primitive"]))
        floats = result.floats()["0x80"].to_numpy(dtype=np.float32)
        self.assertEqual(floats.view(np.uint32).tolist(), list(words["0x80"]))
        self.assertEqual(list(result.series.index[:2]), [0, report["series"]["bin_cycles"]])
        self.assertEqual(list(result.series["isbe_lines"]), report["series"]["isbe_lines"])
        as_many_warps = {"series": {"bin_cycles": 4, "warps": [1, 2], "first_warps": [[0, 0], [0, 1]]}}
        other = isbesim.Result(result.simulator, result.folder, result.outcome, as_many_warps)
        self.assertEqual((list(other.series), list(other.series.index)), (["warps"], [0, 4]))

    def test_stacks_add_up(self) -> None:
        result = isbesim.run(DRAW)
        totals = result.stacks.groupby("resource").cycles.sum()
        self.assertEqual(set(totals), {result.cycles})
        self.assertEqual(set(totals.index), set(result.report["stacks"]))

    def test_distributions_windows_and_instructions_add_up(self) -> None:
        result = isbesim.run(DRAW, options=["--every", "100", "--profile"])
        counts = result.histograms.groupby("of")["count"].sum()
        self.assertEqual(counts["latency.ald"], result["latency.ald.count"])
        self.assertEqual(counts["warps"], result.cycles)
        self.assertEqual(result.windows["cycles"].sum(), result.cycles)
        self.assertEqual(result.windows["instructions.ast"].sum(), result["instructions.ast"])
        profile = result.profile
        self.assertTrue(profile["lost"].is_monotonic_decreasing)
        self.assertEqual(profile["issues"].sum(),
                         sum(result[f"instructions.{name}"] for name in result.report["instructions"]))

    def test_machines_and_keys_are_written_as_python_writes_them(self) -> None:
        simulator = isbesim.find_simulator()
        expected = {"isbe.request_queue_depth": 2, "sm_count": 2, "isbe.skew": False}
        spellings: list[dict[str, Any]] = [
            {"isbe_request_queue_depth": 2, "sm_count": 2, "isbe_skew": False},
            {"isbe": {"request_queue_depth": 2, "skew": False}, "sm_count": 2}, expected]
        for keys in spellings:
            self.assertEqual(settings_of(simulator, keys), expected)
        with self.assertRaisesRegex(isbesim.InputError, r"^isbe\.request_queue_depth stands twice, expected"):
            settings_of(simulator, {**spellings[0], **spellings[1]})
        file = self.write_text(json.dumps({"isbe": {"banks": 8}}), "machine.json")
        machines: list[Any] = [file, {"isbe.banks": 8}, {"isbe": {"banks": 8}}]
        for machine in machines:
            self.assertEqual(isbesim.run(DRAW, machine).config["isbe.banks"], 8)
        # No two keys look the same, and none looks like an argument.
        names = [key.replace(".", "_") for key in simulator.keys]
        self.assertEqual(len(names), len(set(names)))
        arguments = set(isbesim.run.__kwdefaults__) | set(isbesim.traffic.__kwdefaults__)
        self.assertEqual(arguments & set(names), set())

    def test_it_shows_itself(self) -> None:
        import matplotlib

        matplotlib.use("agg")
        result = isbesim.run(DRAW)
        page = result._repr_html_()
        self.assertIn(f"{result.cycles:,}", page)
        self.assertIn(result.bottleneck.split("(")[0], page)
        bars = result.plot_stacks().containers
        shown = sum(patch.get_width() for container in bars for patch in container.patches)
        self.assertAlmostEqual(shown, 100 * len(result.report["stacks"]))
        used = [opcode for opcode, row in result.report["latency"].items() if row["count"]]
        self.assertEqual([text.get_text() for text in result.plot_latencies().get_xticklabels()], used)
        self.assertEqual(len(result.plot_series("warps", "isbe_lines").lines), 2)

    def test_results_are_kept_where_they_are_to_be(self) -> None:
        kept = isbesim.run(DRAW, out=self.folder / "kept")
        self.assertTrue((self.folder / "kept" / "report.html").exists())
        del kept
        self.assertTrue((self.folder / "kept" / "report.html").exists())
        gone = isbesim.run(DRAW)
        folder = gone.folder
        self.assertTrue(folder.exists())
        del gone
        self.assertFalse(folder.exists())


class OtherCommandsTest(support.FolderTest):
    def test_a_recorded_trace_is_replayed(self) -> None:
        trace = self.folder / "draw.trace"
        isbesim.run(DRAW, options=["--record", str(trace)])
        asked = isbesim.replay(trace)["transactions.ald"]
        self.assertGreater(asked, 0)
        self.assertEqual(isbesim.replay(trace, isbe_banks=8)["transactions.ald"], asked)
        # In an open loop the order of operations is lost on a slower machine.
        with self.assertRaises(isbesim.MismatchError) as caught:
            isbesim.replay(trace, isbe_banks=8, options=["--open-loop"])
        self.assertGreater(caught.exception.result["replay.differences"], 0)
        with self.assertRaises(isbesim.InputError):
            isbesim.replay(trace, isbe_lines=8)

    def test_traffic(self) -> None:
        one = isbesim.traffic(rate=0.5, operations=2000, warmup=200, mix="ald=1,ast=1")
        self.assertGreater(one["transactions.ast"], 500)
        curve = isbesim.traffic(curve=True, operations=1000, points=5, isbe_ports=1)
        self.assertEqual(curve.config["isbe.ports"], 1)
        table = curve.curve
        self.assertEqual(len(table), len(curve.report["curve"]["points"]))
        self.assertTrue((table["mean"].diff().dropna() > -1).all())
        drawn = curve.plot_curve().lines[0]
        self.assertEqual(list(drawn.get_xdata()), list(table[~table.saturated].accepted))
        self.assertIn("accepted", curve._repr_html_())
        with self.assertRaises(isbesim.InputError):
            isbesim.traffic(rate=0.5, no_such_option=1)

    def test_a_sweep_from_a_mapping(self) -> None:
        place = os.getcwd()
        self.addCleanup(os.chdir, place)
        shutil.copytree(DRAW, self.folder / "draw")
        os.chdir(self.folder)
        found = isbesim.sweep({"axes": {"isbe.lines": [256, 512]}, "scenarios": ["draw/scenario.json"],
                               "objective": {"minimize": "cycles"}}, "out", cores=2)
        direct = [isbesim.run("draw", isbe_lines=lines).cycles for lines in (256, 512)]
        self.assertEqual(list(found.done.cycles), direct)
        self.assertTrue(found.is_complete)
        self.assertEqual(found.best.settings, {"isbe.lines": [256, 512][direct.index(min(direct))]})
        self.assertIn(found.answer[0], found._repr_html_())
        self.assertEqual(found.write_page(), self.folder / "out" / "explore.html")
        with self.assertRaises(isbesim.InputError) as caught:
            isbesim.sweep({"axes": {"isbe.line": [1]}, "scenarios": ["draw/scenario.json"]}, "out")
        self.assertIn("isbe.lines", caught.exception.reason)


class PoolTest(support.FolderTest):
    def test_answers_come_in_order_and_the_pool_keeps_to_its_size(self) -> None:
        results = isbesim.run_all([{"isbe_lines": lines} for lines in (1024, 256, 512)], scenario=DRAW, processes=2)
        self.assertEqual([result.config["isbe.lines"] for result in results], [1024, 256, 512])
        program = self.wrapper(f'echo >> {self.folder}/begun; sleep 0.2; wc -l < {self.folder}/begun >> '
                               f'{self.folder}/seen; sed -i 1d {self.folder}/begun')
        isbesim.run_all([{"seed": seed} for seed in range(4)], scenario=DRAW, processes=1, isbesim=program)
        self.assertEqual(set((self.folder / "seen").read_text().split()), {"1"})

    def test_the_first_error_ends_it(self) -> None:
        done = []

        def work(item: int) -> None:
            if item == 1:
                raise isbesim.CheckError("one")
            done.append(item)

        with self.assertRaises(isbesim.CheckError):
            each(work, range(1000), processes=1)
        self.assertLess(len(done), 1000)


class ErrorsTest(support.FolderTest):
    def test_wrong_input(self) -> None:
        with self.assertRaises(isbesim.InputError) as caught:
            isbesim.run(DRAW, isbe_lins=512)
        self.assertIn("isbe.lines", caught.exception.reason)
        file = self.write_text('{\n "arch": "sm50",\n "stages": {"vertx": {}}\n}', "scenario.json")
        with self.assertRaises(isbesim.InputError) as caught:
            isbesim.run(file, check=False)
        error = caught.exception
        self.assertEqual((error.file, error.line), (str(file), 3))
        self.assertEqual(str(error), f"{file}:3:{error.column}: {error.reason}")

    def test_a_failed_check_has_its_result(self) -> None:
        with self.assertRaises(isbesim.WatchdogError) as caught:
            isbesim.run(DRAW, max_cycles=100)
        self.assertEqual((caught.exception.status, caught.exception.result.cycles), ("watchdog", 100))
        result = isbesim.run(DRAW, max_cycles=100, check=False)
        self.assertEqual(result.status, "watchdog")
        self.assertIsInstance(result.error, isbesim.WatchdogError)
        self.assertIn("watchdog", result._repr_html_())

    def test_every_verdict_has_its_exception(self) -> None:
        for status, kind in {"mismatch": isbesim.MismatchError, "trap": isbesim.TrapError,
                             "warning": isbesim.WarningsError, "deadlock": isbesim.DeadlockError,
                             "watchdog": isbesim.WatchdogError, "protocol": isbesim.ProtocolError,
                             "failed": isbesim.CheckError}.items():
            done = subprocess.CompletedProcess([], 1, "", f"isbesim: {status}: why\nmore\n")
            error = outcome_of(done, {"result": {"status": status}}).error()
            self.assertIs(type(error), kind)
            self.assertEqual(str(error), f"{status}: why")

    def test_a_program_that_breaks_down(self) -> None:
        for script, kind, part in (("exit 3", isbesim.InternalError, "3"),
                                   ("kill -9 $$", isbesim.KilledError, "signal 9")):
            program = self.wrapper(f"[[ $1 == run ]] && {script}")
            with self.assertRaises(kind) as caught:
                isbesim.run(DRAW, check=False, isbesim=program)
            self.assertIn(part, str(caught.exception))
        with self.assertRaises(isbesim.NotFoundError):
            isbesim.run(DRAW, isbesim=self.folder / "nothing")


class ServerTest(support.FolderTest):
    def vertices(self, server: Server, file: Path) -> int:
        [answer] = server.run([{"id": "one", "scenario": str(file), "report": True}])
        self.assertEqual(answer.outcome.line, "done")
        return int(json.loads(answer.report)["output"]["vertices_captured"])

    def test_a_scenario_that_has_changed_is_read_again(self) -> None:
        shutil.copytree(support.SCENARIOS / "vs_text", self.folder / "draw")
        file = self.folder / "draw" / "scenario.json"
        text = json.loads(file.read_text())
        del text["expect"]
        with Server(support.ISBESIM, 1) as server:
            process = server.start()
            for count in (4, 2):
                text["draw"]["vertex_count"] = count
                text["attributes"]["0x80"]["words"] = ["0x3f800000"] * 4 * count
                file.write_text(json.dumps(text))
                self.assertEqual([self.vertices(server, file) for _ in range(3)], [count] * 3)
            code = file.parent / "vs.sass"  # a file that the scenario names
            code.write_text("EXIT;\n")
            [answer] = server.run([{"id": "one", "scenario": str(file), "report": True}])
            self.assertEqual(json.loads(answer.report)["instructions"]["ast"], 0)
            self.assertIs(server.start(), process)

    def test_it_outlives_the_thread_that_started_it(self) -> None:
        file = support.SCENARIOS / "vs_text" / "scenario.json"
        with Server(support.ISBESIM, 1) as server:
            first = Thread(target=self.vertices, args=(server, file))
            first.start()
            first.join()
            time.sleep(0.1)
            self.assertEqual(self.vertices(server, file), 4)

    def test_an_interrupt_at_any_line_is_not_followed_by_an_error(self) -> None:
        ignored: list[Any] = []
        servers = []  # kept: an interrupt in a destructor is lost
        self.enterContext(mock.patch("sys.unraisablehook", ignored.append))
        for interrupted in itertools.count(1):
            lines = itertools.count(1)

            def trace(frame: FrameType, event: str, _: Any) -> Any:
                if frame.f_code.co_filename != isbesim.server.__file__:
                    return None
                if event == "line" and next(lines) == interrupted:
                    raise KeyboardInterrupt
                return trace

            sys.settrace(trace)
            try:
                with Server(support.ISBESIM, 1) as server:
                    servers.append(server)
                    self.vertices(server, support.SCENARIOS / "vs_text" / "scenario.json")
                break
            except KeyboardInterrupt:
                pass
            finally:
                sys.settrace(None)
            self.assertEqual(ignored, [])
        self.assertGreater(interrupted, 50)


class EnvTest(support.FolderTest):
    axes: dict[str, list[Any]] = {"isbe.lines": [256, 512, 1024], "isbe.skew": [True, False]}

    def env(self, **keys: Any) -> isbesim.Env:
        return isbesim.Env(DRAW, self.axes, **keys)

    def test_it_has_the_shape_of_an_environment(self) -> None:
        env = self.env(horizon=3)
        observation, info = env.reset(seed=5)
        self.assertIn(observation, env.observation_space)
        self.assertEqual(info["status"], "done")
        self.assertEqual(env.observation_space.shape, observation.shape)
        actions = []
        for step in range(3):
            action = env.action_space.sample()
            self.assertIn(action, env.action_space)
            actions.append(list(action))
            observation, reward, terminated, truncated, info = env.step(action)
            self.assertIn(observation, env.observation_space)
            self.assertEqual((type(reward), terminated, truncated), (float, False, step == 2))
            self.assertEqual(info["settings"], env.settings(action))
        env.reset(seed=5)
        self.assertEqual([list(env.action_space.sample()) for _ in actions], actions)
        self.assertFalse(env.action_space.contains(np.array([3, 0])))
        self.assertFalse(env.action_space.contains(np.array([0.5, 0])))
        self.assertIn(env.observation_space.sample(), env.observation_space)
        with self.assertRaises(isbesim.InputError):
            env.step([3, 0])

    def test_reward_is_the_machines_gain(self) -> None:
        env = self.env(figures={"cycles": 1.0, "proxies.area.mm2": 0.5}, isbe_lines=1024)
        start, _ = env.reset()
        self.assertEqual(list(start), [1, 0, 1, 1])
        base, other = isbesim.run(DRAW, isbe_lines=1024), isbesim.run(DRAW, isbe_lines=512, isbe_skew=False)
        expected = -sum(weight * math.log(other[name] / base[name])
                        for name, weight in (("cycles", 1.0), ("proxies.area.mm2", 0.5)))
        observation, reward, *_ = env.step([1, 1])
        self.assertAlmostEqual(reward, expected)
        self.assertEqual(list(observation[:2]), [0.5, 1])
        self.assertAlmostEqual(observation[2], other.cycles / base.cycles)

    def test_refusal_costs_the_penalty_and_nothing_runs_twice(self) -> None:
        log = self.folder / "log"
        program = self.served(f"open({str(log)!r}, 'a').write('+')")
        env = isbesim.Env(DRAW, {"isbe.lines": [8, 512]}, isbesim=program, penalty=-3)
        env.reset()
        for _ in range(2):
            observation, reward, _, _, info = env.step([0])
            self.assertEqual((reward, observation[-1]), (-3, math.inf))
            self.assertIn("isbe.lines", info["status"])
            env.step([1])
        self.assertEqual(len(log.read_text()), 3)


class ReadmeTest(unittest.TestCase):
    def test_its_code_runs_as_it_stands(self) -> None:
        text = (support.ROOT / "scripts" / "python" / "README.md").read_text(encoding="utf-8")
        blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        self.assertEqual(len(blocks), 2)
        names: dict[str, Any] = {}
        with contextlib.chdir(support.ROOT):
            for block in blocks:
                exec(compile(block, "README.md", "exec"), names)
        self.assertGreater(names["result"].cycles, 0)
        self.assertEqual(names["result"].report["config"]["isbe"]["banks"], 16)
        self.assertFalse(names["terminated"])


class InstallTest(support.FolderTest):
    def test_pip_installs_all_of_it(self) -> None:
        """From a copy, as pip leaves a folder behind."""
        for part in ("scripts/python", "scripts/exploration"):
            shutil.copytree(support.ROOT / part, self.folder / "source" / part)
        site = self.folder / "site"
        done = subprocess.run([sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-deps",
                               "--no-index", "--quiet", "--target", site, self.folder / "source/scripts/python"],
                              capture_output=True, text=True, check=False, timeout=300,
                              env={**os.environ, "ISBESIM_BUILD": str(support.ISBESIM.parent)})
        self.assertEqual(done.returncode, 0, done.stderr)
        script = (f"import isbesim; assert isbesim.__file__.startswith({str(site)!r}); "
                  f"assert str(isbesim.find_simulator().binary) == {str(site / 'bin/isbesim')!r}; "
                  f"found = isbesim.sweep({{'axes': {{'isbe.lines': [256, 512]}}, 'scenarios': "
                  f"[{DRAW.name!r}], 'objective': {{'minimize': 'cycles'}}}}, 'out'); "
                  "found.write_page(); print(list(found.done.cycles), *found.answer)")
        done = subprocess.run([sys.executable, "-c", script], cwd=self.folder, capture_output=True, text=True,
                              check=False, timeout=300,
                              env={**{key: text for key, text in os.environ.items() if key != "ISBESIM"},
                                   "PYTHONPATH": str(site)})
        self.assertIn("Lowest cycles", done.stdout, done.stderr)
        self.assertTrue((self.folder / "out" / "explore.html").exists())
        shipped = {file.relative_to(support.ROOT / "scripts" / "exploration")
                   for file in (support.ROOT / "scripts" / "exploration").rglob("*")
                   if file.is_file() and "__pycache__" not in file.parts and file.suffix not in (".md", ".png", ".svg")}
        exploration = site / "isbesim" / "exploration"
        self.assertEqual({file for file in shipped if not (exploration / file).exists()}, set())
        self.assertTrue(os.access(exploration / Path("slurm") / "status", os.X_OK))
