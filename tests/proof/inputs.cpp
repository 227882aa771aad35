// SPDX-License-Identifier: Apache-2.0
#include "tests/proof/inputs.h"

#include <utility>

#include "models/attribute/layout.h"

namespace isbesim::proof {

namespace {

constexpr std::uint32_t most_lines = 8192; // section 7

/// Fields of a packed structure, the first one highest.
z3::expr packed(const std::vector<z3::expr>& fields)
{
    z3::expr_vector all(solver_context());
    for (const auto& field : fields) all.push_back(field);
    return z3::concat(all);
}

/// Words of a packed array, the first one lowest.
z3::expr packed_array(const std::array<word_term, set_words>& words, unsigned bits)
{
    std::vector<z3::expr> all;
    for (unsigned i = set_words; i-- > 0;) all.push_back(low_bits(words[i], bits));
    return packed(all);
}

z3::expr wide(const word_term& w, unsigned bits)
{
    return z3::zext(w.expression, bits - 32);
}

} // namespace

inputs::inputs(const parameters& block, std::map<std::string, std::uint32_t> fixed, bool whole_unit)
    : fixed_(std::move(fixed)), storage_bytes_(block.at("LINES") * line_bytes)
{
    operation_.op = field("op", 3);
    operation_.space = field("space", 1);
    operation_.region = field("region", 3);
    operation_.form = field("form", 2);
    operation_.type = field("type", 2);
    operation_.size = field("size", 3);
    operation_.immediate = field("immediate", 32);
    operation_.stage = field("stage", 4);
    operation_.fast = field("fast", 1);
    operation_.shared = field("shared", 1);
    operation_.maximum = field("maximum", 16);
    operation_.threads = field("threads", 6);
    operation_.stream_mask = field("stream_mask", 4);
    operation_.input = space_fields("input.");
    operation_.output = space_fields("output.");
    operation_.skew = word_term(block.at("SKEW"));
    operation_.blocked = word_term(block.at("GS_BLOCKED"));
    operation_.attribute_default = word_term(block.at("ATTRIBUTE_DEFAULT"));
    operation_.position_w_default = word_term(block.at("POSITION_W_DEFAULT"));
    operation_.map_byte_swap = word_term(block.at("MAP_BYTE_SWAP"));
    operation_.storage_bytes = whole_unit ? storage_bytes_ : word_term(solver_context().bv_const("storage_bytes", 32));
    lane_.number = field("lane", 5);
    lane_.primitive = field("primitive", 8);
    lane_.address = field("address", 32);
    lane_.handle = field("handle", 32);
    lane_.data = field("data", 32);
    lane_.count = field("count", 8);
    for (unsigned i = 0; i < set_words; ++i) lane_.ranks[i] = field("rank." + std::to_string(i), 8);
}

word_term inputs::field(const std::string& name, unsigned bits)
{
    if (const auto found = fixed_.find(name); found != fixed_.end()) return word_term(found->second);
    const z3::expr variable = solver_context().bv_const(name.c_str(), bits);
    variables_.emplace_back(name, variable);
    return word_term(bits == 32 ? variable : z3::zext(variable, 32 - bits));
}

lane_space<word_term> inputs::space_fields(const std::string& name)
{
    lane_space<word_term> s;
    s.attr_base = field(name + "attr_base", 32);
    s.attr_bytes = field(name + "attr_bytes", 32);
    s.map_base = field(name + "map_base", 32);
    s.map_bytes = field(name + "map_bytes", 32);
    s.prim_base = field(name + "prim_base", 32);
    s.prim_bytes = field(name + "prim_bytes", 32);
    s.patch_base = field(name + "patch_base", 32);
    s.vertex_count = field(name + "vertex_count", 16);
    s.patch_words = field(name + "patch_words", 8);
    s.patch_count = field(name + "patch_count", 9);
    for (unsigned i = 0; i < set_words; ++i) {
        const unsigned ids = i + 1 < set_words ? 32 : 16; // 240 and up do not exist
        s.allocated[i] = field(name + "allocated." + std::to_string(i), ids);
        s.enabled[i] = field(name + "enabled." + std::to_string(i), ids);
    }
    return s;
}

z3::expr_vector inputs::assumptions() const
{
    const auto& o = operation_;
    z3::expr_vector all(solver_context());
    const auto assume = [&all](const truth_term& t) { all.push_back(t.expression); };
    const word_term zero(0);
    const auto raw =
        (o.op == rules::code<word_term>(opcode::isberd)) | (o.op == rules::code<word_term>(opcode::isbewr));
    assume(o.op < word_term(opcode_count));
    assume(o.region < word_term(region_count));
    assume(o.form < word_term(form_count));
    assume(o.stage < word_term(stage_count));
    assume(o.storage_bytes <= word_term(most_lines * line_bytes));
    assume((o.size > zero) & (o.size <= word_term(4)) & ((!raw) | (o.size != word_term(3))));
    for (const auto* s : {&o.input, &o.output}) {
        const auto inside = [&](const word_term& base, const word_term& bytes) {
            assume((bytes == zero) |
                   (((base & word_term(3)) == zero) & (base <= o.storage_bytes) & (bytes <= o.storage_bytes - base)));
        };
        assume((s->attr_bytes == zero) | ((s->attr_base & word_term(127)) == zero));
        inside(s->attr_base, s->attr_bytes);
        inside(s->map_base, s->map_bytes);
        inside(s->prim_base, s->prim_bytes);
        inside(s->patch_base, word_term(4) * s->patch_words * s->patch_count);
        assume(s->patch_count <= word_term(256));
    }
    return all;
}

z3::expr inputs::storage_of_block() const
{
    return (operation_.storage_bytes == storage_bytes_).expression;
}

z3::expr inputs::space(const lane_space<word_term>& s) const
{
    return packed({packed_array(s.allocated, 32), packed_array(s.enabled, 32), s.attr_base.expression,
                   s.attr_bytes.expression, s.map_base.expression, s.map_bytes.expression, s.prim_base.expression,
                   s.prim_bytes.expression, s.patch_base.expression, low_bits(s.vertex_count, 16),
                   low_bits(s.patch_words, 8), low_bits(s.patch_count, 9)});
}

z3::expr inputs::common(const shared_part<word_term>& shared, const z3::expr& count) const
{
    const auto& o = operation_;
    const word_term size_bytes = select(o.size == word_term(1), word_term(0x01),
                                        select(o.size == word_term(2), word_term(0x03), word_term(0x0f)));
    return packed({bit(shared.load),
                   bit(shared.store & !shared.raw),
                   bit(shared.al2p),
                   bit(shared.out),
                   bit(shared.raw),
                   bit(shared.phys),
                   bit(shared.patch),
                   bit(shared.output_space),
                   bit(shared.by_handle),
                   bit(shared.by_slot),
                   bit(shared.downwards),
                   low_bits(o.type, 2),
                   low_bits(o.size, 3),
                   o.immediate.expression,
                   wide(shared.region.base, 34),
                   wide(shared.region.bytes, 34),
                   low_bits(size_bytes, 8),
                   low_bits(o.fast, 1),
                   low_bits(o.maximum, 16),
                   low_bits(o.threads, 6),
                   low_bits(o.stream_mask, 4),
                   count});
}

std::map<std::string, z3::expr> inputs::lane_ports(const shared_part<word_term>& shared) const
{
    auto& c = solver_context();
    return {{"lane", low_bits(lane_.number, 5)},
            {"common", common(shared, low_bits(lane_.count, 8))},
            {"space", space(select_space<word_term>(shared.output_space, operation_.output, operation_.input))},
            {"rank_of_word", packed_array(lane_.ranks, 8)},
            {"prim_index", low_bits(lane_.primitive, 8)},
            {"address", lane_.address.expression},
            {"handle", lane_.handle.expression},
            {"data", z3::concat(c.bv_const("data.1", 32), lane_.data.expression)}};
}

z3::expr inputs::of_lane(const std::string& name, unsigned i) const
{
    const unsigned bits = name == "primitive" ? 8 : name == "active" ? 1 : 32;
    return solver_context().bv_const((name + "@" + std::to_string(i)).c_str(), bits);
}

std::map<std::string, z3::expr> inputs::unit_ports() const
{
    auto& c = solver_context();
    const auto& o = operation_;
    const auto lanes = [this](const std::string& name) {
        std::vector<z3::expr> all;
        for (unsigned i = warp_lanes; i-- > 0;) all.push_back(of_lane(name, i));
        return packed(all);
    };
    const z3::expr request = packed(
        {low_bits(o.op, 3), low_bits(o.space, 1), low_bits(o.region, 3), low_bits(o.form, 2), low_bits(o.type, 2),
         low_bits(o.size, 3), c.bv_const("slot", 16), o.immediate.expression, lanes("active"), lanes("address"),
         lanes("handle"), lanes("data.3"), lanes("data.2"), lanes("data.1"), lanes("data.0")});
    const z3::expr context = packed({low_bits(o.stage, 4), low_bits(o.fast, 1), low_bits(o.shared, 1),
                                     low_bits(o.maximum, 16), low_bits(o.threads, 6), low_bits(o.stream_mask, 4),
                                     lanes("primitive"), space(o.input), space(o.output)});
    // In a grant cycle: without a grant the engine takes nothing of what comes out (pass.control).
    return {{"enable", c.bv_val(1, 1)},
            {"request", request},
            {"context_known", c.bv_const("context_known", 1)},
            {"ctx", context}};
}

std::map<std::string, std::uint32_t> inputs::fields(const z3::model& model, bool of_lanes) const
{
    const auto value = [&](const z3::expr& variable) {
        return static_cast<std::uint32_t>(model.eval(variable, true).get_numeral_uint64());
    };
    std::map<std::string, std::uint32_t> values = fixed_;
    for (const auto& [name, variable] : variables_) values[name] = value(variable);
    if (!of_lanes) return values;
    for (const auto* name : {"lane", "primitive", "address", "handle", "data"}) values.erase(name);
    for (const auto* name : {"active", "primitive", "address", "handle", "data"})
        for (unsigned i = 0; i < warp_lanes; ++i)
            values[std::string(name) + "@" + std::to_string(i)] =
                value(of_lane(std::string(name) == "data" ? "data.0" : name, i));
    return values;
}

} // namespace isbesim::proof
