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

    def data(self, page: str, name: str) -> Any:
        return json.loads(re.search(rf'id="{name}">(.*?)</script>', page).group(1))

    def test_every_plot_has_data_and_units(self) -> None:
        page = self.page()
        figures = self.data(page, "figures")
        self.assertEqual(list(figures), ["overview", "stalls", "sensitivity", "pareto"])
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
        lines = self.data(page, "lines")
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
        self.assertEqual(pages[0], pages[1])
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

    def test_what_bends_the_lines_has_plots_of_its_own(self) -> None:
        """Unskewed, 32 attributes conflict in 32, 16 and 8 banks alike, four not at all in 8: a mean over the banks
        would show neither."""
        draws = Draws(self.folder / "draws")
        entries = [draws.vertex(count, 320) for count in (4, 32)]
        page = self.page(axes={"isbe.skew": [True, False], "isbe.banks": [8, 16, 32]}, scenarios=entries,
                         objective={"minimize": "bank_conflicts.passes"})
        figure = self.data(page, "figures")["overview"]
        titles = [note["text"] for note in figure["layout"]["annotations"]]
        self.assertEqual(len(titles), len(set(titles)))
        shown = {(trace["name"], float(y)) for trace in figure["data"] for y in trace["y"]}
        reported = {(f"isbe.skew = {row['isbe.skew']}", float(row["bank_conflicts.passes"])) for row in self.rows()}
        # Every run is on the page with its own value, and no mean instead.
        self.assertEqual(len(titles) * 2, len(figure["data"]))
        self.assertEqual(shown, reported)
        self.assertIn("one plot per", page)

    def test_logarithmic_sweeps_have_logarithmic_axes(self) -> None:
        page = self.page(axes={"isbe.lines": {"log": [512, 1024], "count": 4, "step": 8}})
        figure = self.data(page, "figures")["overview"]
        self.assertEqual(figure["layout"]["xaxis"]["type"], "log")
        axis = next(axis for axis in self.data(page, "lines")["axes"] if axis["name"] == "isbe.lines")
        self.assertTrue(axis["log"])

    def test_every_value_is_in_the_breakdown_and_every_draw_has_a_line(self) -> None:
        depths = list(range(1, 13))
        other = support.SCENARIOS / "gs_pass" / "scenario.json"
        page = self.page(axes={"isbe.request_queue_depth": depths}, scenarios=[str(SCENARIO), str(other)])
        figures = self.data(page, "figures")
        self.assertEqual([trace["name"] for trace in figures["stalls"]["data"]],
                         [f"isbe.request_queue_depth = {depth}" for depth in depths])
        colours = [trace["marker"]["color"] for trace in figures["stalls"]["data"]]
        self.assertEqual(len(set(colours)), len(depths))
        thin = [trace for trace in figures["overview"]["data"] if trace["mode"] == "lines"]
        self.assertEqual(len(thin), 2)
        self.assertIn("Thin lines are single draws.", page)

    def test_the_breakdown_has_a_plot_for_each_value_of_what_matters(self) -> None:
        """Skewed there are no conflicts; a mean over both layouts would show half of the others'."""
        page = self.page(axes={"isbe.lines": [512, 1024], "isbe.skew": [False, True]})
        figure = self.data(page, "figures")["stalls"]
        titles = [note["text"] for note in figure["layout"]["annotations"]]
        self.assertEqual(titles, ["isbe.skew = false", "isbe.skew = true"])
        shown = [(titles[trace["xaxis"] != "x"], trace["name"], reason, value) for trace in figure["data"]
                 for reason, value in zip(trace["x"], trace["y"])]
        reasons = {reason for _, _, reason, _ in shown}
        self.assertEqual(set(shown), {
            (f"isbe.skew = {row['isbe.skew']}", f"isbe.lines = {row['isbe.lines']}", reason,
             float(row[f"stalls.{reason}"])) for row in self.rows() for reason in reasons})

    def test_values_have_the_order_of_the_sweep(self) -> None:
        """Whatever a sample met first."""
        for seed in (1, 2):
            page = self.page(axes={"isbe.banks": [8, 16, 32], "isbe.lines": [512, 768, 1024, 1280]},
                             sample={"count": 7, "seed": seed})
            figures = self.data(page, "figures")
            for trace in figures["sensitivity"]["data"]:
                self.assertEqual(trace["x"], sorted(trace["x"], key=int))
            names = list(dict.fromkeys(trace["name"] for trace in figures["stalls"]["data"]))
            self.assertEqual(names, sorted(names, key=lambda name: int(name.rsplit(" ", 1)[-1])))

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

    def test_a_browser_shows_it_without_an_error(self) -> None:
        browser = self.browser()
        page = self.page()
        probe = ("<script>addEventListener('load', () => { document.title = 'shown:' + "
                 "[...document.querySelectorAll('.plot[id]')].map(p => p.querySelectorAll('.trace, .point').length)"
                 ".concat([document.querySelectorAll('svg.parallel .line').length]).join(); });</script></body>")
        (self.folder / "probe.html").write_text(page.replace("</body>", probe))
        with tempfile.TemporaryDirectory() as profile:
            shown = subprocess.run(
                [browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync",
                 f"--user-data-dir={profile}", "--enable-logging=stderr", "--v=0",
                 "--virtual-time-budget=5000", "--dump-dom", f"file://{self.folder}/probe.html"],
                capture_output=True, text=True, check=False, timeout=300)
        self.assertNotIn("CONSOLE", shown.stderr)
        found = re.search("<title>shown:([0-9,]+)</title>", shown.stdout)
        self.assertIsNotNone(found, "the page's scripts did not end")
        counts = [int(count) for count in found.group(1).split(",")]
        self.assertEqual(len(counts), 5)
        self.assertTrue(all(counts), counts)
        self.assertEqual(counts[-1], 4)
