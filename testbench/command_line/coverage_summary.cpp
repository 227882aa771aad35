// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/coverage_summary.h"

#include <algorithm>
#include <ostream>

#include "testbench/arguments/command_arguments.h"

namespace isbesim::testbench {

void print_coverage(const coverage& bins, std::ostream& out)
{
    const auto listed = bins.listed();
    out << "coverage: " << listed.hit << " of " << listed.size << " bins hit\n";
    for (const auto& name : bins.missed(false)) out << "  missed " << name << "\n";
    constexpr std::size_t shown = 10; // a short run misses many of the page's conditions
    const auto conditions = bins.conditions();
    out << "conditions: " << conditions.hit << " of " << conditions.size << " of the page met\n";
    const auto missed = bins.missed(true);
    for (std::size_t i = 0; i < std::min(shown, missed.size()); ++i) out << "  missed " << missed[i] << "\n";
    if (missed.size() > shown) out << "  and " << missed.size() - shown << " more: report.json, coverage.conditions\n";
}

bool misses_required(const command_arguments& arguments, const coverage& bins, std::ostream& err)
{
    for (const bool of_conditions : {false, true}) {
        if (!arguments.has(of_conditions ? "require-conditions" : "require-coverage")) continue;
        const auto missed = bins.missed(of_conditions);
        if (missed.empty()) continue;
        err << "isbesim: " << missed.size() << " coverage bins were not hit, the first is " << missed.front()
            << std::endl;
        return true;
    }
    return false;
}

} // namespace isbesim::testbench
