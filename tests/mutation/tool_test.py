#!/usr/bin/python3 -Xutf8
# SPDX-License-Identifier: Apache-2.0
"""The mutation tool on small lists: what it writes, and that it takes nothing wrong for something right."""
from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "conformance")]

import building
import crosscheck
import crosscheck_campaign
import crosscheck_operators
import equivalence
import fork_campaign
import fork_operators
import model_building
import model_campaign
import operator_campaign
import operators
import report
import rewrite
import rtl_batches
import running
import side_campaign
import sites
from equivalents import explained

SOURCE = """int twice(int x)
{
    if (x < 0) return 0;
    return 2 * x;
}
int thrice(int x)
{
    return 2 * x + x;
}
"""
MAIN = """#include <cstdlib>
int twice(int);
int main(int, char** argv) { return twice(std::atoi(argv[1])); }
"""


class Folder(unittest.TestCase):
    def setUp(self) -> None:
        self.kept = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.kept.name)
        (self.root / "models").mkdir()
        (self.root / "models" / "a.cpp").write_text(SOURCE)

    def tearDown(self) -> None:
        self.kept.cleanup()

    def load(self, text: str) -> list[sites.Mutation]:
        (self.root / "list.toml").write_text(text)
        return sites.load(self.root / "list.toml")


class List(Folder):
    ONE = "[m]\nbreaks = 'ALD-01: b'\n'models/a.cpp' = "

    def stale(self, edit: str) -> list[str]:
        return sites.stale(self.load(self.ONE + edit), self.root, pathlib.Path("list.toml"))

    def test_anchor_is_there_once(self) -> None:
        self.assertEqual(self.stale("'x < 0 -> x <= 0'"), [])
        self.assertIn("occurs 0 times; the source has changed", self.stale("'x > 0 -> 1'")[0])
        self.assertIn("'2 * x' occurs 2 times", self.stale("'2 * x -> 1'")[0])
        self.assertEqual(self.stale("{ near = 'int thrice', edit = '2 * x -> 1' }"), [])
        self.assertIn("near = 'int' occurs", self.stale("{ near = 'int', edit = '2 * x -> 1' }")[0])
        self.assertIn("does not occur behind", self.stale("{ near = 'int thrice', edit = 'x < 0 -> 1' }")[0])

    def test_file_that_is_gone(self) -> None:
        text = self.ONE.replace("a.cpp", "b.cpp") + "'x -> y'"
        self.assertIn("no such file", sites.stale(self.load(text), self.root, pathlib.Path("l"))[0])

    def test_forms_and_kinds_of_edits(self) -> None:
        text = "['a -> b', { near = 'n', edit = 'c; -> d;' }, { old = \"e\\nf;\", new = '' }, \"g ->\\nMUTANT h\"]"
        self.assertEqual([(edit.old, edit.new, edit.kind, edit.near) for edit in self.load(self.ONE + text)[0].edits],
                         [("a", "b", "expression", ""), ("c;", "d;", "statement", "n"), ("e\nf;", "", "statement", ""),
                          ("g", "MUTANT h", "text", "")])

    def test_wrong_lists(self) -> None:
        good = self.ONE + "'x < 0 -> true'\n"
        for wrong in ("x = [", good + good, good.replace("[m]", "[[m]]"), self.ONE.split("'models")[0],
                      good.replace("breaks", "brakes"), good.replace("->", "="), good.replace("true", "x < 0"),
                      self.ONE + "{ old = 'x < 0' }", self.ONE + "3", good.replace("ALD-01: ", "")):
            with self.assertRaises(sites.ListError, msg=wrong):
                self.load(wrong)

    def test_list_of_this_project_loads(self) -> None:
        self.assertGreater(len(sites.load(HERE / "mutations.toml")), 80)


def edit(old: str, new: str, kind: str = "expression", near: str = "") -> sites.Edit:
    return sites.Edit("models/a.cpp", old, new, kind, near)


class Copy(Folder):
    def test_kinds(self) -> None:
        text = rewrite.rewrite(SOURCE, [(1, edit("x < 0", "true")),
                                        (2, edit("return 2 * x;", "return 3;", "statement")),
                                        (3, edit("+ x;", "+ (MUTANT ? 0 : x);", "text"))])
        self.assertIn("if ((isbesim_mutant(1) ? (true) : (x < 0))) return 0;", text)
        self.assertIn("{ if (isbesim_mutant(2)) { return 3; } else { return 2 * x; } }", text)
        self.assertIn("+ (isbesim_mutant(3) ? 0 : x);", text)

    def test_two_on_one_text(self) -> None:
        text = rewrite.rewrite(SOURCE, [(1, edit("x < 0", "true")), (2, edit("x < 0", "false"))])
        self.assertIn("(isbesim_mutant(2) ? (false) : ((isbesim_mutant(1) ? (true) : (x < 0))))", text)

    def test_one_inside_another(self) -> None:
        text = rewrite.rewrite(SOURCE, [(1, edit("x < 0", "true")), (2, edit("(x < 0)", "(false)"))])
        self.assertIn("if (isbesim_mutant(2) ? ((false)) : (((isbesim_mutant(1) ? (true) : (x < 0))))) return 0;", text)

    def test_overlap_is_refused(self) -> None:
        with self.assertRaises(sites.ListError):
            rewrite.rewrite(SOURCE, [(1, edit("(x < 0)", "(true)")), (2, edit("< 0) return", "> 0) return"))])
        with self.assertRaises(sites.ListError):  # what a text becomes has no place for others
            rewrite.rewrite(SOURCE, [(1, edit("x < 0", "true")), (2, edit("(x < 0)", "(MUTANT)", "text"))])

    def test_copy_keeps_time_stamps_and_forgets_files(self) -> None:
        target = self.root / "copy"
        mutation = sites.Mutation("m", ("ALD-01",), "b", (edit("x < 0", "true"),))
        (self.root / "models" / "b.cpp").write_text("int b;\n")
        rewrite.write_copy([mutation], self.root, target)
        before = (target / "models" / "a.cpp").stat().st_mtime_ns
        (self.root / "models" / "b.cpp").unlink()
        rewrite.write_copy([mutation], self.root, target)
        self.assertEqual((target / "models" / "a.cpp").stat().st_mtime_ns, before)
        self.assertFalse((target / "models" / "b.cpp").exists())

    def test_block_is_all_files_in_order_and_silent(self) -> None:
        (self.root / "rtl_ref").mkdir()
        for name in ("p", "m"):
            (self.root / "rtl_ref" / f"{name}.sv").write_text(f"// {name}\n")
        sources = [self.root / "rtl_ref" / "p.sv", self.root / "rtl_ref" / "m.sv"]
        block = rewrite.write_block({"rtl_ref/m.sv": "mutated"}, sources, self.root, self.root / "block")
        self.assertEqual([path.name for path in block], [rewrite.PACKAGE, "p.sv", "m.sv"])
        self.assertEqual(block[1].read_text(), rewrite.SystemVerilog.head + "// p\n")
        self.assertEqual(block[2].read_text(), "mutated")

    def test_mutants_at_run_time(self) -> None:
        mutations = [sites.Mutation("m", ("ALD-01",), "b", (edit("x < 0", "x < 9"),)),
                     sites.Mutation("n", ("ALD-01",), "b", (edit("return 2 * x;", "return 7;", "statement"),))]
        rewrite.write_copy(mutations, self.root, self.root / "copy")
        (self.root / "copy" / "main.cpp").write_text(MAIN)
        subprocess.run(["c++", "-std=c++17", "-I.", "main.cpp", "models/a.cpp", "-o", "program"],
                       cwd=self.root / "copy", check=True)
        self.assertEqual([self.result("5", n) for n in ("", "0", "1", "2", "3")], [10, 10, 0, 7, 10])

    def result(self, argument: str, number: str) -> int:
        return subprocess.run([self.root / "copy" / "program", argument], env={rewrite.VARIABLE: number}).returncode


CPP = """// a - b in a comment
#include <vector>
static_assert(4 - 1 == 3);
constexpr unsigned limit = 4 - 1;
template <int N = 2> struct box { int value = N; };
unsigned f(unsigned a, unsigned b, std::vector<unsigned>& v)
{
    const char* text = "a - b";
    unsigned r = 0;
    if (a < b && text != nullptr) r = a - b * 2;
    switch (a) {
    case 1: r += 0x80U; break;
    default: break;
    }
    v[0] = a & 0x3fU; /* written */
    r |= b << 2;
    const unsigned w = a > b ? a : b;
    for (unsigned i = 0; i < w; ++i) v.push_back(i);
    return r | v[0];
}
"""

SV = """// a - b in a comment
module m #(parameter int unsigned W = 4) (
    input logic clk, input logic en, input logic [7:0] a, b,
    output logic [7:0] q, output logic [7:0] c, output logic [15:0] both
);
  localparam logic [7:0] LIMIT = 8'hff;
  logic [7:0] s;
  always_ff @(posedge clk) begin
    if (en && a <= b) q <= a - b;
    else q <= 8'(W) + 8'd1;
  end
  always_comb begin
    case (a[1:0])
      2'd0: c = {a[7:1], b[0]};
      default: c = en ? a : b | 8'h0f;
    endcase
    s = a << 1;
    {both[15:8], both[7:0]} = {s, {2{b[3:0]}}};
    if (s == LIMIT) both[0] = 1'b1;
  end
endmodule
"""


class Operators(unittest.TestCase):
    def changes(self, file: str, text: str, name: str) -> list[tuple[str, str]]:
        return [(m.old, m.new) for m in operators.generate(file, text, [name])]

    def expect(self, name: str, cpp: list[tuple[str, str]], systemverilog: list[tuple[str, str]]) -> None:
        self.assertEqual(sorted(self.changes("models/a.cpp", CPP, name)), sorted(cpp))
        self.assertEqual(sorted(self.changes("rtl_ref/m.sv", SV, name)), sorted(systemverilog))

    def test_constant_off_by_one(self) -> None:
        # Not: constants that the compiler needs, case labels, bounds of ranges, widths, counts of replications.
        self.expect("constant_off_by_one",
                    [("0", "1"), ("2", "3"), ("0x80U", "0x81U"), ("0", "1"), ("0x3fU", "0x40U"), ("2", "3"),
                     ("0", "1"), ("0", "1")],
                    [("8'd1", "8'd2"), ("0", "1"), ("8'h0f", "8'h10"), ("1", "2"), ("0", "1"), ("1'b1", "1'b0")])

    def test_comparison_turned(self) -> None:
        self.expect("comparison_turned",
                    [("a < b", "a <= b"), ("text != nullptr", "text == nullptr"), ("a > b", "a >= b"),
                     ("i < w", "i <= w")],
                    [("a <= b", "a < b"), ("s == LIMIT", "s != LIMIT")])  # q <= ... assigns

    def test_condition_dropped(self) -> None:
        self.expect("condition_dropped",
                    [("a < b", "true"), ("text != nullptr", "true"), ("a < b && text != nullptr", "true")],
                    [("en", "1'b1"), ("a <= b", "1'b1"), ("en && a <= b", "1'b1"), ("s == LIMIT", "1'b1")])

    def test_operands_swapped(self) -> None:
        self.expect("operands_swapped",
                    [("a - b * 2", "(b * 2) - (a)"), ("a > b ? a : b", "(a > b) ? (b) : (a)")],
                    [("a - b", "(b) - (a)"), ("en ? a : b | 8'h0f", "(en) ? (b | 8'h0f) : (a)")])

    def test_enable_inverted(self) -> None:
        self.expect("enable_inverted", [("a < b && text != nullptr", "!(a < b && text != nullptr)")],
                    [("en && a <= b", "!(en && a <= b)"), ("s == LIMIT", "!(s == LIMIT)")])

    def test_write_left_out(self) -> None:
        self.expect("write_left_out",  # not of declarations
                    [("r = a - b * 2;", ";"), ("v[0] = a & 0x3fU;", ";"), ("r |= b << 2;", ";"), ("r += 0x80U;", ";")],
                    [("q <= a - b;", ""), ("q <= 8'(W) + 8'd1;", ""), ("c = {a[7:1], b[0]};", ""),
                     ("c = en ? a : b | 8'h0f;", ""), ("s = a << 1;", ""),
                     ("{both[15:8], both[7:0]} = {s, {2{b[3:0]}}};", ""), ("both[0] = 1'b1;", "")])

    def test_bit_left_out(self) -> None:
        self.expect("bit_left_out",
                    [("a & 0x3fU", "a"), ("a & 0x3fU", "0x3fU"), ("0x3fU", "0x1fU"), ("2", "1"), ("r | v[0]", "r"),
                     ("r | v[0]", "v[0]")],
                    [("a[7:1]", "(a[7:1]) & ~(a[7:1])"), ("b[0]", "(b[0]) & ~(b[0])"), ("b | 8'h0f", "b"),
                     ("b | 8'h0f", "8'h0f"), ("8'h0f", "8'h7"), ("1", "0"), ("s", "(s) & ~(s)"),
                     ("{2{b[3:0]}}", "({2{b[3:0]}}) & ~({2{b[3:0]}})"), ("b[3:0]", "(b[3:0]) & ~(b[3:0])")])

    def test_precedence_decides_what_an_operand_is(self) -> None:
        text = "int f(int a, int b, int c) { return a + b - c * 2 - (a - 1) < c || a == b; }\n"
        self.assertEqual([m.old for m in operators.generate("models/a.cpp", text, ["operands_swapped"])],
                         ["a + b - c * 2 - (a - 1)", "a + b - c * 2", "a - 1"])
        self.assertEqual([m.old for m in operators.generate("models/a.cpp", text, ["comparison_turned"])],
                         ["a + b - c * 2 - (a - 1) < c", "a == b"])

    def test_all_of_this_projects_sources_nest(self) -> None:
        """Any two mutants of a file lie apart or one inside the other; lines stay where they were."""
        for file in ("models/isbe/execution/isbe_core.cpp", "models/isbe/timing/grant_scheduler.h",
                     "rtl_ref/pass_engine.sv"):
            text = (HERE.parent.parent / file).read_text()
            made = operators.generate(file, text)
            language = rewrite.language_of(file)
            self.assertGreater(len(made), 20, file)
            new = rewrite.rewrite_spans(text, [m.span(n) for n, m in enumerate(made, 1)], language).text
            self.assertLessEqual(new.count("\n") - language.head.count("\n"), text.count("\n"))

    def mutated(self, file: str, text: str) -> tuple[list[operators.Mutant], rewrite.Rewritten]:
        made = operators.generate(file, text)
        return made, rewrite.rewrite_spans(text, [m.span(n) for n, m in enumerate(made, 1)], rewrite.language_of(file))

    def test_cpp_mutants_compile_together_and_differ(self) -> None:
        main = """#include <vector>
#include <cstdio>
unsigned f(unsigned, unsigned, std::vector<unsigned>&);
int main()
{
    for (unsigned a = 0; a < 6; ++a)
        for (unsigned b = 0; b < 6; ++b) {
            std::vector<unsigned> v{9};
            std::printf("%u ", f(a, b, v));
            for (unsigned x : v) std::printf("%u ", x);
        }
}
"""
        made, text = self.mutated("models/a.cpp", CPP)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / rewrite.HEADER).write_text(rewrite.HEADER_TEXT)
            (path / "a.cpp").write_text(text.text)
            (path / "main.cpp").write_text(main)
            subprocess.run(["c++", "-std=c++17", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-I.", "main.cpp",
                            "a.cpp", "-o", "program"], cwd=path, check=True)

            def run(number: int) -> bytes:
                return subprocess.run([path / "program"], env={rewrite.VARIABLE: str(number)}, timeout=20,
                                      stdout=subprocess.PIPE).stdout

            clean = run(0)
            same = [str(m) for n, m in enumerate(made, 1) if run(n) == clean]
        # `text` is never null, numbers up to 5 have no higher bits, and equal ones may be exchanged.
        self.assertEqual(same, ["models/a.cpp:10:18: condition_dropped: text != nullptr -> true",
                                "models/a.cpp:15:12: bit_left_out: a & 0x3fU -> a",
                                "models/a.cpp:15:16: bit_left_out: 0x3fU -> 0x1fU",
                                "models/a.cpp:17:24: comparison_turned: a > b -> a >= b"])

    @unittest.skipUnless(shutil.which("verilator"), "no Verilator")
    def test_systemverilog_mutants_are_accepted_together(self) -> None:
        made, text = self.mutated("rtl_ref/m.sv", SV)
        self.assertGreater(len(made), 30)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / rewrite.PACKAGE).write_text(rewrite.PACKAGE_TEXT)
            (path / "m.sv").write_text(text.text)
            done = subprocess.run(["verilator", "--lint-only", "--top", "m", rewrite.PACKAGE, "m.sv"], cwd=path,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said = [line for line in done.stdout.splitlines() if not line.startswith("- ")]  # reports of newer Verilators
        self.assertEqual((done.returncode, said), (0, []))


class Dropping(unittest.TestCase):
    """Mutants that do not compile are found by what compilers say."""

    def test_places(self) -> None:
        log = ("/x/models/a.cpp:3:7: error: no\n/x/models/a.cpp:4:1: warning: well\n/x/b.h:1:2: fatal error: gone\n"
               "%Error: /x/m.sv:5:6: syntax\n%Warning-WIDTH: /x/m.sv:7:8: wide\n%Error: Exiting due to 2 error(s)\n")
        self.assertEqual(building.places(log), [("/x/models/a.cpp", 3, 7), ("/x/b.h", 1, 2), ("/x/m.sv", 5, 6),
                                                ("/x/m.sv", 7, 8)])

    def test_the_innermost_mutant_of_an_error_is_dropped(self) -> None:
        file = "models/isbe/execution/isbe_core.cpp"
        text = (HERE.parent.parent / file).read_text()
        made = operators.generate(file, text)
        for wanted in (1, len(made) // 2, len(made)):
            mutants = operator_campaign.Set(dict(enumerate(made, 1)))
            texts = mutants.rewritten()
            begin = next(b for b, _, n in texts[file].regions if n == wanted)
            before = texts[file].text[:begin + 1]
            line = before.count("\n") + 1 - rewrite.Cpp.head.count("\n")
            column = begin - before.rfind("\n")
            self.assertEqual(mutants.drop([("/copy/" + file, line, column)], texts), 1)
            self.assertEqual(mutants.dropped[0].begin, made[wanted - 1].begin)

    def test_an_error_elsewhere_drops_nothing(self) -> None:
        file = "models/isbe/execution/isbe_core.cpp"
        made = operators.generate(file, (HERE.parent.parent / file).read_text())
        mutants = operator_campaign.Set(dict(enumerate(made, 1)))
        self.assertEqual(mutants.drop([("/copy/models/isbe/other.cpp", 30, 5)], mutants.rewritten()), 0)

    def test_cpp_that_does_not_compile(self) -> None:
        text = """struct mask {};
int operator|(mask, mask);
int f(int x, mask a, mask b)
{
    int y = x - 3;
    return y +
        (a | b);
}
"""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            for place in (path / "models", path / "original" / "models"):
                place.mkdir(parents=True)
                (place / "a.cpp").write_text(text)
            (path / rewrite.HEADER).write_text(rewrite.HEADER_TEXT)
            made = operators.generate("models/a.cpp", text)
            mutants = operator_campaign.Set(dict(enumerate(made, 1)))

            def attempt(texts: dict[str, str]) -> None:
                (path / "models" / "a.cpp").write_text(texts["models/a.cpp"])
                building.Steps(path / "log", "a.cpp", path).run("c++", "-c", f"-I{path}",
                                                                path / "models" / "a.cpp", "-o", path / "a.o")

            with unittest.mock.patch.object(operator_campaign, "ROOT", path / "original"):
                operator_campaign.until_it_builds(mutants, attempt)
        self.assertEqual({m.old for m in mutants.dropped}, {"a | b"})
        self.assertEqual({m.old for m in mutants.mutants.values()}, {"x - 3", "3"})


EXECUTOR = """constexpr unsigned fmz = 2;
void add(machine& m)
{
    constexpr int table[] = {3, 5};
    const words a = raw(m, m.now.at(slot::a));
    if (has(m, mod::saturate)) clip(m);
    switch (modifier(m, mod::round)) {
    case down:
        value &= ~a;
        break;
    case up:
        value = std::min(a, fmz);
        break;
    }
    write_register(m, source.negate ? -a : a, m.lanes, table[0]);
}
"""


class Executors(unittest.TestCase):
    def changes(self) -> set[str]:
        made = fork_operators.generate("models/isa/execution/a.cpp", EXECUTOR, {"fmz"})
        return {mutant.change for mutant in made}

    def test_operators(self) -> None:
        for change in ("has(m, mod::saturate) -> false", "has(m, mod::saturate) -> true", "clip(m); -> (nothing)",
                       "modifier(m, mod::round) -> 0U", "slot::a -> slot::b", "source.negate -> false", "~a -> a",
                       "-a -> a", "value &= ~a; -> value |= ~a;", "m.lanes -> all_lanes", "3 -> 4", "5 -> 6",
                       "std::min(a, fmz) -> std::max(a, fmz)", "fmz -> (fmz + 1)", "source.negate -> true",
                       "modifier(m, mod::round) -> modifier(m, mod::round) == down ? (up) : modifier(m, mod::round) == "
                       "up ? (down) : modifier(m, mod::round)"):
            self.assertIn(change, self.changes())
        self.assertNotIn("2 -> 3", self.changes())  # the compiler needs it; its uses are mutated

    def test_tables_stay_in_their_places(self) -> None:
        changed = fork_operators.without_constant_tables(EXECUTOR)
        self.assertNotIn("constexpr int", changed)
        self.assertEqual(changed.index("{3, 5}"), EXECUTOR.index("{3, 5}"))
        self.assertIn("constexpr unsigned fmz", changed)

    def test_functions(self) -> None:
        self.assertEqual(fork_operators.function_at(EXECUTOR, EXECUTOR.index("clip")), "add")
        self.assertEqual(fork_operators.function_at(EXECUTOR, 3), "")

    def test_the_list_of_equivalents_fits_the_sources(self) -> None:
        for library, least in ((fork_campaign.TEXTURES, 1500), (fork_campaign.EXECUTORS, 5000)):
            every = library.generated()
            self.assertGreater(len(every), least)
            self.assertTrue(explained(every, library.equivalents))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "list.toml"
            for text in ("[r]\n'exec_bits.cpp bfe: ' = ['1 -> 1']", "[r]", "'exec_bits.cpp bfe: x' = ['1 -> 2']",
                         "[r]\n'exec_bits.cpp bfe: ' = []", "[r]\n'exec_bits.cpp' = ['1 -> 2']"):
                path.write_text(text)
                with self.assertRaises(sites.ListError):
                    explained(every, path)


class CrosscheckRuns(unittest.TestCase):
    def check(self, script: str, number: int = 1) -> str:
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "isbesim"
            program.write_text("#!/bin/sh\n" + script)
            program.chmod(0o755)
            return crosscheck.Crosscheck(program, pathlib.Path("block.so"), 1, timeout=5).run(number)

    def test_what_its_end_means(self) -> None:
        self.assertEqual(self.check("exit 0"), "")
        self.assertEqual(self.check("exit 1"), crosscheck.MISMATCH)
        self.assertEqual(self.check("echo isbesim: deadlock: nothing is left >&2; exit 1"), crosscheck.DEADLOCK)
        self.assertEqual(self.check("exit 3"), crosscheck.STOPPED)
        self.assertEqual(self.check("kill -SEGV $$"), crosscheck.STOPPED)
        self.assertEqual(self.check('[ "$ISBESIM_MUTANT $ISBESIM_RTL_BLOCK" = "1 block.so" ]'), "")
        # Without a mutant it is wrong input, which finds nothing; with one the model found fault with what it was sent.
        self.assertEqual(self.check("exit 2"), crosscheck.STOPPED)
        with self.assertRaises(building.BuildError):
            self.check("exit 2", 0)

    def test_lists_of_the_sides_fit_the_sources(self) -> None:
        for side, path in side_campaign.LISTS.items():
            if path.is_file():
                self.assertGreaterEqual(len(side_campaign.load(side, path)), 37, side)


class Runs(unittest.TestCase):
    def runner(self, script: str, timeout: float = 5, **properties: Any) -> running.Runner:
        made = running.Runner.__new__(running.Runner)
        made.timeout, made.limits, made.verdicts, made.runs = timeout, {}, {}, 0
        made.tests = {"t": {"name": "t", "command": ["/bin/sh", "-c", script],
                            "properties": [{"name": k, "value": v} for k, v in properties.items()]}}
        return made

    def test_verdicts(self) -> None:
        runner = self.runner('[ "$ISBESIM_MUTANT" != 3 ]')
        self.assertEqual([runner.run("t", n) for n in (0, 2, 3)], ["passed", "passed", "failed"])
        self.assertEqual(runner.run("t", 3), "failed")
        self.assertEqual(runner.runs, 3)

    def test_signals_and_endless_tests_have_noticed(self) -> None:
        self.assertEqual(self.runner("kill -SEGV $$").run("t", 1), "failed")
        self.assertEqual(self.runner("sleep 9", timeout=0.1).run("t", 1), "failed")

    def test_a_skipped_test_notices_nothing(self) -> None:
        self.assertEqual(self.runner("exit 77", SKIP_RETURN_CODE=77).run("t", 1), "passed")
        self.assertEqual(self.runner("exit 77").run("t", 1), "failed")


BLOCK = """module top (
    input  logic       clk,
    input  logic [3:0] a,
    output logic [3:0] b
);
  logic [3:0] low;
  inner #(
      .W(4)
  ) part (
      .given(a + 4'd1),
      .made ({low[3:1], low[0]})
  );
  always_ff @(posedge clk) begin
    if (!a[low]) b <= low - a;
  end
endmodule
module inner #(
    parameter int W = 4
) (
    input  logic [W-1:0] given,
    output logic [W-1:0] made   // x
);
endmodule
"""


class CrosscheckOperators(unittest.TestCase):
    def changes(self, *names: str) -> list[str]:
        made = crosscheck_operators.generate("rtl_ref/top.sv", BLOCK, list(names),
                                             crosscheck_operators.outputs_of(BLOCK))
        return [mutant.change for mutant in made]

    def test_ports(self) -> None:
        self.assertEqual(crosscheck_operators.outputs_of(BLOCK), {"top": {"b"}, "inner": {"made"}})

    def test_what_an_instance_drives_is_left_alone(self) -> None:
        self.assertEqual(self.changes("bit_left_out"), [])
        self.assertEqual(self.changes("value_lost"), ["a + 4'd1 -> (a + 4'd1) & ~(a + 4'd1)",
                                                      "low - a -> (low - a) & ~(low - a)"])

    def test_what_is_not_built_is_left_alone(self) -> None:
        text = BLOCK.replace("  always_ff", "  if (W < 1 || W > 8) $error(\"W\");\n`ifdef ISBESIM_ASSERT\n"
                             "  assign low = a + 4'd1;\n`endif\n  always_ff")
        self.assertEqual(len(crosscheck_operators.generate("rtl_ref/top.sv", text)),
                         len(crosscheck_operators.generate("rtl_ref/top.sv", BLOCK)))

    def test_changes(self) -> None:
        self.assertEqual(self.changes("condition_never"), ["!a[low] -> 1'b0"])
        self.assertEqual(self.changes("operator_replaced"), ["a + 4'd1 -> (a) - (4'd1)", "low - a -> (low) + (a)"])
        self.assertEqual(self.changes("operand_lost"), ["a + 4'd1 -> 4'd1", "a + 4'd1 -> a", "low - a -> low"])
        self.assertEqual(self.changes("negation_dropped"), ["!a[low] -> (a[low])"])
        self.assertEqual(self.changes("index_off_by_one"), ["low -> (low) + 1"])
        self.assertEqual(self.changes("value_inverted")[1], "low - a -> ~(low - a)")


class Equivalents(Folder):
    def explained(self, line: str, change: str, behind: str = "") -> list[int]:
        path = self.root / "equivalents.toml"
        place = "a.cpp: " + (f"{behind}\\n" if behind else "") + line
        path.write_text(f'[r]\n"{place}" = ["{change}"]\n')
        every = crosscheck_operators.generate("models/a.cpp", SOURCE, ["operand_lost", "comparison_turned"])
        return [mutant.line for mutant in explained(every, path, self.root)]

    def test_an_entry_names_mutants_of_its_lines(self) -> None:
        self.assertEqual(self.explained("return 2", "2 * x -> 2"), [4, 8])
        self.assertEqual(self.explained("2 * x + x", "2 * x -> 2"), [8])
        self.assertEqual(self.explained("2 * x + x", "2 *~ -> 2*~"), [8, 8])

    def test_an_entry_names_nothing_on_the_left_of_its_text(self) -> None:
        self.assertEqual(self.explained("2 * x + x", "2 * x + x -> x"), [8])
        with self.assertRaises(sites.ListError):
            self.explained("+ x", "2 * x + x -> x")

    def test_the_line_before_chooses_among_alike_lines(self) -> None:
        line = SOURCE.split("\n")[6]
        self.assertEqual(self.explained("return 2", "2 * x -> 2", line), [8])
        with self.assertRaises(sites.ListError):
            self.explained("return 2", "2 * x -> 2", "no line")

    def test_an_entry_without_a_mutant_is_refused(self) -> None:
        for line, change in (("+ y", "2 * x -> 2"), ("2 * x + x", "2 * x -> 3")):
            with self.assertRaises(sites.ListError, msg=change):
                self.explained(line, change)

    def test_the_lists_fit_the_sources(self) -> None:
        for side, every in (("rtl", crosscheck_campaign.generated()), ("model", model_building.generated())):
            explained(every, crosscheck_campaign.HERE / f"{side}_equivalents.toml")


MODEL = """struct box {
    const int& get() const { return value + 0; }
    int copy() const { return value - 1; }
    const int& call() const
    {
        const auto twice = [&](int x) { return x + x; };
        if (value > 2) { return values[twice(1)]; }
        return other;
    }
};
constexpr table make_table()
{
    return 1 + 2;
}
"""
MODEL_MAIN = """#include "isbesim_mutant.h"
int main() { return isbesim_mutant(3) ? 3 : isbesim_mutant(5) ? 5 : 0; }
"""


class Model(Folder):
    def test_what_is_returned_by_reference_stays_one(self) -> None:
        made = [m for m in model_building.mutants_of("models/isbe/a.h", MODEL)
                if m.operator in ("value_lost", "value_inverted")]
        self.assertEqual([(m.line, m.old) for m in made], [(3, "value - 1")] * 2 + [(6, "x + x")] * 2)

    def test_what_only_the_compiler_runs_is_left_alone(self) -> None:
        self.assertTrue(crosscheck_operators.generate("models/isbe/a.h", MODEL, ["operand_lost"])[-1].line > 10)
        self.assertTrue(all(m.line < 11 for m in model_building.mutants_of("models/isbe/a.h", MODEL)))

    def test_assertions_are_left_alone_which_the_build_has_none_of(self) -> None:
        text = "int f(int x)\n{\n    assert(x > 0 &&\n           x < 9);\n    return x + 1;\n}\n"
        self.assertEqual({m.line for m in model_building.mutants_of("models/isbe/a.cpp", text)}, {5})

    def test_what_the_run_before_noticed_is_not_run_again(self) -> None:
        mutants = dict(enumerate(crosscheck_operators.generate("models/a.cpp", SOURCE), 1))
        first, second, third, *_ = mutants.values()
        noticed = report.Verdict("a.test", -1)
        path = self.root / "mutants.csv"
        survived = report.Verdict()
        report.write_lines(path, [(first, "killed", noticed), (second, "survived", survived)])
        self.assertEqual(model_campaign.verdicts_before(path, mutants), {1: noticed, 2: survived})
        self.assertNotIn(third, [first, second])
        with self.assertRaises(sites.ListError):
            model_campaign.verdicts_before(self.root / "none.csv", mutants)

    def test_the_header_chooses_one_or_notes_which_places_are_passed(self) -> None:
        (self.root / rewrite.HEADER).write_text(model_building.HEADER % 6)
        (self.root / "main.cpp").write_text(MODEL_MAIN)
        subprocess.run(["c++", "-std=c++17", "main.cpp", "-o", "program"], cwd=self.root, check=True)
        notes = self.root / "notes"

        def status(**environment: str) -> int:
            return subprocess.run(["./program"], cwd=self.root, env=environment).returncode

        self.assertEqual([status(), status(ISBESIM_MUTANT="3"), status(ISBESIM_MUTANT="5")], [0, 3, 5])
        self.assertFalse(notes.exists())
        self.assertEqual(status(ISBESIM_PASSED=str(notes)), 0)
        self.assertEqual(notes.read_text().split(), ["3", "5"])

    def test_what_did_not_compile_is_remembered_while_its_file_stays(self) -> None:
        path = self.root / "models" / "a.cpp"
        mutants = crosscheck_operators.generate("models/a.cpp", SOURCE)

        def left() -> int:
            of_build = model_building.Set(dict(enumerate(mutants, 1)))
            model_building.Dropped(self.root / "dropped").recall(of_build)
            self.assertEqual(len(of_build.mutants) + len(of_build.dropped), len(mutants))
            return len(of_build.mutants)

        with unittest.mock.patch.object(model_building, "ROOT", self.root):
            self.assertEqual(left(), len(mutants))
            model_building.Dropped(self.root / "dropped").keep(model_building.Set({}, mutants[:2]))
            self.assertEqual(left(), len(mutants) - 2)
            path.write_text(SOURCE + "// more\n")
            self.assertEqual(left(), len(mutants))


class Batches(unittest.TestCase):
    def test_files_stay_together_where_they_can(self) -> None:
        files = ["a"] * 7 + ["b"] * 2 + ["c"] * 3
        mutants = {n: operators.Mutant(file, 1, 1, "x", 0, 1, "o", "n") for n, file in enumerate(files)}
        made = rtl_batches.batches(mutants, 5)
        self.assertEqual([[files[n] for n in batch] for batch in made], [list("aaabb"), list("aaaa"), list("ccc")])
        self.assertEqual(sorted(n for batch in made for n in batch), list(range(12)))


@unittest.skipIf(shutil.which("yosys") is None, "Yosys is not installed")
class Equivalence(unittest.TestCase):
    def test_proofs(self) -> None:
        """Of the arbiter: the same by another way, another grant, another state; and what does not compile."""
        text = (equivalence.RTL / "arbiter.sv").read_text()
        with tempfile.TemporaryDirectory() as folder:
            prover = equivalence.Prover(pathlib.Path(folder))

            def proved(old: str, new: str) -> bool:
                begin = text.index(old)
                mutant = operators.Mutant("rtl_ref/arbiter.sv", 1, 1, "x", begin, begin + len(old), old, new)
                return prover.proved(mutant, 1, ["small", "choices"])

            self.assertTrue(proved("grant - 1'b1", "grant + ~'0"))
            self.assertFalse(proved("eligible & (~eligible + 1'b1)", "eligible"))
            self.assertFalse(proved("grant - 1'b1", "grant"))
            self.assertFalse(proved("grant - 1'b1", "no_name"))


if __name__ == "__main__":
    unittest.main()
