// SPDX-License-Identifier: Apache-2.0
#include "testbench/dpi/latency_statistics.h"

#include <iomanip>
#include <sstream>

#include "models/isbe/functional/names.h"

namespace isbesim::testbench {

void latency_statistics::add(opcode op, std::int64_t later)
{
    ++by_op_[static_cast<unsigned>(op)][later];
}

std::string latency_statistics::line(const std::string& name, const histogram& values)
{
    std::uint64_t count = 0;
    double sum = 0;
    for (const auto& [later, times] : values) {
        count += times;
        sum += static_cast<double>(later) * static_cast<double>(times);
    }
    std::ostringstream out;
    out << "  " << std::left << std::setw(8) << name << std::right << " count " << count << std::showpos;
    if (count != 0)
        out << " min " << values.begin()->first << " mean " << std::fixed << std::setprecision(3)
            << sum / static_cast<double>(count) << " max " << values.rbegin()->first;
    out << '\n';
    return out.str();
}

std::string latency_statistics::text() const
{
    histogram all;
    for (const auto& each : by_op_)
        for (const auto& [later, times] : each) all[later] += times;
    std::string text = "cycles from the model's response to the block's\n" + line("all", all);
    for (unsigned op = 0; op < opcode_count; ++op)
        if (!by_op_[op].empty()) text += line(opcode_names[op], by_op_[op]);
    std::ostringstream lines;
    for (const auto& [later, times] : all)
        lines << "  " << std::showpos << std::setw(6) << later << std::noshowpos << std::setw(12) << times << '\n';
    return text + lines.str();
}

} // namespace isbesim::testbench
