// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "testbench/calibration/card_search.h"

namespace isbesim::testbench {

namespace {

/// The units that a key is a rate of; `cycles`: the key is the cycles of an item, of the chip.
enum class rate_of { tpc, gpc, chip, cycles };

struct rate_key {
    const char* test;
    const char* key;
    rate_of of;
    double amount; ///< of what the key counts, in an item
};
/// In the order of the search: a draw of a later key may wait for an earlier one. A record is read beyond its draw.
constexpr rate_key rate_keys[] = {{"vertex_rate", "pe.vertices_per_cycle", rate_of::tpc, 1},
                                  {"primitive_rate", "chip.gpc_primitives_per_cycle", rate_of::gpc, 1},
                                  {"geometry_rate", "pe.geometry_threads_per_cycle", rate_of::tpc, 1},
                                  {"inputs_4", "memory.dram_bytes_per_cycle", rate_of::chip, 64},
                                  {"instance_rate", "chip.instance_cycles", rate_of::cycles, 1},
                                  {"restart_rate", "chip.restart_cycles", rate_of::cycles, 1},
                                  {"draw_rate", "chip.draw_cycles", rate_of::cycles, 1}};

double units(const machine_config& machine, rate_of of)
{
    return of == rate_of::tpc ? machine.chip.all_tpcs() : of == rate_of::gpc ? machine.chip.gpcs : 1;
}

key_finding find_rate(const card_model& model, const rate_key& what, const card_figure& card, machine_config& found)
{
    const auto* key = find_config_key(what.key);
    const auto base = key->get(found);
    const auto run = [&](double value) {
        key->set(found, value);
        const auto figures = model(found, {what.test});
        return figures ? figures->at(what.test) : card_figure{};
    };
    const bool is_time = what.of == rate_of::cycles;
    double value = is_time ? card.value : what.amount / card.value / units(found, what.of);
    for (unsigned tries = 0; tries < 6; ++tries) {
        value = std::min(std::max(value, 1e-4), key->high);
        const auto figure = run(value);
        if (is_same_rate(card, figure)) {
            const auto unlimited = run(0);
            key->set(found, value);
            if (!is_same_rate(card, unlimited)) return {key, true, {value}};
            key->set(found, base);
            return {key, true, is_time ? std::vector<double>{0, value} : std::vector<double>{value, key->high}};
        }
        value = is_time ? value + card.value - figure.value : value * figure.value / card.value;
    }
    key->set(found, base);
    return {key, true, {}};
}

} // namespace

card_figures take_rates(card_figures& card)
{
    card_figures rates;
    for (auto next = card.begin(); next != card.end();) {
        const auto each = next++;
        const auto& name = each->first;
        const auto is_rate = name.size() > 5 && name.compare(name.size() - 5, 5, "_rate") == 0;
        if (is_rate || name.rfind("inputs_", 0) == 0 || name.rfind("outputs_", 0) == 0)
            rates.insert(card.extract(each));
    }
    return rates;
}

bool is_same_rate(const card_figure& card, const card_figure& model)
{
    constexpr double part = 0.02;
    return std::abs(card.value - model.value) <= part * card.value + card.spread;
}

card_findings find_rates(const card_model& model, const card_figures& card, machine_config& found)
{
    card_findings result;
    if (card.empty()) return result;
    for (const auto& each : rate_keys) {
        const auto test = card.find(each.test);
        result.keys.push_back(test == card.end() || test->second.noisy
                                  ? key_finding{find_config_key(each.key), false, {}}
                                  : find_rate(model, each, test->second, found));
    }
    result.explained = model(found, names_of(card)).value_or(card_figures{});
    result.explains_all = std::all_of(card.begin(), card.end(), [&](const auto& test) {
        const auto known = result.explained.find(test.first);
        return test.second.noisy || (known != result.explained.end() && is_same_rate(test.second, known->second));
    });
    return result;
}

} // namespace isbesim::testbench
