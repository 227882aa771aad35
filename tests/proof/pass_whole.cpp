// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "models/isbe/rules/lane_winner.h"
#include "tests/proof/pass_questions.h"
#include "tests/proof/pass_rule.h"

namespace isbesim::proof {
namespace {

/// Four lanes: a solver does not come to an end with all of them.
z3::expr some_lanes()
{
    return solver_context().bv_val(1U << 31 | 1U << 16 | 1U << 15 | 1U, warp_lanes);
}

/// The lanes that wait in a component, seen from one bank.
class waiting_lanes {
public:
    waiting_lanes(const isbe_config& machine, const z3::expr& lanes, std::vector<word_term> words,
                  const word_term& bank)
        : by_line_(machine.access == access_rule::line), lanes_(lanes), words_(std::move(words)), first_(0)
    {
        for (const auto& word : words_) in_bank_.push_back((column_of(machine, word) == bank).expression);
        for (unsigned i = warp_lanes; i-- > 0;) first_ = select(truth_term(waits(i)), words_[i], first_);
    }
    z3::expr in_bank(unsigned lane) const { return element(in_bank_, lane); }
    /// It waits for the bank, or for a line.
    z3::expr waits(unsigned lane) const { return is_set(lanes_, lane) && (by_line_ || in_bank(lane)); }
    /// It has the word, or the line, of the lowest of those that wait.
    z3::expr served(unsigned lane) const
    {
        const word_term part(by_line_ ? 5 : 0);
        return waits(lane) && (words_[lane] >> part == first_ >> part).expression;
    }
    /// Word of the lowest that waits; of none any.
    const word_term& first() const { return first_; }

private:
    bool by_line_;
    z3::expr lanes_;
    std::vector<word_term> words_;
    z3::expr_vector in_bank_{solver_context()};
    word_term first_;
};

/// The lanes that write a byte of a bank, and the winner.
class writers {
public:
    writers(const circuit& rtl, bool highest_wins, unsigned byte)
        : highest_wins_(highest_wins), lanes_(solver_context())
    {
        const z3::expr bank = rtl.output("any_bank");
        const unsigned bank_bits = bank.get_sort().bv_size();
        for (unsigned i = 0; i < warp_lanes; ++i)
            lanes_.push_back(is_set(rtl.output("writes")) && is_set(rtl.output("claiming"), i) &&
                             slice(rtl.output("claimed_bank"), i, bank_bits) == bank &&
                             is_set(rtl.output("lane_bytes"), 4 * i + byte));
    }
    z3::expr any() const { return z3::mk_or(lanes_); }
    z3::expr wins(unsigned lane) const
    {
        z3::expr best = writes(lane);
        for (unsigned i = 0; i < warp_lanes; ++i)
            if (i != lane) best = best && (!writes(i) || over(lane, i));
        return best;
    }
    z3::expr loses(unsigned lane) const
    {
        z3::expr_vector better(solver_context());
        for (unsigned i = 0; i < warp_lanes; ++i)
            if (i != lane) better.push_back(writes(i) && over(i, lane));
        return writes(lane) && z3::mk_or(better);
    }

private:
    z3::expr writes(unsigned lane) const { return element(lanes_, lane); }
    z3::expr over(unsigned lane, unsigned other) const
    {
        return rules::wins_over<word_term>(truth_term(highest_wins_), word_term(lane), word_term(other)).expression;
    }

    bool highest_wins_;
    z3::expr_vector lanes_;
};

/// An example has whole words if possible: in the first line, which has a word in each bank, under each
/// map in that of its number.
std::function<field_values(const z3::model&)> writes_of(const circuit& rtl)
{
    const z3::expr lanes = rtl.output("claiming"), banks = rtl.output("claimed_bank"), data = rtl.output("lane_data");
    return [lanes, banks, data, bank_bits = rtl.output("any_bank").get_sort().bv_size()](const z3::model& model) {
        field_values fields = operation_on_words(opcode::isbewr);
        for (unsigned i = 0; i < warp_lanes; ++i)
            if (value_of(model, slice(lanes, i, 1)) != 0)
                add_lane(fields, i,
                         {{"address", 4 * value_of(model, slice(banks, i, bank_bits))},
                          {"data", value_of(model, slice(data, i, 32))}});
        return fields;
    };
}

} // namespace

question ask_whole_lanes(const isbe_config& machine, const circuit& rtl)
{
    question asked;
    add(asked.known.facts, rtl.facts({}));
    const auto words = words_of(rtl.output("lane_word"));
    const z3::expr candidates = rtl.output("candidates");
    asked.known.facts.push_back((candidates & ~some_lanes()) == 0);
    for (unsigned i = 0; i < warp_lanes; ++i)
        asked.known.facts.push_back(z3::implies(is_set(candidates, i), in_storage(machine, words[i])));
    const waiting_lanes lanes(machine, candidates, words, wide(rtl.output("any_bank")));
    const z3::expr served = rtl.output("served"), lane_bank = rtl.output("lane_bank"), row = rtl.output("row_used");
    const unsigned bank_bits = rtl.output("any_bank").get_sort().bv_size();
    const bool by_line = machine.access == access_rule::line;
    z3::expr_vector users(solver_context());
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const z3::expr here = lanes.in_bank(i);
        users.push_back(lanes.served(i) && here);
        asked.all.push_back(
            {"served." + std::to_string(i), z3::implies(by_line || here, is_set(served, i) == lanes.served(i))});
        asked.all.push_back(
            {"bank." + std::to_string(i),
             z3::implies(is_set(served, i) && here,
                         slice(lane_bank, i, bank_bits) == low_bits(column_of(machine, words[i]), bank_bits))});
    }
    const z3::expr used = z3::mk_or(users);
    asked.all.push_back({"used", is_set(rtl.output("used")) == used});
    asked.all.push_back({"row", z3::implies(used, rtl.output("row_used") == row_of(machine, lanes.first(), row))});
    asked.fields = [candidates, words](const z3::model& model) {
        field_values fields = operation_on_words(opcode::isberd);
        for (unsigned i = 0; i < warp_lanes; ++i)
            if (value_of(model, slice(candidates, i, 1)) != 0)
                add_lane(fields, i, {{"address", 4 * value_of(model, words[i].expression)}});
        return fields;
    };
    return asked;
}

question ask_whole_winner(bool highest_wins, const circuit& rtl)
{
    question asked;
    add(asked.known.facts, rtl.facts({}));
    asked.known.facts.push_back((rtl.output("claiming") & ~some_lanes()) == 0);
    const z3::expr bank = rtl.output("any_bank");
    std::vector<writers> byte_writers;
    for (unsigned n = 0; n < 4; ++n) byte_writers.emplace_back(rtl, highest_wins, n);
    for (unsigned n = 0; n < 4; ++n) {
        z3::expr_vector winners(solver_context());
        z3::expr_vector right(solver_context());
        right.push_back(is_set(rtl.output("bytes"), n) == byte_writers[n].any());
        for (unsigned i = 0; i < warp_lanes; ++i) {
            winners.push_back(byte_writers[n].wins(i));
            right.push_back(z3::implies(winners.back(), slice(rtl.output("data_written"), n, 8) ==
                                                            slice(rtl.output("lane_data"), 4 * i + n, 8)));
        }
        right.push_back(z3::implies(byte_writers[n].any(), z3::mk_or(winners)));
        asked.all.push_back({"winner." + std::to_string(n), z3::mk_and(right)});
    }
    const unsigned bank_bits = bank.get_sort().bv_size();
    z3::expr_vector right(solver_context());
    for (unsigned i = 0; i < warp_lanes; ++i) {
        z3::expr loses = solver_context().bool_val(false);
        for (const auto& byte : byte_writers) loses = loses || byte.loses(i);
        right.push_back(z3::implies(slice(rtl.output("claimed_bank"), i, bank_bits) == bank,
                                    is_set(rtl.output("lost"), i) == loses));
    }
    asked.all.push_back({"lost", z3::mk_and(right)});
    asked.known.wished.emplace_back(solver_context());
    asked.known.wished.back().push_back(rtl.output("lane_bytes") == ~solver_context().bv_val(0, 4 * warp_lanes));
    asked.one_by_one = true;
    asked.fields = writes_of(rtl);
    return asked;
}

} // namespace isbesim::proof
