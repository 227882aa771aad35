// SPDX-License-Identifier: Apache-2.0
// A figure that a report shows, declared next to the counter that it is computed from: its name, unit and description,
// how the figures of instances merge, and where else it is shown. Counters stay plain integers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "models/statistics/latency_histogram.h"
#include "models/statistics/stall_reason.h"
#include "models/statistics/time_weighted.h"
#include "tlm/access_footprint.h"

namespace isbesim {

/// How the figures of instances (an SM with its ISBE, or a port) are merged into one figure of all.
enum class merge_rule : std::uint8_t {
    sum,
    minimum,
    maximum,
    weighted_mean, ///< by the number of samples
    distribution,  ///< of all samples together
    from_total,    ///< computed from merged figures as it is from those of one instance
    at_once,       ///< of all instances together, at one time: only an observer of all can measure it
    whole_run,     ///< instances have no such figure
};

struct merge_row {
    merge_rule rule;
    const char* name;
    const char* description;
};
/// Name and description of every rule.
const merge_row& row_of(merge_rule rule);

/// A figure has one value, or a value per opcode, stage, ...: its key then has <opcode>, <stage>, <stream>, ...
enum class figure_range : std::uint8_t { one, opcode, stage, stream, queue };

/// Whether lower or higher values of a figure are better, or neither.
enum class preference : std::uint8_t { lower, higher, none };

/// Whether a figure is a cost of the machine or the draw, besides time.
enum class cost_of : std::uint8_t { nothing, machine, draw };

/// The least part to simulate cycle by cycle for a figure to be measured.
enum class measured_by : std::uint8_t {
    any_run,
    isbe_cycles, ///< the ISBE: AT, RTL with the cycles of the micro-architecture page, lockstep
    sm_cycles,   ///< the SMs: --timing at
};
/// A port's stalls: passes beyond the ideal follow from the operation alone.
constexpr measured_by measured_by_port(stall_reason reason)
{
    return reason == stall_reason::bank_conflict ? measured_by::any_run : measured_by::isbe_cycles;
}
/// The condition under which a figure is measured, in words; empty: always.
const char* condition_of(measured_by measured);

/// The denominators of rates and means, for an instance or for all.
struct figure_scope {
    std::uint64_t cycles = 0;
    double peak = 0; ///< bytes per cycle of the instances' ISBEs
};

/// part / whole; `otherwise` if `whole` is 0.
inline double ratio(double part, double whole, double otherwise = 0)
{
    return whole > 0 ? part / whole : otherwise;
}

using figure_value = std::variant<std::uint64_t, double>;
/// The merged value: a count, or samples from which several figures are computed.
using counter_pointer =
    std::variant<std::monostate, std::uint64_t*, latency_histogram*, time_weighted*, busy_bank_counts*>;

/// The number of samples, or cycles, with a value of first .. last.
struct histogram_bin {
    std::uint64_t first;
    std::uint64_t last;
    std::uint64_t count;
};
/// The bins that are not empty (log_bins).
std::vector<histogram_bin> bins_of(const time_weighted& level);
std::vector<histogram_bin> bins_of(const latency_histogram& latency);
std::vector<histogram_bin> bins_of(const busy_bank_counts& counts);

inline constexpr const char* port_section = "ports"; ///< of one port: per_instance[].ports[]

struct figure_name {
    std::string section; ///< of the report, "" for its top level
    std::string path;    ///< in the section, dotted
    std::string unit;    ///< "" for a plain number
    std::string description;
};

/// Facts of a figure that are the same for every kind of counters.
struct figure_facts : figure_name {
    merge_rule merge = merge_rule::whole_run;
    figure_range each = figure_range::one;
    preference better = preference::lower;
    cost_of cost = cost_of::nothing;
    measured_by measured = measured_by::any_run;
    /// The same figure of one operation, a column of the database's `transactions`.
    std::uint32_t access_footprint::*per_operation = nullptr;
    std::string database; ///< "table.column, ..." from which it follows
    std::string series;   ///< key in the report's `series`
    std::string timeline; ///< where --timeline shows it

    /// As in report.json: "latency.<opcode>.p99", "per_instance.<sm>.ports.<port>.operations".
    std::string key(bool of_bins) const;
};

template <typename Counters>
struct statistic : figure_facts {
    /// For an instance, or for all merged; `index` is that of the range. Empty: stated by the run, not counted.
    std::function<figure_value(const Counters&, const figure_scope&, unsigned index)> value;
    /// For a distribution, instead of value(): its bins that are not empty.
    std::function<std::vector<histogram_bin>(const Counters&, unsigned index)> bins;
    /// The counter that value() or bins() shows. Empty: other figures have it.
    std::function<counter_pointer(Counters&, unsigned index)> counter;
    /// Only values for which this holds are shown; empty: all.
    std::function<bool(const Counters&, unsigned index)> shown;

    std::string key() const { return figure_facts::key(static_cast<bool>(bins)); }

    // Facts that an entry states besides its name.
    statistic&& of_each(figure_range range) && { return with(each, range); }
    statistic&& preferred(preference wanted) && { return with(better, wanted); }
    statistic&& needs(measured_by how) && { return with(measured, how); }
    statistic&& costs(cost_of what) && { return with(cost, what); }
    statistic&& in_series(const std::string& key) && { return with(series, key); }
    statistic&& in_database(const std::string& where) && { return with(database, where); }
    /// A column of `transactions`.
    statistic&& per(std::uint32_t access_footprint::*member, const std::string& column) &&
    {
        per_operation = member;
        return with(database, "transactions." + column);
    }

private:
    template <typename Member>
    statistic&& with(Member& member, const Member& given)
    {
        member = given;
        return std::move(*this);
    }
};

/// Element `index` of a member that has one per opcode, stage or stream, else the member itself.
template <typename Counters, typename Member, typename Held>
auto& element(Counters& counters, Member Held::*member, unsigned index)
{
    using kept = std::remove_const_t<Member>;
    auto& found = counters.*member;
    if constexpr (std::is_constructible_v<counter_pointer, kept*>)
        return found;
    else
        return found[index];
}

/// A figure that the run states, without a counter here.
template <typename Counters>
statistic<Counters> stated(figure_name name, merge_rule merge = merge_rule::whole_run)
{
    statistic<Counters> result;
    static_cast<figure_name&>(result) = std::move(name);
    result.merge = merge;
    return result;
}

/// Computed from a counter; `shape` gets it and the scope.
template <typename Counters, typename Member, typename Shape>
statistic<Counters> shaped(figure_name name, merge_rule merge, Member Counters::*member, Shape shape)
{
    auto result = stated<Counters>(std::move(name), merge);
    result.value = [member, shape](const Counters& all, const figure_scope& scope, unsigned i) -> figure_value {
        return shape(element(all, member, i), scope);
    };
    result.counter = [member](Counters& all, unsigned i) -> counter_pointer { return &element(all, member, i); };
    return result;
}

/// A counter's plain value.
template <typename Counters, typename Member>
statistic<Counters> counted(figure_name name, Member Counters::*member, merge_rule merge = merge_rule::sum)
{
    return shaped(std::move(name), merge, member, [](std::uint64_t count, const figure_scope&) { return count; });
}

/// Computed from the counters of other figures, and the scope.
template <typename Counters, typename Formula>
statistic<Counters> derived(figure_name name, merge_rule merge, Formula formula)
{
    auto result = stated<Counters>(std::move(name), merge);
    result.value = [formula](const Counters& all, const figure_scope& scope, unsigned) -> figure_value {
        return formula(all, scope);
    };
    return result;
}

/// A count inside a member: `place` returns a reference to it.
template <typename Counters, typename Place>
statistic<Counters> counted_in(figure_name name, Place place, merge_rule merge = merge_rule::sum)
{
    auto result = stated<Counters>(std::move(name), merge);
    result.value = [place](const Counters& all, const figure_scope&, unsigned) { return place(all); };
    result.counter = [place](Counters& all, unsigned) -> counter_pointer { return &place(all); };
    return result;
}

/// Cycles lost for a reason.
template <typename Counters>
statistic<Counters> counted_stall(figure_name name, stall_cycles Counters::*stalls, stall_reason reason)
{
    return counted_in<Counters>(
        std::move(name), [=](auto& all) -> auto& { return (all.*stalls)[reason]; });
}

template <typename Counters>
statistic<Counters> mean_level(figure_name name, time_weighted Counters::*level)
{
    return shaped(std::move(name), merge_rule::sum, level,
                  [](const time_weighted& l, const figure_scope& scope) { return l.mean(scope.cycles); });
}

template <typename Counters>
statistic<Counters> peak_level(figure_name name, time_weighted Counters::*level)
{
    return shaped(std::move(name), merge_rule::at_once, level,
                  [](const time_weighted& l, const figure_scope&) { return l.peak(); })
        .needs(measured_by::sm_cycles);
}

/// A member of the counters that is a distribution.
template <typename Counters, typename Member>
statistic<Counters> distribution(figure_name name, Member Counters::*member)
{
    auto result = stated<Counters>(std::move(name), merge_rule::sum);
    result.better = preference::none;
    result.bins = [member](const Counters& all, unsigned i) { return bins_of(element(all, member, i)); };
    result.counter = [member](Counters& all, unsigned i) -> counter_pointer { return &element(all, member, i); };
    return std::move(result).in_database("histograms.count");
}

/// Converts a figure of `Part` to a figure of `All`, which has `part` as a member.
template <typename All, typename Part>
statistic<All> figure_of(statistic<Part> one, Part All::*part)
{
    statistic<All> result;
    static_cast<figure_facts&>(result) = static_cast<figure_facts&&>(one);
    const auto apply_to_part = [part](auto function) {
        return [part, function = std::move(function)](auto& all, const auto&... more) {
            return function(all.*part, more...);
        };
    };
    if (one.value) result.value = apply_to_part(std::move(one.value));
    if (one.bins) result.bins = apply_to_part(std::move(one.bins));
    if (one.counter) result.counter = apply_to_part(std::move(one.counter));
    if (one.shown) result.shown = apply_to_part(std::move(one.shown));
    return result;
}

} // namespace isbesim
