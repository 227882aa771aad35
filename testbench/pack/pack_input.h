// SPDX-License-Identifier: Apache-2.0
// The programs that `isbesim pack` works on: parsed, placed, and checked against each other.
#pragma once

#include <string>
#include <vector>

#include "models/varying/allocation/allocation.h"
#include "models/varying/language/parser.h"
#include "models/varying/language/shader.h"
#include "testbench/files/input_error.h"

namespace isbesim::testbench {

/// A program of the pipeline with its addresses.
struct packed_program {
    std::string file;
    varying::shader code;       ///< completed: the source of addresses, headers, program text and draws
    varying::allocation placed; ///< points into `code`
    std::string source;         ///< the unchanged file; only in its first program
};

/// Reads the programs of `file`, then those of `next` unless it is empty: stages in pipeline order. One of the files
/// may be "-", standard input. Checks that neighbouring stages link, and completes each program. Throws input_error at
/// the mistake in the text.
std::vector<packed_program> load_declarations(const std::string& file, const std::string& next,
                                              varying::mask_reading masks);

/// Rethrows the error with the name of its file.
[[noreturn]] void rethrow(const std::string& file, const varying::shader_error& error);

/// Completes an incomplete text. A text without instructions gets instructions that read every input and write every
/// output, arrays at run-time indices, and access nothing undeclared. TEMP and ADDR registers that are read before they
/// are written get values: in vertex programs from additional attributes, in geometry programs from the primitive's
/// number, otherwise and without a free attribute from immediates. Undeclared immediates are 1.0, 2.0, … Texts with
/// instructions without a lowering, and fragment programs, do not change.
void complete(packed_program& program);

/// Makes a vertex program that supplies the inputs of `geometry` from vertex attributes.
packed_program make_supplier(const packed_program& geometry);

} // namespace isbesim::testbench
