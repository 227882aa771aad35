# SPDX-License-Identifier: Apache-2.0
"""Common to scripts/piglit and scripts/vkrun: where piglit is, and tables of the tests that differ."""

import pathlib
import platform

# Debian has it in the folder of the architecture.
PIGLIT = pathlib.Path(f"/usr/lib/{platform.machine()}-linux-gnu/piglit")
ANY = "any"  # kind of a test that is not compared


def not_as_expected(found: dict[str, str], expected: dict[str, str], usual: str) -> int:
    """How many kinds differ from the table's, which has no row for the usual kind; says which."""
    different = 0
    for name, kind in found.items():
        wanted = expected.get(name, usual)
        if wanted not in (kind, ANY):
            print(f"not as expected: {name} is {kind}, expected {wanted}")
            different += 1
    return different
