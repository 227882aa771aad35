// SPDX-License-Identifier: Apache-2.0
// SM50 rows: textures and surfaces.
#include "models/isa/tables/memory_modifiers.h"
#include "models/isa/tables/sm50_rows.h"

namespace isbesim::isa::sm50 {

namespace {

constexpr field handle_field = {36, 13};

operand_spec shape()
{
    return named(slot::pa, {29, 2, 28, 1}, values::texture_shape);
}

operand_spec texels()
{
    return small(slot::pb, {31, 4});
}

opcode_row with_nodep(const char* mnemonic, const texture_traits& traits, std::vector<modifier_spec> modifiers,
                      std::vector<operand_spec> operands)
{
    modifiers.push_back(no_dependency(49));
    // These bits are .AOFFI, .NDV, .DC, .MS and .CL in the other texture instructions.
    return meaning({std::uint64_t{1} << 35 | std::uint64_t{1} << 50 | std::uint64_t{3} << 54, 0},
                   texture_row(mnemonic, traits, std::move(modifiers), std::move(operands)));
}

/// The header's number is in the instruction, or with .B in a register, with 0x0 in its place.
struct handles {
    std::uint64_t direct, bindless;
};

void add_both(rows& out, const handles& opcodes, const char* mnemonic, texture_kind kind,
              std::vector<modifier_spec> direct, std::vector<modifier_spec> bindless)
{
    const auto operands = [&](const operand_spec& handle) {
        std::vector<operand_spec> list = {dest(no_bit, extent::texture_low),
                                          register_source(slot::a, reg_8, extent::texture_first),
                                          optional(register_source(slot::b, reg_20, extent::texture_second))};
        for (const auto& each : {handle, shape(), texels()}) list.push_back(each);
        return list;
    };
    static constexpr choice in_register[] = {{0, "B"}};
    bindless.insert(bindless.begin() + (kind == texture_kind::gather ? 1 : 0), {mod::bindless, {}, in_register});
    texture_traits traits = {kind};
    if (kind == texture_kind::fetch) traits.code = 1; // .LL
    add(out, opcodes.direct,
        with_nodep(mnemonic, traits, std::move(direct), operands(small(slot::extra, handle_field))));
    traits.in_register = true;
    add(out, opcodes.bindless, with_nodep(mnemonic, traits, std::move(bindless), operands(literal("0x0"))));
}

void add_sample_rows(rows& out)
{
    add_both(out, {0xc038'0000'0000'0000, 0xdeb8'0000'0000'0000}, "TEX", texture_kind::sample,
             {{mod::function, {55, 3}, values::level}, one_offset(54), compare_depth(50), no_derivative(35)},
             {{mod::function, {37, 3}, values::level}, one_offset(36), compare_depth(50), no_derivative(35)});
    const std::vector<modifier_spec> fetch = {{mod::function, {55, 1}, values::fetch_level_bit},
                                              one_offset(35),
                                              {mod::shadow, {50, 1}, values::samples},
                                              {mod::clamp, {54, 1}, values::clip}};
    add_both(out, {0xdc38'0000'0000'0000, 0xdd38'0000'0000'0000}, "TLD", texture_kind::fetch, fetch, fetch);
    add_both(out, {0xc838'0000'0000'0000, 0xdef8'0000'0000'0000}, "TLD4", texture_kind::gather,
             {{mod::function, {56, 2}, values::component}, gather_offsets(54), compare_depth(50), no_derivative(35)},
             {{mod::function, {38, 2}, values::component}, gather_offsets(36), compare_depth(50), no_derivative(35)});
    add_both(out, {0xde38'0000'0000'0000, 0xde78'0000'0000'0000}, "TXD", texture_kind::gradients, {one_offset(35)},
             {one_offset(35)});

    static constexpr choice level_of_detail[] = {{0, "LOD"}};
    const modifier_spec lod = {mod::function, {}, level_of_detail};
    add_both(out, {0xdf58'0000'0000'0000, 0xdf60'0000'0000'0000}, "TMML", texture_kind::level, {lod, no_derivative(35)},
             {lod, no_derivative(35)});
}

void add_query_rows(rows& out)
{
    static constexpr struct query_names {
        const char* all[23] = {};
        constexpr query_names()
        {
            all[1] = "TEX_HEADER_DIMENSION";
            all[2] = "TEX_HEADER_TEXTURE_TYPE";
            all[5] = "TEX_HEADER_SAMPLER_POS";
            all[16] = "TEX_SAMPLER_FILTER";
            all[18] = "TEX_SAMPLER_LOD";
            all[20] = "TEX_SAMPLER_WRAP";
            all[22] = "TEX_SAMPLER_BORDER_COLOR";
        }
    } queries;
    const auto operands = [&](const operand_spec& handle) {
        return std::vector<operand_spec>{dest(no_bit, extent::texture_low),
                                         register_source(slot::a, reg_8, extent::texture_first),
                                         named(slot::pa, {22, 6}, queries.all), handle, texels()};
    };
    add(out, 0xdf48'0000'0000'0000,
        with_nodep("TXQ", {texture_kind::query}, {}, operands(small(slot::extra, handle_field))));
    add(out, 0xdf50'0000'0000'0000, with_nodep("TXQ.B", {texture_kind::query, true}, {}, operands(literal("0x0"))));
}

texture_traits short_traits(texture_kind kind, unsigned code, std::uint8_t mask)
{
    texture_traits traits = {kind};
    traits.pairs = traits.is_short = true;
    traits.code = static_cast<std::uint8_t>(code);
    traits.mask = mask;
    return traits;
}

struct short_target {
    unsigned code;
    const char* mnemonic;
    const char* shape;
};

/// TEXS and TLDS: one number for shape, level, offsets and comparison; the components also depend on a second result.
void add_short_rows(rows& out, std::uint64_t opcode, texture_kind kind, const short_target& each)
{
    struct selection {
        unsigned code;
        const char* two;   ///< one result register
        std::uint8_t mask; ///< its components
        const char* three; ///< two
        std::uint8_t mask_of_three;
    };
    static constexpr selection selections[] = {{0, "R", 0x1, "RGB", 0x7},   {1, "G", 0x2, "RGA", 0xb},
                                               {2, "B", 0x4, "RBA", 0xd},   {3, "A", 0x8, "GBA", 0xe},
                                               {4, "RG", 0x3, "RGBA", 0xf}, {5, "RA", 0x9, nullptr, 0},
                                               {6, "GA", 0xa, nullptr, 0},  {7, "BA", 0xc, nullptr, 0}};
    const operand_spec second = in_slot(register_result(reg_28, extent::texture_high), slot::c);
    for (const auto& texel : selections) {
        const std::uint64_t word = opcode | std::uint64_t{each.code} << 53 | std::uint64_t{texel.code} << 50;
        const auto row = [&](const operand_spec& other, const char* texels, std::uint8_t mask) {
            return with_nodep(each.mnemonic, short_traits(kind, each.code, mask), {},
                              {other, dest(no_bit, extent::texture_low),
                               register_source(slot::a, reg_8, extent::texture_first),
                               optional(register_source(slot::b, reg_20, extent::texture_second)),
                               small(slot::extra, handle_field), literal(each.shape), literal(texels)});
        };
        add(out, word | 0x0000'000f'f000'0000, row(literal("RZ"), texel.two, texel.mask));
        if (texel.three != nullptr) add(out, word, row(second, texel.three, texel.mask_of_three));
    }
}

void add_scalar_rows(rows& out)
{
    static constexpr short_target samples[] = {
        {0, "TEXS.LZ", "1D"},          {1, "TEXS", "2D"},       {2, "TEXS.LZ", "2D"},
        {3, "TEXS.LL", "2D"},          {4, "TEXS.DC", "2D"},    {5, "TEXS.LL.DC", "2D"},
        {6, "TEXS.LZ.DC", "2D"},       {7, "TEXS", "ARRAY_2D"}, {8, "TEXS.LZ", "ARRAY_2D"},
        {9, "TEXS.LZ.DC", "ARRAY_2D"}, {10, "TEXS", "3D"},      {11, "TEXS.LZ", "3D"},
        {12, "TEXS", "CUBE"},          {13, "TEXS.LL", "CUBE"}};
    static constexpr short_target fetches[] = {
        {0, "TLDS.LZ", "1D"},       {1, "TLDS.LL", "1D"},       {2, "TLDS.LZ", "2D"},
        {4, "TLDS.LZ.AOFFI", "2D"}, {5, "TLDS.LL", "2D"},       {6, "TLDS.LZ.MS", "2D"},
        {7, "TLDS.LZ", "3D"},       {8, "TLDS.LZ", "ARRAY_2D"}, {12, "TLDS.LL.AOFFI", "2D"}};
    for (const auto& each : samples) add_short_rows(out, 0xd800'0000'0000'0000, texture_kind::sample, each);
    for (const auto& each : fetches) add_short_rows(out, 0xda00'0000'0000'0000, texture_kind::fetch, each);
    add(out, 0xdf00'0000'0000'0000,
        with_nodep("TLD4S", short_traits(texture_kind::gather, 0, 0),
                   {{mod::function, {52, 2}, values::component}, one_offset(51), compare_depth(50)},
                   {in_slot(register_result(reg_28, extent::texture_high), slot::c), dest(no_bit, extent::texture_low),
                    register_source(slot::a, reg_8, extent::texture_first),
                    optional(register_source(slot::b, reg_20, extent::texture_second)),
                    small(slot::extra, handle_field)}));
}

void add_surface_rows(rows& out)
{
    const modifier_spec target = {mod::c_mode, {33, 3}, values::surface},
                        bytes = {mod::boolean_float, {23, 1}, values::byte_address};
    const modifier_spec size = size_memory(20), texels = {mod::mask, {20, 4}, values::surface_mask};
    const modifier_spec clamp = {mod::clamp, {49, 2}, values::clamp};
    const modifier_spec loads = {mod::cache, {24, 2}, values::global_cache},
                        stores = {mod::cache, {24, 2}, values::store_cache};
    operand_spec where = isa::address(form::memory, reg_8, {});
    where.extent = extent::by_surface;
    const auto stored = [](extent wide) { return register_source(slot::a, reg_0, wide); };
    const auto both_handles = [&](std::uint64_t opcode, const char* mnemonic, execute_function execute,
                                  const std::vector<modifier_spec>& modifiers, const std::vector<operand_spec>& first) {
        for (const auto& [bit, handle] : {std::pair{0ULL, register_source(slot::b, reg_39)},
                                          std::pair{0x8'0000'0000'0000ULL, small(slot::extra, handle_field)}}) {
            std::vector<operand_spec> operands = first;
            operands.push_back(handle);
            opcode_row row = surface_row(mnemonic, execute, modifiers, operands);
            row.stores = !first.front().writes;
            add(out, opcode | bit, row);
        }
    };
    both_handles(0xeb10'0000'0000'0000, "SULD.D", run::load_surface_bytes, {bytes, target, size, loads, clamp},
                 {dest(no_bit, extent::by_memory_size), where});
    both_handles(0xeb00'0000'0000'0000, "SULD.P", run::load_surface, {target, texels, loads, clamp},
                 {dest(no_bit, extent::by_mask), where});
    both_handles(0xeb30'0000'0000'0000, "SUST.D", run::store_surface_bytes, {bytes, target, size, stores, clamp},
                 {where, stored(extent::by_memory_size)});
    both_handles(0xeb20'0000'0000'0000, "SUST.P", run::store_surface, {target, texels, stores, clamp},
                 {where, stored(extent::by_mask)});

    // The type of atomics overlaps the handle's number, so handles are always in registers.
    const modifier_spec wide_bytes = {mod::boolean_float, {28, 1}, values::byte_address};
    const modifier_spec operation = {mod::function, {29, 4}, values::atomic};
    const modifier_spec type = {mod::to_type, {36, 3}, values::surface_type};
    static constexpr choice swap[] = {{0, "CAS"}};
    const auto operands = [&](extent data) {
        return std::vector<operand_spec>{dest(no_bit, extent::by_atomic_type), where,
                                         register_source(slot::a, reg_20, data), register_source(slot::b, reg_39)};
    };
    for (const auto& [bit, name] : {std::pair{0ULL, "SUATOM.P"}, std::pair{0x10'0000'0000'0000ULL, "SUATOM.D"}}) {
        add(out, 0xea60'0000'0000'0000 | bit,
            storing(surface_row(name, run::atomic_surface, {wide_bytes, target, operation, type, clamp},
                                operands(extent::by_atomic_type))));
        add(out, 0xeac0'0000'0000'0000 | bit,
            storing(surface_row(name, run::swap_surface, {wide_bytes, target, {mod::function, {}, swap}, type, clamp},
                                operands(extent::two_atomics))));
    }
    both_handles(0xeb50'0000'0000'0000, "SURED.D", run::needs_surface_reduction,
                 {target, {mod::function, {24, 3}, values::reduction}, clamp}, {where, stored(extent::one)});
    both_handles(0xeb40'0000'0000'0000, "SURED.P", run::needs_surface_reduction,
                 {target, {mod::function, {24, 3}, values::reduction}, clamp}, {where, stored(extent::one)});
}

} // namespace

void add_texture_rows(rows& out)
{
    add_sample_rows(out);
    add_query_rows(out);
    add_scalar_rows(out);
    add_surface_rows(out);
}

} // namespace isbesim::isa::sm50
