// SPDX-License-Identifier: Apache-2.0
#include "testbench/chip/chip_series.h"

#include <algorithm>
#include <string_view>

#include <boost/json.hpp>

#include "testbench/analysis/run_series.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

/// Bins of the same width; the last bin may be shorter.
struct bins {
    std::uint64_t width = 1;
    std::uint64_t cycles = 0; ///< covered by all bins

    std::size_t count() const { return static_cast<std::size_t>((cycles + width - 1) / width); }
    std::uint64_t length(std::size_t i) const { return std::min(width, cycles - i * width); }
};

bool is_mean(std::string_view name)
{
    return name == "warps" || name == "isbe_lines";
}

/// Adds values in bins `source` to values in bins `target`, which are equally wide or a multiple; lists and objects
/// member by member. Means are weighted by the cycles of their bins.
void add(json::value& total, const json::value& one, const bins& source, const bins& target, bool means)
{
    if (one.is_object()) {
        if (!total.is_object()) total.emplace_object();
        for (const auto& entry : one.get_object())
            add(total.get_object()[entry.key()], entry.value(), source, target, means);
        return;
    }
    const auto& values = one.get_array();
    if (!total.is_array()) total.emplace_array();
    auto& sums = total.get_array();
    if (!values.empty() && values.front().is_array()) {
        sums.resize(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) add(sums[i], values[i], source, target, means);
        return;
    }
    sums.resize(target.count(), means ? json::value(0.0) : json::value(std::uint64_t{0}));
    for (std::size_t i = 0; i < std::min(values.size(), source.count()); ++i) {
        auto& sum = sums[static_cast<std::size_t>(i * source.width / target.width)];
        if (means)
            sum = sum.get_double() + values[i].to_number<double>() * static_cast<double>(source.length(i));
        else
            sum = sum.to_number<std::uint64_t>() + values[i].to_number<std::uint64_t>();
    }
}

void divide(json::array& sums, const bins& by)
{
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = sums[i].get_double() / static_cast<double>(by.length(i));
}

} // namespace

json::object series_of_chip(const std::vector<json::object>& series, std::uint64_t cycles, unsigned sms)
{
    const auto number = [](const json::object& row, const char* name) {
        return row.at(name).to_number<std::uint64_t>();
    };
    bins all{1, cycles};
    for (const auto& one : series) {
        if (one.empty()) return {};
        all.width = std::max(all.width, number(one, "bin_cycles"));
    }
    json::object result{{"bin_cycles", all.width},
                        {"last_bin_cycles", cycles == 0 ? all.width : all.length(all.count() - 1)}};
    json::array by_tpc, lives;
    for (std::size_t t = 0; t < series.size(); ++t) {
        const auto& one = series[t];
        const auto& warps = one.at("warps").get_array();
        const auto width = number(one, "bin_cycles");
        const bins source{width, warps.empty() ? 0 : (warps.size() - 1) * width + number(one, "last_bin_cycles")};
        for (const auto& entry : one) {
            // Primitives of a chip's meshlets are numbered in each TPC.
            if (entry.value().is_number() || entry.key() == "first_warps" || entry.key() == "meshlets") continue;
            add(result[entry.key()], entry.value(), source, all, is_mean(entry.key()));
        }
        json::value own;
        add(own, one.at("warps"), source, all, true);
        divide(own.get_array(), all);
        by_tpc.push_back(std::move(own));
        for (auto life : one.at("first_warps").get_array()) {
            life.at(0) = life.at(0).to_number<std::uint64_t>() + t * sms;
            lives.push_back(std::move(life));
        }
    }
    for (const auto* name : {"warps", "isbe_lines"}) divide(result[name].get_array(), all);
    const auto launched = [](const json::value& life) { return life.at(3).to_number<std::uint64_t>(); };
    std::stable_sort(lives.begin(), lives.end(),
                     [&](const auto& a, const auto& b) { return launched(a) < launched(b); });
    if (lives.size() > run_series::warp_limit) lives.resize(run_series::warp_limit);
    result["first_warps"] = std::move(lives);
    result["tpc_warps"] = std::move(by_tpc);
    return result;
}

} // namespace isbesim::testbench
