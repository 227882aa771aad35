// SPDX-License-Identifier: Apache-2.0
// Sections 4.1 to 4.7 of the micro-architecture page for one lane: the rules of models/isbe/rules put together as the
// address unit of the model does it for 32 lanes at once. A template over the word type, as they are: with bit vectors
// of a solver it is what the RTL is proved equal to, with std::uint32_t what the model is tested against
// (one_lane_test.cpp), so that the proof is about the model.
#pragma once

#include <array>

#include "models/attribute/bit_count.h"
#include "models/isbe/rules/address_sum.h"
#include "models/isbe/rules/attribute_offset.h"
#include "models/isbe/rules/attribute_tests.h"
#include "models/isbe/rules/default_value.h"
#include "models/isbe/rules/geometry_state.h"
#include "models/isbe/rules/memory_regions.h"
#include "models/isbe/rules/operation_errors.h"
#include "models/isbe/rules/out_instruction.h"
#include "models/isbe/rules/patch_address.h"
#include "models/isbe/rules/physical_address.h"
#include "models/isbe/rules/raw_bytes.h"
#include "models/isbe/rules/shared_spaces.h"
#include "models/isbe/rules/word_type.h"

namespace isbesim::proof {

using rules::select;

inline constexpr unsigned set_words = 8;

/// A space of a context, as the descriptor has it.
template <typename W>
struct lane_space {
    W attr_base{0}, attr_bytes{0}, map_base{0}, map_bytes{0}, prim_base{0}, prim_bytes{0}, patch_base{0};
    W vertex_count{0}, patch_words{0}, patch_count{0};
    std::array<W, set_words> allocated = zeros();
    std::array<W, set_words> enabled = zeros();

    static std::array<W, set_words> zeros() { return {W(0), W(0), W(0), W(0), W(0), W(0), W(0), W(0)}; }
};

/// The common inputs of an operation's lanes: the request, its context, the parameters of the block.
template <typename W>
struct operation {
    W op{0}, space{0}, region{0}, form{0}, type{0}, size{0}, immediate{0};
    W stage{0}, fast{0}, shared{0}, maximum{0}, threads{0}, stream_mask{0}; // flags are 0 or 1
    lane_space<W> input, output;
    W skew{0}, blocked{0}, attribute_default{0}, position_w_default{0}, map_byte_swap{0}, storage_bytes{0};
};

/// What follows from them: sections 3 and 4.1, and what each lane asks of the request.
template <typename W>
struct shared_part {
    using T = rules::truth_of<W>;
    W error;
    T load, store, al2p, out, raw, phys, patch, output_space, by_handle, by_slot, downwards;
    T tracks_overwritten; ///< of loads and stores
    rules::region_extent<W> region;
};

/// A lane of it. `count` is n of section 3, `ranks` the rank of each word's first id: of the space that is worked on.
template <typename W>
struct lane {
    W number{0}, primitive{0}, address{0}, handle{0}, data{0};
    W count{0};
    std::array<W, set_words> ranks = lane_space<W>::zeros();
};

/// What becomes of it: an access, or not, of each component; what a load gets that is not in the storage.
template <typename W>
struct outcome {
    using T = rules::truth_of<W>;
    std::array<T, 4> access{T(false), T(false), T(false), T(false)};
    std::array<W, 4> word{W(0), W(0), W(0), W(0)};
    std::array<W, 4> value{W(0), W(0), W(0), W(0)};
    std::array<W, 2> mask{W(0), W(0)};    ///< ISBEWR and OUT: bits written of components 0 and 1
    std::array<W, 2> written{W(0), W(0)}; ///< and with what, where the mask is 1
    W first_byte{0};                      ///< ISBERD
    W status{0};
};

template <typename W>
lane_space<W> select_space(rules::truth_of<W> condition, const lane_space<W>& a, const lane_space<W>& b)
{
    lane_space<W> s;
    const auto choose = [&](auto member) { s.*member = select(condition, a.*member, b.*member); };
    using space = lane_space<W>;
    choose(&space::attr_base), choose(&space::attr_bytes), choose(&space::map_base), choose(&space::map_bytes);
    choose(&space::prim_base), choose(&space::prim_bytes), choose(&space::patch_base);
    choose(&space::vertex_count), choose(&space::patch_words), choose(&space::patch_count);
    for (unsigned i = 0; i < set_words; ++i) {
        s.allocated[i] = select(condition, a.allocated[i], b.allocated[i]);
        s.enabled[i] = select(condition, a.enabled[i], b.enabled[i]);
    }
    return s;
}

template <typename W>
shared_part<W> shared_of(const operation<W>& o)
{
    using T = rules::truth_of<W>;
    using rules::code;
    const auto is = [](const W& value, auto enumerator) { return value == code<W>(enumerator); };
    const T ald = is(o.op, opcode::ald);
    const T ast = is(o.op, opcode::ast);
    const T isbewr = is(o.op, opcode::isbewr);
    const T raw = is(o.op, opcode::isberd) | isbewr;
    const T out = is(o.op, opcode::out);
    const T store = ast | isbewr;
    const T physical = raw & is(o.region, region::physical);
    const T attribute = ald | ast;
    const T output_space = ast | out | (o.space != W(0));
    const W below = rules::operation_error<W>(o.op, o.form, o.space, o.stage, o.size);
    const W nothing = code<W>(op_error::none);
    const lane_space<W> space = select_space<W>(output_space, o.output, o.input);
    return {select(physical | is(o.op, opcode::bind), nothing, below),
            ald,
            store,
            is(o.op, opcode::al2p),
            out,
            raw,
            T(attribute & is(o.form, address_form::phys)),
            T(attribute & is(o.form, address_form::patch)),
            output_space,
            rules::vertex_is_handle<W>(ald, o.stage),
            rules::vertex_is_slot<W>(!ast, o.stage, o.fast != W(0)),
            rules::runs_downwards<W>(isbewr, is(o.region, region::map)),
            rules::tracks_overwritten<T>(o.shared != W(0), physical, store, o.space == W(0)),
            rules::extent_of<W>(o.region, space, o.storage_bytes)};
}

/// The word of a set that an id is in.
template <typename W>
W word_of(const std::array<W, set_words>& set, const W& id)
{
    W found = set[0];
    for (unsigned i = 1; i < set_words; ++i) found = select((id >> W(5)) == W(i), set[i], found);
    return found;
}

template <typename W>
void note(outcome<W>& result, rules::truth_of<W> condition, std::uint32_t status)
{
    result.status = result.status | select(condition, W(status), W(0));
}

/// The attribute of an address: its number, the words of the sets that it is in, its rank.
template <typename W>
struct named_attribute {
    W id;
    W members;
    W enabled;
    W rank;
};
/// Rank of an attribute whose word of the allocated set is `members`.
template <typename W>
W rank_of(const lane<W>& l, const W& id, const W& members)
{
    const W below = (W(1) << (id & W(31))) - W(1);
    return word_of(l.ranks, id) + lane_bit_count(members & below);
}
template <typename W>
named_attribute<W> name_attribute(const operation<W>& o, const shared_part<W>& shared, const lane_space<W>& space,
                                  const lane<W>& l)
{
    const W logical = rules::attribute_id(rules::add_immediate(l.address, o.immediate), rules::alignment_mask(o.size));
    const W id = select(shared.phys, rules::decode_physical(l.address).id, logical);
    const W members = word_of(space.allocated, id);
    return {id, members, word_of(space.enabled, id), rank_of(l, id, members)};
}

/// ALD and AST, logical and .PHYS (section 4.2).
template <typename W>
void attribute(const operation<W>& o, const shared_part<W>& shared, const lane_space<W>& space, const lane<W>& l,
               const named_attribute<W>& named, outcome<W>& result)
{
    using T = rules::truth_of<W>;
    const T phys = shared.phys;
    const T skew = o.skew != W(0);
    const auto sum = rules::add_immediate(l.address, o.immediate);
    const auto fields = rules::decode_physical(l.address);
    const W id = named.id;
    const W bit = id & W(31);
    const W allocated = named.members >> bit;
    const W elsewhere = rules::prim_members(shared.output_space, id >> W(5), named.members);
    const W enabled = select(phys, fields.enabled, (named.enabled & (named.members | elsewhere)) >> bit);
    W rank = select(phys, fields.rank, named.rank);

    const W slot = rules::state_slot(l.handle);
    const W vertex_of_slot = rules::slot_index<W>(o.blocked == W(0), slot, l.number, o.threads, o.maximum);
    const T primitive_id = shared.load & rules::is_primitive_id(id);

    for (unsigned c = 0; c < 4; ++c) {
        const T own = primitive_id & shared.output_space & T(c == 0);
        const W vertex = select(shared.by_slot, vertex_of_slot, select(shared.by_handle & !own, l.handle, l.number));
        rules::attribute_facts<T> known{
            W(c) < o.size,
            T(phys & !rules::is_result_of(l.address, shared.output_space)),
            select(phys, fields.out_of_range, select(rules::names_attribute(sum), W(0), W(1))) != W(0),
            T(shared.load & ((phys & rules::result_in_prim(shared.output_space, id, l.address)) |
                             ((!phys) & rules::map_bit(elsewhere >> bit, W(c))))),
            T(shared.by_slot & !rules::state_is_valid(l.handle, o.maximum)),
            T(shared.by_slot & !(rules::slot_is_left(slot, o.maximum) & rules::is_thread<W>(l.number, o.threads) &
                                 rules::vertex_exists(vertex, space.vertex_count))),
            !rules::vertex_exists(vertex, space.vertex_count),
            rules::map_bit(enabled, W(c)),
            rules::is_unranked(rank, l.count),
            T(false)};
        const W offset_in_prim = rules::prim_offset(l.primitive, id + W(c));
        const W offset_in_attr = rules::vertex_offset<W>(skew, l.count, vertex) + rules::rank_offset<W>(skew, rank);
        known.beyond = (known.in_prim & !rules::word_fits(offset_in_prim, space.prim_bytes)) |
                       ((!known.in_prim) & !rules::word_fits(offset_in_attr, space.attr_bytes));
        const auto found = rules::first_that_fires(known);
        result.access[c] = found.reaches;
        result.word[c] = select(known.in_prim, rules::word_index(space.prim_base, offset_in_prim),
                                rules::word_index(space.attr_base, offset_in_attr));
        note(result, found.not_al2p, lane_status::not_al2p);
        note(result, found.out_of_range, lane_status::out_of_range);
        note(result, found.gs_state, lane_status::gs_state);
        note(result, found.gs_overflow, lane_status::gs_overflow);
        note(result, found.handle_range, lane_status::handle_range);
        note(result, found.disabled & shared.load, lane_status::defaulted);
        note(result, found.disabled & shared.store, lane_status::dropped_map);
        const W standard = rules::default_value((id + W(c)) & W(255), o.attribute_default, o.position_w_default);
        result.value[c] = select(found.disabled & shared.load, standard, W(0));
        rank = rank + (allocated >> W(c) & W(1));
    }
}

/// ALD .P and AST .P (section 4.3).
template <typename W>
void patch(const operation<W>& o, const lane_space<W>& space, const lane<W>& l, outcome<W>& result)
{
    const auto sum = rules::add_immediate(l.address, o.immediate);
    const W alignment = rules::alignment_mask(o.size);
    for (unsigned c = 0; c < 4; ++c) {
        const auto active = W(c) < o.size;
        const W limit = rules::patch_limit(W(c), space.patch_words);
        const auto holds = rules::patch_holds(sum, alignment, limit, l.primitive, space.patch_count);
        result.access[c] = active & holds;
        result.word[c] = rules::word_index(space.patch_base, rules::patch_offset(l.primitive, space.patch_words) +
                                                                 rules::patch_byte(sum, alignment, W(c)));
        note(result, active & !holds, lane_status::out_of_range);
    }
}

/// AL2P (section 4.4).
template <typename W>
void al2p(const operation<W>& o, const shared_part<W>& shared, const lane<W>& l, const named_attribute<W>& named,
          outcome<W>& result)
{
    const auto sum = rules::add_immediate(l.address, o.immediate);
    const W bit = named.id & W(31);
    const W elsewhere = rules::prim_members(shared.output_space, named.id >> W(5), named.members);
    const W enabled = (named.enabled & (named.members | elsewhere)) >> bit & W(1);
    result.value[0] = rules::al2p_result<W>(shared.output_space, rules::names_attribute(sum),
                                            rules::is_primitive_id(named.id) | rules::map_bit(elsewhere >> bit, W(0)),
                                            enabled, named.id, named.rank);
}

/// ISBERD and ISBEWR (section 4.5).
template <typename W>
void raw(const operation<W>& o, const shared_part<W>& shared, const lane<W>& l, outcome<W>& result)
{
    const auto first = rules::first_covered<W>(l.address, o.immediate, o.size, shared.downwards);
    const auto inside = rules::covered_inside(first, o.size, shared.region.bytes);
    const W address = shared.region.base + first.bytes;
    const W at = rules::byte_in_word(address);
    const W bits = rules::value_bits(o.size);
    const W value = l.data & bits;
    const W swapped = rules::swapped_bytes(value, o.size);
    const W stored = select(shared.downwards & (o.map_byte_swap != W(0)), swapped, value);
    result.access[0] = inside;
    result.access[1] = inside & rules::crosses_words(at, o.size);
    result.word[0] = address >> W(2);
    result.word[1] = (address >> W(2)) + W(1);
    result.mask = {rules::part_in_first(bits, at), rules::part_in_next(bits, at)};
    result.written = {rules::part_in_first(stored, at), rules::part_in_next(stored, at)};
    result.first_byte = at;
    note(result, !inside, lane_status::out_of_range);
}

/// OUT (section 4.6).
template <typename W>
void token(const operation<W>& o, const lane<W>& l, outcome<W>& result)
{
    using T = rules::truth_of<W>;
    using rules::code;
    const W stream = rules::token_stream(o.type, l.handle, l.address);
    const W slot = rules::token_slot(o.type, l.handle);
    const W index = rules::slot_index<W>(o.blocked == W(0), slot, l.number, o.threads, o.maximum);
    const W offset = rules::token_offset(index);
    const rules::out_facts<T> known{T(true),
                                    o.fast != W(0),
                                    !rules::state_is_valid(l.handle, o.maximum),
                                    !rules::is_thread(l.number, o.threads),
                                    o.type == code<W>(out_type::final),
                                    o.type == code<W>(out_type::cut),
                                    rules::state_slot(l.handle) == o.maximum,
                                    rules::strip_is_empty(l.handle),
                                    !rules::token_fits(offset, o.output.map_bytes)};
    const auto found = rules::line_that_applies(known);
    const W address = o.output.map_base + offset;
    const W shift = rules::byte_in_word(address) * W(8);
    result.access[0] = found.writes;
    result.word[0] = address >> W(2);
    result.mask[0] = W(0xff) << shift;
    result.written[0] = rules::token_byte(o.type, stream, o.stream_mask) << shift;
    result.value[0] = select(found.writes, rules::next_state(o.type, l.handle, stream), l.handle);
    note(result, found.gs_state, lane_status::gs_state);
    note(result, found.gs_overflow, lane_status::gs_overflow);
}

/// An active lane of an operation without an error, except BIND. `kind`: a known kind of operation,
/// without which all are worked out. `named` is name_attribute()'s.
enum class kind { attribute, patch, al2p, raw, out };
template <typename W>
outcome<W> one_lane(kind kind, const operation<W>& o, const shared_part<W>& shared, const lane<W>& l,
                    const named_attribute<W>& named)
{
    const lane_space<W> space = select_space<W>(shared.output_space, o.output, o.input);
    outcome<W> result;
    switch (kind) {
    case kind::attribute:
        attribute(o, shared, space, l, named, result);
        break;
    case kind::patch:
        patch(o, space, l, result);
        break;
    case kind::al2p:
        al2p(o, shared, l, named, result);
        break;
    case kind::raw:
        raw(o, shared, l, result);
        break;
    case kind::out:
        token(o, l, result);
        break;
    }
    return result;
}

} // namespace isbesim::proof
