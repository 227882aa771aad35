# SPDX-License-Identifier: Apache-2.0
"""The cost of a machine as computed from its configuration alone."""

from __future__ import annotations

import math
from typing import Mapping

from isbesim.simulator import Value

# Keys whose product is the number of SMs, each with an ISBE.
SM_KEYS = ("sm_count", "chip.gpcs", "chip.tpcs")


def memory_bits(config: Mapping[str, Value]) -> int:
    """Area proxy of the ISBEs from the configuration alone: bits of storage with its overwritten bits, context table,
    request and response queues (rtl_ref/README.md, sections 2, 3 and 4.7)."""
    request = 3 + 1 + 3 + 2 + 2 + 3 + 1 + 16 + 32 + 32 + 2 * 32 * 32 + 4 * 32 * 32
    response = 4 * 32 * 32 + 32 * 16 + 8 + 16
    storage = int(config["isbe.lines"]) * 32 * (32 + 1)
    contexts = int(config["isbe.contexts"]) * 64 * 32
    queues = int(config["isbe.ports"]) * (int(config["isbe.request_queue_depth"]) * request +
                                          int(config["isbe.response_queue_depth"]) * response)
    return math.prod(int(config[key]) for key in SM_KEYS) * (storage + contexts + queues)
