// SPDX-License-Identifier: Apache-2.0
#include "models/statistics/statistic.h"

#include <algorithm>

#include "tlm/enum_table.h"

namespace isbesim {

namespace {

constexpr std::array<merge_row, enum_count<merge_rule::whole_run>> merge_rows{{
    {merge_rule::sum, "sum", "the instances' figures add up"},
    {merge_rule::minimum, "minimum", "the smallest of those that have samples"},
    {merge_rule::maximum, "maximum", "the largest"},
    {merge_rule::weighted_mean, "weighted mean", "of the instances' means, by their number of samples"},
    {merge_rule::distribution, "distribution", "of the samples of all instances together"},
    {merge_rule::from_total, "from the total", "computed from merged figures as it is from those of one instance"},
    {merge_rule::at_once, "at once", "of all instances together at one time: at most the sum, at least the largest"},
    {merge_rule::whole_run, "whole run", "a single value for the run"},
}};
static_assert(covers_enum<merge_rule::whole_run>(merge_rows, &merge_row::rule));

void add_bin(std::vector<histogram_bin>& bins, std::uint64_t first, std::uint64_t last, std::uint64_t count)
{
    if (count == 0) return;
    if (!bins.empty() && bins.back().first == first)
        bins.back().count += count;
    else
        bins.push_back({first, last, count});
}

} // namespace

const merge_row& row_of(merge_rule rule)
{
    return merge_rows[static_cast<std::size_t>(rule)];
}

const char* condition_of(measured_by measured)
{
    switch (measured) {
    case measured_by::any_run:
        break;
    case measured_by::isbe_cycles:
        return "not with --isbe lt";
    case measured_by::sm_cycles:
        return "not with --timing lt";
    }
    return "";
}

std::vector<histogram_bin> bins_of(const time_weighted& level)
{
    std::vector<histogram_bin> bins;
    const auto& cycles = level.cycles_at();
    for (unsigned b = 0; b < cycles.size(); ++b)
        add_bin(bins, log_bins::first_of(b), log_bins::first_of(b + 1) - 1, cycles[b]);
    return bins;
}

std::vector<histogram_bin> bins_of(const latency_histogram& latency)
{
    std::vector<histogram_bin> bins;
    for (std::uint64_t n = 0; latency.count() != 0 && n <= std::min(latency.max(), latency_histogram::limit); ++n) {
        const auto bin = log_bins::bin_of(n);
        add_bin(bins, log_bins::first_of(bin), log_bins::first_of(bin + 1) - 1, latency.samples(n));
    }
    add_bin(bins, latency_histogram::limit + 1, latency.max(), latency.overflowed());
    return bins;
}

std::vector<histogram_bin> bins_of(const busy_bank_counts& counts)
{
    std::vector<histogram_bin> bins;
    for (std::size_t n = 0; n < counts.size(); ++n) add_bin(bins, n, n, counts[n]);
    return bins;
}

std::string figure_facts::key(bool of_bins) const
{
    if (section == port_section) return "per_instance.<sm>.ports.<port>." + path;
    const auto name = section.empty() ? path : section + "." + path;
    return of_bins ? name + ".<bin>.<part>" : name;
}

} // namespace isbesim
