// SPDX-License-Identifier: Apache-2.0
#include "models/figures/instance_counters.h"

#include <algorithm>
#include <array>

#include "models/figures/figure.h"

namespace isbesim {

namespace {

/// By figure_range: how many values a figure has at most.
constexpr std::array<std::size_t, 4> range_sizes{1, opcode_count, stage_count,
                                                 std::tuple_size_v<decltype(pe_draw_counters::vertices_out)>};
static_assert(range_sizes.size() == enum_count<figure_range::stream>, "a size for every range");

} // namespace

void merge(instance_counters& total, const instance_counters& one)
{
    std::vector<const void*> merged; // several figures may show one counter
    const auto first = [&](const void* counter) {
        if (std::find(merged.begin(), merged.end(), counter) != merged.end()) return false;
        merged.push_back(counter);
        return true;
    };
    auto source = one; // counter() gives what may be written to
    for (const auto& f : figures()) {
        if (!f.counter) continue;
        for (unsigned i = 0; i < range_sizes[static_cast<std::size_t>(f.each)]; ++i) {
            const auto to = f.counter(total, i);
            const auto from = f.counter(source, i);
            if (auto* const* count = std::get_if<std::uint64_t*>(&to)) {
                if (first(*count)) **count += **std::get_if<std::uint64_t*>(&from);
            } else if (auto* const* samples = std::get_if<latency_histogram*>(&to)) {
                if (first(*samples)) (*samples)->merge(**std::get_if<latency_histogram*>(&from));
            } else if (auto* const* level = std::get_if<time_weighted*>(&to)) {
                if (first(*level)) (*level)->merge(**std::get_if<time_weighted*>(&from));
            }
        }
    }
}

} // namespace isbesim
