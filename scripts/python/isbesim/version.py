# SPDX-License-Identifier: Apache-2.0
"""The version, which is the simulator's, too (the top CMakeLists.txt; `scripts/release --check` compares them)."""

VERSION = "1.0.0"
