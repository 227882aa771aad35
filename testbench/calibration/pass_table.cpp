// SPDX-License-Identifier: Apache-2.0
#include "testbench/calibration/pass_table.h"

#include <algorithm>
#include <map>

#include "models/isbe/execution/isbe_core.h"
#include "models/isbe/functional/passes.h"

namespace isbesim::testbench {

namespace {

/// Rules for the words of a pass: every combination of access, banks and bank map once.
std::vector<isbe_config> bank_rules(const isbe_config& size)
{
    std::vector<isbe_config> rules;
    auto config = size;
    for (const auto access : {access_rule::banked, access_rule::line})
        for (const unsigned banks : {8U, 16U, 32U})
            for (const auto map : {bank_map::modulo, bank_map::rotate, bank_map::exclusive_or}) {
                config.access = access;
                config.banks = banks;
                config.bank_map = map;
                rules.push_back(config);
            }
    return rules;
}

using lists_by_rule = std::vector<timing_fit::pass_list>;

/// Counts passes under all bank rules, with the places of words of `layout`.
lists_by_rule count_passes(const observed_traffic& traffic, const isbe_config& layout,
                           const std::vector<isbe_config>& rules, bool as_seen)
{
    isbe_core core(layout);
    // With access by line, banks do not matter.
    std::vector<pass_counter> counters;
    counters.reserve(rules.size()); // each is as large as the storage
    std::vector<std::size_t> counter_of;
    std::size_t by_line = 0;
    for (const auto& rule : rules) {
        const bool line = rule.access == access_rule::line;
        const bool known = line && by_line != 0;
        counter_of.push_back(known ? by_line : counters.size());
        if (known) continue;
        if (line) by_line = counters.size();
        counters.emplace_back(rule, core.storage().words());
    }
    lists_by_rule lists(counters.size());
    for (auto& list : lists) list.reserve(traffic.operations().size());
    warp_result result;
    const auto execute = [&](std::size_t number, const warp_op& op) {
        try {
            core.execute(op, result);
        } catch (const std::invalid_argument& error) {
            throw observation_error(number, std::string("binds a ") + error.what() +
                                                ", expected a descriptor of micro-architecture section 3");
        }
    };
    for (const auto& bind : traffic.earlier_binds()) execute(0, bind);
    traffic.visit([&](std::size_t number, const warp_op& op, const operation_answer&) {
        execute(number, op);
        const auto seen = as_seen && traffic.unbound()[number] ? traffic.operations()[number].passes : 0U;
        for (std::size_t i = 0; i < counters.size(); ++i)
            lists[i].push_back(
                static_cast<std::uint16_t>(seen != 0 ? seen : std::max(core.passes_by(counters[i]), 1U)));
    });
    lists_by_rule all;
    for (const auto i : counter_of) all.push_back(lists[i]);
    return all;
}

std::uint64_t count_contradictions(const observed_traffic& traffic, const timing_fit::pass_list& passes)
{
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const auto seen = traffic.operations()[i].passes;
        if (seen != 0 && seen != passes[i]) ++count;
    }
    return count;
}

} // namespace

std::vector<pass_group> make_pass_groups(const observed_traffic& traffic, const isbe_config& size, bool as_seen)
{
    std::vector<pass_group> groups;
    std::map<timing_fit::pass_list, std::size_t> known;
    for (const bool skew : {true, false})
        for (const auto order : {gs_slot_order::interleaved, gs_slot_order::blocked}) {
            auto layout = size;
            layout.skew = skew;
            layout.gs_slot_order = order;
            const auto rules = bank_rules(layout);
            auto lists = count_passes(traffic, layout, rules, as_seen);
            for (std::size_t i = 0; i < rules.size(); ++i) {
                const auto place = known.try_emplace(std::move(lists[i]), groups.size());
                if (place.second) groups.push_back({{}, place.first->first, 0});
                groups[place.first->second].machines.push_back(rules[i]);
            }
        }
    for (auto& group : groups) group.contradictions = count_contradictions(traffic, group.passes);
    return groups;
}

} // namespace isbesim::testbench
