#!/usr/bin/python3
"""The mutation tool on small lists: what it writes, and that it takes nothing wrong for something right."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "conformance")]

import rewrite
import running
import sites

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
    def setUp(self):
        self.kept = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.kept.name)
        (self.root / "models").mkdir()
        (self.root / "models" / "a.cpp").write_text(SOURCE)

    def tearDown(self):
        self.kept.cleanup()

    def load(self, text, name="list.toml"):
        (self.root / name).write_text(text)
        return sites.load(self.root / name)


class List(Folder):
    ONE = "[[mutation]]\nname = 'm'\nrows = ['ALD-01']\nbreaks = 'b'\nfile = 'models/a.cpp'\n"

    def stale(self, text):
        return sites.stale(self.load(self.ONE + text), self.root, "list.toml")

    def test_anchor_is_there_once(self):
        self.assertEqual(self.stale("old = 'x < 0'\nnew = 'x <= 0'\n"), [])
        self.assertIn("occurs 0 times; the source has changed", self.stale("old = 'x > 0'\nnew = '1'\n")[0])
        self.assertIn("'2 * x' occurs 2 times", self.stale("old = '2 * x'\nnew = '1'\n")[0])
        self.assertEqual(self.stale("near = 'int thrice'\nold = '2 * x'\nnew = '1'\n"), [])
        self.assertIn("near = 'int' occurs", self.stale("near = 'int'\nold = '2 * x'\nnew = '1'\n")[0])
        self.assertIn("does not occur behind", self.stale("near = 'int thrice'\nold = 'x < 0'\nnew = '1'\n")[0])

    def test_file_that_is_gone(self):
        text = self.ONE.replace("a.cpp", "b.cpp") + "old = 'x'\nnew = 'y'\n"
        self.assertIn("no such file", sites.stale(self.load(text), self.root, "l")[0])

    def test_wrong_lists(self):
        good = self.ONE + "old = 'x < 0'\nnew = 'true'\n"
        for wrong in ("x = [", good + good, self.ONE, good.replace("breaks", "brakes"), good + "kind = 'macro'\n",
                      good + "kind = 'text'\n", good.replace("'true'", "'x < 0'"), good.replace("['ALD-01']", "'A'")):
            with self.assertRaises(sites.ListError, msg=wrong):
                self.load(wrong)

    def test_json_says_the_same(self):
        text = ('{"mutation": [{"name": "m", "rows": ["ALD-01"], "breaks": "b", "file": "models/a.cpp", '
                '"old": "x < 0", "new": "true"}]}')
        self.assertEqual(self.load(text, "list.json"), self.load(self.ONE + "old = 'x < 0'\nnew = 'true'\n"))

    def test_list_of_this_project_loads(self):
        self.assertGreater(len(sites.load(HERE / "mutations.toml")), 80)


def edit(old, new, kind="expression", near=""):
    return sites.Edit("models/a.cpp", old, new, kind, near)


class Copy(Folder):
    def test_kinds(self):
        text = rewrite.rewrite(SOURCE, [(1, edit("x < 0", "true")), (2, edit("return 2 * x;", "return 3;", "statement")),
                                        (3, edit("+ x;", "+ (MUTANT ? 0 : x);", "text"))])
        self.assertIn("if ((isbesim_mutant(1) ? (true) : (x < 0))) return 0;", text)
        self.assertIn("{ if (isbesim_mutant(2)) { return 3; } else { return 2 * x; } }", text)
        self.assertIn("+ (isbesim_mutant(3) ? 0 : x);", text)

    def test_two_on_one_text(self):
        text = rewrite.rewrite(SOURCE, [(1, edit("x < 0", "true")), (2, edit("x < 0", "false"))])
        self.assertIn("(isbesim_mutant(2) ? (false) : ((isbesim_mutant(1) ? (true) : (x < 0))))", text)

    def test_one_inside_another(self):
        text = rewrite.rewrite(SOURCE, [(1, edit("x < 0", "true")), (2, edit("(x < 0)", "(false)"))])
        self.assertIn("if (isbesim_mutant(2) ? ((false)) : (((isbesim_mutant(1) ? (true) : (x < 0))))) return 0;", text)

    def test_overlap_is_refused(self):
        with self.assertRaises(sites.ListError):
            rewrite.rewrite(SOURCE, [(1, edit("(x < 0)", "(true)")), (2, edit("< 0) return", "> 0) return"))])
        with self.assertRaises(sites.ListError):  # what a text becomes has no place for others
            rewrite.rewrite(SOURCE, [(1, edit("x < 0", "true")), (2, edit("(x < 0)", "(MUTANT)", "text"))])

    def test_copy_keeps_time_stamps_and_forgets_files(self):
        target = self.root / "copy"
        mutation = sites.Mutation("m", ("ALD-01",), "b", (edit("x < 0", "true"),))
        (self.root / "models" / "b.cpp").write_text("int b;\n")
        rewrite.write_copy([mutation], self.root, target)
        before = (target / "models" / "a.cpp").stat().st_mtime_ns
        (self.root / "models" / "b.cpp").unlink()
        rewrite.write_copy([mutation], self.root, target)
        self.assertEqual((target / "models" / "a.cpp").stat().st_mtime_ns, before)
        self.assertFalse((target / "models" / "b.cpp").exists())

    def test_mutants_at_run_time(self):
        mutations = [sites.Mutation("m", ("ALD-01",), "b", (edit("x < 0", "x < 9"),)),
                     sites.Mutation("n", ("ALD-01",), "b", (edit("return 2 * x;", "return 7;", "statement"),))]
        rewrite.write_copy(mutations, self.root, self.root / "copy")
        (self.root / "copy" / "main.cpp").write_text(MAIN)
        subprocess.run(["c++", "-std=c++17", "-I.", "main.cpp", "models/a.cpp", "-o", "program"],
                       cwd=self.root / "copy", check=True)
        self.assertEqual([self.result("5", n) for n in ("", "0", "1", "2", "3")], [10, 10, 0, 7, 10])

    def result(self, argument, number):
        return subprocess.run([self.root / "copy" / "program", argument], env={rewrite.VARIABLE: number}).returncode


class Runs(unittest.TestCase):
    def runner(self, script, timeout=5, **properties):
        made = running.Runner.__new__(running.Runner)
        made.timeout, made.verdicts, made.runs = timeout, {}, 0
        made.tests = {"t": {"name": "t", "command": ["/bin/sh", "-c", script],
                            "properties": [{"name": k, "value": v} for k, v in properties.items()]}}
        return made

    def test_verdicts(self):
        runner = self.runner('[ "$ISBESIM_MUTANT" != 3 ]')
        self.assertEqual([runner.run("t", n) for n in (0, 2, 3)], ["passed", "passed", "failed"])
        self.assertEqual(runner.run("t", 3), "failed")
        self.assertEqual(runner.runs, 3)

    def test_signals_and_endless_tests_have_noticed(self):
        self.assertEqual(self.runner("kill -SEGV $$").run("t", 1), "failed")
        self.assertEqual(self.runner("sleep 9", timeout=0.1).run("t", 1), "failed")

    def test_a_skipped_test_notices_nothing(self):
        self.assertEqual(self.runner("exit 77", SKIP_RETURN_CODE=77).run("t", 1), "passed")
        self.assertEqual(self.runner("exit 77").run("t", 1), "failed")


if __name__ == "__main__":
    unittest.main()
