// SPDX-License-Identifier: Apache-2.0
// Arrays in local memory.
#pragma once

#include <vector>

#include "models/varying/allocation/allocation.h"

namespace isbesim::varying {

/// An array of inputs, outputs or TEMPs, and its place in local memory.
struct local_home {
    register_file file = register_file::output;
    unsigned first = 0;
    unsigned last = 0;
    unsigned stride = 16;
    unsigned mask = 0xf;
    unsigned array = 0;
    unsigned offset = 0;                          ///< of the first register's component x
    unsigned vertex_stride = 0;                   ///< geometry inputs: bytes from one vertex's copy to the next
    const located_declaration* located = nullptr; ///< null for TEMPs
};

/// Part of a copy between attributes and local memory.
struct local_chunk {
    unsigned address;
    unsigned local;
    unsigned words; ///< 1, 2 or 4, aligned on both sides
};

/// A copy of the whole array in as few parts as its alignment allows. Only for inputs and outputs.
std::vector<local_chunk> chunks_of(const local_home& home);

} // namespace isbesim::varying
