// SPDX-License-Identifier: Apache-2.0
// Rows of SM75, SM86 and SM120: generic, global and shared memory, atomics, cache control.
#include "models/isa/tables/memory_modifiers.h"
#include "models/isa/tables/sm75_rows.h"

namespace isbesim::isa::sm75 {

namespace {

constexpr field near_offset = {40, 24}, far_offset = {32, 32};
constexpr std::uint8_t high_offset_bit = 63;

operand_spec address(field offset)
{
    return wide_address(isa::address(form::memory, reg_first, offset));
}

/// The forms of an access to memory: a register for the address, or the sum of a register and a uniform register (NAK's
/// OpLd, OpSt and OpAtom). `plain` and `sum` are bits 11:0, `is_pair` makes the vector register of a sum a pair.
struct sum_forms {
    unsigned plain, sum;
    field uniform, is_pair;
    encoding unread_when_plain{};
};

void add_with_sum(rows& out, const sum_forms& forms, const opcode_row& row)
{
    add(out, forms.unread_when_plain[1], forms.plain, ignoring(forms.unread_when_plain, row));
    auto sum = plus_uniform(operand_at(row, slot::address), forms.uniform, forms.is_pair);
    if (forms.is_pair.low == high_offset_bit) --sum.bits.bits;
    add(out, uniform_bit, forms.sum, with_operand(row, sum));
}

operand_spec data(field bits, extent wide)
{
    return register_source(slot::a, bits, wide);
}

void add_access_rows(rows& out, architecture arch)
{
    const auto by_size = extent::by_memory_size;
    const operand_spec loaded = dest(by_size);

    // Only LD has no predicate result for a failed access; LDG has PT there. Lanes in which the predicate after the
    // address is false load 0 (NAK's OpLd).
    static constexpr choice prefetch[] = {{0, "", false}, {2, "LTC128B"}};
    const operand_spec loads = optional(reversed(predicate_source(slot::ps, 64, 67)));
    const encoding condition_and_prefetch = {0, 0x3f};
    add(out, 0, 0x980,
        meaning(condition_and_prefetch,
                global_row("LD", run::load_generic,
                           ordered(arch, {wide(72), eviction(84), size_memory(73)}, values::load_order),
                           {loaded, address(far_offset)})));
    add(out, 0, 0x385,
        storing(global_row("ST", run::store_generic,
                           ordered(arch, {wide(72), eviction(84), size_memory(73)}, values::store_order),
                           {address(far_offset), data(reg_third, by_size)})));
    add_with_sum(out, {0x381, 0x981, uniform_of_load(arch), {90, 1}},
                 global_row("LDG", run::load_global,
                            ordered(arch, {wide(72), {mod::cache, {68, 2}, prefetch}, eviction(84), size_global(73)},
                                    values::load_order),
                            {optional(predicate_result(slot::pd, 81)), loaded, address(near_offset), loads}));
    add_with_sum(out, {0x386, 0x986, uniform_of_store(arch), {90, 1}},
                 storing(global_row("STG", run::store_global,
                                    ordered(arch, {wide(72), eviction(84), size_memory(73)}, values::store_order),
                                    {address(near_offset), data(reg_second, by_size)})));
}

void add_shared_rows(rows& out, architecture arch)
{
    static constexpr choice uncached[] = {{0, "", false}, {1, "U"}};
    operand_spec where = isa::address(form::memory, reg_first, near_offset);
    where.part = {78, 2};
    const auto by_type = extent::by_atomic_type;

    add_with_sum(out, {0x984, 0x984, uniform_of_load(arch), {}},
                 meaning({0, 0x80'0000}, // .ZD
                         memory_row("LDS", run::load_shared, {{mod::cache, {76, 1}, uncached}, size_memory(73)},
                                    {dest(extent::by_memory_size), where})));
    add_with_sum(
        out, {0x388, 0x988, uniform_of_store(arch), {}},
        memory_row("STS", run::store_shared, {size_memory(73)}, {where, data(reg_second, extent::by_memory_size)}));
    add_with_sum(out, {0x38c, 0x98c, uniform_of_store(arch), {}, {0, 0xff}},
                 memory_row("ATOMS", run::atomic_shared,
                            {atomic(87), {mod::to_type, {73, 2}, values::shared_type_sm75}},
                            {dest(by_type), where, data(reg_second, by_type)}));
    add(out, 0, 0x38d,
        memory_row("ATOMS", run::swap_shared,
                   {{mod::function, {87, 2}, values::shared_swap}, {mod::to_type, {73, 2}, values::swap_type}},
                   {dest(by_type), where, data(reg_second, by_type), register_source(slot::b, reg_third, by_type)}));
}

void add_atomic_rows(rows& out, architecture arch)
{
    const auto by_type = extent::by_atomic_type;
    const operand_spec where = address(near_offset), done = predicate_result(slot::pd, 81);
    const operand_spec changed_by = data(reg_second, by_type), result = dest(by_type);
    const bool later = arch == architecture::sm120;
    const modifier_spec all_types = {mod::to_type, {73, 3}, values::atomic_type_sm75},
                        integers = {mod::to_type, {73, 4}, values::atomic_integer_sm90},
                        floats = {mod::to_type, {73, 4}, values::atomic_float_sm90};
    const auto& type = later ? integers : all_types;
    const modifier_spec swap_type = {mod::to_type, {73, 3}, values::swap_type};
    static constexpr choice swap[] = {{0, "CAS"}};
    const encoding third_unread = {0, 0xff}, no_result = {0xff'0000, 0};

    const auto changed = [&](const char* mnemonic, execute_function execute, const modifier_spec& scope) {
        return storing(global_row(mnemonic, execute,
                                  ordered(arch, {wide(72), atomic(87), eviction(84), scope}, values::atomic_order),
                                  {done, result, where, changed_by}));
    };
    const auto reduced = [&](const modifier_spec& scope) {
        return ignoring(no_result,
                        storing(global_row(
                            "RED", run::reduce_generic,
                            ordered(arch, {wide(72), {mod::function, {87, 3}, values::reduction}, eviction(84), scope},
                                    values::atomic_order),
                            {where, changed_by})));
    };
    const field pair_of_sum = later ? field{high_offset_bit, 1} : field{70, 1};
    struct names {
        const char* mnemonic;
        unsigned change, sum, swap; // sum: 0 if no compiler adds a uniform register
        execute_function execute_change, execute_swap;
    };
    for (const names& each : {names{"ATOM", 0x38a, 0, 0x38b, run::atomic_generic, run::swap_generic},
                              names{"ATOMG", 0x3a8, 0x9a8, 0x3a9, run::atomic_global, run::swap_global}}) {
        const opcode_row change = changed(each.mnemonic, each.execute_change, type);
        if (each.sum != 0)
            add_with_sum(out, {each.change, each.sum, uniform_of_store(arch), pair_of_sum, third_unread}, change);
        else
            add(out, third_unread[1], each.change, ignoring(third_unread, change));
        add(out, 0, each.swap,
            storing(global_row(
                each.mnemonic, each.execute_swap,
                ordered(arch, {wide(72), {mod::function, {}, swap}, eviction(84), swap_type}, values::atomic_order),
                {done, result, where, changed_by, register_source(slot::b, reg_third, by_type)})));
    }
    add_with_sum(out, {0x98e, 0x98e, uniform_of_store(arch), {90, 1}, no_result}, reduced(type));
    if (!later) return;
    add_with_sum(out, {0x3a3, 0x9a3, uniform_of_store(arch), pair_of_sum, third_unread},
                 changed("ATOMG", run::atomic_global, floats));
    add_with_sum(out, {0x9a6, 0x9a6, uniform_of_store(arch), {90, 1}, no_result}, reduced(floats));
}

} // namespace

void add_global_rows(rows& out, architecture arch)
{
    add_access_rows(out, arch);
    add_shared_rows(out, arch);
    add_atomic_rows(out, arch);
    add(out, 0x200'0000, 0xff00'098f, memory_row("CCTL.IVALL", run::nop, {}, {}));
    add(out, 0, 0x98f,
        memory_row("CCTL", run::nop, {wide(72), {mod::function, {87, 4}, values::cache_action_sm75}},
                   {address(far_offset)}));
    add(out, 0, 0x990,
        memory_row("CCTLL", run::nop, {{mod::function, {87, 4}, values::cache_action_sm75}},
                   {isa::address(form::memory, reg_first, far_offset)}));
}

} // namespace isbesim::isa::sm75
