// SPDX-License-Identifier: Apache-2.0
// Rows of SM75, SM86 and SM120: textures and surfaces.
#include "models/isa/tables/memory_modifiers.h"
#include "models/isa/tables/sm75_rows.h"

namespace isbesim::isa::sm75 {

namespace {

constexpr modifier_kind scalar = {mod::scalar, 1, values::scalar};
constexpr modifier_spec in_register = {mod::bindless, {59, 1}, values::bindless};
// SM120 has no form with a constant. The uniform registers that it adds to handle and offset are URZ in NAK's programs.
constexpr std::uint64_t no_handle = std::uint64_t{0xff} << 40, no_offset = std::uint64_t{0xff} << 48;

/// The header's place is in c[bank][offset], or with .B in a register; SM120's opcode.
struct handles {
    unsigned bound, bindless, later;
};

/// Differences on SM120: the level takes bit 59, and offsets and the way to derivatives have fields of their own.
struct modifier_places {
    modifier_spec in_register, level, fetch_level, offset, derivative, samples;
};

modifier_places places_of(architecture arch)
{
    static constexpr choice derivative[] = {{0, "", false}, {1, "NDV"}, {3, "DXY"}};
    if (arch != architecture::sm120)
        return {in_register,
                {mod::function, {87, 3}, values::level},
                {mod::function, {87, 3}, values::fetch_level},
                one_offset(76),
                no_derivative(77),
                {mod::shadow, {78, 1}, values::samples}};
    const field level = {59, 1, 87, 3};
    static constexpr choice always_in_register[] = {{0, "B"}};
    return {{mod::bindless, {}, always_in_register},     {mod::function, level, values::level},
            {mod::function, level, values::fetch_level}, {mod::offsets, {56, 2}, values::one_offset},
            {mod::derivative, {76, 2}, derivative},      {mod::shadow, {77, 1}, values::samples}};
}

enum class sources : std::uint8_t { one, two };

opcode_row texture_row(const char* mnemonic, texture_kind kind, std::vector<modifier_spec> modifiers)
{
    modifiers.push_back(no_dependency(90));
    texture_traits traits = {kind, true, true};
    if (kind == texture_kind::fetch) traits.code = 3; // .LL
    traits.counts_queries = true;
    // .CL, offsets of another kind and 16-bit results (NAK names their bits; no document describes the rest).
    return meaning({0, 0x1'f000}, isa::texture_row(mnemonic, traits, std::move(modifiers), {}));
}

/// `row` has a modifier .B; the form with the header's place in a constant bank drops it.
void add_both(rows& out, architecture arch, const handles& opcodes, const opcode_row& row,
              const std::vector<operand_spec>& results, sources count, const operand_spec& what)
{
    const operand_spec texels = optional(small(slot::pb, {72, 4}), 15);
    const auto add_form = [&](std::uint64_t high, std::uint64_t opcode, bool bound) {
        opcode_row form = row;
        form.operands = results;
        form.operands.push_back(register_source(slot::a, reg_first, extent::texture_first));
        if (count == sources::two)
            form.operands.push_back(optional(register_source(slot::b, reg_second, extent::texture_second)));
        if (count == sources::one) form.operands.push_back(what);
        if (bound) {
            form.operands.push_back(small(slot::ps, {54, 5}));
            form.operands.push_back(small(slot::address, {40, 14}));
            std::vector<modifier_spec> kept;
            for (const auto& each : form.modifiers)
                if (each.id != mod::bindless) kept.push_back(each);
            form.modifiers = kept;
            form.texture.in_register = false;
        }
        if (count == sources::two) form.operands.push_back(what);
        form.operands.push_back(texels);
        add(out, high, opcode, form);
    };
    if (arch != architecture::sm120) {
        add_form(0, opcodes.bound, true);
        add_form(0, opcodes.bindless, false);
    } else if (opcodes.later == opcodes.bindless) {
        add_form(0, opcodes.later | no_handle, false);
    } else {
        add_form(uniform_bit, opcodes.later | no_handle | no_offset, false);
    }
}

void add_texture_row(rows& out, architecture arch, const handles& opcodes, const opcode_row& row, bool faults)
{
    const operand_spec shape = named(slot::pa, {61, 3}, values::texture_shape);
    std::vector<operand_spec> results = {in_slot(register_result(reg_third, extent::texture_high), slot::c),
                                         dest(extent::texture_low)};
    if (faults) results.insert(results.begin(), optional(predicate_result(slot::pd, 81)));
    add_both(out, arch, opcodes, row, results, sources::two, shape);
}

void add_sample_rows(rows& out, architecture arch)
{
    const modifier_places places = places_of(arch);
    add_texture_row(out, arch, {0xb60, 0x361, 0xd61},
                    texture_row("TEX", texture_kind::sample,
                                {scalar(60), places.in_register, places.level, places.offset, compare_depth(78),
                                 places.derivative, eviction(84)}),
                    true);
    add_texture_row(
        out, arch, {0xb66, 0x367, 0xd67},
        texture_row("TLD", texture_kind::fetch,
                    {scalar(60), places.in_register, places.fetch_level, places.offset, places.samples, eviction(84)}),
        true);
    add_texture_row(out, arch, {0xb63, 0x364, 0xd64},
                    texture_row("TLD4", texture_kind::gather,
                                {scalar(60),
                                 {mod::function, {87, 2}, values::component},
                                 places.in_register,
                                 gather_offsets(76),
                                 compare_depth(78),
                                 eviction(84)}),
                    true);
    add_texture_row(
        out, arch, {0xb6c, 0x36d, 0xd6d},
        texture_row("TXD", texture_kind::gradients, {scalar(60), places.in_register, places.offset, eviction(84)}),
        true);
    static constexpr choice level_of_detail[] = {{0, "LOD"}};
    add_texture_row(out, arch, {0xb69, 0x36a, 0x36a},
                    texture_row("TMML", texture_kind::level,
                                {scalar(60), in_register, {mod::function, {}, level_of_detail}, places.derivative}),
                    false);

    static constexpr const char* queries[] = {"TEX_HEADER_DIMENSION", "TEX_HEADER_TEXTURE_TYPE",
                                              "TEX_HEADER_SAMPLER_POS"};
    add_both(out, arch, {0xb6f, 0x370, 0x370}, texture_row("TXQ", texture_kind::query, {in_register}),
             {in_slot(register_result(reg_third, extent::texture_high), slot::c), dest(extent::texture_low)},
             sources::one, named(slot::pa, {62, 2}, queries));
}

void add_surface_rows(rows& out, architecture arch)
{
    const modifier_spec target = {mod::c_mode, {61, 3}, values::surface}, clamp = {mod::clamp, {59, 2}, values::clamp};
    const modifier_spec bytes = {mod::boolean_float, {72, 1}, values::byte_address};
    const modifier_spec texels = {mod::mask, {72, 4}, values::surface_mask};
    operand_spec where = isa::address(form::memory, reg_first, {});
    where.extent = extent::by_surface;
    const operand_spec handle = register_source(slot::b, reg_third), faults = optional(predicate_result(slot::pd, 81));
    const auto stored = [](extent wide) { return register_source(slot::a, reg_second, wide); };
    const std::uint64_t uniform_handle = arch == architecture::sm120 ? std::uint64_t{0xff} << 48 : 0;

    add(out, 0, 0x99a | uniform_handle,
        surface_row("SULD.D", run::load_surface_bytes,
                    ordered(arch, {bytes, target, eviction(84), size_memory(73)}, values::load_order, {clamp}),
                    {faults, dest(extent::by_memory_size), where, handle}));
    add(out, 0, 0x998 | uniform_handle,
        surface_row("SULD.P", run::load_surface,
                    ordered(arch, {target, eviction(84)}, values::load_order, {texels, clamp}),
                    {faults, dest(extent::by_mask), where, handle}));
    add(out, 0, 0x99e | uniform_handle,
        storing(surface_row("SUST.D", run::store_surface_bytes,
                            ordered(arch, {bytes, target, eviction(84), size_memory(73)}, values::store_order, {clamp}),
                            {where, stored(extent::by_memory_size), handle})));
    add(out, 0, 0x99c | uniform_handle,
        storing(surface_row("SUST.P", run::store_surface,
                            ordered(arch, {target, eviction(84)}, values::store_order, {texels, clamp}),
                            {where, stored(extent::by_mask), handle})));

    const modifier_spec type = {mod::to_type, {73, 3}, values::surface_type};
    static constexpr choice swap[] = {{0, "CAS"}};
    const auto add_atomic = [&](unsigned opcode, execute_function execute, const modifier_spec& operation,
                                extent data) {
        add(out, 0, opcode | uniform_handle,
            storing(surface_row(
                "SUATOM.D", execute,
                ordered(arch, {bytes, target, operation, eviction(84), type}, values::atomic_order, {clamp}),
                {faults, dest(extent::by_atomic_type), where, stored(data), handle})));
    };
    add_atomic(0x394, run::atomic_surface, atomic(87), extent::by_atomic_type);
    add_atomic(0x396, run::swap_surface, {mod::function, {}, swap}, extent::two_atomics);
    add(out, 0, 0xff'03a0 | uniform_handle, // without a result: RZ in its place
        storing(
            surface_row("SURED.D", run::atomic_surface,
                        ordered(arch, {bytes, target, {mod::function, {87, 3}, values::reduction}, eviction(84), type},
                                values::atomic_order, {clamp}),
                        {faults, where, stored(extent::by_atomic_type), handle})));
}

} // namespace

void add_texture_rows(rows& out, architecture arch)
{
    add_sample_rows(out, arch);
    add_surface_rows(out, arch);
}

} // namespace isbesim::isa::sm75
