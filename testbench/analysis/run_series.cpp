#include "testbench/analysis/run_series.h"

#include <algorithm>

#include <boost/json/array.hpp>

#include "models/isbe/names.h"
#include "models/isbe/passes.h"

namespace isbesim::testbench {

namespace json = boost::json;

run_series::run_series(const machine_config& config)
    : columns_(columns_of(config.isbe)),
      bins_(first_stall + stall_reason_count + std::size_t{2} * columns_),
      first_bank_(first_stall + stall_reason_count),
      first_excess_(first_bank_ + columns_)
{
    first_warps_.reserve(warp_limit);
}

void run_series::transaction(const transaction_event& event)
{
    if (event.grant == no_value) return;
    const auto& f = event.footprint;
    bins_.add(read_bytes, event.grant, f.bytes_read);
    bins_.add(write_bytes, event.grant, f.bytes_written);
    bins_.add(passes, event.grant, event.passes);
    if (f.passes == 0) return;
    for (unsigned b = 0; b < columns_; ++b) {
        if (f.bank_words[b] != 0) bins_.add(first_bank_ + b, event.grant, f.bank_words[b]);
        if (f.bank_excess[b] != 0) bins_.add(first_excess_ + b, event.grant, f.bank_excess[b]);
    }
}

void run_series::warp(const warp_event& event)
{
    if (event.completed == no_value)
        unfinished_warps_.push_back(event); // at most one per slot, once the run has ended
    else
        bins_.add_interval(warps, event.launched, event.completed, 1);
    if (event.number < warp_limit) first_warps_.push_back(event);
}

void run_series::space(const space_event& event)
{
    if (event.released == no_value)
        unfinished_spaces_.push_back(event);
    else
        bins_.add_interval(lines, event.allocated, event.released, event.lines.count);
}

void run_series::stall(const stall_event& event)
{
    const auto reason = first_stall + static_cast<std::size_t>(event.reason);
    bins_.add_interval(reason, event.first, event.first + event.cycles, 1);
}

json::array run_series::values(std::size_t from, double per_bin) const
{
    json::array result;
    for (std::size_t bin = 0; bin < bins_.used(); ++bin) {
        const auto sum = bins_.sum(from, bin);
        if (per_bin == 1)
            result.push_back(sum);
        else
            result.push_back(static_cast<double>(sum) / per_bin);
    }
    return result;
}

json::object run_series::json(std::uint64_t cycles)
{
    for (const auto& event : unfinished_warps_) bins_.add_interval(warps, event.launched, cycles, 1);
    for (const auto& event : unfinished_spaces_) bins_.add_interval(lines, event.allocated, cycles, event.lines.count);
    const auto width = static_cast<double>(bins_.width());
    json::object stalls;
    for (unsigned r = 0; r < stall_reason_count; ++r) stalls[stall_names[r]] = values(first_stall + r, 1);
    json::array words, excess;
    for (unsigned b = 0; b < columns_; ++b) {
        words.push_back(values(first_bank_ + b, 1));
        excess.push_back(values(first_excess_ + b, 1));
    }
    std::sort(first_warps_.begin(), first_warps_.end(),
              [](const warp_event& a, const warp_event& b) { return a.number < b.number; });
    json::array lives;
    for (const auto& event : first_warps_)
        lives.push_back(json::array{event.sm, event.slot, name_of(event.stage), event.launched,
                                    event.completed == no_value ? cycles : event.completed});
    return {{"bin_cycles", bins_.width()},           {"read_bytes", values(read_bytes, 1)},
            {"write_bytes", values(write_bytes, 1)}, {"passes", values(passes, 1)},
            {"isbe_lines", values(lines, width)},    {"warps", values(warps, width)},
            {"stalls", std::move(stalls)},           {"bank_words", std::move(words)},
            {"bank_excess", std::move(excess)},      {"first_warps", std::move(lives)}};
}

} // namespace isbesim::testbench
