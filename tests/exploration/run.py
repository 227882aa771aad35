# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of one module: run.py NAME_test [--quick]. --quick: they need scripts/explore's packages only.

Exit status 77 when packages are missing; 1 with ISBESIM_REQUIRE_PACKAGES=1, which scripts/test sets after it has
installed what its lists name.
"""

import importlib.util
import os
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
OF_SWEEPS = ("pandas", "snakemake", "optuna", "tqdm")
OF_OTHERS = ("matplotlib", "jsonschema", "setuptools", "nbclient", "ipykernel")


def main() -> int:
    needed = OF_SWEEPS if "--quick" in sys.argv else OF_SWEEPS + OF_OTHERS
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
    if missing and os.environ.get("ISBESIM_REQUIRE_PACKAGES") == "1":
        print(f"Python packages are missing, add them to the lists in scripts/setup.sh: {', '.join(missing)}")
        return 1
    if missing:
        print(f"skipped: Python packages are missing: {', '.join(missing)}; scripts/test installs them")
        return 77
    sys.path[:0] = [str(HERE), *(str(HERE.parents[1] / folder) for folder in ("scripts", "scripts/python"))]
    suite = unittest.defaultTestLoader.loadTestsFromName(sys.argv[1])
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    if not result.wasSuccessful() or result.testsRun == 0:
        return 1
    return 77 if len(result.skipped) == result.testsRun else 0


if __name__ == "__main__":
    sys.exit(main())
