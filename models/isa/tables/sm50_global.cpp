// SPDX-License-Identifier: Apache-2.0
// SM50 rows: generic, global and shared memory, atomics, cache control and fences.
#include "models/isa/tables/memory_modifiers.h"
#include "models/isa/tables/sm50_rows.h"

namespace isbesim::isa::sm50 {

namespace {

operand_spec address(field offset)
{
    return wide_address(isa::address(form::memory, reg_8, offset));
}

operand_spec data(extent wide)
{
    return register_source(slot::a, reg_0, wide);
}

operand_spec changed_by(extent wide)
{
    return register_source(slot::a, reg_20, wide);
}

/// Compare and swap: the new value is in the registers after the comparand.
operand_spec swapped_in(extent wide)
{
    return following(register_source(slot::b, reg_20, wide), reg_20);
}

modifier_spec cache(std::uint8_t low, choices values)
{
    return {mod::cache, {low, 2}, values};
}

void add_generic_rows(rows& out)
{
    const operand_spec hint = optional(small(slot::pb, {58, 3}, form::predicate));
    const operand_spec loaded = dest(no_bit, extent::by_memory_size), stored = data(extent::by_memory_size);
    const field far_offset = {20, 32}, offset = {20, 24};

    add(out, 0x8000'0000'0000'0000,
        global_row("LD", run::load_generic, {wide(52), cache(56, values::global_cache), size_memory(53)},
                   {loaded, address(far_offset), hint}));
    add(out, 0xa000'0000'0000'0000,
        storing(global_row("ST", run::store_generic, {wide(52), cache(56, values::store_cache), size_memory(53)},
                           {address(far_offset), stored, hint})));
    add(out, 0xeed0'0000'0000'0000,
        global_row("LDG", run::load_global, {wide(45), cache(46, values::global_cache), size_global(48)},
                   {loaded, address(offset)}));
    // Lanes in which the predicate after the address is false load 0.
    add(out, 0xeec8'0000'0000'0000,
        global_row("LDG", run::load_global, {wide(45), cache(46, values::global_cache), size_global(48)},
                   {loaded, address({20, 20}), reversed(small(slot::ps, {41, 3}, form::predicate))}));
    add(out, 0xeed8'0000'0000'0000,
        storing(global_row("STG", run::store_global, {wide(45), cache(46, values::store_cache), size_memory(48)},
                           {address(offset), stored})));
}

void add_shared_rows(rows& out)
{
    const operand_spec loaded = dest(no_bit, extent::by_memory_size);
    const operand_spec where = isa::address(form::memory, reg_8, {20, 24});
    add(out, 0xef48'0000'0000'0000, memory_row("LDS", run::load_shared, {size_memory(48)}, {loaded, where}));
    // Uncached always prints its size.
    add(out, 0xef48'1000'0000'0000,
        memory_row("LDS.U", run::load_shared, {{mod::size, {48, 3}, values::uncached_size}}, {loaded, where}));
    add(out, 0xef58'0000'0000'0000,
        memory_row("STS", run::store_shared, {size_memory(48)}, {where, data(extent::by_memory_size)}));

    const operand_spec word = shifted(isa::address(form::memory, reg_8, {30, 22}), 2);
    add(out, 0xec00'0000'0000'0000,
        memory_row("ATOMS", run::atomic_shared, {atomic(52), {mod::to_type, {28, 2}, values::shared_type_sm50}},
                   {dest(no_bit, extent::by_atomic_type), word, changed_by(extent::by_atomic_type)}));
    add(out, 0xee40'0000'0000'0000,
        memory_row("ATOMS.CAS", run::swap_shared, {},
                   {dest(), word, changed_by(extent::one), swapped_in(extent::one)}));
    add(out, 0xee50'0000'0000'0000,
        memory_row("ATOMS.CAS.64", run::swap_shared_64, {},
                   {dest(no_bit, extent::two), word, changed_by(extent::two), swapped_in(extent::two)}));
}

void add_atomic_rows(rows& out)
{
    const operand_spec where = address({28, 20});
    const auto by_type = extent::by_atomic_type;
    add(out, 0xed00'0000'0000'0000,
        storing(global_row("ATOM", run::atomic_generic,
                           {wide(48), atomic(52), {mod::to_type, {49, 3}, values::atomic_type_sm50}},
                           {dest(no_bit, by_type), where, changed_by(by_type)})));
    // The name comes after .E, so it is a modifier with one value and no bits.
    static constexpr choice swap[] = {{0, "CAS"}}, wide_swap[] = {{0, "CAS.64"}};
    add(out, 0xeef0'0000'0000'0000,
        storing(global_row("ATOM", run::swap_generic, {wide(48), {mod::function, {}, swap}},
                           {dest(), where, changed_by(extent::one), swapped_in(extent::one)})));
    add(out, 0xeef2'0000'0000'0000,
        storing(global_row("ATOM", run::swap_generic_64, {wide(48), {mod::function, {}, wide_swap}},
                           {dest(no_bit, extent::two), where, changed_by(extent::two), swapped_in(extent::two)})));
    add(out, 0xebf8'0000'0000'0000,
        storing(global_row(
            "RED", run::reduce_generic,
            {wide(48), {mod::function, {23, 3}, values::reduction}, {mod::to_type, {20, 3}, values::atomic_type_sm50}},
            {where, data(by_type)})));
}

/// Instructions that order caches and other units. All accesses happen in program order here, so these do nothing.
void add_order_rows(rows& out)
{
    add(out, 0xef60'0000'0000'ff06,
        memory_row("CCTL.IVALL", run::nop, {{mod::cache, {4, 3}, values::cache_space}}, {}));
    add(out, 0xef60'0000'0000'0000,
        memory_row("CCTL", run::nop,
                   {wide(52), {mod::cache, {4, 3}, values::cache_space}, {mod::function, {0, 4}, values::cache_action}},
                   {shifted(address({22, 30}), 2)}));
    add(out, 0xef80'0000'0000'0000,
        meaning({0x70, 0}, memory_row("CCTLL", run::nop, {{mod::function, {0, 4}, values::cache_action}},
                                      {shifted(isa::address(form::memory, reg_8, {22, 22}), 2)})));
    add(out, 0xef98'0000'0000'0000,
        alu_row("MEMBAR", run::nop, {{mod::function, {8, 2}, values::membar}, {mod::test, {0, 2}, values::invalidate}},
                {}));

    const operand_spec set = small(slot::b, {0, 6}, form::scoreboard_set);
    add(out, 0xf0f0'0000'2000'0000,
        alu_row("DEPBAR.LE", run::nop, {},
                {named(slot::a, {26, 3}, values::scoreboard), small(slot::extra, {20, 6}), optional(set)}));
    add(out, 0xf0f0'0000'0000'0000, alu_row("DEPBAR", run::nop, {}, {set}));
}

} // namespace

void add_global_rows(rows& out)
{
    add_generic_rows(out);
    add_shared_rows(out);
    add_atomic_rows(out);
    add_order_rows(out);
}

} // namespace isbesim::isa::sm50
