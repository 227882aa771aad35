// SPDX-License-Identifier: Apache-2.0
#include "testbench/figures/figures.h"

#include <stdexcept>
#include <utility>

#include "testbench/figures/chip_account.h"
#include "testbench/rtl/lockstep.h"

namespace isbesim {

namespace {

/// A figure stated by a run or a command.
struct stated_figure {
    const char* section;
    const char* path;
    const char* unit;
    const char* description;
    preference better = preference::none;
    measured_by measured = measured_by::any_run;
    cost_of cost = cost_of::nothing;
};

constexpr stated_figure of_time[] = {
    {"", "cycles", "cycles",
     "clock cycles from the start of the draw (or trace) to its end; all means and rates are over these",
     preference::lower},
    {"", "time_ns", "ns", "cycles / clock_ghz", preference::lower},
};

/// They follow the machine's own in their section.
constexpr stated_figure of_proxies[] = {
    {"proxies", "energy_pj", "pJ", "proxy: the accesses above by the table of coefficients (--coefficients)",
     preference::lower, measured_by::any_run, cost_of::draw},
    {"proxies", "area.storage_bits", "bits", "of the storages of all ISBEs, as the RTL declares them",
     preference::lower},
    {"proxies", "area.context_bits", "bits", "of their context tables", preference::lower},
    {"proxies", "area.queue_bits", "bits", "of their request and response queues", preference::lower},
    {"proxies", "area.logic_cell_bits", "bits", "of word-level cells, as scripts/area counts them", preference::lower},
    {"proxies", "area.mm2", "mm²", "proxy: the bits above by the table of coefficients", preference::lower,
     measured_by::any_run, cost_of::machine},
};

constexpr stated_figure of_commands[] = {
    {"replay", "operations", "operations", "whose error, lane status and loaded data were compared with the trace's"},
    {"replay", "differences", "operations", "that responded something else than recorded", preference::lower},
    {"replay", "open_loop", "", "whether requests came in their recorded cycles"},
    {"load", "operations", "operations", "measured (traffic): those behind the warm-up"},
    {"load", "cycles", "cycles", "between the responses before the first of them and of the last"},
    {"load", "offered", "operations/cycle", "that arrived, of all ports (open loop)"},
    {"load", "outstanding", "operations", "for each used port that were always in flight (closed loop)"},
    {"load", "in_flight", "operations", "that had arrived and not responded, mean; not if saturated: it grows"},
    {"load", "in_block", "operations", "of these, requested at a port, mean: the others waited in front of it"},
    {"load", "accepted", "operations/cycle", "that responded", preference::higher},
    {"load", "bytes_per_cycle", "bytes/cycle", "that the lanes of these loaded and stored", preference::higher},
    {"load", "mean_passes", "cycles", "that an operation held the pass engine"},
    {"load", "latency.mean", "cycles", "from arrival to response"},
    {"load", "latency.p50", "cycles", "from arrival to response"},
    {"load", "latency.p99", "cycles", "from arrival to response"},
    {"load", "latency.max", "cycles", "from arrival to response"},
    {"load", "expected_mean", "cycles", "the mean by the closed form for random arrivals, where it applies"},
    {"load", "saturated", "", "whether less was accepted than offered"},
    {"curve", "unloaded", "cycles", "mean latency at the smallest load"},
    {"curve", "saturation.accepted", "operations/cycle", "with all queues full", preference::higher},
    {"curve", "saturation.bytes_per_cycle", "bytes/cycle", "with all queues full", preference::higher},
    {"curve", "doubling_load", "", "share of saturation at which the mean latency is twice the unloaded one"},
    {"curve", "points.<point>.load", "", "offered, as a share of saturation"},
    {"curve", "points.<point>.offered", "operations/cycle", "that arrived"},
    {"curve", "points.<point>.accepted", "operations/cycle", "that responded"},
    {"curve", "points.<point>.bytes_per_cycle", "bytes/cycle", "that the lanes of these loaded and stored"},
    {"curve", "points.<point>.mean", "cycles", "from arrival to response"},
    {"curve", "points.<point>.p50", "cycles", "from arrival to response"},
    {"curve", "points.<point>.p99", "cycles", "from arrival to response"},
    {"curve", "points.<point>.max", "cycles", "from arrival to response"},
    {"curve", "points.<point>.expected_mean", "cycles", "the mean by the closed form, where it applies"},
    {"curve", "points.<point>.saturated", "", "whether less was accepted than offered"},
    {"coverage", "bins", "bins", "of functional coverage (crosscheck)"},
    {"coverage", "hit", "bins", "hit at least once", preference::higher},
};

constexpr stated_figure of_results[] = {
    {"coverage", "hits.<bin>", "operations", "that hit the bin; names of bins have dots"},
    {"coverage", "conditions.bins", "bins", "of the page's conditions by opcode, form and stage (crosscheck)"},
    {"coverage", "conditions.hit", "bins", "hit at least once", preference::higher},
    {"coverage", "conditions.hits.<bin>", "operations",
     "that hit the bin until all of its opcode, form and stage were hit"},
    {"coverage", "corners.bins", "bins", "of corner values of fields and parameters (crosscheck)"},
    {"coverage", "corners.hit", "bins", "hit at least once", preference::higher},
    {"coverage", "corners.hits.<bin>", "operations", "that had the corner value"},
    {"coverage", "sections.<part>.bins.<bin>", "bins", "of a section of the page; parts: listed, conditions, corners"},
    {"coverage", "sections.<part>.hit.<bin>", "bins", "of these hit at least once", preference::higher},
    {"series", "bin_cycles", "cycles", "width of a bin; sums and means below are by bin, from cycle 0"},
    {"series", "last_bin_cycles", "cycles", "covered by the last bin"},
    {"series", "bank_words.<bank>.<bin>", "words", "served by the bank (line access: by the word column)"},
    {"series", "tpc_warps.<tpc>.<bin>", "warps", "resident, of a chip's TPC"},
    {"series", "bank_excess.<bank>.<bin>", "words", "beyond the ideal passes of their component, by bank"},
    {"series", "first_warps.<warp>.<part>", "", "SM, slot, stage, launch and completion (cycles) of the first 512"},
    {"series", "meshlets.<meshlet>.<part>", "",
     "primitives, cycles from launch to completion; the first 4096 with any"},
    {"host", "wall_s", "s", "from the end of reading the input until all results but the reports are on disk",
     preference::lower},
    {"host", "transactions_per_s", "operations/s", "of all ISBE ports in that time", preference::higher},
    {"host", "peak_memory_mb", "MiB", "most memory that the process ever had", preference::lower},
};

void add(std::vector<figure>& all, const stated_figure& row)
{
    auto f = stated<instance_counters>({row.section, row.path, row.unit, row.description})
                 .preferred(row.better)
                 .needs(row.measured)
                 .costs(row.cost);
    if (f.section.empty()) f.database = "run.value";
    all.push_back(std::move(f));
}

/// The figures of an account, which is not of an instance. `prefix`: of their paths.
template <typename Account>
void add(std::vector<figure>& all, const std::vector<statistic<Account>>& figures, const std::string& prefix = "")
{
    for (const auto& f : figures) {
        static_cast<figure_facts&>(all.emplace_back()) = f;
        all.back().path = prefix + f.path;
        all.back().merge = merge_rule::whole_run;
    }
}

std::vector<figure> collected()
{
    std::vector<figure> all;
    for (const auto& row : of_time) add(all, row);
    const auto& counted = machine_figures();
    all.insert(all.end(), counted.begin(), counted.end());
    for (const auto& row : of_proxies) add(all, row);
    add(all, testbench::lockstep_statistics());
    for (const auto& row : of_commands) add(all, row);
    add(all, testbench::chip_statistics());
    add(all, testbench::tpc_statistics(), "<tpc>.");
    for (const auto& row : of_results) add(all, row);
    auto responded =
        stated<instance_counters>({"transactions", "<opcode>", "operations", "responded to (replay, crosscheck)"})
            .of_each(figure_range::opcode)
            .preferred(preference::none);
    responded.value = [](const instance_counters& c, const figure_scope&, unsigned i) -> figure_value {
        return c.sm.latency[i].count();
    };
    all.push_back(std::move(responded));
    for (std::size_t i = 0, before = all.size(); i < before; ++i)
        if (!all[i].series.empty())
            all.push_back(stated<instance_counters>(
                              {"series", all[i].series + ".<bin>", all[i].unit, "over time: " + all[i].key()})
                              .preferred(preference::none));
    return all;
}

// ---- names ----------------------------------------------------------------------------------------------------------

/// True if the dotted `key` matches the dotted `pattern`. The last <...> of "coverage.hits.<bin>" may contain dots.
bool matches(const std::string& key, const std::string& pattern)
{
    std::size_t k = 0, p = 0;
    while (p < pattern.size()) {
        if (pattern[p] == '<') {
            p = pattern.find('>', p) + 1;
            if (p == pattern.size() && pattern.rfind("coverage.", 0) == 0) return k < key.size();
            const auto begin = k;
            while (k < key.size() && key[k] != '.') ++k;
            if (k == begin) return false;
        } else {
            if (k == key.size() || key[k++] != pattern[p++]) return false;
        }
    }
    return k == key.size();
}

} // namespace

const std::vector<figure>& figures()
{
    static const auto all = collected();
    return all;
}

const figure* find_figure(const std::string& key)
{
    const auto& all = figures();
    const auto find = [&](const std::string& name) -> const figure* {
        // Exact names come before patterns: `instructions.other` is not an opcode.
        for (const auto& f : all)
            if (f.key() == name) return &f;
        for (const auto& f : all)
            if (matches(name, f.key())) return &f;
        return nullptr;
    };
    if (const auto* found = find(key)) return found;
    constexpr const char *instances = "per_instance.", *window = "window.";
    if (key.rfind(window, 0) == 0) return find(key.substr(std::char_traits<char>::length(window)));
    if (key.rfind(instances, 0) != 0) return nullptr;
    const auto dot = key.find('.', std::char_traits<char>::length(instances));
    const auto* found = dot == std::string::npos ? nullptr : find(key.substr(dot + 1));
    return found != nullptr && found->merge != merge_rule::whole_run ? found : nullptr;
}

const std::vector<figure_section>& figure_sections()
{
    static const std::vector<figure_section> sections = {
        {"output", "Draw", "figure", "value", true, false, 0}, // with the cycles
        {"invocations", "Invocations", "stage", "threads", true, true, 1,
         "Threads launched per stage, all SMs. A vertex that several primitives of a batch share counts once per "
         "batch."},
        {"instructions", "Instructions", "opcode", "warp instructions", true, true, 2,
         "Warp instructions issued, all SMs: the attribute path by opcode, 'other' is the rest. The final OUT that "
         "EXIT implies is not an instruction, but an operation of the ISBE."},
        {"latency", "Latency (cycles)", "opcode", "value", true, true, 3},
        {"bandwidth", "Bandwidth", "direction", "value", true, true, 4},
        {"bank_conflicts", "Bank conflicts", "figure", "value", true, true, 5,
         "Operations that touched the storage, the cycles they held its banks, and the cycles they would have held "
         "them without conflicts; efficiency = ideal / passes. Operations that do not touch it (BIND, AL2P, OUT, "
         "accesses without a word in range) hold the pass engine too, but not the banks: they are not here."},
        {"discarded", "Discarded", "reason", "count", true, true, 8,
         "bmap, out_of_range, gs_overflow, bad_register: stored words (the last two also OUT tokens) that were "
         "dropped; patch_conflict: lanes that lost bytes to another lane of the same operation."},
        {"stalls", "Stalls (cycles)", "source", "cycles", true, true, 6},
        {"occupancy", "Occupancy", "figure", "value", true, true, 7},
        {"proxies", "Energy and area (proxies)", "figure", "value", true, false, 9,
         "Proxies, to compare machines with: no chip was measured. Words that the banks delivered and took, words "
         "between lanes and banks, attributes looked up in the maps; energy_pj is their sum by "
         "testbench/report/coefficients.json or --coefficients. area: bits as the RTL declares them, word-level "
         "logic, all ISBEs."},
        // with a table of their own
        {"histograms", "Histograms", "figure", "value", true, false, 0,
         "Bins that are not empty: first and last value, and how many. Values below 16 have a bin each, above them "
         "eight share every power of two; latencies above 65535 cycles share the last one. Latencies: warp "
         "instructions. request_queue (by port), attribute_queue, isbe_lines, warps: cycles, of every instance by "
         "its own level, so that they add up to the cycles times the instances. busy_banks: passes that touched the "
         "storage."},
        {port_section, "Ports", "figure", "value", false, false, 0}, // of each instance
        {"transactions", "Transactions", "opcode", "value", false, false, 0,
         "Operations that have responded, by opcode."},
        {"crosscheck", "Crosscheck", "figure", "value", false, false, 0},
        {"replay", "Replay", "figure", "value", false, false, 0,
         "Operations whose error, lane status and loaded data were compared with the recorded ones, and those that "
         "differ. Closed loop: order and distances are the trace's, times this machine's. Open loop: requests come "
         "in their recorded cycles, and the order of operations is only what those lead to."},
        {"load", "Load", "figure", "value", false, false, 0},
        {"curve", "Load curve", "figure", "value", false, false, 0},
        {"chip", "Chip", "figure", "value", false, false, 0,
         "The front end deals batches to TPCs in turn (chip.deal_batches, chip.deal_order), as fast as "
         "chip.primitives_per_cycle and the chip's costs of draws, instances and indices allow; a TPC's queue has "
         "room for all. imbalance: cycles of the TPC that ends last over the mean of all. reorder: batches whose "
         "output is complete wait until all before them have left."},
        {"tpcs", "TPCs", "figure", "value", false, false, 0,
         "By number, those of a GPC side by side. cycles: until the TPC's last vertex had left; front_end: its fetch "
         "waited for a batch that was not dealt yet."},
        {"coverage", "Coverage", "bin", "value", false, false, 0},
        {"series", "Over time", "figure", "value", false, false, 0},
        // last
        {"host", "Host", "figure", "value", false, false, 0,
         "wall_s: from the end of reading the input until all results but these reports are on disk: building the "
         "machine, simulating, comparing, vertices.csv, --record, --wave, --database and --timeline; not: compiling "
         "RTL that was missing. transactions_per_s: operations of all ISBE ports in that time. peak_memory_mb: of "
         "the process. These figures differ from run to run."},
    };
    return sections;
}

const char* covers_of(std::string_view section)
{
    for (const auto& each : figure_sections())
        if (each.name == section && each.covers != nullptr) return each.covers;
    throw std::logic_error("the section " + std::string(section) + " has no text");
}

std::string stalls_paragraph()
{
    std::string text, names;
    for (std::size_t i = 0; i < stall_rows.size(); ++i) {
        const auto& row = stall_rows[i];
        names += (names.empty() ? "" : ", ") + std::string(row.name);
        if (i + 1 < stall_rows.size() && std::string(stall_rows[i + 1].short_text) == row.short_text) continue;
        text += (text.empty() ? "" : " ") + names + ": " + row.short_text + ".";
        names.clear();
    }
    return text;
}

} // namespace isbesim
