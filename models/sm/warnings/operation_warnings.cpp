// SPDX-License-Identifier: Apache-2.0
#include "models/sm/warnings/operation_warnings.h"

#include "models/attribute/al2p.h"
#include "models/attribute/attribute_map.h"

namespace isbesim {

namespace {

/// RZ, whether written or omitted.
bool is_zero_register(const isa::operand& operand)
{
    return operand.kind == isa::operand::source::none ||
           (operand.kind == isa::operand::source::reg && operand.index == isa::register_zero);
}

/// Whether an input load (of `components`, if physical) reads only PRIMITIVE_ID. That attribute belongs to the
/// primitive, so the handle is implicit (HARDWARE.md A.5). Alignment follows E.2.
bool loads_per_primitive(const warp_op& op, unsigned components)
{
    if (op.space != space::input || op.size != 1 || components != 1) return false;
    if (op.form == address_form::logical) return is_per_primitive(static_cast<unsigned>(op.immediate) / 4);
    for (unsigned lane = 0; lane < warp_lanes; ++lane)
        if ((op.lanes >> lane & 1U) != 0 && !decode_al2p(op.address[lane]).per_primitive) return false;
    return true;
}

/// A load that needs a vertex handle and has none (HARDWARE.md E.4, E.6 row 23).
bool lacks_handle(isbesim::stage stage, const isa::instruction& instruction, const warp_op& op, unsigned components)
{
    const bool by_handle =
        stage == isbesim::stage::tess_init || stage == isbesim::stage::tess || stage == isbesim::stage::geometry;
    return by_handle && op.form != address_form::patch && is_zero_register(instruction.at(isa::slot::b)) &&
           !loads_per_primitive(op, components);
}

} // namespace

void warnings_of_operation(warning_table& warnings, isbesim::stage stage, bool by_state, std::uint64_t cycle,
                           const isa::instruction& instruction, const warp_op& op, unsigned components)
{
    const auto add = [&](warning_kind kind) { warnings.add(kind, stage, instruction.address, 0, cycle); };
    switch (op.op) {
    case opcode::ald:
        if (lacks_handle(stage, instruction, op, components)) add(warning_kind::missing_handle);
        break;
    case opcode::ast:
        if (by_state && op.form != address_form::patch && is_zero_register(instruction.at(isa::slot::b)))
            add(warning_kind::missing_state);
        break;
    case opcode::out:
        if (op.type == out_type::cut && !is_zero_register(instruction.at(isa::slot::b))) add(warning_kind::cut_stream);
        break;
    case opcode::isberd:
    case opcode::isbewr:
        if (op.skew && op.region != region::attr) add(warning_kind::skew_ignored);
        break;
    default:
        break;
    }
}

} // namespace isbesim
