// Data for a draw of packed programs: vertex attributes and constants that reach every array element, instructions for
// texts that have none, and the vertices that must come out.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "testbench/pack_input.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// Makes a whole program of a text that is none. Without instructions it gets some: every output is written, arrays at
/// a run-time index, and input arrays are read at one. TEMP and ADDR registers that are read before they are written
/// get values from vertex attributes (in geometry programs from the primitive's number), immediates that are not
/// declared are 1.0, 2.0, …
void complete(packed_program& program);

/// A vertex program that supplies the inputs of `geometry` from vertex attributes.
packed_program make_supplier(const packed_program& geometry);

struct sample_draw {
    const char* topology = "points";
    unsigned vertex_count = 0;
    std::map<unsigned, std::vector<word>> attributes;       ///< by address of a vector of four
    std::map<unsigned, std::map<unsigned, word>> constants; ///< bank -> byte offset -> word
    std::map<unsigned, std::vector<unsigned>> capture;      ///< stream -> addresses, ascending
    std::string expected;                                   ///< vertices.csv
};

/// A draw of `programs` (a vertex program, and a geometry program behind it or not) with the vertices that their
/// declarations mean: varying::evaluate, no addresses but those that are captured. Throws input_error.
sample_draw make_sample(const std::vector<packed_program>& programs);

} // namespace isbesim::testbench
