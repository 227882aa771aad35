// SPDX-License-Identifier: Apache-2.0
#include "testbench/analysis/run_series.h"

#include <algorithm>

#include <boost/json/array.hpp>

#include "models/isbe/functional/names.h"
#include "models/isbe/functional/passes.h"
#include "testbench/figures/figures.h"
#include "tlm/vector_clones.h"

namespace isbesim::testbench {

void time_bins::add_interval(std::size_t row, std::uint64_t first, std::uint64_t end, std::uint64_t amount)
{
    if (first >= end) return;
    while ((end - 1) >> shift_ >= limit) fold();
    for (auto begin = first; begin < end;) {
        const auto next = std::min(end, end_of(begin));
        add(row, begin, amount * (next - begin));
        begin = next;
    }
}

void time_bins::fold()
{
    for (std::size_t bin = 0; bin < limit / 2; ++bin) {
        const auto* const pair = sums_.data() + 2 * bin * rows_;
        for (std::size_t row = 0; row < rows_; ++row) sums_[bin * rows_ + row] = pair[row] + pair[rows_ + row];
    }
    std::fill(sums_.begin() + static_cast<std::ptrdiff_t>(limit / 2 * rows_), sums_.end(), 0);
    ++shift_;
    used_ = (used_ + 1) / 2;
}

namespace json = boost::json;

namespace {

/// Calls `take` with each figure that is shown over time, by section in the report's order.
template <typename Take>
void for_each_figure_over_time(Take take)
{
    for (const auto& section : figure_sections())
        for (const auto& f : figures())
            if (!f.series.empty() && f.section == section.name) take(f);
}

ISBESIM_VECTOR_CLONES
void add_up(const std::uint16_t* values, unsigned count, std::uint64_t* sums)
{
    for (unsigned i = 0; i < count; ++i) sums[i] += values[i];
}

} // namespace

run_series::run_series(const machine_config& config, bool trace)
    : trace_(trace),
      columns_(columns_of(config.isbe)),
      operations_(operation_rows()),
      bins_(first_operation + operations_.size() + std::size_t{2} * columns_),
      first_bank_(first_operation + operations_.size()),
      first_excess_(first_bank_ + columns_)
{
    first_warps_.reserve(warp_limit);
}

std::vector<run_series::operation_row> run_series::operation_rows()
{
    std::vector<operation_row> rows;
    for_each_figure_over_time([&](const figure& f) {
        if (f.per_operation != nullptr || f.section == port_section) rows.push_back({f.series, f.per_operation});
    });
    return rows;
}

void run_series::granted(std::uint64_t cycle, unsigned passes, const access_footprint& f)
{
    const auto end = cycle + std::max(passes, 1U);
    bins_.at(end - 1); // widens all bins as necessary
    if (bins_.end_of(cycle) < end) {
        spread(cycle, passes, f);
        return;
    }
    auto* const sums = bins_.at(cycle);
    for (std::size_t r = 0; r < operations_.size(); ++r) {
        const auto member = operations_[r].footprint;
        sums[first_operation + r] += member == nullptr ? passes : f.*member;
    }
    if (f.passes == 0) return;
    add_up(f.bank_words.data(), columns_, sums + first_bank_);
    add_up(f.bank_excess.data(), columns_, sums + first_excess_);
}

void run_series::spread(std::uint64_t cycle, unsigned passes, const access_footprint& f)
{
    for (unsigned begin = 0; begin < passes;) {
        const auto to = static_cast<unsigned>(std::min<std::uint64_t>(passes, bins_.end_of(cycle + begin) - cycle));
        auto* const sums = bins_.at(cycle + begin);
        const auto part = [&](std::uint64_t range) { return range * to / passes - range * begin / passes; };
        for (std::size_t r = 0; r < operations_.size(); ++r) {
            const auto member = operations_[r].footprint;
            sums[first_operation + r] += part(member == nullptr ? passes : f.*member);
        }
        for (unsigned b = 0; b < columns_ && f.passes != 0; ++b) {
            sums[first_bank_ + b] += part(f.bank_words[b]);
            sums[first_excess_ + b] += part(f.bank_excess[b]);
        }
        begin = to;
    }
}

void run_series::warp(const warp_event& event)
{
    meshes_ = meshes_ || event.stage == stage::mesh;
    if (event.completed == no_value)
        unfinished_warps_.push_back(event); // at the end of the run, at most one per slot
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

void run_series::output(const output_event& event)
{
    if (event.stream == 0 && first_outputs_.size() < meshlet_limit) first_outputs_.push_back(event);
}

// An aborted run may have passes that a loosely timed model did ahead of time: they belong to the last bin.
std::uint64_t run_series::sum(std::size_t sums_row, std::size_t bin, const extent& range) const
{
    auto result = bins_.sum(sums_row, bin);
    for (auto beyond = bin + 1; bin + 1 == range.bins && beyond < bins_.used(); ++beyond)
        result += bins_.sum(sums_row, beyond);
    return result;
}

json::array run_series::sums(std::size_t sums_row, const extent& range) const
{
    json::array result(range.bins);
    for (std::size_t bin = 0; bin < range.bins; ++bin) result[bin] = sum(sums_row, bin, range);
    return result;
}

json::array run_series::means(std::size_t sums_row, const extent& range) const
{
    json::array result;
    for (std::size_t bin = 0; bin < range.bins; ++bin) {
        const auto covered = bin + 1 == range.bins ? range.last : bins_.width();
        result.push_back(static_cast<double>(sum(sums_row, bin, range)) / static_cast<double>(covered));
    }
    return result;
}

json::object run_series::json(std::uint64_t cycles)
{
    for (const auto& event : unfinished_warps_) bins_.add_interval(warps, event.launched, cycles, 1);
    for (const auto& event : unfinished_spaces_) bins_.add_interval(lines, event.allocated, cycles, event.lines.count);
    if (cycles != 0) bins_.add(warps, cycles - 1, 0); // bins up to the end, even without events there
    const auto width = bins_.width();
    const extent range{cycles == 0 ? bins_.used() : static_cast<std::size_t>((cycles - 1) / width + 1),
                       cycles == 0 ? width : (cycles - 1) % width + 1};
    json::object result = {{"bin_cycles", width}, {"last_bin_cycles", range.last}};
    for (std::size_t r = 0; r < operations_.size(); ++r) result[operations_[r].key] = sums(first_operation + r, range);
    json::array words, excess;
    for (unsigned b = 0; b < columns_; ++b) {
        words.push_back(sums(first_bank_ + b, range));
        excess.push_back(sums(first_excess_ + b, range));
    }
    if (!trace_) put_warps(result, cycles, range);
    result["bank_words"] = std::move(words);
    result["bank_excess"] = std::move(excess);
    return result;
}

void run_series::put_warps(json::object& result, std::uint64_t cycles, const extent& range)
{
    json::object stalls;
    for (unsigned r = 0; r < stall_reason_count; ++r)
        if (stall_rows[r].place == stall_place::scheduler) stalls[stall_rows[r].name] = sums(first_stall + r, range);
    std::sort(first_warps_.begin(), first_warps_.end(),
              [](const warp_event& a, const warp_event& b) { return a.number < b.number; });
    json::array lives;
    for (const auto& event : first_warps_)
        lives.push_back(json::array{event.sm, event.slot, name_of(event.stage), event.launched,
                                    event.completed == no_value ? cycles : event.completed});
    result["isbe_lines"] = means(lines, range);
    result["warps"] = means(warps, range);
    result["stalls"] = std::move(stalls);
    result["first_warps"] = std::move(lives);
    if (!meshes_) return;
    json::array meshlets;
    for (const auto& event : first_outputs_) meshlets.push_back(json::array{event.primitives, event.warp_cycles});
    result["meshlets"] = std::move(meshlets);
}

} // namespace isbesim::testbench
