#include "models/sm/warnings/operation_warnings.h"

namespace isbesim {

namespace {

/// RZ, written or left out.
bool is_zero_register(const isa::operand& operand)
{
    return operand.kind == isa::operand::source::none ||
           (operand.kind == isa::operand::source::reg && operand.index == isa::register_zero);
}

/// PRIMITIVE_ID belongs to the primitive: its handle is implicit (HARDWARE.md A.5).
bool reads_primitive_id(const isa::instruction& instruction, const warp_op& op)
{
    const isa::operand& address = instruction.at(isa::slot::address);
    return op.immediate == 0x60 && address.index == isa::register_zero;
}

} // namespace

void warnings_of_operation(warning_table& warnings, isbesim::stage stage, bool by_state, unsigned warp,
                           std::uint64_t cycle, const isa::instruction& instruction, const warp_op& op)
{
    const auto add = [&](warning_kind kind) { warnings.add(kind, stage, instruction.address, 0, warp, cycle); };
    switch (op.op) {
    case opcode::ald:
        if ((stage == isbesim::stage::tess_init || stage == isbesim::stage::tess ||
             stage == isbesim::stage::geometry) &&
            op.space == space::input && op.form != address_form::patch &&
            is_zero_register(instruction.at(isa::slot::b)) && !reads_primitive_id(instruction, op))
            add(warning_kind::missing_handle);
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
