// SPDX-License-Identifier: Apache-2.0
// Proves that the RTL's address unit and the rules of the model give the same for all inputs, case by case:
//
//   address_proof ACTIVE.smt2 LANE.smt2 UNIT.smt2 NAME=VALUE... [--cases REGEX] [--list] [--proved FOLDER NAME]
//
// LANE and UNIT are address_lane.sv and address_unit.sv, ACTIVE a lane that is active, as scripts/prove writes them,
// NAME=VALUE their parameters. A line per case on stdout: its name, `proved` or `differs` with what differs and an
// example (field=value ...), seconds. Exit status: 0 all proved, 1 one differs, 2 wrong arguments or a solver that gave
// up.
#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/proof/circuit.h"
#include "tests/proof/inputs.h"
#include "tests/proof/one_lane.h"
#include "tests/proof/proof_case.h"
#include "tests/proof/term.h"

namespace isbesim::proof {
namespace {

using fixed_fields = std::map<std::string, std::uint32_t>;

/// Claims about operations with these fields fixed.
struct operation_case {
    std::string name;
    fixed_fields fixed;
    std::function<claims(const inputs&, knowledge&)> claimed;
    bool one_by_one = false; ///< each claim is a question of its own
    bool whole_unit = false; ///< its lanes have fields of their own
};

question ask(const parameters& block, const operation_case& operation)
{
    const auto symbols = std::make_shared<inputs>(block, operation.fixed, operation.whole_unit);
    question result;
    add(result.known.facts, symbols->assumptions());
    result.known.left_out.push_back((symbols->values().threads <= word_term(warp_lanes)).expression);
    result.known.left_out.push_back(symbols->storage_of_block());
    result.all = operation.claimed(*symbols, result.known);
    result.one_by_one = operation.one_by_one;
    result.fields = [symbols, whole = operation.whole_unit](const z3::model& model) {
        return symbols->fields(model, whole);
    };
    return result;
}

/// 32 bits of which a byte is all ones where its enable is 1.
z3::expr enabled_bits(const z3::expr& enables)
{
    z3::expr_vector bytes(solver_context());
    for (unsigned i = 4; i-- > 0;) bytes.push_back(z3::sext(slice(enables, i, 1), 7));
    return z3::concat(bytes);
}

/// A field of isbe_pkg::operation_t.
z3::expr operation_field(const circuit& rtl, const std::string& name)
{
    static const std::vector<std::pair<std::string, unsigned>> fields{{"word", 4096},
                                                                      {"byte_enable", 512},
                                                                      {"first_byte", 64},
                                                                      {"status", 512},
                                                                      {"check_overwritten", 1},
                                                                      {"set_overwritten", 1},
                                                                      {"raw_mask", 32},
                                                                      {"raw", 1},
                                                                      {"write", 1},
                                                                      {"error", 8},
                                                                      {"op", 3}}; // the lowest first
    unsigned lowest = 0;
    for (const auto& [field, bits] : fields) {
        if (field == name) return rtl.output("operation").extract(lowest + bits - 1, lowest);
        lowest += bits;
    }
    throw std::out_of_range(name);
}

lane_space<word_term> space_of(const inputs& symbols, const shared_part<word_term>& shared)
{
    return select_space<word_term>(shared.output_space, symbols.values().output, symbols.values().input);
}

/// Members among an attribute and the three after it in its word.
word_term next_members(const word_term& members, const word_term& id)
{
    const word_term shifted = members >> (id & word_term(31));
    word_term sum(0);
    for (std::uint32_t i = 0; i < 4; ++i) sum = sum + (shifted >> word_term(i) & word_term(1));
    return sum;
}

/// What address_lane.sv and name_attribute() both call the attribute that an address names. That they agree is proved
/// wire by wire; what follows is proved for any values that they might agree on, so that no solver has to find out that
/// two sums of 32 bits are of the same bits.
named_attribute<word_term> any_named()
{
    auto& c = solver_context();
    const auto wide = [](const z3::expr& e) { return word_term(z3::zext(e, 24)); };
    return {wide(c.bv_const("id", 8)), word_term(c.bv_const("members", 32)), word_term(c.bv_const("enabled", 32)),
            wide(c.bv_const("rank", 8))};
}
circuit::terms wires_of(const named_attribute<word_term>& named)
{
    return {{"first_id", low_bits(named.id, 8)},
            {"members", named.members.expression},
            {"enabled", named.enabled.expression},
            {"rank", low_bits(named.rank, 8)}};
}

/// That a lane's ranks and its name of the attribute are those of its space, not any. To count the members of eight
/// words keeps a solver busy: examples have members in one of them, where there are such.
void leave_out(const inputs& symbols, const shared_part<word_term>& shared, const named_attribute<word_term>& named,
               knowledge& known)
{
    const auto& l = symbols.any_lane();
    const auto space = space_of(symbols, shared);
    word_term sum(0);
    for (unsigned i = 0; i < set_words; ++i) {
        known.left_out.push_back((l.ranks[i] == sum).expression);
        sum = sum + lane_bit_count(space.allocated[i]);
    }
    known.left_out.push_back((l.count == sum).expression);
    const auto real = name_attribute(symbols.values(), shared, space, l);
    for (const auto part : {&named_attribute<word_term>::id, &named_attribute<word_term>::members,
                            &named_attribute<word_term>::enabled, &named_attribute<word_term>::rank})
        known.left_out.push_back((named.*part == real.*part).expression);
    for (unsigned only = 0; only < set_words; ++only) {
        known.wished.emplace_back(solver_context());
        for (const auto* s : {&symbols.values().input, &symbols.values().output})
            for (unsigned i = 0; i < set_words; ++i)
                if (i != only) known.wished.back().push_back((s->allocated[i] == word_term(0)).expression);
        known.wished.back().push_back((named.id >> word_term(5) == word_term(only)).expression);
    }
}
/// AL2P shows what an address names.
void wish_for_al2p(const inputs& symbols, const shared_part<word_term>& shared, knowledge& known)
{
    const auto sum = rules::add_immediate(symbols.any_lane().address, symbols.values().immediate);
    const auto shown = shared.al2p & (shared.error == word_term(0)) & rules::names_attribute(sum);
    for (auto& wishes : known.wished) wishes.push_back(shown.expression);
}

claims of_named(const circuit& rtl, const std::string& wire, const inputs& symbols, knowledge& known)
{
    const shared_part<word_term> shared = shared_of(symbols.values());
    const auto named = name_attribute(symbols.values(), shared, space_of(symbols, shared), symbols.any_lane());
    const auto ports = symbols.lane_ports(shared);
    if (wire == "first_id") {
        leave_out(symbols, shared, named, known);
        wish_for_al2p(symbols, shared, known);
        add(known.facts, rtl.facts(ports, {}, {wire}));
        return {{wire, rtl.output(wire) == low_bits(named.id, 8)}};
    }
    // For any id; given.any_lane() has the set's words in the space.
    const z3::expr id = solver_context().bv_const("id", 8);
    const word_term wide_id(z3::zext(id, 24));
    add(known.facts, rtl.facts(ports, {{"first_id", id}}, {wire}));
    const auto space = space_of(symbols, shared);
    const auto& set = wire == "members" ? space.allocated : space.enabled;
    leave_out(symbols, shared, {wide_id, named.members, named.enabled, named.rank}, known);
    wish_for_al2p(symbols, shared, known);
    return {{wire, rtl.output(wire) == word_of(set, wide_id).expression}};
}

/// The rank of an attribute that has place `bit` in its word, whatever else is in there; and that it leaves room for
/// the next three, which rank_assumptions() promises of every word as a whole.
claims of_rank(const circuit& rtl, unsigned bit, const inputs& symbols, knowledge& known)
{
    auto& c = solver_context();
    const z3::expr id = z3::concat(c.bv_const("word", 3), c.bv_val(bit, 5));
    const word_term wide_id(z3::zext(id, 24));
    const word_term members(c.bv_const("members", 32));
    const auto& l = symbols.any_lane();
    const word_term rank = rank_of(l, wide_id, members);
    const shared_part<word_term> shared = shared_of(symbols.values());
    add(known.facts,
        rtl.facts(symbols.lane_ports(shared), {{"first_id", id}, {"members", members.expression}}, {"rank"}));
    const auto real = name_attribute(symbols.values(), shared, space_of(symbols, shared), l);
    leave_out(symbols, shared, {wide_id, members, real.enabled, real.rank}, known);
    wish_for_al2p(symbols, shared, known);
    // Members of a word are those below the bit, the four from it on, and some above: no word's are more than the set
    // has left.
    const word_term above(z3::zext(c.bv_const("above", 5), 27));
    known.facts.push_back((rank + next_members(members, wide_id) + above <= l.count).expression);
    known.left_out.push_back((above == lane_bit_count(members >> word_term(bit) >> word_term(4))).expression);
    return {{"rank", rtl.output("rank") == low_bits(rank, 8)},
            {"room", (rank + next_members(members, wide_id) <= l.count).expression}};
}

/// One lane of address_lane.sv against one_lane.h. The operation has no error.
claims of_lane(const circuit& rtl, kind kind, const inputs& symbols, knowledge& known)
{
    const shared_part<word_term> shared = shared_of(symbols.values());
    const auto named = any_named();
    const auto expected = one_lane(kind, symbols.values(), shared, symbols.any_lane(), named);
    const auto ports = symbols.lane_ports(shared);
    circuit::terms cuts;
    if (kind == kind::attribute || kind == kind::al2p) {
        const word_term& count = symbols.any_lane().count;
        known.facts.push_back((named.rank + next_members(named.members, named.id) <= count).expression);
        known.facts.push_back((count <= word_term(240)).expression);
        cuts = wires_of(named);
        leave_out(symbols, shared, named, known);
    }
    add(known.facts, rtl.facts(ports, cuts));
    const z3::expr access = rtl.output("access");
    const z3::expr word = rtl.output("word");
    const z3::expr value = rtl.output("value");
    const z3::expr enables = rtl.output("byte_enable");
    const z3::expr data = rtl.output("write_data");

    const z3::expr legal = (shared.error == word_term(0)).expression;
    claims all;
    const auto same = [&](const std::string& name, const z3::expr& a, const z3::expr& b, const z3::expr& where) {
        all.push_back({name, z3::implies(legal && where, a == b)});
    };
    const z3::expr always = solver_context().bool_val(true);
    same("status", rtl.output("status"), low_bits(expected.status, 16), always);
    for (unsigned c = 0; c < 4; ++c) {
        const std::string field_suffix = "." + std::to_string(c);
        const z3::expr accessed = expected.access[c].expression;
        same("access" + field_suffix, slice(access, c, 1), bit(expected.access[c]), always);
        same("word" + field_suffix, slice(word, c, 32), expected.word[c].expression, accessed);
        same("value" + field_suffix, slice(value, c, 32), expected.value[c].expression, always);
        if (c >= 2) continue;
        const z3::expr stored = accessed && (shared.store | shared.out).expression;
        const z3::expr mask = enabled_bits(slice(enables, c, 4));
        const z3::expr written = slice(data, c, 32);
        const bool partial = kind == kind::raw || kind == kind::out;
        const z3::expr expected_mask = partial ? expected.mask[c].expression : solver_context().bv_val(~0U, 32);
        const z3::expr expected_data = partial ? expected.written[c].expression : slice(ports.at("data"), c, 32);
        same("byte_enable" + field_suffix, mask, expected_mask, stored);
        same("write_data" + field_suffix, written & expected_mask, expected_data & expected_mask, stored);
    }
    same("first_byte", rtl.output("first_byte"), low_bits(expected.first_byte, 2),
         expected.access[0].expression && (shared.raw & !shared.store).expression);
    return all;
}

claims of_inactive_lane(const circuit& rtl, const inputs& symbols, knowledge& known)
{
    auto ports = symbols.lane_ports(shared_of(symbols.values()));
    ports.emplace("active", solver_context().bv_val(0, 1));
    add(known.facts, rtl.facts(ports));
    claims all;
    for (const auto* name : {"access", "value", "status"}) all.push_back({name, rtl.output(name) == 0});
    return all;
}

/// The outputs of address_unit.sv for the whole request.
claims of_operation(const circuit& rtl, const inputs& symbols, knowledge& known)
{
    const auto& o = symbols.values();
    const shared_part<word_term> shared = shared_of(o);
    const auto ports = symbols.unit_ports();
    add(known.facts, rtl.facts(ports));
    const auto space = select_space<word_term>(shared.output_space, o.output, o.input);
    const z3::expr physical = (shared.raw & (o.region == rules::code<word_term>(region::physical))).expression;
    // Whether there is such a slot is the caller's business in the model.
    const z3::expr no_slot = ports.at("context_known") == 0 && !physical;
    const z3::expr error = z3::ite(no_slot, solver_context().bv_val(0x0a, 8), low_bits(shared.error, 8));
    const z3::expr legal = error == 0; // otherwise nothing is accessed
    const z3::expr loads = (shared.load | (shared.raw & !shared.store)).expression;
    const z3::expr tracks = bit(shared.tracks_overwritten);
    claims all;
    const auto same = [&all](const std::string& name, const z3::expr& a, const z3::expr& b) {
        all.push_back({name, a == b});
    };
    same("error", operation_field(rtl, "error"), error);
    same("op", operation_field(rtl, "op"), low_bits(o.op, 3));
    same("write", operation_field(rtl, "write"), bit(shared.store | shared.out));
    same("raw", operation_field(rtl, "raw"), bit(shared.raw));
    all.push_back({"raw_mask", z3::implies(shared.raw.expression,
                                           operation_field(rtl, "raw_mask") == rules::value_bits(o.size).expression)});
    all.push_back({"set_overwritten",
                   z3::implies(legal && shared.store.expression, operation_field(rtl, "set_overwritten") == tracks)});
    all.push_back(
        {"check_overwritten", z3::implies(legal && loads, operation_field(rtl, "check_overwritten") == tracks)});
    all.push_back({"token_overwrites", z3::implies(legal && shared.out.expression,
                                                   operation_field(rtl, "set_overwritten") == low_bits(o.shared, 1))});
    const z3::expr ids = rtl.output("common").extract(7, 0);
    same("common", rtl.output("common"), symbols.common(shared, ids));
    same("space", rtl.output("space"), symbols.space(space));
    return all;
}

/// n and the ranks of section 3: one word more at a time, so that no sum is of more than 33 parts.
claims of_ranks(const circuit& rtl, unsigned word, const inputs& symbols, knowledge& known)
{
    const auto& o = symbols.values();
    const auto ports = symbols.unit_ports();
    add(known.facts, rtl.facts(ports));
    const z3::expr ranks = rtl.output("rank_of_word");
    const z3::expr ids = rtl.output("common").extract(7, 0);
    const z3::expr here = slice(ranks, word, 8);
    const z3::expr next = word + 1 < set_words ? slice(ranks, word + 1, 8) : ids;
    const auto space = select_space<word_term>(shared_of(o).output_space, o.output, o.input);
    const z3::expr members = low_bits(lane_bit_count(space.allocated[word]), 8);
    claims all{{"next", next == here + members}};
    if (word == 0) all.push_back({"first", here == 0});
    return all;
}

/// Every lane of address_unit gets its own inputs, and its outputs go to their place.
claims of_wiring(const circuit& rtl, unsigned i, const inputs& symbols, knowledge& known)
{
    const auto ports = symbols.unit_ports();
    add(known.facts, rtl.facts(ports));
    const std::string lane = "lane" + std::to_string(i) + ".";
    const auto port = [&](const std::string& name) { return rtl.output(lane + name); };
    claims all;
    const auto same = [&all](const std::string& name, const z3::expr& a, const z3::expr& b) {
        all.push_back({name, a == b});
    };
    same("lane", port("lane"), solver_context().bv_val(i, 5));
    const z3::expr runs = operation_field(rtl, "error") == 0;
    same("active", port("active"), z3::ite(runs, symbols.of_lane("active", i), solver_context().bv_val(0, 1)));
    for (const auto* name : {"common", "space", "rank_of_word"}) same(name, port(name), rtl.output(name));
    same("prim_index", port("prim_index"), symbols.of_lane("primitive", i));
    same("address", port("address"), symbols.of_lane("address", i));
    same("handle", port("handle"), symbols.of_lane("handle", i));
    same("data", port("data"), z3::concat(symbols.of_lane("data.1", i), symbols.of_lane("data.0", i)));

    for (unsigned c = 0; c < 4; ++c) {
        const unsigned bit_index = 32 * c + i;
        const std::string field_suffix = "." + std::to_string(c);
        same("access" + field_suffix, slice(rtl.output("access"), bit_index, 1), slice(port("access"), c, 1));
        same("word" + field_suffix, slice(operation_field(rtl, "word"), bit_index, 32), slice(port("word"), c, 32));
        same("value" + field_suffix, slice(rtl.output("value"), bit_index, 32), slice(port("value"), c, 32));
        const z3::expr enables = slice(operation_field(rtl, "byte_enable"), bit_index, 4);
        const z3::expr data = slice(rtl.output("write_data"), bit_index, 32);
        same("byte_enable" + field_suffix, enables,
             c < 2 ? slice(port("byte_enable"), c, 4) : solver_context().bv_val(15, 4));
        same("write_data" + field_suffix, data,
             c < 2 ? slice(port("write_data"), c, 32) : symbols.of_lane("data." + std::to_string(c), i));
    }
    same("first_byte", slice(operation_field(rtl, "first_byte"), i, 2), port("first_byte"));
    same("status", slice(operation_field(rtl, "status"), i, 16), port("status"));
    return all;
}

/// lane_bit_count() of all words there are, the model's against one bit after the other.
bool counts_agree()
{
    std::uint32_t word = 0;
    std::uint32_t wrong = 0;
    do {
        wrong += isbesim::lane_bit_count(word) == static_cast<std::uint32_t>(__builtin_popcount(word)) ? 0 : 1;
    } while (++word != 0);
    return wrong == 0;
}

template <typename enumeration>
std::uint32_t number(enumeration value)
{
    return static_cast<std::uint32_t>(value);
}

std::vector<operation_case> every_case(const circuit& active, const circuit& lane, const circuit& unit)
{
    std::vector<operation_case> all;
    const auto add = [&](const std::string& name, kind kind, fixed_fields fixed) {
        all.push_back(
            {name, std::move(fixed),
             [&active, kind](const inputs& symbols, knowledge& known) { return of_lane(active, kind, symbols, known); },
             kind == kind::attribute});
    };
    for (const auto& [name, op] : {std::pair{"ald", opcode::ald}, std::pair{"ast", opcode::ast}}) {
        const std::string text = name;
        for (std::uint32_t size = 1; size <= 4; ++size) {
            const fixed_fields fixed{{"op", number(op)}, {"size", size}, {"form", number(address_form::logical)}};
            add(text + ".logical." + std::to_string(size), kind::attribute, fixed);
            fixed_fields patch = fixed;
            patch["form"] = number(address_form::patch);
            add(text + ".patch." + std::to_string(size), kind::patch, patch);
        }
        add(text + ".phys", kind::attribute, {{"op", number(op)}, {"form", number(address_form::phys)}, {"size", 1}});
    }
    for (std::uint32_t size = 1; size <= 4; ++size)
        add("al2p." + std::to_string(size), kind::al2p, {{"op", number(opcode::al2p)}, {"size", size}});
    for (std::uint32_t type = 0; type <= number(out_type::emit_then_cut); ++type)
        add("out." + std::to_string(type), kind::out, {{"op", number(opcode::out)}, {"type", type}});
    for (const auto& [name, op] : {std::pair{"isberd", opcode::isberd}, std::pair{"isbewr", opcode::isbewr}})
        for (const std::uint32_t size : {1U, 2U, 4U})
            add(std::string(name) + "." + std::to_string(size), kind::raw, {{"op", number(op)}, {"size", size}});
    for (const auto* name : {"first_id", "members", "enabled"}) {
        const std::string wire = name;
        all.push_back({"named." + wire, {}, [&active, wire](const inputs& symbols, knowledge& known) {
                           return of_named(active, wire, symbols, known);
                       }});
    }
    for (unsigned i = 0; i < 32; ++i)
        all.push_back(
            {"rank." + std::to_string(i),
             {},
             [&active, i](const inputs& symbols, knowledge& known) { return of_rank(active, i, symbols, known); },
             true});
    all.push_back({"inactive", {}, [&lane](const inputs& symbols, knowledge& known) {
                       return of_inactive_lane(lane, symbols, known);
                   }});
    all.push_back({"operation",
                   {},
                   [&unit](const inputs& symbols, knowledge& known) { return of_operation(unit, symbols, known); },
                   false,
                   true});
    for (unsigned i = 0; i < set_words; ++i)
        all.push_back(
            {"ranks." + std::to_string(i),
             {},
             [&unit, i](const inputs& symbols, knowledge& known) { return of_ranks(unit, i, symbols, known); },
             false,
             true});
    for (unsigned i = 0; i < warp_lanes; ++i)
        all.push_back(
            {"wiring." + std::to_string(i),
             {},
             [&unit, i](const inputs& symbols, knowledge& known) { return of_wiring(unit, i, symbols, known); },
             false,
             true});
    return all;
}

int run(const proof_arguments& arguments)
{
    if (arguments.files.size() != 3) throw std::runtime_error("expected three files");
    const circuit active(arguments.files[0]);
    const circuit lane(arguments.files[1]);
    const circuit unit(arguments.files[2]);
    const bool counted = std::regex_match("count", arguments.case_pattern);
    const bool counts = arguments.list || !counted || counts_agree();
    if (counted) std::cout << "count" << (arguments.list ? "" : counts ? " proved" : " differs") << "\n";
    std::vector<proof_case> all;
    for (const auto& one : every_case(active, lane, unit))
        all.push_back({one.name, [&block = arguments.block, one] { return ask(block, one); }});
    return std::max(prove_all(all, arguments), counts ? 0 : 1);
}

} // namespace
} // namespace isbesim::proof

int main(int count, char** words)
{
    return isbesim::proof::run_proof("address_proof", count, words, isbesim::proof::run);
}
