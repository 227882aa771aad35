// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/channel/macro_turing.h"

namespace isbesim::gl {

namespace {

enum turing_source : std::uint32_t {
    source_zero = 24,
    source_own_immediate,
    source_other_immediate,
    source_both_immediates,
    source_load_0,
    source_load_1
};

enum turing_output : std::uint32_t {
    output_none,
    output_alu_0,
    output_alu_1,
    output_load_0,
    output_load_1,
    output_immediate_0,
    output_immediate_1,
    output_high_0 = 8,
    output_high_1,
    output_whole
};

enum class turing_operation : std::uint32_t {
    add,
    add_carry,
    subtract,
    subtract_borrow,
    multiply,
    upper_half,
    multiply_unsigned,
    extended,
    leading_zeros,
    shift_left,
    shift_right,
    shift_right_signed,
    bits_and,
    bits_nand,
    bits_or,
    bits_xor,
    merge,
    set_less,
    set_less_unsigned,
    set_less_equal,
    set_less_equal_unsigned,
    set_equal,
    read_state,
    begin_loop,
    jump_always,
    jump_less,
    jump_less_unsigned,
    jump_less_equal,
    jump_less_equal_unsigned,
    jump_equal,
    read_ram,
    write_ram
};

/// Modes of ALU 0, ALU 1, output 0 and output 1: T and F run if the predicate is true or false, U always.
constexpr const char* turing_modes[16] = {"UUUU", "TTTT", "FFFF", "TTUU", "FFUU", "TFUU", "TUUU", "FUUU",
                                          "UUTT", "UUTF", "UUTU", "UUFT", "UUFF", "UUFU", "UUUT", "UUUF"};

std::uint32_t with_sign(std::uint32_t value, unsigned bits)
{
    const auto sign = 1U << (bits - 1);
    return ((value & (2 * sign - 1)) ^ sign) - sign;
}

/// `how`: 15:10 place in `into`, 9:5 number of bits, 4:0 first bit in `source`.
std::uint32_t turing_merge(std::uint32_t into, std::uint32_t source, std::uint32_t how)
{
    const std::uint64_t mask = (1U << ((how >> 5) & 0x1f)) - 1;
    const auto place = how >> 10;
    const auto bits = (source >> (how & 0x1f)) & mask;
    return static_cast<std::uint32_t>((into & ~(mask << place)) | bits << place);
}

bool turing_comparison(turing_operation how, std::uint32_t x, std::uint32_t y)
{
    const auto signed_x = static_cast<std::int32_t>(x);
    const auto signed_y = static_cast<std::int32_t>(y);
    switch (how) {
    case turing_operation::set_less:
    case turing_operation::jump_less:
        return signed_x < signed_y;
    case turing_operation::set_less_unsigned:
    case turing_operation::jump_less_unsigned:
        return x < y;
    case turing_operation::set_less_equal:
    case turing_operation::jump_less_equal:
        return signed_x <= signed_y;
    case turing_operation::set_less_equal_unsigned:
    case turing_operation::jump_less_equal_unsigned:
        return x <= y;
    default:
        return x == y;
    }
}

} // namespace

struct macro_turing::instruction {
    struct {
        std::uint32_t operation, target, source[2], immediate;
    } alu[2];
    struct {
        std::uint32_t method, value;
    } out[2];
    std::uint32_t predicate, mode;
    bool last;

    /// Parameters that it takes, whether or not its parts run.
    unsigned loads() const
    {
        bool any[2] = {};
        const auto see = [&](std::uint32_t name, std::uint32_t first) {
            if (name == first || name == first + 1) any[name - first] = true;
        };
        see(predicate, source_load_0);
        for (const auto& each : alu)
            for (const auto name : each.source) see(name, source_load_0);
        for (const auto& each : out) {
            see(each.method, output_load_0);
            see(each.value, output_load_0);
        }
        return any[1] ? 2 : any[0] ? 1 : 0;
    }
};

macro_turing::instruction macro_turing::decode(std::uint32_t high, std::uint32_t middle, std::uint32_t low)
{
    const std::uint64_t lower = std::uint64_t{middle} << 32 | low;
    const std::uint64_t upper = std::uint64_t{high} << 32 | middle;
    const auto field = [&](unsigned first, unsigned bits) {
        const auto value = first < 32 ? lower >> first : upper >> (first - 32);
        return static_cast<std::uint32_t>(value & ((1U << bits) - 1));
    };
    instruction result{};
    result.last = field(0, 1) != 0;
    result.mode = field(1, 4);
    result.predicate = field(5, 5);
    for (unsigned i = 0; i < 2; ++i) {
        const auto first = 10 + 36 * i;
        result.alu[i] = {
            field(first, 5), field(first + 5, 5), {field(first + 10, 5), field(first + 15, 5)}, field(first + 20, 16)};
        result.out[i] = {field(82 + 7 * i, 3), field(85 + 7 * i, 4)};
    }
    return result;
}

void macro_turing::start(std::uint32_t position)
{
    registers_ = {};
    results_ = {};
    loads_ = {};
    beyond_ = 0;
    output_ = {};
    position_ = position;
    loops_left_ = 0;
    is_last_ = false;
}

macro_event macro_turing::step()
{
    if (position_ >= memory_.words() || memory_.words() - position_ < words) return macro_event::outside_code;
    const auto now = decode(memory_.code(position_), memory_.code(position_ + 1), memory_.code(position_ + 2));
    const auto loads = now.loads();
    if (!host_.has_parameters(loads)) return macro_event::waits;
    for (unsigned i = 0; i < loads; ++i) loads_[i] = host_.take_parameter();

    next_ = position_ + words;
    taken_ = stopped_ = false;
    trouble_ = macro_event::ran;
    const char* mode = turing_modes[now.mode];
    const char left_out = now.mode == 0 || source(now, 0, now.predicate) != 0 ? 'F' : 'T';
    for (unsigned i = 0; i < 2; ++i)
        if (mode[i] != left_out) execute(now, i);
    for (unsigned i = 0; i < 2; ++i)
        if (mode[2 + i] != left_out) output(now, i);
    if (trouble_ != macro_event::ran) return trouble_;

    if (!taken_ && loops_left_ != 0 && position_ == loop_end_) {
        --loops_left_;
        next_ = loop_begin_;
    }
    position_ = next_;
    const bool ended = is_last_ || stopped_;
    is_last_ = now.last && !taken_;
    return ended ? macro_event::ended : macro_event::ran;
}

std::uint32_t macro_turing::source(const instruction& step, unsigned alu, std::uint32_t name)
{
    if (name < registers_.size()) return registers_[name];
    switch (name) {
    case source_zero:
        return 0;
    case source_own_immediate:
        return with_sign(step.alu[alu].immediate, 16);
    case source_other_immediate:
        return with_sign(step.alu[1 - alu].immediate, 16);
    case source_both_immediates:
        return step.alu[0].immediate << 16 | step.alu[1].immediate;
    case source_load_0:
    case source_load_1:
        return loads_[name - source_load_0];
    default:
        trouble_ = macro_event::bad_instruction;
        return 0;
    }
}

std::uint32_t macro_turing::jump(std::uint32_t where) const
{
    return position_ + words * with_sign(where, 13);
}

void macro_turing::loop(std::uint32_t count, std::uint32_t length)
{
    if (count == 0) {
        next_ = position_ + words * length;
        return;
    }
    loops_left_ = count - 1;
    loop_begin_ = position_ + words;
    loop_end_ = position_ + words * (length - 1);
}

std::uint32_t macro_turing::compute(const instruction& step, unsigned alu)
{
    const auto& what = step.alu[alu];
    const auto x = source(step, alu, what.source[0]);
    const auto y = source(step, alu, what.source[1]);
    const auto wide = [&](std::uint64_t value) {
        beyond_ = static_cast<std::uint32_t>(value >> 32);
        return static_cast<std::uint32_t>(value);
    };
    const auto ram = [&]() -> std::uint32_t& {
        if (x < macro_memory::ram_words) return memory_.ram[x];
        trouble_ = macro_event::outside_ram;
        return results_[alu];
    };
    const auto operation = static_cast<turing_operation>(what.operation);
    switch (operation) {
    case turing_operation::add:
        return wide(std::uint64_t{x} + y);
    case turing_operation::add_carry:
        return x + y + beyond_;
    case turing_operation::subtract:
        beyond_ = x < y ? 1 : 0;
        return x - y;
    case turing_operation::subtract_borrow:
        return x - y - beyond_;
    case turing_operation::multiply:
        return wide(
            static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(x)} * static_cast<std::int32_t>(y)));
    case turing_operation::upper_half:
        return beyond_;
    case turing_operation::multiply_unsigned:
        return wide(std::uint64_t{x} * y);
    case turing_operation::extended: // the known form waits for a DMA read, which is done
        if (x != 0x1000 || y != 1) trouble_ = macro_event::bad_instruction;
        break;
    case turing_operation::leading_zeros:
        return x == 0 ? 32 : static_cast<std::uint32_t>(__builtin_clz(x));
    case turing_operation::shift_left:
        return x << (y & 31);
    case turing_operation::shift_right:
        return x >> (y & 31);
    case turing_operation::shift_right_signed:
        return static_cast<std::uint32_t>(static_cast<std::int32_t>(x) >> (y & 31));
    case turing_operation::bits_and:
        return x & y;
    case turing_operation::bits_nand:
        return ~(x & y);
    case turing_operation::bits_or:
        return x | y;
    case turing_operation::bits_xor:
        return x ^ y;
    case turing_operation::merge:
        return turing_merge(x, y, what.immediate);
    case turing_operation::set_less:
    case turing_operation::set_less_unsigned:
    case turing_operation::set_less_equal:
    case turing_operation::set_less_equal_unsigned:
    case turing_operation::set_equal:
        return turing_comparison(operation, x, y) ? 0xffffffffU : 0;
    case turing_operation::read_state:
        return host_.state(4 * ((x + y) & 0xfff));
    case turing_operation::begin_loop:
        loop(x, what.immediate);
        break;
    case turing_operation::jump_always:
        taken_ = true;
        next_ = jump(what.immediate);
        break;
    case turing_operation::read_ram:
        return ram();
    case turing_operation::write_ram:
        ram() = y;
        break;
    default: // conditional jumps
        if (turing_comparison(operation, x, y) != ((what.immediate >> 15) != 0)) break;
        taken_ = true;
        next_ = jump(what.immediate);
        // The lowest offset leaves the macro.
        stopped_ = (what.immediate & 0x1fff) == 0x1000;
        break;
    }
    return 0;
}

void macro_turing::execute(const instruction& step, unsigned alu)
{
    const auto target = step.alu[alu].target;
    const auto result = compute(step, alu);
    results_[alu] = result;
    if (target < registers_.size())
        registers_[target] = result;
    else if (target != source_zero)
        trouble_ = macro_event::bad_instruction;
}

std::uint32_t macro_turing::data(const instruction& step, std::uint32_t name)
{
    switch (name) {
    case output_alu_0:
    case output_alu_1:
        return results_[name - output_alu_0];
    case output_load_0:
    case output_load_1:
        return loads_[name - output_load_0];
    case output_immediate_0:
    case output_immediate_1:
        return step.alu[name - output_immediate_0].immediate;
    case output_high_0:
    case output_high_1:
        return step.alu[name - output_high_0].immediate >> 12;
    case output_whole:
        return step.alu[0].immediate << 16 | step.alu[1].immediate;
    default:
        trouble_ = macro_event::bad_instruction;
        return 0;
    }
}

void macro_turing::output(const instruction& step, unsigned which)
{
    const auto& what = step.out[which];
    if (what.method != output_none) output_.aim(data(step, what.method), 0xf);
    if (what.value == output_none) return;
    const auto value = data(step, what.value);
    if (trouble_ == macro_event::ran && !output_.send(host_, value)) trouble_ = macro_event::no_method;
}

} // namespace isbesim::gl
