// SPDX-License-Identifier: Apache-2.0
// Data for a draw of packed programs: vertex attributes and constants that reach every array element, and the expected
// vertices.
#pragma once

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

/// Makes a draw of `programs` (a vertex program, and optionally a geometry program) with the vertices expected from the
/// declarations: by varying::evaluate, with addresses only for captures. Throws input_error.
sample_draw make_sample(const std::vector<packed_program>& programs);

} // namespace isbesim::testbench
