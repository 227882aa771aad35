// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/proof/pass_questions.h"
#include "tests/proof/pass_rule.h"

namespace isbesim::proof {
namespace {

/// One step of a loop over lanes, of any lane and from any state.
class any_step {
public:
    any_step(const circuit& rtl, knowledge& known) : rtl_(rtl), lane_(z3::zext(rtl.output("any_lane"), 27))
    {
        add(known.facts, rtl.facts({}));
    }
    z3::expr lane() const { return lane_; }
    /// The lane's part of a wire that has `bits` bits for each lane.
    z3::expr own(const std::string& name, unsigned bits) const
    {
        return z3::lshr(rtl_.output(name), place(bits)).extract(bits - 1, 0);
    }
    /// That the other lanes have what they had before.
    claim others_keep(const std::string& name, const std::string& before, unsigned bits) const
    {
        const z3::expr mask = z3::shl(solver_context().bv_val((1U << bits) - 1, bits * warp_lanes), place(bits));
        return {name + ".others", (rtl_.output(name) | mask) == (rtl_.output(before) | mask)};
    }

private:
    z3::expr place(unsigned bits) const
    {
        const unsigned width = bits * warp_lanes;
        const z3::expr index = lane_ * solver_context().bv_val(bits, 32);
        return width > 32 ? z3::zext(index, width - 32) : index;
    }

    const circuit& rtl_;
    z3::expr lane_;
};

/// An example: an operation on whole words of a lane, and of one that comes before it, where there is such.
struct two_lanes {
    opcode op;
    z3::expr lane, other_lane, other_takes_part;
    std::map<std::string, z3::expr> own, others;

    field_values operator()(const z3::model& model) const
    {
        field_values fields = operation_on_words(op);
        const auto values = [&model](const std::map<std::string, z3::expr>& terms) {
            field_values all;
            for (const auto& [name, term] : terms) all[name] = value_of(model, term);
            return all;
        };
        add_lane(fields, value_of(model, lane), values(own));
        if (model.eval(other_takes_part, true).is_true()) add_lane(fields, value_of(model, other_lane), values(others));
        return fields;
    }
};

} // namespace

question ask_order(const circuit& rtl, const z3::expr& lanes, const z3::expr& runs,
                   const std::function<bool(unsigned, unsigned)>& comes_before)
{
    question asked;
    add(asked.known.facts, rtl.facts({}));
    std::vector<unsigned> numbers;
    for (unsigned i = 0; i < warp_lanes; ++i) numbers.push_back(i);
    std::sort(numbers.begin(), numbers.end(), comes_before);
    z3::expr turn = solver_context().bv_val(0, 6);
    for (const unsigned i : numbers) {
        asked.all.push_back({"turn." + std::to_string(i),
                             z3::implies(runs && is_set(lanes, i), slice(rtl.output("turn_of"), i, 6) == turn)});
        turn = z3::ite(is_set(lanes, i), turn + 1, turn); // as the RTL adds up: nothing is left to find out
    }
    asked.all.push_back({"turns", rtl.output("turns") == z3::ite(runs, turn, solver_context().bv_val(0, 6))});
    asked.fields = [lanes](const z3::model& model) { return field_values{{"lanes", value_of(model, lanes)}}; };
    return asked;
}

question ask_lanes(const isbe_config& machine, const circuit& rtl)
{
    question asked;
    const any_step step(rtl, asked.known);
    const bool by_line = machine.access == access_rule::line;
    const auto wire = [&rtl](const std::string& name) { return rtl.output(name); };
    const word_term word(step.own("lane_word", 32));
    // The word of the lowest lane before this one that waits for the bank, or for a line, if any: this is
    // the state that the earlier calls left, and that this call updates for the next.
    const word_term first(solver_context().bv_const("first", 32));
    const word_term column = column_of(machine, word);
    const word_term bank = wide(wire("any_bank"));
    const z3::expr here = (column == bank).expression;
    const z3::expr before = is_set(wire(by_line ? "any_line_used" : "used_before"));
    const z3::expr row_before = wire("row_before");
    asked.known.facts.push_back(in_storage(machine, word));
    z3::expr found = in_storage(machine, first);
    if (by_line) {
        found = found && wire("any_line_row") == row_of(machine, first, row_before);
        asked.known.facts.push_back(
            z3::implies(is_set(wire("used_before")), before && row_before == wire("any_line_row")));
    } else {
        found =
            found && row_before == row_of(machine, first, row_before) && (column_of(machine, first) == bank).expression;
    }
    asked.known.facts.push_back(z3::implies(before, found));

    const z3::expr steps = is_set(wire("stepping")) && wire("candidates") != 0;
    const word_term line(5);
    const z3::expr same = by_line ? (word >> line == first >> line).expression : (word == first).expression;
    const z3::expr expected = !before || same;
    const z3::expr served = step.own("served", 1) == 1;
    const z3::expr decided = by_line ? solver_context().bool_val(true) : here;
    const word_term row_word(z3::ite(before, first.expression, word.expression));
    const z3::expr used = is_set(wire("used_before")) || (here && (by_line ? expected : z3::expr(here)));
    const unsigned bank_bits = wire("any_bank").get_sort().bv_size();
    const auto claimed = [&](const std::string& name, const z3::expr& holds) {
        asked.all.push_back({name, z3::implies(steps, holds)});
    };
    claimed("served", z3::implies(decided, served == expected));
    claimed("used", is_set(wire("used")) == used);
    claimed("row", z3::implies(used, wire("row_used") == row_of(machine, row_word, row_before)));
    claimed("bank", z3::implies(served && here, step.own("lane_bank", bank_bits) == wire("any_bank")));
    for (const auto& kept :
         {step.others_keep("served", "any_served", 1), step.others_keep("lane_bank", "any_lane_bank", bank_bits)})
        claimed(kept.name, kept.holds);
    if (by_line) claimed("line", wire("line_used") == 1 && wire("line_row") == row_of(machine, row_word, row_before));
    asked.all.push_back({"begin", steps || (wire("served") == 0 && wire("used") == 0 && wire("line_used") == 0)});
    asked.known.wished.emplace_back(solver_context());
    asked.known.wished.back().push_back(step.lane() != 0);
    asked.fields = two_lanes{opcode::isberd,
                             step.lane(),
                             step.lane() - 1,
                             before,
                             {{"address", word.expression * 4}},
                             {{"address", first.expression * 4}}};
    return asked;
}

question ask_winner(bool highest_wins, const circuit& rtl)
{
    question asked;
    const any_step step(rtl, asked.known);
    const auto wire = [&rtl](const std::string& name) { return rtl.output(name); };
    const unsigned bank_bits = wire("any_bank").get_sort().bv_size();
    const z3::expr here = step.own("claimed_bank", bank_bits) == wire("any_bank");
    const z3::expr enables = step.own("lane_bytes", 4);
    const z3::expr data = step.own("lane_data", 32);
    const z3::expr before = wire("bytes_before");
    const z3::expr steps = is_set(wire("stepping")) && is_set(wire("writes")) && wire("claiming") != 0;
    const auto claimed = [&](const std::string& name, const z3::expr& holds) {
        asked.all.push_back({name, z3::implies(steps, holds)});
    };
    // Bytes that were claimed before stay, the others that the lane enables become its own.
    claimed("bytes", wire("bytes") == z3::ite(here, before | enables, before));
    for (unsigned n = 0; n < 4; ++n) {
        const z3::expr own = here && is_set(enables, n) && !is_set(before, n);
        claimed("data." + std::to_string(n),
                slice(wire("data_written"), n, 8) == z3::ite(own, slice(data, n, 8), slice(wire("data_before"), n, 8)));
    }
    claimed("lost", z3::implies(here, (step.own("lost", 1) == 1) == ((enables & before) != 0)));
    const claim kept = step.others_keep("lost", "any_lost", 1);
    claimed(kept.name, kept.holds);
    asked.all.push_back({"begin", steps || (wire("bytes") == 0 && wire("lost") == 0)});
    // An example of whole words can be played, with the lane of the claim.
    asked.known.wished.emplace_back(solver_context());
    for (const z3::expr& wish : {enables == 15, before == 15, here, step.lane() != (highest_wins ? 31 : 0)})
        asked.known.wished.back().push_back(wish);
    asked.known.wished.push_back(asked.known.wished.back());
    asked.known.wished.front().push_back(data != wire("data_before"));
    // The first line has a word in each bank, under each map in that of its number.
    const z3::expr address = z3::zext(wire("any_bank"), 32 - bank_bits) * 4;
    asked.fields = two_lanes{opcode::isbewr,
                             step.lane(),
                             highest_wins ? step.lane() + 1 : step.lane() - 1,
                             before == 15,
                             {{"address", address}, {"data", data}},
                             {{"address", address}, {"data", wire("data_before")}}};
    return asked;
}

} // namespace isbesim::proof
