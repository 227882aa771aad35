// SPDX-License-Identifier: Apache-2.0
// Instruction sequences for the accesses of a program to its inputs and outputs, for SM50 and for SM75 and later, under
// the five ways to reach an array element by a run-time index (HARDWARE.md A.4b, C).
#pragma once

#include <string>
#include <vector>

#include "models/isa/program.h"
#include "models/varying/allocation/allocation.h"

namespace isbesim::varying {

enum class strategy : std::uint8_t {
    chain,    ///< the index is compared with every element in turn; addresses are fixed
    indirect, ///< one AL2P + .PHYS per component, its byte address computed from the index
    split,    ///< the index counts vectors of four: components are fixed, elements that cross vectors are split
    local,    ///< arrays live in local memory, copied in before and out after
    select,   ///< `(index & 3) == 0, 1, 2, 3` for every component, in the vector of four that index >> 2 addresses
};

struct lowering_options {
    isa::architecture arch = isa::architecture::sm50;
    strategy how = strategy::indirect;
    /// An index outside its array, or a geometry input's vertex outside the primitive, reads 0 and stores nothing;
    /// outputs that nothing stores are 0. Without it both are
    /// as undefined as the text leaves them, and the sequences are those that drivers emit.
    bool defined = true;
};

/// Whether lower() has the instruction's opcode.
bool is_lowered(const instruction& each);
/// Components of its sources, before their swizzles, that such an instruction works on.
unsigned source_components(const allocation& placed, const instruction& each);
/// System values that a program of a kind has when it is lowered; of others a read throws shader_error.
const std::vector<semantic>& system_values_of(processor kind);

/// One line of the result: an instruction (nvdisasm's form, no scheduling) or a comment.
struct code_line {
    std::string text;
    bool comment = false;
};

struct lowered_program {
    std::vector<code_line> lines;
    unsigned local_bytes = 0; ///< local memory per thread

    /// All lines, ready for isa::assemble.
    std::string text() const;
};

/// The whole program. Registers: R0 geometry state, then vertex handles, ADDR and TEMP, then scratch. Vertex,
/// tessellation and geometry programs without control flow; throws shader_error for anything else, saying what it is.
/// In tessellation programs `local` holds outputs of TESS_EVAL only: what several threads share stays where it is, and
/// so do inputs of up to 32 vertices; these are reached as under `indirect`.
lowered_program lower(const shader& program, const allocation& placed, const lowering_options& options);

} // namespace isbesim::varying
