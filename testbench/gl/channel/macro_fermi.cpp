// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/channel/macro_fermi.h"

namespace isbesim::gl {

namespace {

enum class fermi_operation : std::uint32_t {
    by_registers,
    add_immediate,
    insert,              ///< bits of b in a
    extract_at_register, ///< bits of b from bit a on, then shifted
    extract_to_register, ///< bits of b, shifted to bit a
    read_state,
    branch = 7
};

enum class fermi_assignment : std::uint32_t {
    load,
    move,
    move_and_aim,
    send_and_load,
    move_and_send,
    aim_and_load,
    aim_and_send_parameter,
    aim_and_send_high
};

constexpr std::uint32_t fermi_step_mask = 0x3f;

constexpr std::uint32_t fermi_field(std::uint32_t word, unsigned low, unsigned bits)
{
    return (word >> low) & ((1U << bits) - 1);
}

std::uint32_t fermi_immediate(std::uint32_t word)
{
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(word) >> 14);
}

std::uint32_t fermi_extract(std::uint32_t value, std::uint32_t first, std::uint32_t bits, std::uint32_t to)
{
    if (first > 31 || to > 31) return 0;
    return ((value >> first) & ((1U << bits) - 1)) << to;
}

fermi_operation operation_of(std::uint32_t word)
{
    return static_cast<fermi_operation>(fermi_field(word, 0, 3));
}

fermi_assignment assignment_of(std::uint32_t word)
{
    return static_cast<fermi_assignment>(fermi_field(word, 4, 3));
}

bool takes_parameter(std::uint32_t word)
{
    if (operation_of(word) == fermi_operation::branch) return false;
    switch (assignment_of(word)) {
    case fermi_assignment::load:
    case fermi_assignment::send_and_load:
    case fermi_assignment::aim_and_load:
    case fermi_assignment::aim_and_send_parameter:
        return true;
    default:
        return false;
    }
}

} // namespace

void macro_fermi::start(std::uint32_t position)
{
    registers_ = {};
    carry_ = 0;
    output_ = {};
    position_ = position;
    next_ = position + 1;
    is_new_ = true;
    is_last_ = false;
}

macro_event macro_fermi::step()
{
    if (is_new_) {
        if (!host_.has_parameters(1)) return macro_event::waits;
        registers_[1] = host_.take_parameter();
        is_new_ = false;
    }
    if (position_ >= memory_.words()) return macro_event::outside_code;
    const auto word = memory_.code(position_);
    if (takes_parameter(word) && !host_.has_parameters(1)) return macro_event::waits;
    bool taken = false;
    if (operation_of(word) == fermi_operation::branch) {
        const bool if_not_zero = fermi_field(word, 4, 1) != 0;
        taken = (registers_[fermi_field(word, 11, 3)] != 0) == if_not_zero;
    } else {
        const auto result = compute(word);
        if (!result) return macro_event::bad_instruction;
        if (!assign(word, *result)) return macro_event::no_method;
    }
    return advance(taken, word);
}

macro_event macro_fermi::advance(bool taken, std::uint32_t word)
{
    const auto target = position_ + fermi_immediate(word);
    const bool without_slot = fermi_field(word, 5, 1) != 0;
    const bool ended = is_last_;
    position_ = taken && without_slot ? target : next_;
    next_ = taken && !without_slot ? target : position_ + 1;
    is_last_ = fermi_field(word, 7, 1) != 0 && !taken;
    return ended ? macro_event::ended : macro_event::ran;
}

std::optional<std::uint32_t> macro_fermi::compute(std::uint32_t word)
{
    const auto a = registers_[fermi_field(word, 11, 3)];
    const auto b = registers_[fermi_field(word, 14, 3)];
    const auto first = fermi_field(word, 17, 5);
    const auto bits = fermi_field(word, 22, 5);
    const auto to = fermi_field(word, 27, 5);
    switch (operation_of(word)) {
    case fermi_operation::by_registers:
        return compute_by_registers(first, a, b);
    case fermi_operation::add_immediate:
        return a + fermi_immediate(word);
    case fermi_operation::insert:
        return (a & ~(((1U << bits) - 1) << to)) | fermi_extract(b, first, bits, to);
    case fermi_operation::extract_at_register:
        return fermi_extract(b, a, bits, to);
    case fermi_operation::extract_to_register:
        return fermi_extract(b, first, bits, a);
    case fermi_operation::read_state:
        return host_.state(4 * ((a + fermi_immediate(word)) & 0xfff));
    default:
        return {};
    }
}

std::optional<std::uint32_t> macro_fermi::compute_by_registers(std::uint32_t function, std::uint32_t a, std::uint32_t b)
{
    const auto with_carry = [&](std::uint64_t wide) {
        carry_ = (wide >> 32) != 0 ? 1 : 0;
        return static_cast<std::uint32_t>(wide);
    };
    switch (function) {
    case 0:
        return with_carry(std::uint64_t{a} + b);
    case 1:
        return with_carry(std::uint64_t{a} + b + carry_);
    case 2:
        return with_carry(std::uint64_t{a} - b);
    case 3:
        return with_carry(std::uint64_t{a} - b - carry_);
    case 8:
        return a ^ b;
    case 9:
        return a | b;
    case 10:
        return a & b;
    case 11:
        return a & ~b;
    case 12:
        return ~(a & b);
    default:
        return {};
    }
}

bool macro_fermi::assign(std::uint32_t word, std::uint32_t result)
{
    auto kept = result;
    bool sent = true;
    switch (assignment_of(word)) {
    case fermi_assignment::load:
        kept = host_.take_parameter();
        break;
    case fermi_assignment::send_and_load:
        sent = output_.send(host_, result);
        kept = host_.take_parameter();
        break;
    case fermi_assignment::move_and_send:
        sent = output_.send(host_, result);
        break;
    case fermi_assignment::aim_and_load:
        output_.aim(result, fermi_step_mask);
        kept = host_.take_parameter();
        break;
    case fermi_assignment::move_and_aim:
        output_.aim(result, fermi_step_mask);
        break;
    case fermi_assignment::aim_and_send_parameter:
        output_.aim(result, fermi_step_mask);
        sent = output_.send(host_, host_.take_parameter());
        break;
    case fermi_assignment::aim_and_send_high:
        output_.aim(result, fermi_step_mask);
        sent = output_.send(host_, fermi_field(result, 12, 6));
        break;
    case fermi_assignment::move:
        break;
    }
    if (const auto target = fermi_field(word, 8, 3); target != 0) registers_[target] = kept;
    return sent;
}

} // namespace isbesim::gl
