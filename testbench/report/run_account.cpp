// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/run_account.h"

#include <set>

#include "models/figures/instance_counters.h"
#include "testbench/processes/byte_archive.h"
#include "testbench/report/cycle_stacks.h"
#include "testbench/system/system.h"

namespace isbesim {

// In this namespace, so that the type of the histogram finds it.
template <typename Archive>
void pass(Archive& archive, latency_histogram& histogram)
{
    histogram.pass_members([&](auto& member) { testbench::pass_all(archive, member); });
}

template <typename Archive>
void pass(Archive& archive, sm_counters& sm)
{
    const auto one = [&](auto& member) { testbench::pass_all(archive, member); };
    one(sm.instructions);
    one(sm.instructions_other);
    one(sm.final_outs);
    for (auto& each : sm.latency) one(each);
    one(sm.stalls);
    one(sm.warps_launched);
    one(sm.threads);
    one(sm.warps);
    one(sm.attribute_queue);
    one(sm.traps);
    one(sm.trap_count);
}

/// Names of parts are string constants; names that were read live in a static list.
inline void pass_name(testbench::byte_sink& archive, const char*& name)
{
    std::string text = name;
    pass(archive, text);
}
inline void pass_name(testbench::byte_source& archive, const char*& name)
{
    static std::set<std::string> names;
    std::string text;
    pass(archive, text);
    name = names.insert(text).first->c_str();
}

template <typename Archive>
void pass(Archive& archive, cycle_stack& stack)
{
    pass(archive, stack.resource);
    testbench::pass_all(archive, stack.cycles);
    testbench::pass_all(archive, stack.busy_parts);
    stack.parts.resize(archive.size(stack.parts.size()));
    for (auto& part : stack.parts) {
        pass_name(archive, part.name);
        testbench::pass_all(archive, part.cycles);
    }
    pass_name(archive, stack.lines_key);
}

} // namespace isbesim

namespace isbesim::testbench {

namespace {

template <typename Archive>
void pass(Archive& archive, site_account& site)
{
    const auto one = [&](auto& member) { pass_all(archive, member); };
    isbesim::pass(archive, site.sm);
    one(site.pe);
    one(site.isbe);
    one(site.ports);
    one(site.shared_port_cycles);
}

template <typename Archive>
void pass(Archive& archive, run_warning& warning)
{
    const auto one = [&](auto& member) { pass_all(archive, member); };
    one(warning.kind);
    one(warning.text);
    one(warning.stage);
    one(warning.pc);
    one(warning.count);
    one(warning.first_cycle);
    one(warning.sm);
}

template <typename Archive>
void pass(Archive& archive, window_account& window)
{
    const auto one = [&](auto& member) { pass_all(archive, member); };
    one(window.first);
    one(window.cycles);
    isbesim::pass(archive, window.counters.sm);
    one(window.counters.pe);
    one(window.counters.isbe);
    one(window.counters.ports);
    one(window.counters.shared_port_cycles);
    one(window.counters.request_queues);
    one(window.counters.draw);
    one(window.stacks);
}

template <typename Archive>
void pass(Archive& archive, run_account& account)
{
    const auto one = [&](auto& member) { pass_all(archive, member); };
    const auto list = [&](auto& members) {
        members.resize(archive.size(members.size()));
        for (auto& each : members) pass(archive, each);
    };
    one(account.stages);
    list(account.sites);
    one(account.draw);
    list(account.stacks);
    one(account.path);
    list(account.warnings);
    one(account.comparison);
    list(account.violations);
    one(account.violation_count);
    bool has_window = account.window.has_value();
    one(has_window);
    if (!has_window) return;
    if (!account.window) account.window.emplace();
    pass(archive, *account.window);
}

} // namespace

std::uint64_t run_account::operations() const
{
    std::uint64_t operations = 0;
    for (const auto& site : sites)
        for (const auto& port : site.ports) operations += port.operations;
    return operations;
}

std::uint64_t run_account::traps() const
{
    std::uint64_t traps = 0;
    for (const auto& site : sites) traps += site.sm.trap_count;
    return traps;
}

std::vector<stage> stages_of(const simulated_system& system)
{
    std::vector<stage> stages;
    for (const auto& linked : system.pe().pipeline().stages) stages.push_back(linked.stage);
    return stages;
}

std::vector<site_account> sites_of(simulated_system& system)
{
    std::vector<site_account> sites(system.sm_count());
    for (unsigned i = 0; i < system.sm_count(); ++i) {
        auto& site = sites[i];
        site.sm = system.sm(i).counters();
        site.pe = system.pe().site_counters(i);
        site.isbe = system.counters(i);
        for (unsigned p = 0; p < system.config().isbe.ports; ++p) site.ports.push_back(system.isbe(i).timing(p));
        site.shared_port_cycles = system.port_wait(i);
    }
    return sites;
}

instance_counters counters_of(const site_account& site, std::uint64_t cycles)
{
    instance_counters all;
    all.sm = site.sm;
    all.pe = site.pe;
    all.isbe = site.isbe;
    for (std::size_t p = 0; p < site.ports.size(); ++p) {
        instance_counters port;
        port.ports = site.ports[p];
        merge(all, port);
        all.request_queues[p] = site.ports[p].queue;
    }
    all.shared_port_cycles = site.shared_port_cycles;
    all.settle(cycles, site.ports.size());
    return all;
}

run_account account_of(simulated_system& system, const std::vector<input_warning>& input, bool loosely)
{
    run_account account;
    account.stages = stages_of(system);
    account.sites = sites_of(system);
    for (unsigned i = 0; i < system.sm_count(); ++i) {
        const auto* comparison = system.comparison(i);
        if (comparison == nullptr) continue;
        if (!account.comparison) account.comparison.emplace();
        *account.comparison += comparison->totals();
    }
    account.draw = system.pe().draw_counters();
    if (!loosely) account.stacks = stacks_of(system);
    account.path = system.critical_path();
    account.warnings = collect_warnings(input, system);
    account.violations = system.violations();
    account.violation_count = system.violation_count();
    return account;
}

std::string to_bytes(run_account account)
{
    byte_sink sink;
    pass(sink, account);
    return sink.take();
}

run_account account_from(const std::string& bytes)
{
    byte_source source(bytes);
    run_account account;
    pass(source, account);
    return account;
}

} // namespace isbesim::testbench
