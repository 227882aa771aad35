# SPDX-License-Identifier: Apache-2.0
"""The rest of the package stands in pyproject.toml; its version is the simulator's."""

import re
from pathlib import Path

from setuptools import setup

lists = Path(__file__).resolve().parents[2] / "CMakeLists.txt"
found = re.search(r"project\(isbesim VERSION (\S+)", lists.read_text(encoding="utf-8"))
assert found is not None, lists
setup(version=found[1])
