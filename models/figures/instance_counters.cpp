// SPDX-License-Identifier: Apache-2.0
#include "models/figures/instance_counters.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace isbesim {

namespace {

/// The largest number of values of a figure, by figure_range.
constexpr std::array<std::size_t, 5> range_sizes{1, opcode_count, stage_count,
                                                 std::tuple_size_v<decltype(pe_draw_counters::vertices_out)>,
                                                 std::tuple_size_v<decltype(instance_counters::request_queues)>};
static_assert(range_sizes.size() == enum_count<figure_range::queue>, "a size for every range");

/// Calls change(counter of `to`, the same of `other`) once for every counter that one of `figures` shows.
template <typename Counters, typename Change>
void for_each_counter(const std::vector<statistic<Counters>>& figures, Counters& to, const Counters& other,
                      const Change& change)
{
    std::vector<const void*> changed; // several figures may show one counter
    auto source = other;              // a copy: counter() returns a mutable counter
    for (const auto& f : figures) {
        if (!f.counter) continue;
        for (unsigned i = 0; i < range_sizes[static_cast<std::size_t>(f.each)]; ++i) {
            const auto source_counter = f.counter(source, i);
            std::visit(
                [&](auto counter) {
                    if constexpr (std::is_pointer_v<decltype(counter)>) {
                        if (std::find(changed.begin(), changed.end(), counter) != changed.end()) return;
                        changed.push_back(counter);
                        change(*counter, **std::get_if<decltype(counter)>(&source_counter));
                    }
                },
                f.counter(to, i));
        }
    }
}

void add(std::uint64_t& sum, std::uint64_t more)
{
    sum += more;
}
void add(busy_bank_counts& sum, const busy_bank_counts& more)
{
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
}
template <typename Samples>
void add(Samples& sum, const Samples& more)
{
    sum.merge(more);
}

void take_away(std::uint64_t& count, std::uint64_t less)
{
    count -= less;
}
template <typename Count, std::size_t size>
void take_away(std::array<Count, size>& counts, const std::array<Count, size>& less)
{
    for (std::size_t i = 0; i < size; ++i) counts[i] -= less[i];
}
template <typename Samples>
void take_away(Samples& samples, const Samples& less)
{
    samples.subtract(less);
}

template <typename Part>
void collect(std::vector<figure>& all, std::vector<statistic<Part>> declared, Part instance_counters::*part)
{
    for (auto& each : declared) all.push_back(figure_of(std::move(each), part));
}

/// Figures that no part alone counts.
void add_instance_figures(std::vector<figure>& all)
{
    for (const auto& row : stall_rows) {
        if (row.place != stall_place::port) continue;
        const auto reason = row.reason;
        all.push_back(
            derived<instance_counters>({"stalls", row.name, "cycles", row.description}, merge_rule::sum,
                                       [reason](const instance_counters& c, const figure_scope&) {
                                           return c.ports.stalls[reason] +
                                                  (reason == stall_reason::port_contention ? c.shared_port_cycles : 0);
                                       })
                .needs(measured_by_port(reason)));
    }
    all.push_back(counted({port_section, "shared_port_cycles", "cycles",
                           "requests waited because the other client used the one port (isbe.ports = 1)"},
                          &instance_counters::shared_port_cycles)
                      .needs(measured_by::isbe_cycles)
                      .in_database("shared_ports.waited"));
    all.push_back(distribution({"histograms", "request_queue.<queue>", "cycles",
                                "by requests in the queue of a port: 0, the SM's, or 1, the PE's"},
                               &instance_counters::request_queues)
                      .of_each(figure_range::queue)
                      .needs(measured_by::isbe_cycles));
}

} // namespace

const std::vector<figure>& machine_figures()
{
    static const auto figures = [] {
        std::vector<figure> all;
        collect(all, pe_draw_statistics(), &instance_counters::draw);
        collect(all, pe_site_statistics(), &instance_counters::pe);
        collect(all, port_statistics(), &instance_counters::ports);
        add_instance_figures(all);
        collect(all, sm_statistics(), &instance_counters::sm);
        collect(all, isbe_statistics(), &instance_counters::isbe);
        return all;
    }();
    return figures;
}

void instance_counters::settle(std::uint64_t cycle, std::size_t existing_ports)
{
    for (const auto& f : machine_figures()) {
        if (!f.counter) continue;
        const auto size =
            f.each == figure_range::queue ? existing_ports : range_sizes[static_cast<std::size_t>(f.each)];
        for (unsigned i = 0; i < size; ++i) {
            const auto counter = f.counter(*this, i);
            if (auto* const* level = std::get_if<time_weighted*>(&counter)) (*level)->settle(cycle);
        }
    }
}

void merge(instance_counters& total, const instance_counters& one)
{
    for_each_counter(machine_figures(), total, one, [](auto& to, const auto& more) { add(to, more); });
}

void merge(pe_draw_counters& total, const pe_draw_counters& one)
{
    for_each_counter(pe_draw_statistics(), total, one, [](auto& to, const auto& more) { add(to, more); });
}

void subtract(instance_counters& later, const instance_counters& earlier)
{
    for_each_counter(machine_figures(), later, earlier, [](auto& to, const auto& before) { take_away(to, before); });
}

} // namespace isbesim
