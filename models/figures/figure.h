// SPDX-License-Identifier: Apache-2.0
// The registry of figures: everything that a report says in numbers has one entry, which knows its name, unit and
// description, how it is got from the counters, how instances make the whole, and where else it is shown. Reports,
// help, database, series and the exploration read it from here; counters stay plain integers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "models/figures/instance_counters.h"
#include "tlm/access_footprint.h"

namespace isbesim {

/// How the figures of instances (an SM with its ISBE, or a port) make the one of all.
enum class merge_rule : std::uint8_t {
    sum,
    minimum,
    maximum,
    weighted_mean, ///< by the number of samples
    distribution,  ///< of all samples together
    from_total,    ///< computed from merged figures as it is from those of one instance
    at_once,       ///< of all instances together, at one time: only an observer of all of them knows it
    whole_run,     ///< instances have no such figure
};

struct merge_row {
    merge_rule rule;
    const char* name;
    const char* description;
};
/// Name and description of every rule.
const merge_row& row_of(merge_rule rule);

/// What a figure has a value for each of; its key says <opcode>, <stage>, <stream>, ... there.
enum class figure_range : std::uint8_t { one, opcode, stage, stream, queue };

/// Which values are better, as far as that can be said of a figure.
enum class preference : std::uint8_t { lower, higher, none };

/// What a figure is the price of, beside its time.
enum class cost_of : std::uint8_t { nothing, machine, draw };

/// What has to be simulated cycle by cycle for a figure to be measured.
enum class measured_by : std::uint8_t {
    any_run,
    isbe_cycles, ///< the ISBE: AT, RTL that keeps to the page's cycles, lockstep
    sm_cycles,   ///< the SMs: --timing at
};

/// What rates and means of an instance, or of all, are over.
struct figure_scope {
    std::uint64_t cycles = 0;
    double peak = 0; ///< bytes per cycle of the instances' ISBEs
};

/// `otherwise` when `whole` is 0.
inline double ratio(double part, double whole, double otherwise = 0)
{
    return whole > 0 ? part / whole : otherwise;
}

using figure_value = std::variant<std::uint64_t, double>;
/// The merged value: a count, or samples that several figures are made from.
using counter_pointer =
    std::variant<std::monostate, std::uint64_t*, latency_histogram*, time_weighted*, busy_bank_counts*>;

/// How many samples, or cycles, had a value of first .. last.
struct histogram_bin {
    std::uint64_t first;
    std::uint64_t last;
    std::uint64_t count;
};

struct figure {
    std::string section; ///< of the report, "" for its top level
    std::string path;    ///< in the section, dotted
    std::string unit;    ///< "" for a plain number
    std::string description;
    merge_rule merge = merge_rule::sum;
    figure_range each = figure_range::one;
    preference better = preference::lower;
    cost_of cost = cost_of::nothing;
    measured_by measured = measured_by::any_run;

    /// Of an instance, or of all merged; `index` is that of the range. Empty: stated by the run, not counted.
    std::function<figure_value(const instance_counters&, const figure_scope&, unsigned index)> value;
    /// Instead of value(), of a distribution: its bins (models/statistics/log_bins.h) that are not empty.
    std::function<std::vector<histogram_bin>(const instance_counters&, unsigned index)> bins;
    /// What value() or bins() shows. Empty: other figures have it.
    std::function<counter_pointer(instance_counters&, unsigned index)> counter;
    /// Only values for which this holds are shown; empty: all.
    std::function<bool(const instance_counters&, unsigned index)> shown;

    /// The same of one operation, a column of the database's `transactions`.
    std::uint32_t access_footprint::*per_operation = nullptr;
    std::string database; ///< "table.column, ..." that it follows from
    std::string series;   ///< key in the report's `series`
    std::string timeline; ///< where --timeline shows it

    /// As in report.json: "latency.<opcode>.p99", "per_instance.<sm>.ports.<port>.operations".
    std::string key() const;
};

/// All of them, in the order in which a report shows those of a section.
const std::vector<figure>& figures();
/// The entry of a key of report.json, `latency.ald.p99` or `per_instance.0.latency.ald.p99`; null without one.
const figure* find_figure(const std::string& key);

/// When a figure is there, in words; empty: always.
const char* condition_of(measured_by measured);

/// The parts of a report, in its order.
struct figure_section {
    const char* name;
    const char* title;
    const char* item; ///< headings of its table
    const char* value;
    bool of_run;         ///< of every draw
    bool of_instances;   ///< also of each SM with its ISBE
    unsigned page_place; ///< on the page for people; 0: not a section of its own
};
const std::vector<figure_section>& figure_sections();
inline constexpr const char* port_section = "ports"; ///< of one port: per_instance[].ports[]

/// Merges every counter that a figure shows, by the figure's rule, and the counts of the draws. Traps and warnings are
/// lists, not figures.
void merge(instance_counters& total, const instance_counters& one);
/// Takes away the counts of `earlier`, those of the draw too: the counters of the cycles since then. Levels over time
/// are settled in both. Peaks of levels stay those of the run.
void subtract(instance_counters& later, const instance_counters& earlier);

/// "a, b: text. c: text.": the stalls in a paragraph.
std::string stalls_paragraph();

} // namespace isbesim
