// SPDX-License-Identifier: Apache-2.0
// The registry of figures: descriptions, and totals of instances by the merge rule of each figure.
#include "testbench/figures/figures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "models/isbe/functional/names.h"

namespace isbesim {
namespace {

constexpr std::uint64_t cycles = 1000;

double number(const figure_value& value)
{
    return std::visit([](auto v) { return static_cast<double>(v); }, value);
}

const figure& entry(const std::string& key)
{
    const auto* found = find_figure(key);
    if (found == nullptr) throw std::invalid_argument("no figure " + key);
    return *found;
}

double value(const std::string& key, const instance_counters& counters, unsigned index = 0)
{
    return number(entry(key).value(counters, {cycles, 128}, index));
}

/// An index that every range has. Only this opcode's histogram has samples.
unsigned index_of(const figure& f)
{
    return f.each == figure_range::one ? 0 : 1;
}

/// Counts that figures show, each with a different number; `seed` distinguishes instances.
instance_counters filled(std::uint64_t seed, std::vector<std::uint64_t>& latencies)
{
    instance_counters c;
    std::mt19937_64 random(seed);
    for (const auto& f : figures()) {
        const auto counter = f.counter ? f.counter(c, index_of(f)) : counter_pointer();
        if (auto* const* count = std::get_if<std::uint64_t*>(&counter)) **count = 1 + random() % 1000;
    }
    for (int i = 0; i < 50; ++i) {
        latencies.push_back(10 + random() % 500);
        c.sm.latency[1].add(latencies.back());
    }
    c.pe.lines.set(random() % 100, 10 + random() % 90);
    c.pe.lines.set(100 + random() % 100, random() % 10);
    c.sm.warps.set(random() % 100, 1 + random() % 63);
    c.sm.warps.set(100 + random() % 100, random() % 2);
    return c;
}

TEST(figure_registry, every_figure_is_described)
{
    std::set<std::string> keys, sections{"", port_section};
    for (const auto& section : figure_sections()) sections.insert(section.name);
    for (const auto& f : figures()) {
        const auto key = f.key();
        EXPECT_TRUE(keys.insert(key).second) << key << " has two entries";
        EXPECT_FALSE(f.description.empty()) << key;
        EXPECT_EQ(f.description.find_first_of("|\n"), std::string::npos) << key << ": a cell of a table";
        EXPECT_EQ(sections.count(f.section), 1U) << key;
        EXPECT_EQ(f.path.find('<') != std::string::npos || f.each == figure_range::one, true) << key;
        EXPECT_EQ(find_figure(key), &f) << key;
    }
}

TEST(figure_registry, finds_the_entry_of_a_reports_key)
{
    EXPECT_EQ(entry("latency.ald.p99").key(), "latency.<opcode>.p99");
    EXPECT_EQ(entry("instructions.other").path, "other");
    EXPECT_EQ(entry("instructions.ald").path, "<opcode>");
    EXPECT_EQ(entry("per_instance.12.latency.ald.p99").key(), "latency.<opcode>.p99");
    EXPECT_EQ(entry("per_instance.0.ports.1.operations").section, port_section);
    EXPECT_EQ(entry("output.vertices_out_stream_3").each, figure_range::stream);
    EXPECT_EQ(entry("coverage.hits.ald.input.size1").path, "hits.<bin>");
    for (const auto* unknown : {"", "latency", "latency.ald", "latency.ald.p98", "latency.ald.p99.x", "latency..p99",
                                "per_instance.0.cycles", "per_instance.0", "xcycles", "cycles."})
        EXPECT_EQ(find_figure(unknown), nullptr) << unknown;
}

TEST(figure_registry, every_stall_reason_is_a_figure_of_its_counter)
{
    for (const auto& row : stall_rows) {
        SCOPED_TRACE(row.name);
        EXPECT_STREQ(name_of(row.reason), row.name);
        instance_counters c;
        auto& counted = row.place == stall_place::pe          ? c.pe.stalls
                        : row.place == stall_place::scheduler ? c.sm.stalls
                                                              : c.ports.stalls;
        counted[row.reason] = 7;
        for (const auto& other : stall_rows)
            EXPECT_EQ(value(std::string("stalls.") + other.name, c), other.reason == row.reason ? 7 : 0) << other.name;
        const auto path = std::string("stalls.") + row.name; // GCC 14 takes `f` for a reference into it
        const auto& f = entry(path);
        EXPECT_EQ(f.description, row.description);
        EXPECT_EQ(f.series.empty(), row.place != stall_place::scheduler);
        EXPECT_EQ(f.timeline.empty(), row.place != stall_place::scheduler);
        double at_ports = 0;
        for (const auto& each : figures())
            if (each.section == port_section) at_ports += number(each.value(c, {}, 0));
        EXPECT_EQ(at_ports, row.place == stall_place::port ? 7 : 0);
        instance_counters total;
        merge(total, c);
        merge(total, c);
        EXPECT_EQ(value(std::string("stalls.") + row.name, total), 14);
        EXPECT_NE(stalls_paragraph().find(row.name), std::string::npos);
    }
}

TEST(figure_registry, total_follows_the_merge_rule_of_each_figure)
{
    std::vector<instance_counters> parts;
    std::vector<std::uint64_t> latencies;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) parts.push_back(filled(seed, latencies));
    instance_counters total;
    for (const auto& part : parts) merge(total, part);
    std::sort(latencies.begin(), latencies.end());
    const auto count = static_cast<double>(latencies.size());

    std::map<merge_rule, unsigned> checked;
    for (const auto& f : figures()) {
        if (!f.value || (f.merge == merge_rule::whole_run && !f.counter)) continue;
        SCOPED_TRACE(f.key());
        const auto index = index_of(f);
        std::vector<double> values;
        values.reserve(std::size(parts));
        for (const auto& part : parts) values.push_back(number(f.value(part, {cycles, 128}, index)));
        const double whole = number(f.value(total, {cycles, 3 * 128}, index));
        const double sum = std::accumulate(values.begin(), values.end(), 0.0);
        const double most = *std::max_element(values.begin(), values.end());
        switch (f.merge) {
        case merge_rule::sum:
            EXPECT_NEAR(whole, sum, 1e-9 * sum);
            EXPECT_GT(whole, 0) << "nothing was counted";
            break;
        case merge_rule::minimum:
            EXPECT_EQ(whole, *std::min_element(values.begin(), values.end()));
            break;
        case merge_rule::maximum:
            EXPECT_EQ(whole, most);
            break;
        case merge_rule::weighted_mean:
            EXPECT_NEAR(whole, std::accumulate(latencies.begin(), latencies.end(), 0.0) / count, 1e-9);
            break;
        case merge_rule::distribution: {
            const auto percent = std::stod(f.path.substr(f.path.rfind('p') + 1));
            const auto rank = static_cast<std::size_t>(std::ceil(count * percent / 100));
            EXPECT_EQ(whole, static_cast<double>(latencies[rank - 1]));
            break;
        }
        case merge_rule::from_total: {
            const auto all = [&](std::uint64_t isbe_counters::*member) {
                double sum_of_parts = 0;
                for (const auto& part : parts) sum_of_parts += static_cast<double>(part.isbe.*member);
                return sum_of_parts;
            };
            if (f.path == "efficiency")
                EXPECT_DOUBLE_EQ(whole, all(&isbe_counters::ideal_passes) / all(&isbe_counters::passes));
            else if (f.path == "read.peak_fraction")
                EXPECT_DOUBLE_EQ(whole, all(&isbe_counters::bytes_read) / cycles / (3 * 128));
            else if (f.path == "write.peak_fraction")
                EXPECT_DOUBLE_EQ(whole, all(&isbe_counters::bytes_written) / cycles / (3 * 128));
            else if (f.path == "total.peak_fraction")
                EXPECT_DOUBLE_EQ(whole, (all(&isbe_counters::bytes_read) + all(&isbe_counters::bytes_written)) /
                                            cycles / (3 * 128));
            else
                ADD_FAILURE() << "computed from the total, but not here";
            break;
        }
        case merge_rule::at_once:
            EXPECT_GE(whole, most);
            EXPECT_LE(whole, sum);
            break;
        case merge_rule::whole_run: // of a draw: the TPCs of a chip add up
            EXPECT_EQ(whole, sum);
            break;
        }
        ++checked[f.merge];
    }
    for (auto rule = merge_rule::sum; rule != merge_rule::whole_run;
         rule = static_cast<merge_rule>(static_cast<unsigned>(rule) + 1))
        EXPECT_GT(checked[rule], 0U) << row_of(rule).name;
}

TEST(figure_registry, settling_advances_the_level_of_every_figure)
{
    for (const std::size_t ports : {1U, 2U}) {
        instance_counters counters;
        counters.settle(cycles, ports);
        unsigned levels = 0;
        for (const auto& f : figures()) {
            if (!f.counter || !std::holds_alternative<time_weighted*>(f.counter(counters, 0))) continue;
            const auto* level = std::get<time_weighted*>(f.counter(counters, 0));
            EXPECT_EQ(level->cycles_at()[0], cycles) << f.key();
            ++levels;
        }
        EXPECT_GT(levels, 5U);
        EXPECT_EQ(counters.request_queues[1].cycles_at()[0], ports == 2 ? cycles : 0) << "a missing port";
    }
}

TEST(figure_registry, merge_into_an_empty_total_keeps_figures)
{
    std::vector<std::uint64_t> latencies;
    const auto one = filled(9, latencies);
    instance_counters total;
    merge(total, one);
    for (const auto& f : figures()) {
        if (!f.value || (f.merge == merge_rule::whole_run && !f.counter)) continue;
        EXPECT_EQ(f.value(total, {cycles, 128}, index_of(f)), f.value(one, {cycles, 128}, index_of(f))) << f.key();
    }
}

} // namespace
} // namespace isbesim
