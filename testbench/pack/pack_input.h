// SPDX-License-Identifier: Apache-2.0
// The programs that `isbesim pack` works on: parsed, placed, and checked against each other.
#pragma once

#include <string>
#include <vector>

#include "models/varying/allocation/allocation.h"
#include "models/varying/language/shader.h"
#include "testbench/files/input_error.h"

namespace isbesim::testbench {

/// A program of the pipeline with its addresses.
struct packed_program {
    std::string file;
    varying::shader code;       ///< completed: what addresses, headers, program text and draws are made of
    varying::allocation placed; ///< points into `code`
    std::string source;         ///< the file as it is, with its first program
};

/// Reads the programs of `file` and then those of `next`, when that is not empty: stages in pipeline order; "-" is
/// standard input, for one of them. Each is made whole (pack_completion.h) before anything is derived from it. Throws
/// input_error at the place in the text that is wrong; neighbours that don't link are wrong, too.
std::vector<packed_program> load_declarations(const std::string& file, const std::string& next);

/// The same error with the name of its file.
[[noreturn]] void rethrow(const std::string& file, const varying::shader_error& error);

} // namespace isbesim::testbench
