// SPDX-License-Identifier: Apache-2.0
// The rules of models/isbe/rules with a word type that has only the members that word_type.h requires: the values are
// the same, and no step depends on a value.
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "models/isbe/rules/address_sum.h"
#include "models/isbe/rules/attribute_offset.h"
#include "models/isbe/rules/attribute_tests.h"
#include "models/isbe/rules/default_value.h"
#include "models/isbe/rules/geometry_state.h"
#include "models/isbe/rules/lane_winner.h"
#include "models/isbe/rules/memory_regions.h"
#include "models/isbe/rules/operation_errors.h"
#include "models/isbe/rules/out_instruction.h"
#include "models/isbe/rules/patch_address.h"
#include "models/isbe/rules/physical_address.h"
#include "models/isbe/rules/raw_bytes.h"
#include "models/isbe/rules/shared_spaces.h"

namespace recording {

/// Operations executed so far. A rule without an early exit executes the same number for all values.
inline unsigned operations = 0;

/// Like the terms of a solver, neither type converts to a bool or an integer.
class flag {
public:
    explicit flag(bool value) : value_(value) { ++operations; }
    friend flag operator&(flag a, flag b) { return flag(a.value_ & b.value_); }
    friend flag operator|(flag a, flag b) { return flag(a.value_ | b.value_); }
    friend flag operator!(flag a) { return flag(!a.value_); }
    bool value() const { return value_; }

private:
    bool value_;
};

class word {
public:
    explicit word(std::uint32_t value) : value_(value) { ++operations; }
    friend word operator+(word a, word b) { return word(a.value_ + b.value_); }
    friend word operator-(word a, word b) { return word(a.value_ - b.value_); }
    friend word operator*(word a, word b) { return word(a.value_ * b.value_); }
    friend word operator&(word a, word b) { return word(a.value_ & b.value_); }
    friend word operator|(word a, word b) { return word(a.value_ | b.value_); }
    friend word operator^(word a, word b) { return word(a.value_ ^ b.value_); }
    friend word operator~(word a) { return word(~a.value_); }
    friend word operator<<(word a, word b) { return word(a.value_ << checked(b)); }
    friend word operator>>(word a, word b) { return word(a.value_ >> checked(b)); }
    friend flag operator==(word a, word b) { return flag(a.value_ == b.value_); }
    friend flag operator!=(word a, word b) { return flag(a.value_ != b.value_); }
    friend flag operator<(word a, word b) { return flag(a.value_ < b.value_); }
    friend flag operator<=(word a, word b) { return flag(a.value_ <= b.value_); }
    friend flag operator>(word a, word b) { return flag(a.value_ > b.value_); }
    friend flag operator>=(word a, word b) { return flag(a.value_ >= b.value_); }
    friend word select(flag condition, word a, word b) { return word(condition.value() ? a.value_ : b.value_); }
    std::uint32_t value() const { return value_; }

private:
    static std::uint32_t checked(word shift)
    {
        EXPECT_LT(shift.value_, 32U);
        return shift.value_;
    }
    std::uint32_t value_;
};

} // namespace recording

namespace isbesim::test {
namespace {

/// A space of the descriptor, as the argument of extent_of().
template <typename word_type>
struct space_regions {
    word_type map_base, map_bytes, patch_base, patch_words, patch_count, prim_base, prim_bytes, attr_base, attr_bytes;
};

using namespace rules; // NOLINT: tested here
/// Every rule once, applied to eight numbers: the rules' names and values, truths as 1 and 0.
template <typename W>
std::vector<std::pair<std::string, W>> every_rule(const std::array<std::uint32_t, 8>& numbers)
{
    std::vector<std::pair<std::string, W>> found;
    const auto note = [&](const char* name, W value) { found.emplace_back(name, value); };
    const auto test = [&](const char* name, truth_of<W> value) { note(name, select(value, W(1), W(0))); };
    std::vector<W> n;
    n.reserve(numbers.size());
    for (const auto number : numbers) n.emplace_back(W(number));
    const auto truth = [&](unsigned i) { return truth_of<W>((n[i] & W(1)) != W(0)); };

    const W size = (n[1] & W(3)) + W(1);
    const auto sum = add_immediate(n[0], n[1]);
    note("sum", sum.bytes);
    test("is_below", is_below(sum, n[2] & W(0x7fffffffU)));
    note("alignment_mask", alignment_mask(size));
    test("names_attribute", names_attribute(sum));
    note("attribute_id", attribute_id(sum, alignment_mask(size)));

    note("vertex_words", vertex_words(truth(0), n[1], n[2]));
    note("vertex_offset", vertex_offset(truth(0), n[1], n[2]));
    note("rank_offset", rank_offset(truth(0), n[3]));
    note("attribute_offset", attribute_offset(truth(0), n[1], n[3], n[2]));
    test("word_fits", word_fits(n[4], n[5]));
    note("word_index", word_index(n[4], n[5]));

    const W stage = n[6] & W(7);
    test("vertex_is_handle", vertex_is_handle(truth(0), stage));
    test("vertex_is_slot", vertex_is_slot(truth(0), stage, truth(1)));
    test("vertex_exists", vertex_exists(n[0], n[1]));
    test("is_primitive_id", is_primitive_id(n[0]));
    note("prim_members", prim_members(truth(0), n[1] & W(7), n[0]));
    note("prim_offset", prim_offset(n[0], n[1]));
    test("result_in_prim", result_in_prim(truth(0), n[2] & W(255), n[0]));
    test("map_bit", map_bit(n[0], n[1] & W(3)));
    const attribute_facts<truth_of<W>> facts{truth(0), truth(1), truth(2), truth(3), truth(4),
                                             truth(5), truth(6), truth(7), truth(1), truth(0)};
    const auto verdict = first_that_fires(facts);
    test("reaches", verdict.reaches);
    test("disabled", verdict.disabled);
    test("not_al2p", verdict.not_al2p);

    const W limit = patch_limit(n[2] & W(3), n[3] & W(255));
    note("patch_limit", limit);
    note("patch_byte", patch_byte(sum, alignment_mask(size), n[2] & W(3)));
    test("patch_holds", patch_holds(sum, alignment_mask(size), limit, n[4], n[5]));
    note("patch_offset", patch_offset(n[4], n[3]));

    note("al2p_result", al2p_result(truth(0), truth(1), truth(2), n[3] & W(1), n[4] & W(255), n[5] & W(255)));
    test("is_result_of", is_result_of(n[0], truth(1)));
    const auto fields = decode_physical(n[0]);
    note("decode_physical", fields.out_of_range ^ fields.enabled << W(1) ^ fields.id << W(8) ^ fields.rank << W(16));
    test("is_for_output", is_for_output(n[0]));
    test("is_for_primitive", is_for_primitive(n[0]));
    test("is_unranked", is_unranked(n[0], n[1]));

    note("default_value", default_value(n[0] & W(255), n[1], n[2]));

    test("runs_downwards", runs_downwards<W>(truth(0), truth(1)));
    const auto covered = first_covered(n[0], n[1], size, truth(2));
    note("first_covered", covered.bytes);
    test("covered_inside", covered_inside(covered, size, n[3] & W(0x7fffffffU)));
    const W at = byte_in_word(n[4]);
    test("crosses_words", crosses_words(at, size));
    note("value_bits", value_bits(size));
    note("part_in_first", part_in_first(n[5], at));
    note("part_in_next", part_in_next(n[5], at));
    note("joined_value", joined_value(n[5], n[6], at, size));
    note("swapped_bytes", swapped_bytes(n[5], size));

    note("encode_state", encode_state(state_slot(n[0]), state_stream(n[0]), state_has_stream(n[0]), state_strip(n[0])));
    test("state_is_valid", state_is_valid(n[0], n[1] & W(0xffff)));
    test("slot_is_left", slot_is_left(n[0], n[1]));
    test("is_thread", is_thread(n[0], n[1]));
    note("slot_index", slot_index(truth(2), n[0], n[1], n[3], n[4]));

    const W type = n[7] & W(3);
    test("ends_strip", ends_strip(type));
    test("emits_vertex", emits_vertex(type));
    test("strip_is_empty", strip_is_empty(n[0]));
    const out_facts<truth_of<W>> out{truth(0), truth(1), truth(2), truth(3), truth(4),
                                     truth(5), truth(6), truth(7), truth(2)};
    const auto line = line_that_applies(out);
    test("writes", line.writes);
    test("gs_overflow", line.gs_overflow);
    note("token_stream", token_stream(type, n[0], n[1]));
    note("token_slot", token_slot(type, n[0]));
    note("token_offset", token_offset(n[0]));
    test("token_fits", token_fits(n[0], n[1]));
    note("token_byte", token_byte(type, n[1] & W(3), n[2] & W(15)));
    note("next_state", next_state(type, n[0], n[1] & W(3)));

    note("operation_error", operation_error(n[0] & W(7), n[1] & W(3), n[2] & W(1), stage, size));
    const space_regions<W> space{n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[0]};
    const auto extent = extent_of(n[7] & W(7), space, n[1]);
    note("extent base", extent.base);
    note("extent bytes", extent.bytes);
    test("tracks_overwritten", tracks_overwritten(truth(0), truth(1), truth(2), truth(3)));
    test("wins_over", wins_over(truth(0), n[1], n[2]));
    return found;
}

TEST(rules, any_word_type_gives_the_same_and_takes_no_short_cut)
{
    constexpr std::uint32_t edges[] = {0,           1,           3,           4,           23,          24,
                                       25,          31,          32,          33,          127,         128,
                                       0x3fcU,      0x3ffU,      0x400U,      0xffffU,     0x10000U,    0x7fffffffU,
                                       0x80000000U, 0x80000001U, 0xa2010000U, 0xa2060000U, 0xfffffffcU, 0xffffffffU};
    std::mt19937 random(2);
    unsigned steps = 0;
    for (unsigned round = 0; round < 20000; ++round) {
        std::array<std::uint32_t, 8> numbers{};
        for (auto& number : numbers) {
            const auto kind = random() % 4;
            number = kind == 0   ? edges[random() % std::size(edges)]
                     : kind == 1 ? static_cast<std::uint32_t>(random() % 64)
                                 : static_cast<std::uint32_t>(random());
        }
        if (round % 3 == 0) numbers[0] = encode_state<std::uint32_t>(numbers[0] & 31, 1, 1, numbers[1] & 15);
        const auto plain = every_rule<std::uint32_t>(numbers);
        recording::operations = 0;
        const auto other = every_rule<recording::word>(numbers);
        if (round == 0) steps = recording::operations;
        ASSERT_EQ(recording::operations, steps) << "a rule looked at a value to choose what to do";
        ASSERT_EQ(plain.size(), other.size());
        for (std::size_t i = 0; i < plain.size(); ++i)
            ASSERT_EQ(plain[i].second, other[i].second.value()) << plain[i].first << " in round " << round;
    }
}

TEST(rules, the_checksum_has_all_three_bytes)
{
    // 34 ^ rotl(12, 3) ^ rotl(96, 5) = 34 ^ 90 ^ d2; not computed by the compiler.
    word slot = 0x1234;
    EXPECT_EQ((encode_state<word>(slot, 2, 1, 9)), 0x76961234U);
    EXPECT_TRUE(state_is_valid<word>(0x76961234U, slot));
    slot = 0;
    EXPECT_EQ(state_has_stream<word>(slot), 0U);
    EXPECT_EQ((next_state<word>(static_cast<word>(out_type::cut), slot, 0)), 0U);
}

TEST(rules, a_choice_of_64_bits)
{
    std::uint64_t one = 1ULL << 40, other = 1;
    EXPECT_EQ(select(one > other, one, other), 1ULL << 40);
    EXPECT_EQ(select(one < other, one, other), 1U);
}

} // namespace
} // namespace isbesim::test
