// SPDX-License-Identifier: Apache-2.0
// Data for a draw of packed programs: vertex attributes and constants that reach every array element, and the vertices
// that must come out.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "testbench/pack/pack_input.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

struct sample_draw {
    const char* topology = "points";
    unsigned vertex_count = 0;
    std::map<unsigned, std::vector<word>> attributes;       ///< by address of a vector of four
    std::map<unsigned, std::map<unsigned, word>> constants; ///< bank -> byte offset -> word
    std::map<unsigned, std::vector<unsigned>> capture;      ///< stream -> addresses, ascending
    std::string expected;                                   ///< vertices.csv
};

/// A draw of `programs` (a vertex program, and with or without a geometry program after it) with the vertices that
/// their declarations mean: varying::evaluate, no addresses but those that are captured. Throws input_error.
sample_draw make_sample(const std::vector<packed_program>& programs);

} // namespace isbesim::testbench
