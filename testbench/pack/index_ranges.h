// SPDX-License-Identifier: Apache-2.0
// Finds values of a program's inputs and constants with which every array access stays inside its array.
#pragma once

#include <map>
#include <tuple>

#include "testbench/pack/pack_input.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// An input or constant scalar of a program's text.
struct text_scalar {
    varying::register_file file;
    unsigned buffer = 0; ///< constant buffer
    unsigned number = 0;
    unsigned component = 0;
    bool operator<(const text_scalar& other) const
    {
        return std::tie(file, buffer, number, component) <
               std::tie(other.file, other.buffer, other.number, other.component);
    }
};

/// Values [low, high) that keep every array access inside its array.
struct index_range {
    int low = -65536;
    int high = 65536;
    bool is_float = false;
};

/// The scalars from which indices are computed.
using index_ranges = std::map<text_scalar, index_range>;

/// Traces indices back to inputs and constants through straight-line code.
index_ranges index_ranges_of(const packed_program& program);

/// The value of a scalar in the sample: inside its range, or distinct if it has no range. `position` distinguishes
/// vertices or constant registers, `number` attributes.
word sample_word(const index_ranges& ranges, const text_scalar& which, unsigned position, unsigned number);

} // namespace isbesim::testbench
