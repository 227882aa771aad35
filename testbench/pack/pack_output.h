// SPDX-License-Identifier: Apache-2.0
// Output of `isbesim pack` for packed programs: addresses, program text and scenarios.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/varying/lowering/lowering.h"
#include "testbench/pack/pack_input.h"
#include "testbench/report/result_folder.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// JSON with the address of every component and the map words of the header. Each further stage is in "next" of the
/// stage before, in pipeline order.
std::string addresses_text(const std::vector<packed_program>& programs);

/// Header of a program; version 4, of 128 bytes, from SM75 on. Throws input_error.
program_header packed_header(const packed_program& program, isa::architecture arch);
std::string header_bytes(const program_header& header);

/// Scheduled program text, with a comment above the lowering of each instruction. Throws input_error.
std::string lowered_text(const packed_program& program, const varying::lowering_options& options);

/// Writes a runnable draw of the programs into the folder: scenario.json, programs, headers, expected.csv and
/// declarations.tgsi. Adds a vertex program to a lone geometry program, and instructions to a program without any.
/// Throws input_error.
void write_packed_scenario(std::vector<packed_program> programs, const varying::lowering_options& options,
                           const result_place& folder);

/// Data for a draw of packed programs: vertex attributes and constants that reach every array element, and the expected
/// vertices.
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
