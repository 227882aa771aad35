// SPDX-License-Identifier: Apache-2.0
// Proves what one pass of the RTL's engine serves and writes (section 5 of rtl_ref/README.md), for all words that 32
// lanes can wait for, and how many passes that makes:
//
//   pass_proof FOLDER NAME=VALUE... [--cases REGEX] [--list] [--proved FOLDER NAME]
//
// FOLDER/CIRCUIT.smt2 are the modules of pass_circuits.py, with these parameters; a case reads those that it is about.
#include <stdexcept>
#include <string>
#include <vector>

#include "models/isbe/functional/passes.h"
#include "models/isbe/rules/bank_map.h"
#include "models/isbe/rules/lane_winner.h"
#include "tests/proof/pass_questions.h"
#include "tests/proof/pass_rule.h"

namespace isbesim::proof {
namespace {

/// A row names one word of a bank: what a lane waits for is a row, or a word, as one likes.
question ask_map(const isbe_config& machine)
{
    question asked;
    const word_term word(solver_context().bv_const("word", 32));
    const word_term map = rules::code<word_term>(column_map(machine));
    const word_term columns(columns_of(machine));
    const word_term row(row_of(machine, word, word.expression));
    const word_term bank = column_of(machine, word);
    asked.all = {{"word", (rules::word_in_bank(map, bank, row, columns) == word).expression},
                 {"bank", (bank < columns).expression}};
    asked.fields = [word](const z3::model& model) { return field_values{{"word", value_of(model, word.expression)}}; };
    return asked;
}

/// A pass takes away one row of each bank for which lanes wait, or one line: the lowest of the lanes that come first
/// with theirs. So there are as many passes as such lanes. Numbers of 5 bits tell the rows of 32 lanes apart.
question ask_rows()
{
    question asked;
    auto& c = solver_context();
    const z3::expr rows = c.bv_const("rows", 5 * warp_lanes), lanes = c.bv_const("lanes", warp_lanes);
    std::vector<z3::expr> now, later; // waits
    for (unsigned i = 0; i < warp_lanes; ++i) {
        now.push_back(is_set(lanes, i));
        later.push_back(now.back() && slice(rows, i, 5) != 0);
    }
    z3::expr none_lower = c.bool_val(true);
    for (unsigned i = 0; i < warp_lanes; ++i) { // the row of the lowest lane that waits is number 0
        asked.known.facts.push_back(z3::implies(none_lower && now[i], slice(rows, i, 5) == 0));
        none_lower = none_lower && !now[i];
    }
    const auto is_first = [&](const std::vector<z3::expr>& waiting, unsigned lane) {
        z3::expr first = waiting[lane];
        for (unsigned i = 0; i < lane; ++i) first = first && !(waiting[i] && slice(rows, i, 5) == slice(rows, lane, 5));
        return first;
    };
    z3::expr lower = c.bool_val(false), waits = c.bool_val(false);
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const z3::expr first = is_first(now, i);
        asked.all.push_back({"row." + std::to_string(i), is_first(later, i) == (first && lower)});
        lower = lower || first;
        waits = waits || now[i];
    }
    asked.all.push_back({"waits", waits == lower});
    asked.fields = [rows, lanes](const z3::model& model) {
        field_values fields{{"lanes", value_of(model, lanes)}};
        for (unsigned i = 0; i < warp_lanes; ++i)
            fields["row@" + std::to_string(i)] = value_of(model, slice(rows, i, 5));
        return fields;
    };
    return asked;
}

int run(const proof_arguments& arguments)
{
    if (arguments.files.size() != 1) throw std::runtime_error("expected one folder");
    const isbe_config machine = machine_of(arguments.block);
    const bool highest_wins = arguments.block.at("WINNER_LOWEST") == 0;
    const auto read = [&](const std::string& name) { return circuit(arguments.files[0] + "/" + name + ".smt2"); };
    const auto lower = [](unsigned a, unsigned b) { return a < b; };
    const auto wins = [highest_wins](unsigned a, unsigned b) { return rules::wins_over<word>(highest_wins, a, b); };
    const std::vector<proof_case> all{
        {"pass.map", [&] { return ask_map(machine); }},
        {"pass.rows", [] { return ask_rows(); }},
        {"pass.control", [&] { return ask_control(read("control")); }},
        {"pass.order.choose",
         [&] {
             const circuit rtl = read("order_choose");
             return ask_order(rtl, rtl.output("candidates"), solver_context().bool_val(true), lower);
         }},
        {"pass.order.claim",
         [&] {
             const circuit rtl = read("order_claim");
             return ask_order(rtl, rtl.output("claiming"), is_set(rtl.output("writes")), wins);
         }},
        {"pass.lanes", [&] { return ask_lanes(machine, read("one_step_choose")); }},
        {"pass.winner", [&] { return ask_winner(highest_wins, read("one_step_claim")); }},
        {"pass.whole.lanes", [&] { return ask_whole_lanes(machine, read("whole_choose")); }},
        {"pass.whole.winner", [&] { return ask_whole_winner(highest_wins, read("whole_claim")); }}};
    return prove_all(all, arguments);
}

} // namespace
} // namespace isbesim::proof

int main(int count, char** words)
{
    return isbesim::proof::run_proof("pass_proof", count, words, isbesim::proof::run);
}
