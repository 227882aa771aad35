// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/chip_report.h"

#include <cctype>
#include <cstdio>
#include <optional>

#include <boost/json/array.hpp>

#include "models/statistics/statistic.h"
#include "testbench/report/bottleneck.h"
#include "testbench/report/cycle_stacks.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

/// Cycles in which the TPC's fetch waited for a batch; none without stacks.
std::optional<std::uint64_t> front_end_cycles(const tpc_account& tpc)
{
    for (const auto& stack : tpc.stacks)
        for (const auto& part : stack.parts)
            if (kind_of(stack.resource) == "fetch" && std::string_view(part.name) == "front_end") return part.cycles;
    return std::nullopt;
}

double mean_cycles(const chip_account& chip)
{
    double sum = 0;
    for (const auto& tpc : chip.tpcs) sum += static_cast<double>(tpc.cycles);
    return sum / static_cast<double>(chip.tpcs.size());
}

} // namespace

void add_chip(json::object& report, json::object& covers, const chip_account& chip, const machine_config& config)
{
    const auto& last = chip.tpcs[chip.last];
    report["chip"] = {
        {"batches", chip.reorder.batches},
        {"last_tpc", chip.last},
        {"imbalance", ratio(static_cast<double>(last.cycles), mean_cycles(chip))},
        {"reorder",
         {{"depth", chip.reorder.depth}, {"waits", chip.reorder.waited}, {"longest_wait", chip.reorder.longest}}}};
    json::array tpcs;
    for (std::size_t t = 0; t < chip.tpcs.size(); ++t) {
        const auto& from = chip.tpcs[t];
        auto& to = tpcs.emplace_back(json::object{{"gpc", t / config.chip.tpcs},
                                                  {"batches", from.batches},
                                                  {"primitives", from.primitives},
                                                  {"vertices", from.vertices},
                                                  {"cycles", from.cycles}})
                       .get_object();
        if (const auto cycles = front_end_cycles(from)) to["front_end"] = *cycles;
    }
    report["tpcs"] = std::move(tpcs);
    covers["chip"] =
        "The front end deals batches to TPCs in turn (chip.deal_batches, chip.deal_order), as fast as "
        "chip.primitives_per_cycle and the chip's costs of draws, instances and indices allow; a TPC's queue has room "
        "for all. imbalance: "
        "cycles of the TPC that ends last over the mean of all. reorder: batches whose output is complete wait until "
        "all before them have left.";
    covers["tpcs"] = "By number, those of a GPC side by side. cycles: until the TPC's last vertex had left; front_end: "
                     "its fetch waited for a batch that was not dealt yet.";
    const auto before = [&](const char* key, const std::string& text) {
        if (report.contains(key)) covers[key] = text + std::string(covers[key].get_string());
    };
    before("stacks",
           "All TPCs together, by kind of resource: the cycles of the chip times the number of such resources. "
           "front_end: no batch had been dealt; ended: the TPC has ended, others have not. ");
    before("critical_path", "Of the TPC that ends last. ");
}

std::string bottleneck_text(const chip_account& chip, const machine_config& config)
{
    const auto& last = chip.tpcs[chip.last];
    if (last.stacks.empty()) return "";
    char later[32];
    std::snprintf(later, sizeof later, "%.2f", ratio(static_cast<double>(last.cycles), mean_cycles(chip), 1));
    auto text = "TPC " + std::to_string(chip.last) + " ends last, after " + later + " times the mean of " +
                std::to_string(chip.tpcs.size()) + " TPCs, with " + std::to_string(last.batches) + " of " +
                std::to_string(chip.reorder.batches) + " batches.";
    if (2 * chip.front_end >= last.cycles && chip.front_end != 0)
        text += " The draw waits for the front end (chip.primitives_per_cycle, chip.draw_cycles, chip.instance_cycles, "
                "chip.restart_cycles), " +
                percent_text(chip.front_end, last.cycles) + " of the critical path.";
    if (10 * chip.raster >= last.cycles)
        text += " The draw waits for a raster engine (chip.gpc_primitives_per_cycle, chip.gpc_setups_per_cycle), which "
                "its TPCs share: " +
                std::to_string(chip.raster) + " cycles more than they take.";
    auto there = bottleneck_text(last.stacks, config);
    if (!there.empty()) there.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(there.front())));
    return text + " There " + there;
}

} // namespace isbesim::testbench
