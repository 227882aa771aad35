// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include "tests/proof/pass_questions.h"
#include "tests/proof/pass_rule.h"

namespace isbesim::proof {

question ask_control(const circuit& rtl)
{
    question asked;
    add(asked.known.facts, rtl.facts({}));
    const auto wire = [&rtl](const std::string& name) { return rtl.output(name); };
    const z3::expr waiting = wire("waiting");
    const z3::expr remaining = wire("remaining");
    const z3::expr last = is_set(wire("busy")) && remaining == 0;
    asked.all = {{"last_pass", is_set(wire("last_pass")) == last},
                 {"can_grant", is_set(wire("can_grant")) == (!is_set(wire("busy")) || last)},
                 {"idle", z3::implies(waiting == 0, wire("candidates") == 0 && remaining == 0)}};
    for (unsigned c = 0; c < max_components; ++c) {
        z3::expr here = slice(waiting, c, 32) != 0;
        for (unsigned lower = 0; lower < c; ++lower) here = here && slice(waiting, lower, 32) == 0;
        const z3::expr later = slice(waiting, c, 32) & ~wire("served");
        z3::expr right = wire("candidates") == slice(waiting, c, 32) &&
                         wire("lane_word") == slice(wire("word"), c, 1024) &&
                         wire("lane_bytes") == slice(wire("byte_enable"), c, 128) &&
                         wire("lane_data") == slice(wire("data"), c, 1024);
        for (unsigned other = 0; other < max_components; ++other)
            right = right && slice(remaining, other, 32) == (other == c ? later : slice(waiting, other, 32));
        asked.all.push_back({"component." + std::to_string(c), z3::implies(here, right)});
    }
    const z3::expr reset = is_set(wire("rst"));
    const z3::expr start = is_set(wire("start"));
    const auto zero = [](unsigned bits) { return solver_context().bv_val(0, bits); };
    const auto next = [&](const std::string& name, const z3::expr& started, const z3::expr& later) {
        const unsigned bits = later.get_sort().bv_size();
        asked.all.push_back(
            {"next_" + name, wire("next_" + name) == z3::ite(reset, zero(bits), z3::ite(start, started, later))});
    };
    const z3::expr one = solver_context().bv_val(1, 1);
    next("busy", one, z3::ite(last, zero(1), wire("busy")));
    next("waiting", wire("start_access"), remaining);
    next("passes", zero(16), wire("passes") + 1);
    for (const auto& [name, from] : {std::pair{"current", "start_operation"},
                                     {"current_write_data", "start_write_data"},
                                     {"current_value", "start_value"},
                                     {"current_port", "start_port"}})
        asked.all.push_back(
            {std::string("next_") + name, wire(std::string("next_") + name) == z3::ite(start, wire(from), wire(name))});
    asked.one_by_one = true;
    asked.fields = [waiting, served = wire("served")](const z3::model& model) {
        field_values fields{{"served", value_of(model, served)}};
        for (unsigned c = 0; c < max_components; ++c)
            fields["waiting." + std::to_string(c)] = value_of(model, slice(waiting, c, 32));
        return fields;
    };
    return asked;
}

} // namespace isbesim::proof
