// SPDX-License-Identifier: Apache-2.0
// Instruction sequences for a program's accesses to its inputs and outputs, for SM50 and for SM75 and later, with five
// strategies for an array element with a run-time index (HARDWARE.md A.4b, C).
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
    local,    ///< arrays are in local memory: inputs are copied in first, outputs are copied out before a vertex ends
    select,   ///< compares `index & 3` with 0 to 3 for every component, in the vector of four that index >> 2 addresses
};

struct lowering_options {
    isa::architecture arch = isa::architecture::sm50;
    strategy how = strategy::indirect;
    /// If true, an index outside its array, or a geometry input's vertex outside the primitive, reads 0 and stores
    /// nothing, and outputs that are never stored are 0. If false, these cases are undefined, as in the text, and the
    /// sequences are those that drivers emit.
    bool defined = true;
};

/// Whether lower() supports the instruction's opcode.
bool is_lowered(const instruction& each);
/// Mask of the source components, before swizzles, that such an instruction uses.
unsigned source_components(const allocation& placed, const instruction& each);
/// System values that lower() supports for a kind of program; reading another throws shader_error.
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

/// Lowers the whole program. Registers are R0 for the geometry state, then vertex handles, ADDR and TEMP, then scratch.
/// Supports vertex, tessellation and geometry programs without control flow; throws shader_error for others, naming the
/// cause. In tessellation programs `local` applies to outputs of TESS_EVAL only: data that several threads share, and
/// inputs of up to 32 vertices, are accessed as with `indirect`.
lowered_program lower(const shader& program, const allocation& placed, const lowering_options& options);

} // namespace isbesim::varying
