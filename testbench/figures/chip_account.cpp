// SPDX-License-Identifier: Apache-2.0
#include "testbench/figures/chip_account.h"

#include <algorithm>
#include <utility>

namespace isbesim::testbench {

double mean_cycles(const chip_account& chip)
{
    double sum = 0;
    for (const auto& tpc : chip.tpcs) sum += static_cast<double>(tpc.cycles);
    return sum / static_cast<double>(chip.tpcs.size());
}

std::vector<statistic<chip_account>> chip_statistics()
{
    std::vector<statistic<chip_account>> all;
    const auto add = [&](statistic<chip_account> f) { all.push_back(std::move(f).preferred(preference::none)); };
    const auto add_order = [&](const char* path, const char* unit, const char* description,
                               std::uint64_t reorder_account::*count) {
        add(figure_of(counted({"chip", path, unit, description}, count), &chip_account::reorder));
    };
    add_order("batches", "batches", "batches that the TPCs got and that have left in API order",
              &reorder_account::batches);
    add(counted({"chip", "last_tpc", "", "number of the TPC that ends last"}, &chip_account::last));
    add(derived<chip_account>({"chip", "imbalance", "", "cycles of the TPC that ends last over the mean of all"},
                              merge_rule::whole_run, [](const chip_account& chip, const figure_scope&) {
                                  return ratio(static_cast<double>(chip.tpcs[chip.last].cycles), mean_cycles(chip));
                              }));
    add_order("reorder.depth", "batches", "largest number of batches that waited for earlier ones to leave",
              &reorder_account::depth);
    add_order("reorder.waits", "cycles", "sum of the times for which batches waited for earlier ones to leave",
              &reorder_account::waited);
    add_order("reorder.longest_wait", "cycles", "longest of these times", &reorder_account::longest);
    return all;
}

std::vector<statistic<tpc_account>> tpc_statistics()
{
    std::vector<statistic<tpc_account>> all;
    const auto add = [&](const char* path, const char* unit, const char* description,
                         std::uint64_t tpc_account::*count) {
        all.push_back(counted({"tpcs", path, unit, description}, count).preferred(preference::none));
    };
    add("gpc", "", "number of its GPC", &tpc_account::gpc);
    add("batches", "batches", "batches that it got and that have left", &tpc_account::batches);
    add("primitives", "primitives", "primitives of these batches", &tpc_account::primitives);
    add("vertices", "vertices", "vertices that left its last stage", &tpc_account::vertices);
    add("cycles", "cycles", "cycles from the start of the draw to the end of its work", &tpc_account::cycles);
    all.push_back(derived<tpc_account>({"tpcs", "front_end", "cycles",
                                        "cycles for which its fetch waited for the front end to assign a batch"},
                                       merge_rule::whole_run,
                                       [](const tpc_account& tpc, const figure_scope&) { return *tpc.front_end; })
                      .preferred(preference::none)
                      .needs(measured_by::isbe_cycles));
    all.back().shown = [](const tpc_account& tpc, unsigned) { return tpc.front_end.has_value(); };
    return all;
}

reorder_account account_of_reorder(const std::vector<std::uint64_t>& done)
{
    reorder_account account;
    account.batches = done.size();
    std::vector<std::uint64_t> left; // cycle in which each batch leaves
    left.reserve(done.size());
    std::uint64_t last = 0;
    for (const auto cycle : done) {
        last = std::max(last, cycle);
        left.push_back(last);
        account.waited += last - cycle;
        account.longest = std::max(account.longest, last - cycle);
    }
    // A batch that leaves in the cycle of its completion does not wait.
    std::vector<std::uint64_t> begins = done; // of waits; their ends, in `left`, are already sorted
    std::sort(begins.begin(), begins.end());
    std::size_t ended = 0;
    for (std::size_t begun = 0; begun < begins.size(); ++begun) {
        while (ended < left.size() && left[ended] <= begins[begun]) ++ended;
        const auto waiting = begun + 1 > ended ? begun + 1 - ended : 0;
        account.depth = std::max<std::uint64_t>(account.depth, waiting);
    }
    return account;
}

} // namespace isbesim::testbench
