// SPDX-License-Identifier: Apache-2.0
#include "testbench/analysis/timeline_counters.h"

#include <algorithm>
#include <array>

namespace isbesim::testbench {

namespace {

constexpr std::array<const char*, 2> request_titles = {"request queue of port 0", "request queue of port 1"};

enum other : std::size_t { attribute_queue, bytes_read, bytes_written };

} // namespace

timeline_counters::timeline_counters(const machine_config& config, unsigned sms, const cycle_window& window,
                                     output show)
    : window_(window), show_(std::move(show))
{
    for (unsigned sm = 0; sm < sms; ++sm) {
        auto& here = sites_.emplace_back();
        here.levels = {track(true, sm, "lines in use"), track(false, sm, "resident warps")};
        for (unsigned port = 0; port < config.isbe.ports; ++port)
            here.requests.push_back(track(true, sm, request_titles[port]));
        here.others = {track(false, sm, "attribute queue"),
                       track(true, sm, "bytes read per cycle", 1.0 / bandwidth_bin),
                       track(true, sm, "bytes written per cycle", 1.0 / bandwidth_bin)};
    }
}

counter_track timeline_counters::track(bool of_isbe, unsigned sm, const char* title, double scale)
{
    return {window_, [this, of_isbe, sm, title, scale](std::uint64_t cycle, std::int64_t level) {
                show_(of_isbe, sm, title, cycle, static_cast<double>(level) * scale);
            }};
}

void timeline_counters::level(const level_event& event)
{
    sites_[event.sm].levels[static_cast<std::size_t>(event.kind)].add(event.cycle, event.change);
}

void timeline_counters::transaction(const transaction_event& event)
{
    auto& here = sites_[event.sm];
    const auto stay = [](counter_track& queue, std::uint64_t from, std::uint64_t to) {
        if (from == no_value || from >= to) return;
        queue.add(from, 1);
        if (to != no_value) queue.add(to, -1);
    };
    if (event.warp != no_value) stay(here.others[attribute_queue], event.issued, event.accept);
    if (event.accept != no_value) stay(here.requests[event.port], event.accept, event.grant);
    if (event.grant == no_value) return;
    // A bin shows the mean over its cycles; an operation counts in each bin in proportion to its passes there.
    const auto passes = std::max<std::uint64_t>(event.footprint.passes, 1);
    for (std::uint64_t from = 0; from < passes;) {
        const auto bin = (event.grant + from) / bandwidth_bin * bandwidth_bin;
        const auto end = std::min(passes, bin + bandwidth_bin - event.grant);
        for (auto [bytes, to] : {std::pair{event.footprint.bytes_read, &here.others[bytes_read]},
                                 std::pair{event.footprint.bytes_written, &here.others[bytes_written]}}) {
            const auto part = static_cast<std::int64_t>(bytes * end / passes - bytes * from / passes);
            if (part == 0) continue;
            to->add(bin, part);
            to->add(bin + bandwidth_bin, -part);
        }
        from = end;
    }
}

void timeline_counters::finish()
{
    for (auto& here : sites_)
        for (auto* tracks : {&here.levels, &here.requests, &here.others})
            for (auto& each : *tracks) each.finish();
}

} // namespace isbesim::testbench
