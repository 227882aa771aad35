"""Rows of the conformance list and the tests that are named after them: what row_table and the mutations share."""
import csv
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
BACK_ENDS = {"lt": "L", "at": "A", "rtl": "R", "lockstep": "AR"}
ROW = re.compile(r"(?<![A-Z0-9])([A-Z][A-Z0-9]*)_(\d\d)(?![0-9])")


def read_rows():
    with open(HERE / "rows.csv", newline="") as file:
        return list(csv.DictReader(file))


def read_open_rows():
    """Rows that wait for the issue which brings them: they have no test yet."""
    with open(HERE / "open_rows.csv", newline="") as file:
        return list(csv.DictReader(file))


def read_proven_elsewhere():
    """Rows whose tests compare the model with the RTL: which tests make mutants of both and must find every one."""
    with open(HERE / "proven_elsewhere.csv", newline="") as file:
        return list(csv.DictReader(file))


def short_name(name):
    """A test's name without the value that a parameter prints behind it."""
    return name.split("  # GetParam()")[0].strip()


def listed_tests(build):
    """ctest's own description of every test of a build folder."""
    listing = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, check=True, stdout=subprocess.PIPE).stdout
    return json.loads(listing)["tests"]


def read_tests(build):
    """name -> executable, of all tests that ctest knows."""
    tests = {short_name(test["name"]): pathlib.Path(test.get("command", [""])[0]).name for test in listed_tests(build)}
    not_built = [name for name in tests if name.endswith("_NOT_BUILT")]
    if not_built:
        sys.exit("row_table: not built: " + ", ".join(name[: -len("_NOT_BUILT")] for name in not_built))
    return tests


def base_name(name):
    """suite.test without the instance and the parameter of a parametrised test."""
    return re.search(r"[^/]*\.[^/]*", name).group() if "." in name else name


def tests_of_rows(names):
    """row -> {base name -> [full names]}"""
    found = {}
    for name in names:
        for group, number in ROW.findall(name):
            found.setdefault(f"{group}-{number}", {}).setdefault(base_name(name), []).append(name)
    return found


def back_ends(names, tests):
    """Letters of the back ends that tests run on: by their parameters, or all of an executable that is the RTL alone."""
    letters = set()
    for name in names:
        words = set(re.split(r"[^A-Za-z0-9]", name.replace(base_name(name), "")))
        letters.update(letter for word, group in BACK_ENDS.items() if word in words for letter in group)
        if tests[name] == "rtl_test":
            letters.add("R")
    return letters
