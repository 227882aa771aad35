# SPDX-License-Identifier: Apache-2.0
"""explore.html: complete, self-contained, and without an error in a browser that is at hand."""

import json
import re
import subprocess
import tempfile
from typing import Any

import support
from studies.draws import Draws

SCENARIO = support.SCENARIOS / "gs_amplify_once" / "scenario.json"


class PageTest(support.FolderTest):
    def page(self, **keys: object) -> str:
        chosen: dict[str, object] = {
            "title": "Layout <&>", "question": "Which?",
            "axes": {"isbe.skew": [True, False], "isbe.lines": [512, 1024]},
            "scenarios": [str(SCENARIO)], "metrics": ["latency.ald.p99", "bank_conflicts.efficiency"],
            "objective": {"minimize": "cycles"}, **keys}
        sweep = self.write_sweep(**chosen)
        self.result = self.explore(sweep, "--page")
        return (self.folder / "out" / "explore.html").read_text()

    def test_every_plot_has_data_and_units(self) -> None:
        self.page()
        figures = self.page_data("figures")
        self.assertEqual(list(figures), ["overview", "stacks", "sensitivity", "pareto"])
        for name, figure in figures.items():
            for trace in figure["data"]:
                self.assertGreater(len(trace["x"]), 0, name)
                self.assertEqual(len(trace["x"]), len(trace["y"]), name)
            for key, axis in figure["layout"].items():
                if re.fullmatch("xaxis[0-9]*", key):
                    self.assertTrue(axis["title"]["text"], name)
        self.assertEqual(figures["pareto"]["layout"]["xaxis"]["title"]["text"], "proxies.area.mm2 (mm²)")
        cycles = {int(row["point"]): int(row["cycles"]) for row in self.rows()}
        self.assertEqual(figures["pareto"]["data"][0]["y"], [cycles[point] for point in sorted(cycles)])
        lines = self.page_data("lines")
        self.assertEqual(len(lines["rows"]), 4)
        self.assertEqual([axis["name"] for axis in lines["axes"]][:3], ["isbe.skew", "isbe.lines", "cycles"])

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
        self.assertEqual(pages[0], pages[1])
        self.assertEqual(pages[0], pages[2])
        for text in ("Größe in µm²", "(mm²)"):
            self.assertIn(text, json.dumps(pages[1].decode(), ensure_ascii=False))

    def test_the_words_quote_the_table(self) -> None:
        page = self.page()
        rows = {int(row["point"]): row for row in self.rows()}
        least = min(rows.values(), key=lambda row: int(row["cycles"]))
        self.assertIn(f"Lowest cycles: {int(least['cycles']):,} at point {least['point']}", page)
        self.assertIn(f"Lowest cycles: {int(least['cycles']):,} at point {least['point']}", self.result.stdout)
        self.assertIn("Layout &lt;&amp;&gt;", page)
        ratio = ((int(rows[2]["cycles"]) * int(rows[3]["cycles"])) /
                 (int(rows[0]["cycles"]) * int(rows[1]["cycles"]))) ** 0.5
        self.assertIn(f"true is best: cycles with false is {ratio:.3g} times as high", page)

    def test_interacting_keys_have_plots_of_their_own(self) -> None:
        """Unskewed, 32 attributes conflict in 32, 16 and 8 banks alike, four not at all in 8: a mean over the banks
        would show neither."""
        draws = Draws(self.folder / "draws")
        entries = [draws.vertex(count, 320) for count in (4, 32)]
        page = self.page(axes={"isbe.skew": [True, False], "isbe.banks": [8, 16, 32]}, scenarios=entries,
                         objective={"minimize": "bank_conflicts.passes"})
        figure = self.page_data("figures")["overview"]
        titles = [note["text"] for note in figure["layout"]["annotations"]]
        self.assertEqual(len(titles), len(set(titles)))
        shown = {(trace["name"], float(y)) for trace in figure["data"] for y in trace["y"]}
        reported = {(f"isbe.skew = {row['isbe.skew']}", float(row["bank_conflicts.passes"])) for row in self.rows()}
        # Every run is on the page with its own value, and no mean instead.
        self.assertEqual(len(titles) * 2, len(figure["data"]))
        self.assertEqual(shown, reported)
        self.assertIn("one plot per", page)

    def test_keys_of_some_draws_divide_no_plots(self) -> None:
        """Each value bends the lines, and no draw has both: there is no plot that a pair of values belongs to."""
        draws = Draws(self.folder / "draws")
        values: list[dict[str, int]] = [{"a": 4}, {"a": 32}, {"b": 5}, {"b": 64}]
        entries = [{**draws.vertex(next(iter(value.values())), 320), "values": value} for value in values]
        self.page(axes={"isbe.skew": [True, False], "isbe.banks": [8, 16, 32]}, scenarios=entries,
                  objective={"minimize": "bank_conflicts.passes"})
        self.assertTrue(self.page_data("figures")["overview"]["data"])

    def test_logarithmic_sweeps_have_logarithmic_axes(self) -> None:
        self.page(axes={"isbe.lines": {"log": [512, 1024], "count": 4, "step": 8}})
        figure = self.page_data("figures")["overview"]
        self.assertEqual(figure["layout"]["xaxis"]["type"], "log")
        axis = next(axis for axis in self.page_data("lines")["axes"] if axis["name"] == "isbe.lines")
        self.assertTrue(axis["log"])

    def bars(self, figure: Any) -> dict[tuple[str, str], dict[str, float]]:
        """Of a plot of stacked bars: (title, value) -> part -> height."""
        titles = [note["text"] for note in figure["layout"]["annotations"]]
        found: dict[tuple[str, str], dict[str, float]] = {}
        for trace in figure["data"]:
            title = titles[int(trace["xaxis"][1:] or 1) - 1]
            for value, height in zip(trace["x"], trace["y"]):
                found.setdefault((title, value), {})[trace["name"]] = height
        return found

    def test_every_value_is_in_the_breakdown_and_every_draw_has_a_line(self) -> None:
        depths = list(range(1, 13))
        other = support.SCENARIOS / "gs_pass" / "scenario.json"
        page = self.page(axes={"isbe.request_queue_depth": depths}, scenarios=[str(SCENARIO), str(other)])
        figures = self.page_data("figures")
        bars = self.bars(figures["stacks"])
        self.assertEqual({value for _, value in bars}, {str(depth) for depth in depths})
        self.assertEqual({title for title, _ in bars}, {"pass engine", "warp schedulers", "vertex fetch"})
        for parts in bars.values():
            self.assertAlmostEqual(sum(parts.values()), 100)
        thin = [trace for trace in figures["overview"]["data"] if trace["mode"] == "lines"]
        self.assertEqual(len(thin), 2)
        self.assertIn("Thin lines are single draws.", page)

    def test_breakdown_has_a_plot_for_each_value_of_the_main_key(self) -> None:
        """Skewed there are no conflicts; a mean over both layouts would show half of the others'."""
        self.page(axes={"isbe.lines": [512, 1024], "isbe.skew": [False, True]})
        bars = self.bars(self.page_data("figures")["stacks"])
        for row in self.rows():
            shown = bars[f"pass engine, isbe.skew = {row['isbe.skew']}", row["isbe.lines"]]
            cycles = float(row["cycles"])
            for part, figure in (("bank conflicts", "stalls.bank_conflict"), ("works", "bank_conflicts.ideal_passes")):
                if part == "bank conflicts":
                    self.assertAlmostEqual(shown[part], 100 * float(row[figure]) / cycles)
                else:  # operations that touch no bank work, too
                    self.assertGreaterEqual(shown[part], 100 * float(row[figure]) / cycles)
            schedulers = bars[f"warp schedulers, isbe.skew = {row['isbe.skew']}", row["isbe.lines"]]
            waits = float(row["stalls.scoreboard"]) + float(row["stalls.drain"])
            of = cycles * float(row["config.schedulers_per_sm"])
            self.assertAlmostEqual(schedulers["waits for data"], 100 * waits / of)
            for parts in (shown, schedulers):
                self.assertAlmostEqual(sum(parts.values()), 100)

    def test_values_have_the_order_of_the_sweep(self) -> None:
        """Whatever a sample met first."""
        for seed in (1, 2):
            self.page(axes={"isbe.banks": [8, 16, 32], "isbe.lines": [512, 768, 1024, 1280]},
                      sample={"count": 7, "seed": seed})
            figures = self.page_data("figures")
            for trace in figures["sensitivity"]["data"]:
                self.assertEqual(trace["x"], sorted(trace["x"], key=int))
            for trace in figures["stacks"]["data"]:
                self.assertEqual(trace["x"], sorted(trace["x"], key=int))

    def test_the_smallest_within_reach_is_the_answer(self) -> None:
        page = self.page(axes={"isbe.lines": [256, 512, 1024, 2048]},
                         objective={"within": 0.02, "minimize": "isbe.lines"})
        cycles = {int(row["isbe.lines"]): int(row["cycles"]) for row in self.rows()}
        least = min(lines for lines, count in cycles.items() if count <= 1.02 * min(cycles.values()))
        self.assertIn(f"Lowest isbe.lines within 2 % of the best cycles: {least:,} at point", page)
        self.assertIn(f"Lowest isbe.lines within 2 % of the best cycles: {least:,} at point", self.result.stdout)

    def test_nothing_comes_from_elsewhere(self) -> None:
        page = self.page()
        own = page.replace(re.search(r"<script>(.*?)</script>", page, re.DOTALL).group(1), "")  # plotly itself
        self.assertNotRegex(own, r"(src|href)=\"(?!data:)")
        self.assertNotIn("@import", own)

    def test_failures_and_no_objective(self) -> None:
        page = self.page(max_cycles=300, objective=None, metrics=[])
        self.assertEqual(self.result.returncode, 1)
        self.assertIn("<h2>Failures</h2>", page)
        self.assertIn("watchdog", page)
        self.assertIn("names no objective", page)

    def shown(self, page: str, script: str, *options: str) -> "subprocess.CompletedProcess[str]":
        """The page after a script of the test has run in it."""
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
        """Long names beside each other, a plot for each value of two axes, a menu."""
        self.browser()
        script = (support.ROOT / "tests" / "support" / "page_layout.js").read_text()
        axes: dict[str, list[Any]] = {"isbe.skew": [True, False], "isbe.response_queue_depth": [1, 2, 16],
                                      "isbe.arbitration": ["round_robin", "fixed_priority"]}
        grid: dict[str, Any] = {}
        search: dict[str, Any] = {"objective": None, "search": {"budget": 6, "seed": 1}}
        for keys in (grid, search):
            page = self.page(axes=axes, metrics=["bank_conflicts.efficiency", "occupancy.isbe_lines_mean"], **keys)
            for width in (500, 1300):
                shown = self.shown(page, script, f"--window-size={width},2000")
                found = re.search('<pre id="layout">(.*?)</pre>', shown.stdout, re.DOTALL)
                self.assertIsNotNone(found, "the page's scripts did not end")
                labels, *problems = found.group(1).strip().splitlines()
                self.assertEqual(problems, [], f"{keys} at {width}")
                self.assertGreater(int(labels.split()[0]), 40)

    def test_a_browser_shows_it_without_an_error(self) -> None:
        self.browser()
        probe = ("addEventListener('load', () => { document.title = 'shown:' + "
                 "[...document.querySelectorAll('.plot[id]')].map(p => p.querySelectorAll('.trace, .point').length)"
                 ".concat([document.querySelectorAll('svg.parallel .line').length]).join(); });")
        shown = self.shown(self.page(), probe)
        found = re.search("<title>shown:([0-9,]+)</title>", shown.stdout)
        self.assertIsNotNone(found, "the page's scripts did not end")
        counts = [int(count) for count in found.group(1).split(",")]
        self.assertEqual(len(counts), 5)
        self.assertTrue(all(counts), counts)
        self.assertEqual(counts[-1], 4)
