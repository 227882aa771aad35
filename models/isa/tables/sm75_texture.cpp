// SPDX-License-Identifier: Apache-2.0
// SM75 rows: textures and surfaces.
#include "models/isa/tables/memory_modifiers.h"
#include "models/isa/tables/sm75_rows.h"

namespace isbesim::isa::sm75 {

namespace {

constexpr modifier_kind scalar = {mod::scalar, 1, say::scalar};
constexpr modifier_spec in_register = {mod::bindless, {59, 1}, say::bindless};

/// The header's place is in c[bank][offset], or with .B in a register.
struct handles {
    unsigned bound, bindless;
};

enum class sources : std::uint8_t { one, two };

opcode_row texture_row(const char* mnemonic, texture_kind kind, std::vector<modifier_spec> says)
{
    says.push_back(no_dependency(90));
    texture_traits traits = {kind, true, true};
    if (kind == texture_kind::fetch) traits.code = 3; // .LL
    traits.counts_queries = true;
    // .CL, offsets of another kind and 16-bit results (NAK names their bits; no document describes the rest).
    return meaning({0, 0x1'f000}, isa::texture_row(mnemonic, traits, std::move(says), {}));
}

/// `row` has a modifier .B; the form with the header's place in a constant bank drops it.
void add_both(rows& out, const handles& opcodes, const opcode_row& row, const std::vector<operand_spec>& results,
              sources count, const operand_spec& what)
{
    const operand_spec texels = optional(small(slot::pb, {72, 4}), 15);
    const auto add_form = [&](unsigned opcode, bool bound) {
        opcode_row form = row;
        form.operands = results;
        form.operands.push_back(register_source(slot::a, reg_first, extent::texture_first));
        if (count == sources::two)
            form.operands.push_back(optional(register_source(slot::b, reg_second, extent::texture_second)));
        if (count == sources::one) form.operands.push_back(what);
        if (bound) {
            form.operands.push_back(small(slot::ps, {54, 5}));
            form.operands.push_back(small(slot::address, {40, 14}));
            std::vector<modifier_spec> says;
            for (const auto& each : form.modifiers)
                if (each.id != mod::bindless) says.push_back(each);
            form.modifiers = says;
            form.texture.in_register = false;
        }
        if (count == sources::two) form.operands.push_back(what);
        form.operands.push_back(texels);
        add(out, 0, opcode, form);
    };
    add_form(opcodes.bound, true);
    add_form(opcodes.bindless, false);
}

void add_texture_row(rows& out, const handles& opcodes, const opcode_row& row, bool faults)
{
    const operand_spec shape = named(slot::pa, {61, 3}, say::texture_shape);
    std::vector<operand_spec> results = {in_slot(register_result(reg_third, extent::texture_high), slot::c),
                                         dest(extent::texture_low)};
    if (faults) results.insert(results.begin(), optional(predicate_result(slot::pd, 81)));
    add_both(out, opcodes, row, results, sources::two, shape);
}

void add_sample_rows(rows& out)
{
    const modifier_spec lod = {mod::function, {87, 3}, say::level};
    add_texture_row(
        out, {0xb60, 0x361},
        texture_row("TEX", texture_kind::sample,
                    {scalar(60), in_register, lod, one_offset(76), compare_depth(78), no_derivative(77), eviction(84)}),
        true);
    add_texture_row(out, {0xb66, 0x367},
                    texture_row("TLD", texture_kind::fetch,
                                {scalar(60),
                                 in_register,
                                 {mod::function, {87, 3}, say::fetch_level},
                                 one_offset(76),
                                 {mod::shadow, {78, 1}, say::samples},
                                 eviction(84)}),
                    true);
    add_texture_row(out, {0xb63, 0x364},
                    texture_row("TLD4", texture_kind::gather,
                                {scalar(60),
                                 {mod::function, {87, 2}, say::component},
                                 in_register,
                                 gather_offsets(76),
                                 compare_depth(78),
                                 eviction(84)}),
                    true);
    add_texture_row(
        out, {0xb6c, 0x36d},
        texture_row("TXD", texture_kind::gradients, {scalar(60), in_register, one_offset(76), eviction(84)}), true);
    static constexpr choice level_of_detail[] = {{0, "LOD"}};
    add_texture_row(out, {0xb69, 0x36a},
                    texture_row("TMML", texture_kind::level,
                                {scalar(60), in_register, {mod::function, {}, level_of_detail}, no_derivative(77)}),
                    false);

    static constexpr const char* queries[] = {"TEX_HEADER_DIMENSION", "TEX_HEADER_TEXTURE_TYPE",
                                              "TEX_HEADER_SAMPLER_POS"};
    add_both(out, {0xb6f, 0x370}, texture_row("TXQ", texture_kind::query, {in_register}),
             {in_slot(register_result(reg_third, extent::texture_high), slot::c), dest(extent::texture_low)},
             sources::one, named(slot::pa, {62, 2}, queries));
}

void add_surface_rows(rows& out, architecture arch)
{
    const modifier_spec target = {mod::c_mode, {61, 3}, say::surface}, clamp = {mod::clamp, {59, 2}, say::clamp};
    const modifier_spec bytes = {mod::boolean_float, {72, 1}, say::byte_address};
    const modifier_spec texels = {mod::mask, {72, 4}, say::surface_mask};
    operand_spec where = isa::address(form::memory, reg_first, {});
    where.extent = extent::by_surface;
    const operand_spec handle = register_source(slot::b, reg_third), faults = optional(predicate_result(slot::pd, 81));
    const auto stored = [](extent wide) { return register_source(slot::a, reg_second, wide); };

    add(out, 0, 0x99a,
        surface_row("SULD.D", run::load_surface_bytes,
                    ordered(arch, {bytes, target, eviction(84), size_memory(73)}, say::load_order, {clamp}),
                    {faults, dest(extent::by_memory_size), where, handle}));
    add(out, 0, 0x998,
        surface_row("SULD.P", run::load_surface,
                    ordered(arch, {target, eviction(84)}, say::load_order, {texels, clamp}),
                    {faults, dest(extent::by_mask), where, handle}));
    add(out, 0, 0x99e,
        storing(surface_row("SUST.D", run::store_surface_bytes,
                            ordered(arch, {bytes, target, eviction(84), size_memory(73)}, say::store_order, {clamp}),
                            {where, stored(extent::by_memory_size), handle})));
    add(out, 0, 0x99c,
        storing(surface_row("SUST.P", run::store_surface,
                            ordered(arch, {target, eviction(84)}, say::store_order, {texels, clamp}),
                            {where, stored(extent::by_mask), handle})));

    const modifier_spec type = {mod::to_type, {73, 3}, say::surface_type};
    static constexpr choice swap[] = {{0, "CAS"}};
    const auto add_atomic = [&](unsigned opcode, execute_function execute, const modifier_spec& operation,
                                extent data) {
        add(out, 0, opcode,
            storing(
                surface_row("SUATOM.D", execute,
                            ordered(arch, {bytes, target, operation, eviction(84), type}, say::atomic_order, {clamp}),
                            {faults, dest(extent::by_atomic_type), where, stored(data), handle})));
    };
    add_atomic(0x394, run::atomic_surface, atomic(87), extent::by_atomic_type);
    add_atomic(0x396, run::swap_surface, {mod::function, {}, swap}, extent::two_atomics);
    add(out, 0, 0xff'03a0, // without a result: RZ in its place
        storing(surface_row("SURED.D", run::atomic_surface,
                            ordered(arch, {bytes, target, {mod::function, {87, 3}, say::reduction}, eviction(84), type},
                                    say::atomic_order, {clamp}),
                            {faults, where, stored(extent::by_atomic_type), handle})));
}

} // namespace

void add_texture_rows(rows& out, architecture arch)
{
    add_sample_rows(out);
    add_surface_rows(out, arch);
}

} // namespace isbesim::isa::sm75
