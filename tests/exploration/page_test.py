# SPDX-License-Identifier: Apache-2.0
"""explore.html: complete, self-contained, and without an error in a browser that is at hand."""

import re
import subprocess
import tempfile
import time
from itertools import product
from typing import Any

import pandas as pd
import support
from exploration.jobs import Folder
from exploration.page import write_page
from exploration.reading import read_sweep
from exploration.results import Results
from studies.draws import Draws

from isbesim.simulator import Simulator

SCENARIO = support.SCENARIOS / "gs_amplify_once" / "scenario.json"


class PageTest(support.FolderTest):
    def page(self, **keys: object) -> Any:
        chosen: dict[str, object] = {
            "title": "Layout <&><!--<script></script>", "question": "Which?",
            "axes": {"isbe.skew": [True, False], "isbe.lines": [512, 1024]},
            "scenarios": [str(SCENARIO)], "metrics": ["latency.ald.p99", "bank_conflicts.efficiency"],
            "objective": {"minimize": "cycles"}, **keys}
        self.result = self.explore(self.write_sweep(**chosen), "--page")
        return self.page_data()

    def lines(self, chart: Any) -> list[Any]:
        return [line for panel in chart["panels"] for line in panel["lines"]]

    def test_every_chart_has_data_and_units(self) -> None:
        page = self.page()
        self.assertEqual(list(page["charts"]), ["overview", "stacks", "sensitivity", "pareto", "parallel"])
        for name in ("overview", "sensitivity"):
            chart = page["charts"][name]
            self.assertTrue(chart["ylabel"])
            for panel in chart["panels"]:
                self.assertTrue(panel.get("xlabel") or chart["xlabel"])
            for line in self.lines(chart):
                self.assertGreater(len(line["x"]), 0, name)
                self.assertEqual(len(line["x"]), len(line["y"]), name)
                self.assertEqual(line["x"], sorted(line["x"]), f"{name} goes from left to right")
        columns = {column["name"]: column for column in page["data"]["columns"]}
        self.assertEqual(list(columns)[:3], ["isbe.skew", "isbe.lines", "cycles"])
        self.assertEqual(columns["proxies.area.mm2"]["unit"], "mm²")
        self.assertEqual(page["charts"]["pareto"]["pairs"][0], ["cycles", "proxies.area.mm2"])
        cycles = {int(row["point"]): int(row["cycles"]) for row in self.rows()}
        self.assertEqual(dict(zip(page["data"]["points"], columns["cycles"]["values"])), cycles)

    def test_the_page_names_machine_version_and_command(self) -> None:
        of = self.page(base={"machine": "gm107", "isbe.contexts": 32})["of"]
        self.assertRegex(of, "^Machine gm107 with isbe.contexts = 32, over isbe.skew, isbe.lines; back end at; isbesim "
                             "[0-9.]+; 20..-..-..T..:..:..Z; scripts/explore .*sweep.json ")
        self.assertRegex(self.page(axes={"machine": ["gm107", "tu102"]})["of"], "^Machine by axis, over machine; back ")

    def test_it_is_the_same_in_every_locale(self) -> None:
        sweep = self.write_sweep(title="Größe in µm²", objective={"minimize": "cycles"})
        pages = []
        for out, locale in (("whole", {"LC_ALL": "C.UTF-8"}),
                            ("ascii", {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"})):
            # As scripts/explore starts it.
            python, *words = self.command(sweep, "--page", out=f"Größe {out}")
            done = subprocess.run([python, "-Xutf8", *words], capture_output=True, encoding="utf-8", check=False,
                                  env={**support.environment(), **locale})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"page:    {self.folder / f'Größe {out}'}", done.stdout)
            pages.append((self.folder / f"Größe {out}" / "explore.html").read_bytes())
        # And from a program of one's own, whose Python reads files by the locale.
        script = (f"import isbesim; isbesim.sweep({str(sweep)!r}, {str(self.folder / 'own')!r}, "
                  f"isbesim={str(support.ISBESIM)!r}).write_page()")
        done = subprocess.run([python, "-c", script], capture_output=True, encoding="utf-8", check=False,
                              env={**support.environment(), **locale})
        self.assertEqual(done.returncode, 0, done.stderr)
        pages.append((self.folder / "own" / "explore.html").read_bytes())
        for page in pages[1:]:  # but for date and command
            self.assertEqual(*(re.sub(rb'"of":".*?","charts"', b"", each) for each in (pages[0], page)))
        for text in ("Größe in µm²", "(mm²)"):
            self.assertTrue(text in pages[1].decode(), text)

    def test_the_words_quote_the_table(self) -> None:
        page = self.page()
        rows = {int(row["point"]): row for row in self.rows()}
        least = min(rows.values(), key=lambda row: int(row["cycles"]))
        self.assertIn(f"Lowest cycles: {int(least['cycles']):,} at point {least['point']}", page["answer"][0])
        self.assertIn(f"Lowest cycles: {int(least['cycles']):,} at point {least['point']}", self.result.stdout)
        self.assertEqual(page["title"], "Layout <&><!--<script></script>")
        ratio = ((int(rows[2]["cycles"]) * int(rows[3]["cycles"])) /
                 (int(rows[0]["cycles"]) * int(rows[1]["cycles"]))) ** 0.5
        self.assertIn(f"true is best: cycles with false is {ratio:.3g} times as high", str(page["effects"]))

    def test_interacting_keys_have_plots_of_their_own(self) -> None:
        """Unskewed, 32 attributes conflict in 32, 16 and 8 banks alike, four not at all in 8: a mean over the banks
        would show neither."""
        draws = Draws(self.folder / "draws")
        entries = [draws.vertex(count, 320) for count in (4, 32)]
        page = self.page(axes={"isbe.skew": [True, False], "isbe.banks": [8, 16, 32]}, scenarios=entries,
                         objective={"minimize": "bank_conflicts.passes"})
        chart = page["charts"]["overview"]
        titles = [panel["title"] for panel in chart["panels"]]
        self.assertEqual(len(titles), len(set(titles)))
        shown = {(line["name"], float(y)) for line in self.lines(chart) for y in line["y"]}
        reported = {(f"isbe.skew = {row['isbe.skew']}", float(row["bank_conflicts.passes"])) for row in self.rows()}
        # Every run is on the page with its own value, and no mean instead.
        self.assertEqual(len(titles) * 2, len(self.lines(chart)))
        self.assertEqual(shown, reported)
        self.assertIn("one panel per", chart["text"])

    def test_keys_of_some_draws_divide_no_plots(self) -> None:
        """Each value bends the lines, and no draw has both: there is no plot that a pair of values belongs to."""
        draws = Draws(self.folder / "draws")
        values: list[dict[str, int]] = [{"a": 4}, {"a": 32}, {"b": 5}, {"b": 64}]
        entries = [{**draws.vertex(next(iter(value.values())), 320), "values": value} for value in values]
        page = self.page(axes={"isbe.skew": [True, False], "isbe.banks": [8, 16, 32]}, scenarios=entries,
                         objective={"minimize": "bank_conflicts.passes"})
        self.assertTrue(self.lines(page["charts"]["overview"]))

    def test_logarithmic_sweeps_have_logarithmic_axes(self) -> None:
        page = self.page(axes={"isbe.lines": {"log": [512, 1024], "count": 4, "step": 8}})
        self.assertTrue(page["charts"]["overview"]["logx"])
        self.assertTrue(next(column for column in page["data"]["columns"] if column["name"] == "isbe.lines")["log"])

    def bars(self, page: Any) -> dict[tuple[str, str], dict[str, float]]:
        """Bars of the stacks: (heading, value) -> part -> share."""
        found: dict[tuple[str, str], dict[str, float]] = {}
        heading = ""
        for name, *rest in page["charts"]["stacks"]["rows"]:
            if rest:
                self.assertEqual(rest[0], 100)
                self.assertAlmostEqual(sum(rest[1].values()), 100)
                found[heading, name] = rest[1]
            else:
                heading = name
        return found

    def test_every_value_is_in_the_breakdown_and_every_draw_has_a_line(self) -> None:
        depths = list(range(1, 13))
        other = support.SCENARIOS / "gs_pass" / "scenario.json"
        page = self.page(axes={"isbe.request_queue_depth": depths}, scenarios=[str(SCENARIO), str(other)])
        bars = self.bars(page)
        self.assertEqual({title for title, _ in bars}, {"pass engine", "warp schedulers", "vertex fetch"})
        for title in {title for title, _ in bars}:
            self.assertEqual([value for of, value in bars if of == title], [str(depth) for depth in depths])
        overview = page["charts"]["overview"]
        self.assertEqual(len([line for line in self.lines(overview) if line.get("thin")]), 2)
        self.assertIn("Thin lines are single draws.", overview["text"])

    def test_breakdown_has_a_panel_for_each_value_of_the_main_key(self) -> None:
        """Skewed there are no conflicts; a mean over both layouts would show half of the others'."""
        bars = self.bars(self.page(axes={"isbe.lines": [512, 1024], "isbe.skew": [False, True]}))
        for row in self.rows():
            shown = bars[f"pass engine, isbe.skew = {row['isbe.skew']}", row["isbe.lines"]]
            cycles = float(row["cycles"])
            self.assertAlmostEqual(shown.get("bank_conflict", 0), 100 * float(row["stalls.bank_conflict"]) / cycles)
            # Operations that touch no bank work, too.
            self.assertGreaterEqual(shown["passes"], 100 * float(row["bank_conflicts.ideal_passes"]) / cycles)
            schedulers = bars[f"warp schedulers, isbe.skew = {row['isbe.skew']}", row["isbe.lines"]]
            of = cycles * float(row["config.schedulers_per_sm"])
            for part in ("scoreboard", "drain"):
                self.assertAlmostEqual(schedulers.get(part, 0), 100 * float(row[f"stalls.{part}"]) / of)

    def test_values_have_the_order_of_the_sweep(self) -> None:
        """Whatever a sample met first."""
        for seed in (1, 2):
            page = self.page(axes={"isbe.banks": [8, 16, 32], "isbe.lines": [512, 768, 1024, 1280]},
                             sample={"count": 7, "seed": seed})
            orders = [panel["words"] for panel in page["charts"]["sensitivity"]["panels"]]
            for title in {title for title, _ in self.bars(page)}:
                orders.append([value for of, value in self.bars(page) if of == title])
            for order in orders:
                self.assertEqual(order, sorted(order, key=int))

    def test_ten_thousand_points_are_written_soon_and_stay_small(self) -> None:
        """An axis of 250 values; the runs are copies of one, with cycles of a formula."""
        self.page(axes={"isbe.lines": [512]})
        axes: dict[str, Any] = {"isbe.lines": list(range(512, 2512, 8)), "isbe.response_queue_depth": [1, 2, 3, 4],
                                "isbe.request_queue_depth": list(range(1, 11))}
        simulator = Simulator(support.ISBESIM)
        rows = self.rows()[0]
        sweep = read_sweep(self.write_sweep(axes=axes, scenarios=[str(SCENARIO)], objective={"minimize": "cycles"}),
                           simulator)
        points = [dict(zip(axes, values)) for values in product(*axes.values())]
        table = pd.DataFrame([{**rows, "point": number, "status": "done", **point, "cycles": 1000 + 7 * number % 5003}
                              for number, point in enumerate(points)], dtype=object)
        stacks = pd.DataFrame([{"point": number, "scenario": rows["scenario"], "resource": "scheduler", "part": part,
                                "share": share} for number in range(len(points))
                               for part, share in (("issue", .25), ("scoreboard", .75))])
        start = time.process_time()
        page = write_page(sweep, Results(table, pd.DataFrame(), pd.DataFrame(), stacks),
                          Folder(self.folder / "out"), simulator)
        self.assertLess(time.process_time() - start, 3)
        self.assertLess(page.stat().st_size, 3_000_000)
        self.assertEqual(len(self.page_data()["data"]["points"]), 10_000)

    def test_the_smallest_within_reach_is_the_answer(self) -> None:
        page = self.page(axes={"isbe.lines": [256, 512, 1024, 2048]},
                         objective={"within": 0.02, "minimize": "isbe.lines"})
        cycles = {int(row["isbe.lines"]): int(row["cycles"]) for row in self.rows()}
        least = min(lines for lines, count in cycles.items() if count <= 1.02 * min(cycles.values()))
        self.assertIn(f"Lowest isbe.lines within 2 % of the best cycles: {least:,} at point", page["answer"][0])
        self.assertIn(f"Lowest isbe.lines within 2 % of the best cycles: {least:,} at point", self.result.stdout)

    def test_nothing_comes_from_elsewhere(self) -> None:
        self.page()
        page = (self.folder / "out" / "explore.html").read_text()
        self.assertNotRegex(page, r"(src|href)=\"(?!data:)")
        for elsewhere in ("@import", "url(", "https:"):
            self.assertNotIn(elsewhere, page)

    def test_failures_and_no_objective(self) -> None:
        page = self.page(max_cycles=300, objective=None, metrics=[])
        self.assertEqual(self.result.returncode, 1)
        self.assertIn("watchdog", page["parts"]["Failures"]["rows"][0][2])
        self.assertIn("names no objective", page["answer"][0])
        self.assertEqual(page["charts"], {})
        self.assertEqual(self.page(axes={"isbe.lines": [512]})["charts"], {})  # a point has nothing beside it

    def shown(self, script: str, *options: str) -> "subprocess.CompletedProcess[str]":
        """The page after a script of the test has run in it."""
        page = (self.folder / "out" / "explore.html").read_text()
        (self.folder / "probe.html").write_text(page.replace("</body>", f"<script>{script}</script></body>"))
        with tempfile.TemporaryDirectory() as profile:
            done = subprocess.run(
                [self.browser(), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync",
                 f"--user-data-dir={profile}", "--enable-logging=stderr", "--v=0", *options,
                 "--virtual-time-budget=8000", "--dump-dom", f"file://{self.folder}/probe.html"],
                capture_output=True, text=True, check=False, timeout=300)
        self.assertNotIn("CONSOLE", done.stderr)
        return done

    def test_text_can_be_read_at_every_width(self) -> None:
        """Long names beside each other, a plot for each value of two axes, a menu, more bars than names have room."""
        self.browser()
        script = (support.ROOT / "tests" / "support" / "page_layout.js").read_text()
        axes: dict[str, list[Any]] = {"isbe.skew": [True, False], "isbe.response_queue_depth": [1, 2, 16],
                                      "isbe.arbitration": ["round_robin", "fixed_priority"]}
        grid: dict[str, Any] = {}
        search: dict[str, Any] = {"objective": None, "search": {"budget": 6, "seed": 1}}
        bars: dict[str, Any] = {"axes": {"isbe.lines": list(range(512, 1312, 8))}}
        for keys in (grid, search, bars):
            self.page(**{"axes": axes, "metrics": ["bank_conflicts.efficiency", "occupancy.isbe_lines_mean"], **keys})
            for width in (500, 1300):
                shown = self.shown(script, f"--window-size={width},2000")
                found = re.search('<pre id="layout">(.*?)</pre>', shown.stdout, re.DOTALL)
                self.assertIsNotNone(found, "the page's scripts did not end")
                labels, *problems = found.group(1).strip().splitlines()
                self.assertEqual(problems, [], f"{keys} at {width}")
                self.assertGreater(int(labels.split()[0]), 40)

    def test_a_browser_shows_it_without_an_error(self) -> None:
        self.browser()
        self.page(title="plain")
        # Points by hand, the last one without y; whether more is better in x, in y.
        xs, ys = "values: [1, 2, 3, 2, 4, 0], more: ", "values: [9, 5, 5, 4, 1, null], more: "
        fronts = ", ".join(f"front({{{xs}{x}}}, {{{ys}{y}}})"
                           for x, y in (("false", "false"), ("true", "false"), ("true", "true")))
        probe = ("addEventListener('load', () => { document.title = 'shown:' + "
                 "[...document.querySelectorAll('figure')].map(p => p.id + p.querySelectorAll('.data > *').length)"
                 f" + ':' + [{fronts}].map(of => of.join(' ')); }});")
        shown = self.shown(probe)
        found = re.search("<title>shown:(.*?):(.*?)</title>", shown.stdout)
        self.assertIsNotNone(found, "the page's scripts did not end")
        counts = {name: int(count) for name, count in re.findall("([a-z]+)([0-9]+)", found.group(1))}
        self.assertEqual(list(counts), ["overview", "stacks", "sensitivity", "pareto", "parallel"])
        self.assertTrue(all(counts.values()), counts)
        self.assertEqual(found.group(2), "0 3 4,4,4 2 0")
