// SPDX-License-Identifier: Apache-2.0
// Loads and stores one register of a program (input, output or array element) under the chosen strategy.
#pragma once

#include <optional>

#include "models/varying/allocation/local_home.h"
#include "models/varying/allocation/scratch_pool.h"
#include "models/varying/lowering/instruction_writer.h"

namespace isbesim::varying {

/// The register or array of an operand, as an access needs it.
struct access_target {
    const located_declaration* located = nullptr; ///< null for TEMP arrays
    const local_home* home = nullptr;
    unsigned mask = 0xf; ///< components that the register has
    unsigned stride = 16;
    unsigned base = 0; ///< attribute address of element 0
    bool output = false;
    bool patch = false;                            ///< in the patch space, which needs no AL2P
    bool by_component = false;                     ///< the index counts components, not elements
    unsigned handle = isa::register_zero;          ///< vertex handle of an input with a vertex dimension
    std::optional<unsigned> vertex;                ///< its number, when fixed
    unsigned vertex_register = isa::register_zero; ///< or the register that holds it
    bool vertex_checked = false;                   ///< P5 is true if the vertex exists
    unsigned count = 1;                            ///< elements
    unsigned element = 0;                          ///< when direct
    bool indirect = false;
    unsigned index = isa::register_zero; ///< register; the element is index + shift
    int shift = 0;
};

/// P6: the index is inside its array. Used only by range checks.
inline constexpr unsigned range_predicate = 6;
/// P5: the vertex exists. Used if arrays of vertices are in local memory, where nothing else uses it.
inline constexpr unsigned vertex_predicate = 5;

/// The objects that sequences are written with.
struct access_context {
    instruction_writer& write;
    scratch_pool& scratch;
    lowering_options options;
    unsigned state = isa::register_zero; ///< geometry state of stores
};

/// Writes the sequence that loads the components of `mask` and returns the registers they are in.
component_registers load_element(const access_context& context, const access_target& from, unsigned mask);

/// Writes the sequence that stores registers to the components of `mask`.
void store_element(const access_context& context, const access_target& to, unsigned mask,
                   const component_registers& values);

} // namespace isbesim::varying
