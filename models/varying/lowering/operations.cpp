// SPDX-License-Identifier: Apache-2.0
#include "models/varying/lowering/operations.h"

namespace isbesim::varying {

namespace {

constexpr operation_row operations[] = {
    {"MOV", operation::move, 1, false},
    {"ADD", operation::add, 2, false},
    {"SUB", operation::subtract, 2, false},
    {"MUL", operation::multiply, 2, false},
    {"MAD", operation::fused, 3, false},
    {"FMA", operation::fused, 3, false},
    {"MIN", operation::smaller, 2, false},
    {"MAX", operation::larger, 2, false},
    {"DP2", operation::dot2, 2, false},
    {"DP3", operation::dot3, 2, false},
    {"DP4", operation::dot4, 2, false},
    {"ARL", operation::floor_index, 1, false},
    {"UARL", operation::move, 1, true},
    {"UADD", operation::int_add, 2, true},
    {"UMUL", operation::int_multiply, 2, true},
    {"UMAD", operation::int_fused, 3, true},
    {"AND", operation::bit_and, 2, true},
    {"OR", operation::bit_or, 2, true},
    {"XOR", operation::bit_xor, 2, true},
    {"SHL", operation::shift_left, 2, true},
    {"INEG", operation::negate, 1, true},
    {"I2F", operation::from_int, 1, true},
    {"U2F", operation::from_uint, 1, true},
    {"F2I", operation::to_int, 1, false},
    {"F2U", operation::to_uint, 1, false},
    {"EMIT", operation::emit, 0, true},
    {"ENDPRIM", operation::end_primitive, 0, true},
    {"END", operation::end, 0, true},
    {"NOP", operation::nothing, 0, true},
};

} // namespace

const operation_row& operation_of(const instruction& each)
{
    for (const auto& row : operations)
        if (each.opcode == row.name) return row;
    shader_error error(each.at, "there is no lowering for " + each.opcode + ", expected an opcode that has one");
    error.unknown = each.opcode;
    for (const auto& row : operations) error.known.emplace_back(row.name);
    throw error;
}

unsigned dot_components(operation what)
{
    switch (what) {
    case operation::dot2:
        return 2;
    case operation::dot3:
        return 3;
    case operation::dot4:
        return 4;
    default:
        return 0;
    }
}

void write_operation(instruction_writer& write, scratch_pool& scratch, const instruction& each,
                     const operation_row& row, unsigned d, unsigned a, unsigned b, unsigned c)
{
    using logic = instruction_writer::logic;
    const bool saturate = each.saturate;
    switch (row.what) {
    case operation::move: // only saturated ones come here
        return write.float_add(d, a, isa::register_zero, true, true);
    case operation::add:
        return write.float_add(d, a, b, false, saturate);
    case operation::subtract:
        return write.float_add(d, a, b, true, saturate);
    case operation::multiply:
        return write.float_multiply(d, a, b, saturate);
    case operation::fused:
        return write.float_fused(d, a, b, c, saturate);
    default:
        break;
    }
    if (saturate) throw shader_error(each.at, each.opcode + " has no saturation here, expected it without _SAT");
    switch (row.what) {
    case operation::smaller:
        return write.float_select(d, a, b, true);
    case operation::larger:
        return write.float_select(d, a, b, false);
    case operation::floor_index:
        return write.to_integer(d, a, ".FLOOR", false);
    case operation::int_add:
        return write.add_registers(d, a, b);
    case operation::int_multiply:
        return write.multiply_registers(d, a, b);
    case operation::int_fused: {
        const unsigned product = scratch.take();
        write.multiply_registers(product, a, b);
        return write.add_registers(d, product, c);
    }
    case operation::bit_and:
        return write.combine(logic::and_bits, d, a, b);
    case operation::bit_or:
        return write.combine(logic::or_bits, d, a, b);
    case operation::bit_xor:
        return write.combine(logic::xor_bits, d, a, b);
    case operation::shift_left: {
        const unsigned count = scratch.take();
        write.mask(count, b, 31); // TGSI takes the count modulo 32
        return write.shift_left_registers(d, a, count);
    }
    case operation::negate:
        return write.add_registers(d, isa::register_zero, a, true);
    case operation::from_int:
        return write.to_float(d, a, false);
    case operation::from_uint:
        return write.to_float(d, a, true);
    case operation::to_int:
        return write.to_integer(d, a, ".TRUNC", false);
    default:
        return write.to_integer(d, a, ".TRUNC", true);
    }
}

} // namespace isbesim::varying
