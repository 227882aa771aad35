// SPDX-License-Identifier: Apache-2.0
// Loads the source operands of a lowered program into registers and stores its results.
#pragma once

#include <optional>

#include "models/varying/allocation/local_home.h"
#include "models/varying/allocation/scratch_pool.h"
#include "models/varying/lowering/instruction_writer.h"
#include "models/varying/lowering/program_storage.h"

namespace isbesim::varying {

/// The input, output or array element that an operand names, as the strategies access it.
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
    std::optional<unsigned> vertex;                ///< number of the vertex, if fixed
    unsigned vertex_register = isa::register_zero; ///< otherwise the register that holds it
    bool vertex_checked = false;                   ///< P5 is true if the vertex exists
    unsigned count = 1;                            ///< elements
    unsigned element = 0;                          ///< unless indirect
    bool indirect = false;
    unsigned index = isa::register_zero; ///< register of a run-time index: the element is index + shift
    int shift = 0;
};

/// P6: the index is inside its array.
inline constexpr unsigned range_predicate = 6;
/// P5: the vertex exists; for arrays of vertices in local memory.
inline constexpr unsigned vertex_predicate = 5;

/// What load_element() and store_element() write with.
struct access_context {
    instruction_writer& write;
    scratch_pool& scratch;
    lowering_options options;
    unsigned state = isa::register_zero; ///< geometry state of stores
};

/// Writes the sequence that loads the components of `mask`. Returns their registers.
component_registers load_element(const access_context& context, const access_target& from, unsigned mask);

/// Writes the sequence that stores registers to the components of `mask`.
void store_element(const access_context& context, const access_target& to, unsigned mask,
                   const component_registers& values);

class operand_access {
public:
    operand_access(const lowered_stage& stage, const program_storage& storage, instruction_writer& write,
                   scratch_pool& scratch)
        : stage_(stage), storage_(storage), write_(write), scratch_(scratch)
    {
    }

    /// Registers with the source's value, modifiers applied, for every component of `mask`. `into`: registers to which
    /// an immediate may be loaded, or null. All methods throw shader_error for an unsupported operand.
    component_registers fetch(const operand& access, unsigned mask, bool integer, const component_registers* into);
    void store(const operand& destination, unsigned mask, const component_registers& values);

    /// Registers for an instruction's results: the destination's own if it is a TEMP or ADDR of a file that no source
    /// reads, otherwise scratch registers.
    component_registers result_registers(const instruction& each);
    /// Components that an instruction writes; without a mask, all that the register has.
    unsigned written_components(const operand& destination) const;
    const immediate& immediate_of(const operand& access) const;

private:
    unsigned index_register(const indirect_part& part, place at) const;
    component_registers registers_of(const operand& access) const;
    bool in_local_memory(const operand& access) const;
    static void check_components(const operand& access, unsigned mask, unsigned has);

    access_target resolve(const operand& access, bool written = false);
    void resolve_vertex(const operand& access, access_target& result);

    component_registers load(const operand& access, unsigned mask);
    component_registers load_system_value(const operand& access, unsigned mask);
    component_registers load_constant(const operand& access, unsigned mask);
    component_registers load_immediate(const operand& access, unsigned mask, const component_registers* into);
    component_registers load_register(const operand& access, unsigned mask);
    component_registers modified(const operand& access, unsigned mask, bool integer, component_registers values);
    void move(unsigned mask, const component_registers& values, const component_registers& to);

    access_context context() { return {write_, scratch_, stage_.options, stage_.state()}; }

    const lowered_stage& stage_;
    const program_storage& storage_;
    instruction_writer& write_;
    scratch_pool& scratch_;
};

} // namespace isbesim::varying
