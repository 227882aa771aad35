# SPDX-License-Identifier: Apache-2.0
"""scripts/explore SWEEP.json"""

from __future__ import annotations

import sys

from .ending import run_until_signal


def main() -> int:
    from .command import main as explore  # loading pandas takes long, and may be interrupted too

    return explore()


if __name__ == "__main__":
    sys.exit(run_until_signal(main))
