// SM50 rows: textures and surfaces. The tools know them; running them needs a texture unit, which is not modelled.
#include "models/isa/tables/memory_modifiers.h"
#include "models/isa/tables/sm50_rows.h"

namespace isbesim::isa::sm50 {

namespace {

constexpr field handle_field = {36, 13};

operand_spec shape()
{
    return named(slot::pa, {29, 2, 28, 1}, say::texture_shape);
}

operand_spec texels()
{
    return small(slot::pb, {31, 4});
}

opcode_row texture_row(const char* mnemonic, std::vector<modifier_spec> modifiers, std::vector<operand_spec> operands)
{
    modifiers.push_back(no_dependency(49));
    return memory_row(mnemonic, run::needs_texture_unit, std::move(modifiers), std::move(operands));
}

/// The header's number in the instruction, or with .B in a register and 0x0 in its place.
struct handles {
    std::uint64_t direct, bindless;
};

void add_both(rows& out, const handles& opcodes, const char* mnemonic, std::vector<modifier_spec> direct,
              std::vector<modifier_spec> bindless, bool with_second = true)
{
    const auto operands = [&](const operand_spec& handle, bool second) {
        std::vector<operand_spec> list = {dest(no_bit, extent::by_texels),
                                          register_source(slot::a, reg_8, extent::four)};
        if (second) list.push_back(optional(register_source(slot::b, reg_20, extent::four)));
        for (const auto& each : {handle, shape(), texels()}) list.push_back(each);
        return list;
    };
    static constexpr choice in_register[] = {{0, "B"}};
    bindless.insert(bindless.begin() + (std::string(mnemonic) == "TLD4" ? 1 : 0), {mod::bindless, {}, in_register});
    add(out, opcodes.direct,
        texture_row(mnemonic, std::move(direct), operands(small(slot::extra, handle_field), with_second)));
    add(out, opcodes.bindless, texture_row(mnemonic, std::move(bindless), operands(literal("0x0"), true)));
}

void add_sample_rows(rows& out)
{
    add_both(out, {0xc038'0000'0000'0000, 0xdeb8'0000'0000'0000}, "TEX",
             {{mod::function, {55, 3}, say::level}, one_offset(54), compare_depth(50), no_derivative(35)},
             {{mod::function, {37, 3}, say::level}, one_offset(36), compare_depth(50), no_derivative(35)});
    add_both(out, {0xdc38'0000'0000'0000, 0xdd38'0000'0000'0000}, "TLD",
             {{mod::function, {55, 1}, say::fetch_level_bit},
              one_offset(35),
              {mod::shadow, {50, 1}, say::samples},
              {mod::clamp, {54, 1}, say::clip}},
             {{mod::function, {55, 1}, say::fetch_level_bit},
              one_offset(35),
              {mod::shadow, {50, 1}, say::samples},
              {mod::clamp, {54, 1}, say::clip}});
    add_both(out, {0xc838'0000'0000'0000, 0xdef8'0000'0000'0000}, "TLD4",
             {{mod::function, {56, 2}, say::component}, gather_offsets(54), compare_depth(50), no_derivative(35)},
             {{mod::function, {38, 2}, say::component}, gather_offsets(36), compare_depth(50), no_derivative(35)});
    add_both(out, {0xde38'0000'0000'0000, 0xde78'0000'0000'0000}, "TXD", {one_offset(35)}, {one_offset(35)});

    static constexpr choice level_of_detail[] = {{0, "LOD"}};
    const modifier_spec lod = {mod::function, {}, level_of_detail};
    add_both(out, {0xdf58'0000'0000'0000, 0xdf60'0000'0000'0000}, "TMML", {lod, no_derivative(35)},
             {lod, no_derivative(35)});
}

void add_query_rows(rows& out)
{
    static constexpr const char* queries[] = {nullptr,
                                              "TEX_HEADER_DIMENSION",
                                              "TEX_HEADER_TEXTURE_TYPE",
                                              nullptr,
                                              nullptr,
                                              "TEX_HEADER_SAMPLER_POS",
                                              nullptr,
                                              nullptr,
                                              nullptr,
                                              nullptr,
                                              nullptr,
                                              nullptr,
                                              nullptr,
                                              nullptr,
                                              nullptr,
                                              nullptr,
                                              "TEX_SAMPLER_FILTER",
                                              nullptr,
                                              "TEX_SAMPLER_LOD",
                                              nullptr,
                                              "TEX_SAMPLER_WRAP",
                                              nullptr,
                                              "TEX_SAMPLER_BORDER_COLOR"};
    const auto operands = [&](const operand_spec& handle) {
        return std::vector<operand_spec>{dest(no_bit, extent::by_texels), register_source(slot::a, reg_8),
                                         named(slot::pa, {22, 6}, queries), handle, texels()};
    };
    add(out, 0xdf48'0000'0000'0000, texture_row("TXQ", {}, operands(small(slot::extra, handle_field))));
    add(out, 0xdf50'0000'0000'0000, texture_row("TXQ.B", {}, operands(literal("0x0"))));
}

struct short_target {
    unsigned code;
    const char* mnemonic;
    const char* shape;
};

/// TEXS and TLDS: one number for shape, level, offsets and comparison; which texels depends on a second result too.
void add_short_rows(rows& out, std::uint64_t opcode, const short_target& each)
{
    struct selection {
        unsigned code;
        const char* two;   ///< one result register
        const char* three; ///< two
    };
    static constexpr selection selections[] = {{0, "R", "RGB"},    {1, "G", "RGA"},   {2, "B", "RBA"},
                                               {3, "A", "GBA"},    {4, "RG", "RGBA"}, {5, "RA", nullptr},
                                               {6, "GA", nullptr}, {7, "BA", nullptr}};
    const operand_spec second = in_slot(register_result(reg_28), slot::c);
    for (const auto& texel : selections) {
        const std::uint64_t word = opcode | std::uint64_t{each.code} << 53 | std::uint64_t{texel.code} << 50;
        const auto row = [&](const operand_spec& other, const char* texels) {
            return texture_row(each.mnemonic, {},
                               {other, dest(), source_a(), optional(source_b()), small(slot::extra, handle_field),
                                literal(each.shape), literal(texels)});
        };
        add(out, word | 0x0000'000f'f000'0000, row(literal("RZ"), texel.two));
        if (texel.three != nullptr) add(out, word, row(second, texel.three));
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
    for (const auto& each : samples) add_short_rows(out, 0xd800'0000'0000'0000, each);
    for (const auto& each : fetches) add_short_rows(out, 0xda00'0000'0000'0000, each);
    add(out, 0xdf00'0000'0000'0000,
        texture_row("TLD4S", {{mod::function, {52, 2}, say::component}, one_offset(51), compare_depth(50)},
                    {in_slot(register_result(reg_28), slot::c), dest(), source_a(), optional(source_b()),
                     small(slot::extra, handle_field)}));
}

void add_surface_rows(rows& out)
{
    const modifier_spec target = {mod::c_mode, {33, 3}, say::surface},
                        bytes = {mod::boolean_float, {23, 1}, say::byte_address};
    const modifier_spec size = size_memory(20), texels = {mod::mask, {20, 4}, say::surface_mask};
    const modifier_spec clamp = {mod::clamp, {49, 2}, say::clamp};
    const modifier_spec loads = {mod::cache, {24, 2}, say::global_cache},
                        stores = {mod::cache, {24, 2}, say::store_cache};
    const operand_spec where = isa::address(form::memory, reg_8, {}), stored = register_source(slot::a, reg_0);
    const auto both_handles = [&](std::uint64_t opcode, const char* mnemonic, const std::vector<modifier_spec>& says,
                                  const std::vector<operand_spec>& first) {
        for (const auto& [bit, handle] : {std::pair{0ULL, register_source(slot::b, reg_39)},
                                          std::pair{0x8'0000'0000'0000ULL, small(slot::extra, handle_field)}}) {
            std::vector<operand_spec> operands = first;
            operands.push_back(handle);
            add(out, opcode | bit, memory_row(mnemonic, run::needs_texture_unit, says, operands));
        }
    };
    both_handles(0xeb10'0000'0000'0000, "SULD.D", {bytes, target, size, loads, clamp}, {dest(), where});
    both_handles(0xeb00'0000'0000'0000, "SULD.P", {target, texels, loads, clamp}, {dest(), where});
    both_handles(0xeb30'0000'0000'0000, "SUST.D", {bytes, target, size, stores, clamp}, {where, stored});
    both_handles(0xeb20'0000'0000'0000, "SUST.P", {target, texels, stores, clamp}, {where, stored});

    // The type of atomics overlaps the handle's number: only handles in registers.
    const modifier_spec wide_bytes = {mod::boolean_float, {28, 1}, say::byte_address};
    const modifier_spec operation = {mod::function, {29, 4}, say::atomic};
    const modifier_spec type = {mod::to_type, {36, 3}, say::surface_type};
    static constexpr choice swap[] = {{0, "CAS"}};
    const std::vector<operand_spec> operands = {dest(), where, register_source(slot::a, reg_20),
                                                register_source(slot::b, reg_39)};
    for (const auto& [bit, name] : {std::pair{0ULL, "SUATOM.P"}, std::pair{0x10'0000'0000'0000ULL, "SUATOM.D"}}) {
        add(out, 0xea60'0000'0000'0000 | bit,
            memory_row(name, run::needs_texture_unit, {wide_bytes, target, operation, type, clamp}, operands));
        add(out, 0xeac0'0000'0000'0000 | bit,
            memory_row(name, run::needs_texture_unit, {wide_bytes, target, {mod::function, {}, swap}, type, clamp},
                       operands));
    }
    both_handles(0xeb50'0000'0000'0000, "SURED.D", {target, {mod::function, {24, 3}, say::reduction}, clamp},
                 {where, stored});
    both_handles(0xeb40'0000'0000'0000, "SURED.P", {target, {mod::function, {24, 3}, say::reduction}, clamp},
                 {where, stored});
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
