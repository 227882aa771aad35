// SPDX-License-Identifier: Apache-2.0
// Attribute instructions: fill the warp_op that the ISBE executes, and write its result to the registers.
#include "models/attribute/al2p.h"
#include "models/isa/execution/register_lanes.h"
#include "models/isa/operand_registers.h"
#include "tlm/vector_clones.h"

namespace isbesim::isa {

namespace {

constexpr word end_of_attributes = 0x400; // first byte address out of range (HARDWARE.md A.1)

/// Zeros for RZ and for registers that the program does not have.
words words_of(const warp_state& warp, unsigned index)
{
    return index < warp.registers.size() ? warp.registers[index] : words{};
}

/// First register of an operand, aligned to the access's size; RZ if the instruction has no such operand (OUT.FINAL).
unsigned first_register(const instruction& now, slot where)
{
    for (const auto& spec : now.row->operands) {
        if (spec.where != where) continue;
        const register_range range = registers_of(now, spec);
        return range.count == 0 ? register_zero : range.first;
    }
    return register_zero;
}

void reset(warp_op& op, opcode code, lane_mask lanes)
{
    op.op = code;
    op.region = region::attr;
    op.form = address_form::logical;
    op.type = out_type::emit;
    op.skew = false;
    op.immediate = 0;
    op.lanes = lanes;
}

void begin(machine& m, opcode code)
{
    reset(m.op, code, m.lanes);
    m.op.space = has(m, mod::output_space) ? space::output : space::input;
    m.op.size = static_cast<std::uint8_t>(modifier(m, mod::size) + 1);
    m.result.kind = step_kind::attribute;
}

void trap(machine& m, op_error error)
{
    m.result.kind = step_kind::trap;
    m.result.trap = static_cast<std::uint8_t>(error);
}

/// Address and form of ALD and AST. False after a trap.
bool address_access(machine& m)
{
    const operand& address = m.now.at(slot::address);
    m.op.form = static_cast<address_form>(modifier(m, mod::patch));
    m.op.address = register_words(m, address.index);
    m.op.immediate = static_cast<std::int32_t>(address.value);
    // If .PHYS has its own bit, a logical address with a register has no meaning (HARDWARE.md B.4).
    if (m.op.form == address_form::logical && address.index != register_zero) {
        trap(m, op_error::illegal_instr_encoding);
        return false;
    }
    if (m.op.form != address_form::phys) return true;
    // HARDWARE.md E.6 row 1: a physical access has no offset; it is scalar, unless the rules allow a vector.
    if (address.value != 0 || (m.op.size > 1 && !m.rules.allow_phys_vector)) {
        trap(m, op_error::illegal_instr_encoding);
        return false;
    }
    m.result.components = m.op.size;
    m.op.size = 1;
    return true;
}

void raw_access(machine& m, opcode code)
{
    begin(m, code);
    m.op.region = static_cast<region>(modifier(m, mod::region));
    m.op.size = static_cast<std::uint8_t>(1U << modifier(m, mod::size));
    m.op.skew = has(m, mod::skew);
    const operand& address = m.now.at(slot::address);
    m.op.address = register_words(m, address.index);
    m.op.immediate = static_cast<std::int32_t>(address.value);
}

/// Byte address of the attribute that an AL2P result names; end_of_attributes for an invalid result.
word logical_address(word result, space space)
{
    const bool usable = is_al2p_result(result, space) && (result & rules::al2p_out_of_range) == 0;
    return usable ? 4 * (result >> 8 & 0xffU) : end_of_attributes;
}

} // namespace

namespace run {

ISBESIM_VECTOR_CLONES
void ald(machine& m)
{
    begin(m, opcode::ald);
    const std::uint8_t handle = m.now.at(slot::b).index;
    const bool vertex_stage = m.warp.stage == stage::vertex || m.warp.stage == stage::vertex_a;
    if (vertex_stage && handle != register_zero) return trap(m, op_error::illegal_instr_encoding);
    m.op.handle = register_words(m, handle);
    address_access(m);
}

ISBESIM_VECTOR_CLONES
void ast(machine& m)
{
    begin(m, opcode::ast);
    m.op.space = space::output;
    m.op.handle = register_words(m, m.now.at(slot::b).index);
    if (!address_access(m)) return;
    const unsigned first = first_register(m.now, slot::a);
    for (unsigned k = 0; k < m.op.size; ++k) m.op.data[k] = words_of(m.warp, first + k);
}

void al2p(machine& m)
{
    begin(m, opcode::al2p);
    m.op.address = register_words(m, m.now.at(slot::a).index);
    m.op.immediate = static_cast<std::int32_t>(m.now.at(slot::extra).value);
}

ISBESIM_VECTOR_CLONES
void out(machine& m)
{
    begin(m, opcode::out);
    m.op.type = static_cast<out_type>(modifier(m, mod::out_type));
    // On SM50 the state machine ends by itself; OUT.FINAL came later (HARDWARE.md E.6 row 20).
    if (m.op.type == out_type::final && m.warp.code->arch == architecture::sm50)
        return trap(m, op_error::illegal_instr_encoding);
    m.op.handle = raw(m, m.now.at(slot::a));
    m.op.address = raw(m, m.now.at(slot::b));
}

void isberd(machine& m)
{
    raw_access(m, opcode::isberd);
    if (m.op.region != region::map && m.warp.code->arch == architecture::sm50)
        trap(m, op_error::illegal_instr_encoding);
}

void isbewr(machine& m)
{
    raw_access(m, opcode::isbewr);
    m.op.data[0] = raw(m, m.now.at(slot::a));
}

} // namespace run

void select_component(const warp_state& warp, const instruction& instruction, unsigned component, warp_op& op)
{
    if (op.form == address_form::phys) {
        op.form = address_form::logical;
        for (auto& address : op.address) address = logical_address(address, op.space);
    }
    for (auto& address : op.address) address += 4;
    if (op.op != opcode::ast) return;
    op.data[0] = words_of(warp, first_register(instruction, slot::a) + component);
}

void make_final_out(const warp_state& warp, lane_mask lanes, warp_op& op)
{
    reset(op, opcode::out, lanes);
    op.space = space::output;
    op.type = out_type::final;
    op.size = 1;
    op.address = {};
    op.handle = words_of(warp, 0);
}

ISBESIM_VECTOR_CLONES
void write_back(warp_state& warp, const instruction& instruction, const warp_op& op, const warp_result& result,
                unsigned component)
{
    if (result.error != op_error::none || is_store(op.op)) return;
    const unsigned first = first_register(instruction, slot::d);
    if (first == register_zero) return;
    lane_mask lanes = op.lanes;
    if (op.op == opcode::out)
        lanes &= where_lanes([&](unsigned i) { return (result.status[i] & lane_status::gs_state) == 0; });
    const unsigned count = op.op == opcode::ald ? op.size : 1;
    for (unsigned k = 0; k < count; ++k) {
        const std::size_t index = first + component + k;
        if (index >= warp.registers.size()) return;
        words& target = warp.registers[index];
        for (unsigned i = 0; i < warp_lanes; ++i) target[i] = ((lanes >> i) & 1U) != 0 ? result.data[k][i] : target[i];
    }
}

} // namespace isbesim::isa
