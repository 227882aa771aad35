#!/usr/bin/python3 -Xutf8
# SPDX-License-Identifier: Apache-2.0
"""The mutation tool on small lists: what it writes, and that it takes nothing wrong for something right."""
from __future__ import annotations

import argparse
import contextlib
import csv
import io
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from typing import Any, Iterable, Iterator

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "conformance")]

import building
import campaigns
import detect_crosscheck
import detect_proof
import detect_tests
import list_campaigns
import model_building
import mutant_set
import operator_campaigns
import operators
import report
import rewrite
import row_tests
import sites
import source_mutants
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


class Folder(unittest.TestCase):
    def setUp(self) -> None:
        self.root = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.write({"models/a.cpp": SOURCE})

    def write(self, texts: dict[str, str]) -> None:
        for file, text in texts.items():
            rewrite.write_if_changed(self.root / file, text.encode())

    def script(self, text: str) -> pathlib.Path:
        """A program of the shell."""
        self.write({"script": "#!/bin/sh\n" + text})
        (self.root / "script").chmod(0o755)
        return self.root / "script"

    def load(self, text: str) -> list[sites.Mutation]:
        self.write({"list.toml": text})
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
        self.assertIn("no such file", self.stale("'x < 0 -> 1'\n'models/b.cpp' = 'x -> y'")[0])

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

    def test_two_on_one_text_and_one_inside_another(self) -> None:
        text = rewrite.rewrite(SOURCE, [(1, edit("x < 0", "true")), (2, edit("x < 0", "false"))])
        self.assertIn("(isbesim_mutant(2) ? (false) : ((isbesim_mutant(1) ? (true) : (x < 0))))", text)
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
        rewrite.write_tree(rewrite.mutated_files([mutation], self.root), self.root, target)
        before = (target / "models" / "a.cpp").stat().st_mtime_ns
        (self.root / "models" / "b.cpp").unlink()
        rewrite.write_tree(rewrite.mutated_files([mutation], self.root), self.root, target)
        self.assertEqual((target / "models" / "a.cpp").stat().st_mtime_ns, before)
        self.assertFalse((target / "models" / "b.cpp").exists())

    def test_block_is_all_files_in_order_and_silent(self) -> None:
        self.write({"rtl_ref/p.sv": "// p\n", "rtl_ref/m.sv": "// m\n"})
        sources = [self.root / "rtl_ref" / "p.sv", self.root / "rtl_ref" / "m.sv"]
        block = rewrite.write_block({"rtl_ref/m.sv": "mutated"}, sources, self.root, self.root / "block")
        self.assertEqual([path.name for path in block], [rewrite.PACKAGE, "p.sv", "m.sv"])
        self.assertEqual(block[1].read_text(), rewrite.SYSTEMVERILOG.head + "// p\n")
        self.assertEqual(block[2].read_text(), "mutated")


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


class Operators(Folder):
    EXPECTED = {  # of CPP, of SV
        # Not: constants that the compiler needs, case labels, bounds of ranges, widths, counts of replications.
        "constant_off_by_one": (
            [("0", "1"), ("2", "3"), ("0x80U", "0x81U"), ("0", "1"), ("0x3fU", "0x40U"), ("2", "3"), ("0", "1"),
             ("0", "1")],
            [("8'd1", "8'd2"), ("0", "1"), ("8'h0f", "8'h10"), ("1", "2"), ("0", "1"), ("1'b1", "1'b0")]),
        "comparison_turned": (
            [("a < b", "a <= b"), ("text != nullptr", "text == nullptr"), ("a > b", "a >= b"), ("i < w", "i <= w")],
            [("a <= b", "a < b"), ("s == LIMIT", "s != LIMIT")]),  # q <= ... assigns
        "condition_dropped": (
            [("a < b", "true"), ("text != nullptr", "true"), ("a < b && text != nullptr", "true")],
            [("en", "1'b1"), ("a <= b", "1'b1"), ("en && a <= b", "1'b1"), ("s == LIMIT", "1'b1")]),
        "operands_swapped": (
            [("a - b * 2", "(b * 2) - (a)"), ("a > b ? a : b", "(a > b) ? (b) : (a)")],
            [("a - b", "(b) - (a)"), ("en ? a : b | 8'h0f", "(en) ? (b | 8'h0f) : (a)")]),
        "enable_inverted": (
            [("a < b && text != nullptr", "!(a < b && text != nullptr)")],
            [("en && a <= b", "!(en && a <= b)"), ("s == LIMIT", "!(s == LIMIT)")]),
        "write_left_out": (  # not of declarations
            [("r = a - b * 2;", ";"), ("v[0] = a & 0x3fU;", ";"), ("r |= b << 2;", ";"), ("r += 0x80U;", ";")],
            [("q <= a - b;", ""), ("q <= 8'(W) + 8'd1;", ""), ("c = {a[7:1], b[0]};", ""),
             ("c = en ? a : b | 8'h0f;", ""), ("s = a << 1;", ""),
             ("{both[15:8], both[7:0]} = {s, {2{b[3:0]}}};", ""), ("both[0] = 1'b1;", "")]),
        "bit_left_out": (
            [("a & 0x3fU", "a"), ("a & 0x3fU", "0x3fU"), ("0x3fU", "0x1fU"), ("2", "1"), ("r | v[0]", "r"),
             ("r | v[0]", "v[0]")],
            [("a[7:1]", "(a[7:1]) & ~(a[7:1])"), ("b[0]", "(b[0]) & ~(b[0])"), ("b | 8'h0f", "b"),
             ("b | 8'h0f", "8'h0f"), ("8'h0f", "8'h7"), ("1", "0"), ("s", "(s) & ~(s)"),
             ("{2{b[3:0]}}", "({2{b[3:0]}}) & ~({2{b[3:0]}})"), ("b[3:0]", "(b[3:0]) & ~(b[3:0])")]),
    }

    def test_changes(self) -> None:
        self.assertEqual(list(self.EXPECTED), [each.__name__ for each in operators.OPERATORS["sources"]])
        for name, expected in self.EXPECTED.items():
            for file, text, changes in zip(("models/a.cpp", "rtl_ref/m.sv"), (CPP, SV), expected):
                made = [(m.old, m.new) for m in source_mutants.generate(file, text, [name])]
                self.assertEqual(sorted(made), sorted(changes), name)

    def test_precedence_delimits_operands(self) -> None:
        text = "int f(int a, int b, int c) { return a + b - c * 2 - (a - 1) < c || a == b; }\n"
        self.assertEqual([m.old for m in source_mutants.generate("models/a.cpp", text, ["operands_swapped"])],
                         ["a + b - c * 2 - (a - 1)", "a + b - c * 2", "a - 1"])
        self.assertEqual([m.old for m in source_mutants.generate("models/a.cpp", text, ["comparison_turned"])],
                         ["a + b - c * 2 - (a - 1) < c", "a == b"])

    def test_all_of_this_projects_sources_nest(self) -> None:
        """Any two mutants of a file lie apart or one inside the other; lines stay where they were."""
        for file in ("models/isbe/execution/isbe_core.cpp", "models/isbe/timing/grant_scheduler.h",
                     "rtl_ref/pass_engine.sv"):
            text = (HERE.parent.parent / file).read_text()
            made, new = self.mutated(file, text)
            self.assertGreater(len(made), 20, file)
            self.assertLessEqual(new.text.count("\n") - rewrite.language_of(file).head.count("\n"), text.count("\n"))

    def mutated(self, file: str, text: str) -> tuple[list[source_mutants.Mutant], rewrite.Rewritten]:
        made = source_mutants.generate(file, text)
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
        self.write({rewrite.HEADER: rewrite.HEADER_TEXT, "a.cpp": text.text, "main.cpp": main})
        subprocess.run(["c++", "-std=c++17", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-I.", "main.cpp",
                        "a.cpp", "-o", "program"], cwd=self.root, check=True)
        printed = [subprocess.run([self.root / "program"], env={rewrite.VARIABLE: str(number)}, timeout=20,
                                  stdout=subprocess.PIPE).stdout for number in range(len(made) + 1)]
        same = [str(mutant) for mutant, out in zip(made, printed[1:]) if out == printed[0]]
        # `text` is never null, numbers up to 5 have no higher bits, and equal ones may be exchanged.
        self.assertEqual(same, ["models/a.cpp:10:18: condition_dropped: text != nullptr -> true",
                                "models/a.cpp:15:12: bit_left_out: a & 0x3fU -> a",
                                "models/a.cpp:15:16: bit_left_out: 0x3fU -> 0x1fU",
                                "models/a.cpp:17:24: comparison_turned: a > b -> a >= b"])

    @unittest.skipUnless(shutil.which("verilator"), "no Verilator")
    def test_systemverilog_mutants_are_accepted_together(self) -> None:
        made, text = self.mutated("rtl_ref/m.sv", SV)
        self.assertGreater(len(made), 30)
        self.write({rewrite.PACKAGE: rewrite.PACKAGE_TEXT, "m.sv": text.text})
        done = subprocess.run(["verilator", "--lint-only", "--top", "m", rewrite.PACKAGE, "m.sv"], cwd=self.root,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        # Newer Verilators add reports that begin so.
        printed = [line for line in done.stdout.splitlines() if not line.startswith("- ")]
        self.assertEqual((done.returncode, printed), (0, []))


class Dropping(Folder):
    """Mutants that do not compile are found by what compilers say."""

    def test_places(self) -> None:
        log = ("/x/models/a.cpp:3:7: error: no\n/x/models/a.cpp:4:1: warning: well\n/x/b.h:1:2: fatal error: gone\n"
               "%Error: /x/m.sv:5:6: syntax\n%Warning-WIDTH: /x/m.sv:7:8: wide\n%Error: Exiting due to 2 error(s)\n")
        self.assertEqual(building.places(log), [("/x/models/a.cpp", 3, 7), ("/x/b.h", 1, 2), ("/x/m.sv", 5, 6),
                                                ("/x/m.sv", 7, 8)])

    def test_the_innermost_mutant_that_does_not_compile_is_dropped(self) -> None:
        text = """struct mask {};
int operator|(mask, mask);
int f(int x, mask a, mask b)
{
    int y = x - 3;
    return y +
        (a | b);
}
"""
        path, copy = self.root, self.root / "copy"
        self.write({"models/a.cpp": text})
        mutants = mutant_set.MutantSet(dict(enumerate(source_mutants.generate("models/a.cpp", text), 1)))
        with unittest.mock.patch.object(mutant_set, "ROOT", path):
            mutants.built_copy(copy, [], build=lambda: building.Steps(path / "log", "a.cpp", path).run(
                "c++", "-c", f"-I{copy}", copy / "models" / "a.cpp", "-o", path / "a.o"))
            self.assertEqual(mutants.drop([("/copy/models/b.cpp", 5, 14)], mutants.rewritten()), 0)
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
    def test_operators(self) -> None:
        made = source_mutants.generate_library("models/isa/execution/a.cpp", EXECUTOR, {"fmz"})
        changes = {mutant.change for mutant in made}
        for change in ("has(m, mod::saturate) -> false", "has(m, mod::saturate) -> true", "clip(m); -> (nothing)",
                       "modifier(m, mod::round) -> 0U", "slot::a -> slot::b", "source.negate -> false", "~a -> a",
                       "-a -> a", "value &= ~a; -> value |= ~a;", "m.lanes -> all_lanes", "3 -> 4", "5 -> 6",
                       "std::min(a, fmz) -> std::max(a, fmz)", "fmz -> (fmz + 1)", "source.negate -> true",
                       "modifier(m, mod::round) -> modifier(m, mod::round) == down ? (up) : modifier(m, mod::round) == "
                       "up ? (down) : modifier(m, mod::round)"):
            self.assertIn(change, changes)
        self.assertNotIn("2 -> 3", changes)  # the compiler needs it; its uses are mutated

    def test_tables_stay_in_their_places(self) -> None:
        changed = source_mutants.without_constant_tables(EXECUTOR)
        self.assertNotIn("constexpr int", changed)
        self.assertEqual(changed.index("{3, 5}"), EXECUTOR.index("{3, 5}"))
        self.assertIn("constexpr unsigned fmz", changed)

    def test_functions(self) -> None:
        self.assertEqual(source_mutants.function_at(EXECUTOR, EXECUTOR.index("clip")), "add")
        self.assertEqual(source_mutants.function_at(EXECUTOR, 3), "")


class CrosscheckRuns(Folder):
    RUNS = (("exit 0", ""), ("exit 1", detect_crosscheck.MISMATCH),
            ("echo isbesim: deadlock: nothing is left >&2; exit 1", detect_crosscheck.DEADLOCK),
            ("exit 3", detect_crosscheck.STOPPED), ("kill -SEGV $$", detect_crosscheck.STOPPED),
            ('[ "$ISBESIM_MUTANT $ISBESIM_RTL_BLOCK" = "1 block.so" ]', ""),
            # Without a mutant it is wrong input, which finds nothing; with one the model found fault with what it was
            # sent.
            ("exit 2", detect_crosscheck.STOPPED))

    def test_meaning_of_the_end_of_a_run(self) -> None:
        for script, noticed in self.RUNS:
            check = detect_crosscheck.Crosscheck(self.script(script), pathlib.Path("block.so"), timeout=5)
            self.assertEqual(check.run(1, 1)[0], noticed, script)
        with self.assertRaises(building.BuildError):
            check.run(0, 1)


class TestsOfCtest(Folder):
    def of(self, script: str, timeout: float = 5, **properties: Any) -> detect_tests.Tests:
        test = {"name": "t", "command": ["/bin/sh", "-c", script],
                "properties": [{"name": k, "value": v} for k, v in properties.items()]}
        with unittest.mock.patch.object(row_tests, "listed_tests", lambda folder: [test]):
            return detect_tests.Tests(pathlib.Path("."), timeout)

    def test_verdicts(self) -> None:
        """A test that ends by a signal or too late has noticed the mutant; a skipped one has not."""
        tests = self.of('[ "$ISBESIM_MUTANT" != 3 ]')
        self.assertEqual([tests.passes("t", n) for n in (0, 2, 3)], [True, True, False])
        with unittest.mock.patch.object(tests, "run", side_effect=AssertionError):
            self.assertFalse(tests.passes("t", 3))  # as before
        for other, passes in ((self.of("kill -SEGV $$"), False), (self.of("sleep 9", timeout=0.1), False),
                              (self.of("exit 77", SKIP_RETURN_CODE=77), True), (self.of("exit 77"), False)):
            self.assertEqual(other.passes("t", 1), passes)

    def test_one_that_fails_anyway_proves_nothing(self) -> None:
        self.of("exit 0").check_clean(["t"])
        with self.assertRaises(building.BuildError):
            self.of("exit 1").check_clean(["t"])

    def test_all_that_fail_in_one_program(self) -> None:
        names = ["a.fine", "a.fails", "b.dies", "b.fine", "c.hangs", "c.fails", "d.hangs", "d.fine", "e.hangs",
                 "f.fails"]
        tests = self.of("")
        program = str(self.script(f"""
            for last; do :; done
            for test in {' '.join(names)}; do
                case ":${{last#*=}}:" in *:$test:*) ;; *) continue ;; esac
                echo "[ RUN      ] $test"
                case $test in
                *.fails) echo "[  FAILED  ] $test, where GetParam() = 1 (0 ms)" ;;
                *.dies) kill -SEGV $$ ;;
                *.hangs) exec sleep 9 ;;
                esac
            done
            echo '[  PASSED  ] 1 test.'"""))
        tests.tests = {f"{name} of 7": {"command": [program, f"--gtest_filter={name}"]} for name in names}
        self.assertEqual(tests.all_failing(reversed(tests.tests), 1, 1), {f"{name} of 7" for name in (
            "a.fails", "b.dies", "c.hangs", "c.fails", "d.hangs", "e.hangs")})  # in the program's order
        self.assertEqual(tests.all_failing(["b.fine of 7", "f.fails of 7"], 1, 5), {"f.fails of 7"})
        self.assertEqual(tests.run_together(["b.fine of 7", "b.dies of 7"], 1, 5), "b.dies of 7")

    def test_a_cover_notices_each_mutant_that_any_test_notices(self) -> None:
        killers = [{"a", "b"}, {"b", "c"}, {"c"}, {"b", "d"}, {"a", "d"}]
        self.assertEqual(report.cover(killers), ["b", "a", "c"])
        self.assertEqual(report.cover([]), [])
        path = self.root / "made" / "cover.csv"
        report.write_cover(path, "edcba", [*killers, {"c"}])
        self.assertEqual(path.read_text().split(), ["test,notices,alone,cover", "a,2,0,3", "b,3,0,1", "c,3,2,2",
                                                    "d,2,0,", "e,0,0,"])


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
        made = source_mutants.generate_crosschecked("rtl_ref/top.sv", BLOCK, list(names),
                                                    source_mutants.outputs_of(BLOCK))
        return [mutant.change for mutant in made]

    def test_ports(self) -> None:
        self.assertEqual(source_mutants.outputs_of(BLOCK), {"top": {"b"}, "inner": {"made"}})

    CHANGES = {  # those of outputs of instances are left alone
        "bit_left_out": [], "value_lost": ["a + 4'd1 -> (a + 4'd1) & ~(a + 4'd1)", "low - a -> (low - a) & ~(low - a)"],
        "condition_never": ["!a[low] -> 1'b0"],
        "operator_replaced": ["a + 4'd1 -> (a) - (4'd1)", "low - a -> (low) + (a)"],
        "operand_lost": ["a + 4'd1 -> 4'd1", "a + 4'd1 -> a", "low - a -> low"],
        "negation_dropped": ["!a[low] -> (a[low])"], "index_off_by_one": ["low -> (low) + 1"],
        "value_inverted": ["a + 4'd1 -> ~(a + 4'd1)", "low - a -> ~(low - a)"]}

    def test_changes(self) -> None:
        for name, changes in self.CHANGES.items():
            self.assertEqual(self.changes(name), changes, name)

    def test_conditional_and_elaboration_code_gets_no_mutants(self) -> None:
        text = BLOCK.replace("  always_ff", "  if (W < 1 || W > 8) $error(\"W\");\n`ifdef ISBESIM_ASSERT\n"
                             "  assign low = a + 4'd1;\n`endif\n  always_ff")
        self.assertEqual(len(source_mutants.generate_crosschecked("rtl_ref/top.sv", text)),
                         len(source_mutants.generate_crosschecked("rtl_ref/top.sv", BLOCK)))


class Equivalents(Folder):
    def explained(self, line: str, change: str, before: str = "") -> list[int]:
        path = self.root / "equivalents.toml"
        place = "a.cpp: " + (f"{before}\\n" if before else "") + line
        path.write_text(f'[r]\n"{place}" = ["{change}"]\n')
        every = source_mutants.generate_crosschecked("models/a.cpp", SOURCE, ["operand_lost", "comparison_turned"])
        return [mutant.line for mutant in explained(every, path, self.root)]

    def test_an_entry_names_mutants_of_its_lines(self) -> None:
        self.assertEqual(self.explained("return 2", "2 * x -> 2"), [4, 8])
        self.assertEqual(self.explained("2 * x + x", "2 * x -> 2"), [8])
        self.assertEqual(self.explained("2 * x + x", "2 *~ -> 2*~"), [8, 8])

    def test_an_entry_names_nothing_on_the_left_of_its_text(self) -> None:
        self.assertEqual(self.explained("2 * x + x", "2 * x + x -> x"), [8])
        with self.assertRaises(sites.ListError):
            self.explained("+ x", "2 * x + x -> x")

    def test_the_before_chooses_among_alike_lines(self) -> None:
        line = SOURCE.split("\n")[6]
        self.assertEqual(self.explained("return 2", "2 * x -> 2", line), [8])
        with self.assertRaises(sites.ListError):
            self.explained("return 2", "2 * x -> 2", "no line")

    def test_wrong_lists(self) -> None:
        for text in ("[r]\n'a.cpp twice: ' = ['1 -> 1']", "[r]\n'a.cpp twice: + y' = ['2 * x -> 2']", "[r]",
                     "'a.cpp twice: x' = ['2 * x -> 2']", "[r]\n'a.cpp twice: ' = []",
                     "[r]\n'a.cpp' = ['2 * x -> 2']"):
            (self.root / "list.toml").write_text(text)
            every = source_mutants.generate_crosschecked("models/a.cpp", SOURCE)
            with self.assertRaises(sites.ListError, msg=text):
                explained(every, self.root / "list.toml", self.root)


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
int f(int x)
{
    assert(x > 0 &&
           x < 9);
}
"""
MODEL_MAIN = """#include "isbesim_mutant.h"
int main()
{
    int before = isbesim_mutant(3) ? 3 : 0;
    isbesim_enter(1, "ADD");
    isbesim_enter(0, "ADD");
    return isbesim_mutant(5) ? 5 : before;
}
"""


class Model(Folder):
    def test_functions_that_return_references_keep_their_values(self) -> None:
        made = [m for m in model_building.mutants_of("models/isbe/a.h", MODEL)
                if m.operator in ("value_lost", "value_inverted")]
        self.assertEqual([(m.line, m.old) for m in made], [(3, "value - 1")] * 2 + [(6, "x + x")] * 2)

    def test_compile_time_code_and_assertions_get_no_mutants(self) -> None:
        every = source_mutants.generate_crosschecked("models/isbe/a.h", MODEL, ["operand_lost", "comparison_turned"])
        self.assertLessEqual({13, 17, 18}, {m.line for m in every})
        self.assertTrue(all(m.line < 11 for m in model_building.mutants_of("models/isbe/a.h", MODEL)))

    def test_mutants_noticed_in_the_previous_run_are_not_run_again(self) -> None:
        mutants = dict(enumerate(source_mutants.generate_crosschecked("models/a.cpp", SOURCE), 1))
        first, second, third, *_ = mutants.values()
        noticed = report.Verdict("a.test", -1)
        path = self.root / "mutants.csv"
        survived = report.Verdict()
        report.write_lines(path, [(first, "killed", noticed), (second, "survived", survived)])
        self.assertEqual(operator_campaigns.verdicts_before(path, mutants), {1: noticed, 2: survived})
        self.assertNotIn(third, [first, second])
        with self.assertRaises(sites.ListError):
            operator_campaigns.verdicts_before(self.root / "none.csv", mutants)

    def test_the_header_chooses_one_or_notes_which_places_are_passed(self) -> None:
        self.write({rewrite.HEADER: rewrite.HEADER_TEXT + rewrite.INSTRUCTIONS_TEXT, "main.cpp": MODEL_MAIN})
        subprocess.run(["c++", "-std=c++17", "main.cpp", "-o", "program"], cwd=self.root, check=True)
        notes = self.root / "notes"

        def status(**environment: str) -> int:
            return subprocess.run(["./program"], cwd=self.root, env=environment).returncode

        self.assertEqual([status(), status(ISBESIM_MUTANT="3"), status(ISBESIM_MUTANT="5")], [0, 3, 5])
        self.assertFalse(notes.exists())
        self.assertEqual(status(ISBESIM_PASSED=str(notes)), 0)
        self.assertEqual(notes.read_text(), "5 0 ADD\n3\n")
        self.assertEqual([status(ISBESIM_MUTANT="5", ISBESIM_INSTRUCTION=f"{at} ADD") for at in range(2)], [5, 0])

    def test_compile_failures_are_remembered_while_the_file_is_unchanged(self) -> None:
        path = self.root / "models" / "a.cpp"
        mutants = source_mutants.generate_crosschecked("models/a.cpp", SOURCE)

        def left() -> int:
            mutants_left = mutant_set.MutantSet(dict(enumerate(mutants, 1)))
            model_building.Dropped(self.root / "dropped").recall(mutants_left)
            self.assertEqual(len(mutants_left.mutants) + len(mutants_left.dropped), len(mutants))
            return len(mutants_left.mutants)

        with unittest.mock.patch.object(model_building, "ROOT", self.root):
            self.assertEqual(left(), len(mutants))
            model_building.Dropped(self.root / "dropped").keep(mutant_set.MutantSet({}, mutants[:2]))
            self.assertEqual(left(), len(mutants) - 2)
            path.write_text(SOURCE + "// more\n")
            self.assertEqual(left(), len(mutants))


class Made(campaigns.OperatorCampaign):
    """`seen`: the numbers that each stage notices."""

    name = "made"
    seen: list[set[int]] = []

    def sources(self) -> list[pathlib.Path]:
        return [self.build / "models" / "a.cpp"]

    def mutants_of(self, file: str, text: str) -> list[source_mutants.Mutant]:
        return source_mutants.generate(file, text, ["comparison_turned", "enable_inverted", "constant_off_by_one"])

    def build_mutants(self) -> None:
        self.mutants.dropped.append(self.mutants.mutants.pop(1))

    def stages(self) -> Iterator[campaigns.Stage]:
        for at, numbers in enumerate(self.seen):
            yield campaigns.Stage(str(at), lambda number: report.Verdict(f"stage {at}" * (number in numbers)))


class Listed(campaigns.ListCampaign):
    def prepare(self) -> str:
        return ""

    def stages(self) -> Iterator[campaigns.Stage]:
        for seen in ("mn", "m"):
            yield campaigns.Stage(seen, lambda listed: report.Verdict("test" * (listed[1].name in seen)))


class Campaigns(Folder):
    arguments = argparse.Namespace(build=".", sample=None, seed=1, file=None, quick=False, again=False, jobs=1,
                                   list=None, only=[])

    def status(self, kind: Any, **others: Any) -> tuple[int, str]:
        out = io.StringIO()
        changed = {**vars(self.arguments), "build": self.root, **others}
        patched = unittest.mock.patch.object
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out), \
                patched(campaigns, "ROOT", self.root), patched(report, "ROOT", self.root), \
                patched(explained, "__defaults__", (self.root,)):
            status = campaigns.main("test", kind, argparse.Namespace(**changed))
        return status, out.getvalue()

    def made(self, *seen: set[int], reasons: str | None = None) -> tuple[int, str]:
        (self.root / "made.toml").write_text(reasons or "")
        return self.status(type("Kind", (Made,), {"seen": seen, "reasons": self.root / "made.toml"}))

    def test_stages_run_until_one_notices_the_mutant(self) -> None:
        status, printed = self.made({2, 3, 4, 5}, {3, 6})
        self.assertEqual((status, "SURVIVED" in printed), (0, False))
        with open(self.root / "mutants_made.csv", newline="") as lines:
            rows = [(row["state"], row["killer"]) for row in csv.DictReader(lines)]
        self.assertEqual(rows, [("dropped", ""), *[("killed", "stage 0")] * 4, ("killed", "stage 1")])

    def test_survivors_need_a_reason_that_holds(self) -> None:
        status, printed = self.made({2, 3, 4, 5})
        self.assertEqual((status, printed.count("SURVIVED models/a.cpp:8:")), (1, 1))
        reason = "[r]\n'a.cpp: 2 * x + x' = ['2 -> 3']"
        self.assertEqual(self.made({2, 3, 4, 5}, reasons=reason)[0], 0)
        status, printed = self.made({2, 3, 4, 5, 6}, reasons=reason)
        self.assertEqual((status, "NO EQUIVALENT, stage 0 notices it" in printed), (1, True))
        self.assertEqual(self.made(reasons=reason.replace("3", "4"))[0], 2)  # names no mutant

    def test_every_stage_must_notice_the_mutants_of_a_list(self) -> None:
        path = self.root / "list.toml"
        path.write_text("".join(f"[{m}]\nbreaks = 'b'\n'models/a.cpp' = 'x < 0 -> {m}'\n" for m in "mn"))
        self.assertEqual(self.status(Listed, list=path, only=["m"])[0], 0)
        status, printed = self.status(Listed, list=path)
        self.assertEqual((status, printed.count("NOT NOTICED")), (1, 1))
        self.assertEqual(self.status(Listed, list=path, only=["o"])[0], 2)

    def test_a_mutant_noticed_on_the_same_bytes_is_not_run_again(self) -> None:
        test = {"name": "lt/t.ALD_01/at", "command": ["/bin/sh", "-c", '[ "$ISBESIM_MUTANT" != 1 ]']}
        self.write({"list.toml": List.ONE + "'x < 0 -> x <= 0'"})
        (self.root / ".ci").symlink_to(HERE.parent.parent / ".ci")
        builds: list[str] = []

        class Rows(list_campaigns.Rows):
            def built_copy(self, name: str, executables: Iterable[str]) -> pathlib.Path:
                builds.append(name)
                return self.build

        def built(**environment: str) -> int:
            environment |= {"ISBESIM_CTEST": ".ci/reuse", "XDG_CACHE_HOME": str(self.root)}
            with unittest.mock.patch.dict("os.environ", environment), \
                    unittest.mock.patch.object(list_campaigns, "ROOT", self.root), \
                    unittest.mock.patch.object(row_tests, "listed_tests", lambda folder: [test]):
                status, printed = self.status(Rows, list=self.root / "list.toml", only=["ALD-01"], every_test=False)
            self.assertEqual((status, printed.count("tests: lt/t.ALD_01/at\n")), (0, 1), printed)
            return len(builds)

        self.assertEqual([built(), built(), built(ISBESIM_REUSE="check")], [1, 1, 2])
        self.write({"models/a.cpp": SOURCE + "// more\n"})
        self.assertEqual([built(), built()], [3, 3])

    def test_the_lists_of_this_project_fit_its_sources(self) -> None:
        for kind, least in ((list_campaigns.Rows, 80), (list_campaigns.ModelSide, 37), (list_campaigns.RtlSide, 37)):
            lists = kind(self.arguments)
            lists.choose()
            self.assertGreaterEqual(len(lists.mutations), least)
        for campaign in (operator_campaigns.Executors, operator_campaigns.Texture, operator_campaigns.Rtl,
                         operator_campaigns.Model):
            made = campaign(self.arguments)
            made.choose()
            self.assertTrue(made.known)


@unittest.skipIf(shutil.which("yosys") is None, "Yosys is not installed")
class Equivalence(Folder):
    PROVED = {("grant - 1'b1", "grant + ~'0"): True, ("eligible & (~eligible + 1'b1)", "eligible"): False,
              ("grant - 1'b1", "grant"): False, ("grant - 1'b1", "no_name"): False}

    def test_proofs(self) -> None:
        """Mutants of the arbiter: the same by another way, another grant, another state; and what does not compile."""
        text = (detect_proof.RTL / "arbiter.sv").read_text()
        prover = detect_proof.Prover(self.root)
        for (old, new), proved in self.PROVED.items():
            begin = text.index(old)
            mutant = source_mutants.Mutant("rtl_ref/arbiter.sv", 1, 1, "x", begin, begin + len(old), old, new)
            self.assertEqual(prover.proved(mutant, 1, ["small", "choices"]), proved, new)


if __name__ == "__main__":
    unittest.main()
