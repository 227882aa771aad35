// SPDX-License-Identifier: Apache-2.0
// Loads the source operands of a lowered program into registers and stores its results.
#pragma once

#include "models/varying/lowering/element_access.h"
#include "models/varying/lowering/lowering_parts.h"
#include "models/varying/lowering/program_storage.h"

namespace isbesim::varying {

class operand_access {
public:
    operand_access(const lowered_stage& stage, const program_storage& storage, instruction_writer& write,
                   scratch_pool& scratch)
        : stage_(stage), storage_(storage), write_(write), scratch_(scratch)
    {
    }

    /// Registers with the source's value, modifiers applied, for every component of `mask`. Immediates may be loaded to
    /// the registers `into`. All methods throw shader_error for an unsupported operand.
    component_registers fetch(const operand& access, unsigned mask, bool integer, const component_registers* into);
    void store(const operand& destination, unsigned mask, const component_registers& values);

    /// Registers for an instruction's results: those of a TEMP or ADDR itself, unless a source reads its file.
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
