// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "models/figures/figure.h"
#include "models/isbe/functional/names.h"

namespace isbesim {

namespace {

// ---- where a counter is ---------------------------------------------------------------------------------------------

template <typename Part, typename All>
auto& part(All& all)
{
    if constexpr (std::is_same_v<Part, sm_counters>)
        return all.sm;
    else if constexpr (std::is_same_v<Part, pe_site_counters>)
        return all.pe;
    else if constexpr (std::is_same_v<Part, isbe_counters>)
        return all.isbe;
    else if constexpr (std::is_same_v<Part, isbe_timing_counters>)
        return all.ports;
    else if constexpr (std::is_same_v<Part, pe_draw_counters>)
        return all.draw;
    else
        return all;
}

/// Element `index` of a member that has one per opcode, stage or stream.
template <typename Part, typename Member, typename All>
auto& at(All& all, Member Part::*member, unsigned index)
{
    auto& found = part<Part>(all).*member;
    if constexpr (std::is_same_v<Member, std::uint64_t> || std::is_same_v<Member, time_weighted> ||
                  std::is_same_v<Member, busy_bank_counts>)
        return found;
    else
        return found[index];
}

// ---- entries --------------------------------------------------------------------------------------------------------

struct name {
    const char* section;
    const char* path;
    const char* unit;
    const char* description;
};

/// A figure that the run states, from no counter here.
figure stated(const name& n, merge_rule merge = merge_rule::whole_run)
{
    figure f;
    f.section = n.section;
    f.path = n.path;
    f.unit = n.unit;
    f.description = n.description;
    f.merge = merge;
    return f;
}

/// Computed from a counter; `shape` gets it and the scope.
template <typename Part, typename Member, typename Shape>
figure shaped(const name& n, merge_rule merge, Member Part::*member, Shape shape)
{
    auto f = stated(n, merge);
    f.value = [member, shape](const instance_counters& all, const figure_scope& scope, unsigned i) -> figure_value {
        return shape(at(all, member, i), scope);
    };
    if (merge != merge_rule::whole_run)
        f.counter = [member](instance_counters& all, unsigned i) -> counter_pointer { return &at(all, member, i); };
    return f;
}

/// A count as it stands.
template <typename Part, typename Member>
figure counted(const name& n, Member Part::*member, merge_rule merge = merge_rule::sum)
{
    return shaped(n, merge, member, [](std::uint64_t count, const figure_scope&) { return count; });
}

/// Computed from the counters of other figures.
template <typename Formula>
figure derived(const name& n, merge_rule merge, Formula formula)
{
    auto f = stated(n, merge);
    f.value = [formula](const instance_counters& all, const figure_scope&, unsigned) -> figure_value {
        return formula(all);
    };
    return f;
}

figure for_each(figure_range each, figure f)
{
    f.each = each;
    return f;
}

figure preferred(preference better, figure f)
{
    f.better = better;
    return f;
}

figure measured(measured_by how, figure f)
{
    f.measured = how;
    return f;
}

figure in_series(const char* key, figure f)
{
    f.series = key;
    return f;
}

figure in_database(const char* where, figure f)
{
    f.database = where;
    return f;
}

/// A column of `transactions`.
figure per_operation(const char* column, std::uint32_t access_footprint::*member, figure f)
{
    f.per_operation = member;
    f.database = std::string("transactions.") + column;
    return f;
}

// The bins of what counts samples or cycles by value.

void add_bin(std::vector<histogram_bin>& bins, std::uint64_t first, std::uint64_t last, std::uint64_t count)
{
    if (count == 0) return;
    if (!bins.empty() && bins.back().first == first)
        bins.back().count += count;
    else
        bins.push_back({first, last, count});
}

std::vector<histogram_bin> bins_of(const time_weighted& level)
{
    std::vector<histogram_bin> bins;
    const auto& cycles = level.cycles_at();
    for (unsigned b = 0; b < cycles.size(); ++b)
        add_bin(bins, log_bins::first_of(b), log_bins::first_of(b + 1) - 1, cycles[b]);
    return bins;
}

std::vector<histogram_bin> bins_of(const busy_bank_counts& passes)
{
    std::vector<histogram_bin> bins;
    for (std::size_t n = 0; n < passes.size(); ++n) add_bin(bins, n, n, passes[n]);
    return bins;
}

std::vector<histogram_bin> bins_of(const latency_histogram& latency)
{
    std::vector<histogram_bin> bins;
    for (std::uint64_t n = 0; latency.count() != 0 && n <= std::min(latency.max(), latency_histogram::limit); ++n) {
        const auto bin = log_bins::of(n);
        add_bin(bins, log_bins::first_of(bin), log_bins::first_of(bin + 1) - 1, latency.samples(n));
    }
    add_bin(bins, latency_histogram::limit + 1, latency.max(), latency.overflowed());
    return bins;
}

/// The distribution that a member of the counters is.
template <typename Part, typename Member>
figure distribution(const name& n, Member Part::*member)
{
    auto f = stated(n, merge_rule::sum);
    f.better = preference::none;
    f.bins = [member](const instance_counters& all, unsigned i) { return bins_of(at(all, member, i)); };
    f.counter = [member](instance_counters& all, unsigned i) -> counter_pointer { return &at(all, member, i); };
    return f;
}

double real(std::uint64_t value)
{
    return static_cast<double>(value);
}

// ---- groups of entries ----------------------------------------------------------------------------------------------

using list = std::vector<figure>;

void add_run(list& all)
{
    const auto none = preference::none;
    all.push_back(in_database("run.value", stated({"", "cycles", "cycles",
                                                   "clock cycles from the start of the draw (or trace) to its end; all "
                                                   "means and rates are over these"})));
    all.push_back(in_database("run.value", stated({"", "time_ns", "ns", "cycles / clock_ghz"})));

    all.push_back(
        in_database("batches.primitives",
                    preferred(none, counted({"output", "primitives_in", "primitives", "assembled from the draw"},
                                            &pe_draw_counters::primitives_in, merge_rule::whole_run))));
    all.push_back(in_database("outputs.vertices", preferred(none, stated({"output", "vertices_captured", "vertices",
                                                                          "streamed out, all streams"}))));
    all.push_back(preferred(
        none, stated({"output", "vertices_written", "", "whether they are in vertices.csv (not with --no-vertices)"})));
    const auto stream = [&](const char* path, const char* unit, const char* description, const char* column,
                            std::array<std::uint64_t, 4> pe_draw_counters::*member) {
        auto f = counted({"output", path, unit, description}, member, merge_rule::whole_run);
        f.shown = [](const instance_counters& c, unsigned i) { return i == 0 || c.draw.vertices_out[i] != 0; };
        all.push_back(in_database(column, preferred(none, for_each(figure_range::stream, std::move(f)))));
    };
    stream("primitives_out_stream_<stream>", "primitives", "what left the last stage, captured or not",
           "outputs.primitives", &pe_draw_counters::primitives_out);
    stream("vertices_out_stream_<stream>", "vertices", "their vertices", "outputs.vertices",
           &pe_draw_counters::vertices_out);
    all.push_back(in_database("warps.lost_threads", counted({"output", "geometry_threads_lost", "threads",
                                                             "geometry threads that ended with an invalid state, which "
                                                             "lose all their output, or with one older than their last "
                                                             "OUT, which lose what came after"},
                                                            &pe_draw_counters::lost_threads, merge_rule::whole_run)));
    all.push_back(
        in_database("batches.bytes", counted({"output", "fetched_bytes", "bytes", "vertex data read for the draw"},
                                             &pe_draw_counters::fetched_bytes, merge_rule::whole_run)));
}

void add_instructions(list& all)
{
    all.push_back(in_database(
        "warps.threads", for_each(figure_range::stage,
                                  counted({"invocations", "<stage>", "threads",
                                           "threads launched; a vertex that several primitives of a batch share counts "
                                           "once per batch"},
                                          &pe_site_counters::invocations))));
    all.push_back(in_database(
        "warps.<opcode>",
        for_each(figure_range::opcode, counted({"instructions", "<opcode>", "warp instructions",
                                                "issued, of the attribute path, without the OUT that EXIT implies"},
                                               &sm_counters::instructions))));
    all.push_back(
        in_database("warps.other", counted({"instructions", "other", "warp instructions", "all others issued"},
                                           &sm_counters::instructions_other)));

    using histogram = latency_histogram;
    const auto latency = [&](const char* path, const char* unit, const char* description, merge_rule merge, auto shape,
                             preference better = preference::lower) {
        auto f = shaped({"latency", path, unit, description}, merge, &sm_counters::latency,
                        [shape](const histogram& h, const figure_scope&) -> figure_value { return shape(h); });
        all.push_back(preferred(better, in_database("latencies.cycles", for_each(figure_range::opcode, std::move(f)))));
    };
    latency(
        "<opcode>.count", "warp instructions",
        "instructions with an active lane and without a trap, whose latency is known; of replay and crosscheck "
        "operations at the port",
        merge_rule::sum, [](const histogram& h) { return h.count(); }, preference::none);
    latency("<opcode>.min", "cycles",
            "shortest time from issue at the SM to write-back, of stores to the ISBE's response; of replay and "
            "crosscheck from the request's appearance at the port to the response there",
            merge_rule::minimum, [](const histogram& h) { return h.min(); });
    latency("<opcode>.mean", "cycles", "mean of these times", merge_rule::weighted_mean,
            [](const histogram& h) { return h.mean(); });
    latency("<opcode>.p50", "cycles", "half of the times are not above it; above 65535 the maximum",
            merge_rule::distribution, [](const histogram& h) { return h.percentile(50); });
    latency("<opcode>.p90", "cycles", "90 % of the times are not above it", merge_rule::distribution,
            [](const histogram& h) { return h.percentile(90); });
    latency("<opcode>.p99", "cycles", "99 % of the times are not above it", merge_rule::distribution,
            [](const histogram& h) { return h.percentile(99); });
    latency("<opcode>.max", "cycles", "longest time", merge_rule::maximum, [](const histogram& h) { return h.max(); });
}

void add_storage(list& all)
{
    using isbe = isbe_counters;
    using one = access_footprint;
    const auto count = [&](const name& n, std::uint64_t isbe::*member, std::uint32_t one::*operation,
                           const char* column, const char* series = "") {
        all.push_back(in_series(series, per_operation(column, operation, counted(n, member))));
    };
    all.push_back(in_database(
        "transactions.bank_passes",
        counted({"bank_conflicts", "accesses", "operations", "operations that touched the storage"}, &isbe::accesses)));
    count({"bank_conflicts", "passes", "cycles", "cycles that they held the banks; 0 when the storage was not touched"},
          &isbe::passes, &one::passes, "bank_passes", "passes");
    count({"bank_conflicts", "ideal_passes", "cycles", "cycles that they would have held them without conflicts"},
          &isbe::ideal_passes, &one::ideal_passes, "ideal_passes");
    all.push_back(preferred(preference::higher,
                            derived({"bank_conflicts", "efficiency", "1 = no conflicts", "ideal_passes / passes"},
                                    merge_rule::from_total, [](const instance_counters& c) -> figure_value {
                                        return ratio(real(c.isbe.ideal_passes), real(c.isbe.passes), 1.0);
                                    })));

    const auto bandwidth = [&](const std::string& way, const char* description, std::uint64_t isbe::*bytes,
                               std::uint32_t one::*operation, const char* column, const char* series) {
        const auto n = [&](const std::string& path) { return way + "." + path; };
        count({"bandwidth", n("bytes").c_str(), "bytes", description}, bytes, operation, column, series);
        const auto rate = [](std::uint64_t b, const figure_scope& s) { return ratio(real(b), real(s.cycles)); };
        all.push_back(preferred(preference::higher,
                                shaped({"bandwidth", n("bytes_per_cycle").c_str(), "bytes/cycle", "bytes / cycles"},
                                       merge_rule::sum, bytes, rate)));
        all.push_back(preferred(preference::higher,
                                shaped({"bandwidth", n("peak_fraction").c_str(), "of the peak",
                                        "the part of total.peak_fraction that this way has: both share the banks"},
                                       merge_rule::from_total, bytes, [rate](std::uint64_t b, const figure_scope& s) {
                                           return ratio(rate(b, s), s.peak);
                                       })));
    };
    bandwidth("read", "bytes that lanes read from the storage; lanes that read one word count each", &isbe::bytes_read,
              &one::bytes_read, "bytes_read", "read_bytes");
    bandwidth("write", "bytes that lanes wrote to the storage; the losers of a conflict don't count",
              &isbe::bytes_written, &one::bytes_written, "bytes_written", "write_bytes");
    const auto both = [&](const name& n, merge_rule merge, auto formula) {
        auto f = stated(n, merge);
        f.better = preference::higher;
        f.value = [formula](const instance_counters& c, const figure_scope& s, unsigned) -> figure_value {
            return formula(c.isbe.bytes_read + c.isbe.bytes_written, s);
        };
        all.push_back(std::move(f));
    };
    both({"bandwidth", "total.bytes", "bytes", "bytes read and written"}, merge_rule::sum,
         [](std::uint64_t bytes, const figure_scope&) { return bytes; });
    both({"bandwidth", "total.bytes_per_cycle", "bytes/cycle", "bytes / cycles"}, merge_rule::sum,
         [](std::uint64_t bytes, const figure_scope& s) { return ratio(real(bytes), real(s.cycles)); });
    both({"bandwidth", "total.peak_fraction", "of the peak",
          "bytes_per_cycle of what the ISBEs' banks can do with one conflict-free pass a cycle, which reads and writes "
          "share; above 1 when lanes share words, or loosely timed"},
         merge_rule::from_total,
         [](std::uint64_t bytes, const figure_scope& s) { return ratio(ratio(real(bytes), real(s.cycles)), s.peak); });

    count({"proxies", "bank_reads", "words", "words that the banks delivered; lanes on one word share it"},
          &isbe::bank_reads, &one::bank_reads, "bank_reads");
    count({"proxies", "bank_writes", "words", "words that the banks took"}, &isbe::bank_writes, &one::bank_writes,
          "bank_writes");
    count({"proxies", "crossbar_words", "words", "words between lanes and banks, one per lane and component"},
          &isbe::crossbar_words, &one::crossbar_words, "crossbar_words");
    count({"proxies", "map_lookups", "lookups",
           "attributes looked up in the maps by ALD, AST and AL2P, one per component and distinct attribute"},
          &isbe::map_lookups, &one::map_lookups, "map_lookups");

    count({"discarded", "bmap", "words", "stored words dropped because the output map lacks them"},
          &isbe::discarded_bmap, &one::discarded_bmap, "discarded_bmap");
    count({"discarded", "out_of_range", "words", "stored words dropped because of their address or vertex"},
          &isbe::discarded_out_of_range, &one::discarded_out_of_range, "discarded_out_of_range");
    count({"discarded", "patch_conflict", "lanes", "lanes that lost bytes to another lane of the same operation"},
          &isbe::discarded_patch_conflict, &one::discarded_patch_conflict, "discarded_patch_conflict");
    count(
        {"discarded", "gs_overflow", "words", "stored words and OUT tokens dropped past a geometry thread's own slots"},
        &isbe::discarded_gs_overflow, &one::discarded_gs_overflow, "discarded_gs_overflow");
}

void add_proxies(list& all)
{
    const auto proxy = [&](const char* path, const char* unit, const char* description,
                           cost_of cost = cost_of::nothing) {
        auto f = stated({"proxies", path, unit, description});
        f.cost = cost;
        all.push_back(std::move(f));
    };
    proxy("energy_pj", "pJ", "proxy: the accesses above by the table of coefficients (--coefficients)", cost_of::draw);
    proxy("area.storage_bits", "bits", "of the storages of all ISBEs, as the RTL declares them");
    proxy("area.context_bits", "bits", "of their context tables");
    proxy("area.queue_bits", "bits", "of their request and response queues");
    proxy("area.logic_cell_bits", "bits", "of word-level cells, as scripts/area counts them");
    proxy("area.mm2", "mm²", "proxy: the bits above by the table of coefficients", cost_of::machine);
}

/// Passes beyond the ideal follow from the operation alone.
measured_by of_port(stall_reason reason)
{
    return reason == stall_reason::bank_conflict ? measured_by::any_run : measured_by::isbe_cycles;
}

/// One for each reason; those of a port are parts of the port's own figures.
void add_stalls(list& all)
{
    for (const auto& row : stall_rows) {
        auto f = stated({"stalls", row.name, "cycles", row.description}, merge_rule::sum);
        const auto reason = row.reason;
        switch (row.place) {
        case stall_place::scheduler:
            f.value = [reason](const auto& c, const auto&, unsigned) -> figure_value { return c.sm.stalls[reason]; };
            f.counter = [reason](auto& c, unsigned) -> counter_pointer { return &c.sm.stalls[reason]; };
            f.series = std::string("stalls.") + row.name;
            f.database = "stalls.cycles";
            f.timeline = "a scheduler's stalls";
            f.measured = measured_by::sm_cycles;
            break;
        case stall_place::pe:
            f.value = [reason](const auto& c, const auto&, unsigned) -> figure_value { return c.pe.stalls[reason]; };
            f.counter = [reason](auto& c, unsigned) -> counter_pointer { return &c.pe.stalls[reason]; };
            f.database = std::string("waits.") + row.name;
            break;
        case stall_place::port:
            f.value = [reason](const auto& c, const auto&, unsigned) -> figure_value {
                return c.ports.stalls[reason] + (reason == stall_reason::port_contention ? c.shared_port_cycles : 0);
            };
            f.measured = of_port(reason);
            break;
        }
        all.push_back(std::move(f));
    }
}

void add_occupancy(list& all)
{
    const auto level = [&](const char* path, const char* unit, const char* description, auto member, const char* series,
                           const char* table, preference better = preference::lower) {
        auto mean = shaped({"occupancy", path, unit, description}, merge_rule::sum, member,
                           [](const time_weighted& l, const figure_scope& s) { return l.mean(s.cycles); });
        all.push_back(preferred(better, in_database(table, in_series(series, std::move(mean)))));
    };
    const auto peak = [&](const char* path, const char* unit, const char* description, auto member, const char* table) {
        auto most = shaped({"occupancy", path, unit, description}, merge_rule::at_once, member,
                           [](const time_weighted& l, const figure_scope&) { return l.peak(); });
        all.push_back(in_database(table, measured(measured_by::sm_cycles, std::move(most))));
    };
    peak("isbe_lines_peak", "128-byte lines", "most ISBE lines allocated at any one time", &pe_site_counters::lines,
         "spaces.lines");
    level("isbe_lines_mean", "128-byte lines", "ISBE lines allocated, averaged over the cycles of the draw",
          &pe_site_counters::lines, "isbe_lines", "spaces.lines");
    level("warps_mean", "warps", "warps resident, averaged over the cycles of the draw", &sm_counters::warps, "warps",
          "warps.launched", preference::higher);
    peak("warps_peak", "warps", "most warps resident at any one time", &sm_counters::warps, "warps.launch_order");
}

void add_histograms(list& all)
{
    const auto add = [&](const char* path, const char* unit, const char* description, auto member,
                         measured_by how = measured_by::sm_cycles, figure_range each = figure_range::one) {
        auto f = measured(how, distribution({"histograms", path, unit, description}, member));
        all.push_back(in_database("histograms.count", for_each(each, std::move(f))));
    };
    add("latency.<opcode>", "warp instructions", "by latency in cycles: first and last of a bin, and how many",
        &sm_counters::latency, measured_by::any_run, figure_range::opcode);
    add("request_queue.<queue>", "cycles", "by requests in the queue of a port: 0, the SM's, or 1, the PE's",
        &instance_counters::request_queues, measured_by::isbe_cycles, figure_range::queue);
    add("attribute_queue", "cycles", "by operations in the SM's attribute queue", &sm_counters::attribute_queue);
    add("busy_banks", "cycles", "passes by the banks (line access: words of the line) that they keep busy",
        &isbe_counters::busy_banks);
    add("isbe_lines", "cycles", "by allocated lines of an ISBE", &pe_site_counters::lines);
    add("warps", "cycles", "by resident warps of an SM", &sm_counters::warps);
}

void add_ports(list& all)
{
    using port = isbe_timing_counters;
    const auto stall = [&](stall_reason reason, const std::string& path, const char* description = nullptr) {
        const auto& row = stall_rows[static_cast<std::size_t>(reason)];
        const auto* text = description != nullptr ? description : row.description;
        auto f = stated({port_section, path.c_str(), "cycles", text}, merge_rule::sum);
        f.value = [reason](const auto& c, const auto&, unsigned) -> figure_value { return c.ports.stalls[reason]; };
        f.counter = [reason](auto& c, unsigned) -> counter_pointer { return &c.ports.stalls[reason]; };
        all.push_back(measured(of_port(reason), std::move(f)));
    };
    all.push_back(preferred(preference::none, counted({port_section, "operations", "operations", "granted by the port"},
                                                      &port::operations)));
    all.push_back(in_database(
        "transactions.passes",
        in_series("busy_cycles", counted({port_section, "busy_cycles", "cycles", "the pass engine worked for the port"},
                                         &port::busy_cycles))));
    stall(stall_reason::bank_conflict, "bank_conflict_cycles");
    stall(stall_reason::port_contention, "contention_cycles",
          "cycles in which a request could have been granted, but the other port was");
    auto shared = counted({port_section, "shared_port_cycles", "cycles",
                           "requests waited because the other client used the one port (isbe.ports = 1)"},
                          &instance_counters::shared_port_cycles);
    all.push_back(in_database("shared_ports.waited", measured(measured_by::isbe_cycles, std::move(shared))));
    stall(stall_reason::queue_full, "queue_full_cycles");
    stall(stall_reason::response, "response_stall_cycles");
    // Reasons that have no place in the order above.
    constexpr std::array above{stall_reason::bank_conflict, stall_reason::port_contention, stall_reason::queue_full,
                               stall_reason::response};
    for (const auto& row : stall_rows)
        if (row.place == stall_place::port && std::count(above.begin(), above.end(), row.reason) == 0)
            stall(row.reason, std::string(row.name) + "_cycles"); // GCOV_EXCL_LINE: for reasons that are yet to come
}

/// What a command states about itself.
struct stated_figure {
    name of;
    preference better = preference::none;
    measured_by measured = measured_by::any_run;
};

constexpr stated_figure of_commands[] = {
    {{"crosscheck", "transactions", "operations", "compared between model and RTL"}},
    {{"crosscheck", "data_mismatches", "operations", "whose data, lane status, error or passes differ"},
     preference::lower},
    {{"crosscheck", "cycle_mismatches", "operations", "whose cycles differ"}, preference::lower},
    {{"crosscheck", "max_cycle_error", "cycles", "largest difference of a cycle"}, preference::lower},
    {{"replay", "operations", "operations", "whose error, lane status and loaded data were compared with the trace's"}},
    {{"replay", "differences", "operations", "that responded something else than recorded"}, preference::lower},
    {{"replay", "open_loop", "", "whether requests came in their recorded cycles"}},
    {{"load", "operations", "operations", "measured (traffic): those behind the warm-up"}},
    {{"load", "cycles", "cycles", "between the responses before the first of them and of the last"}},
    {{"load", "offered", "operations/cycle", "that arrived, of all ports (open loop)"}},
    {{"load", "outstanding", "operations", "of each port that were always under way (closed loop)"}},
    {{"load", "accepted", "operations/cycle", "that responded"}, preference::higher},
    {{"load", "bytes_per_cycle", "bytes/cycle", "that the lanes of these loaded and stored"}, preference::higher},
    {{"load", "mean_passes", "cycles", "that an operation held the pass engine"}},
    {{"load", "latency.mean", "cycles", "from arrival to response"}},
    {{"load", "latency.p50", "cycles", "from arrival to response"}},
    {{"load", "latency.p99", "cycles", "from arrival to response"}},
    {{"load", "latency.max", "cycles", "from arrival to response"}},
    {{"load", "expected_mean", "cycles", "the mean by the closed form for random arrivals, where it applies"}},
    {{"load", "saturated", "", "whether less was accepted than offered"}},
    {{"curve", "unloaded", "cycles", "mean latency at the smallest load"}},
    {{"curve", "saturation.accepted", "operations/cycle", "with all queues full"}, preference::higher},
    {{"curve", "saturation.bytes_per_cycle", "bytes/cycle", "with all queues full"}, preference::higher},
    {{"curve", "doubling_load", "", "share of saturation at which the mean latency is twice the unloaded one"}},
    {{"curve", "points.<point>.load", "", "offered, as a share of saturation"}},
    {{"curve", "points.<point>.offered", "operations/cycle", "that arrived"}},
    {{"curve", "points.<point>.accepted", "operations/cycle", "that responded"}},
    {{"curve", "points.<point>.bytes_per_cycle", "bytes/cycle", "that the lanes of these loaded and stored"}},
    {{"curve", "points.<point>.mean", "cycles", "from arrival to response"}},
    {{"curve", "points.<point>.p50", "cycles", "from arrival to response"}},
    {{"curve", "points.<point>.p99", "cycles", "from arrival to response"}},
    {{"curve", "points.<point>.max", "cycles", "from arrival to response"}},
    {{"curve", "points.<point>.expected_mean", "cycles", "the mean by the closed form, where it applies"}},
    {{"curve", "points.<point>.saturated", "", "whether less was accepted than offered"}},
    {{"coverage", "bins", "bins", "of functional coverage (crosscheck)"}},
    {{"coverage", "hit", "bins", "hit at least once"}, preference::higher},
    {{"chip", "batches", "batches", "dealt to the TPCs that have left"}},
    {{"chip", "last_tpc", "", "number of the TPC that ends last"}},
    {{"chip", "imbalance", "", "cycles of the TPC that ends last over the mean of all"}},
    {{"chip", "reorder.depth", "batches", "the most that waited at a time for those before them to leave"}},
    {{"chip", "reorder.waits", "cycles", "that batches waited for those before them, all together"}},
    {{"chip", "reorder.longest_wait", "cycles", "of one batch"}},
    {{"tpcs", "<tpc>.gpc", "", "number of its GPC"}},
    {{"tpcs", "<tpc>.batches", "batches", "dealt to it that have left"}},
    {{"tpcs", "<tpc>.primitives", "primitives", "of these"}},
    {{"tpcs", "<tpc>.vertices", "vertices", "that left its last stage"}},
    {{"tpcs", "<tpc>.cycles", "cycles", "from the start of the draw until it ended"}},
    {{"tpcs", "<tpc>.front_end", "cycles", "that its fetch waited for a batch that was not dealt yet"},
     preference::none,
     measured_by::isbe_cycles},
    {{"coverage", "hits.<bin>", "operations", "that hit the bin; names of bins have dots"}},
    {{"coverage", "conditions.bins", "bins", "of the page's conditions by opcode, form and stage (crosscheck)"}},
    {{"coverage", "conditions.hit", "bins", "hit at least once"}, preference::higher},
    {{"coverage", "conditions.hits.<bin>", "operations",
      "that hit the bin until all of its opcode, form and stage were hit"}},
};
constexpr stated_figure of_series[] = {
    {{"series", "bin_cycles", "cycles", "width of a bin; sums and means below are by bin, from cycle 0"}},
    {{"series", "last_bin_cycles", "cycles", "covered by the last bin"}},
};
constexpr stated_figure of_parts_and_host[] = {
    {{"series", "bank_words.<bank>.<bin>", "words", "served by the bank (line access: by the word column)"}},
    {{"series", "tpc_warps.<tpc>.<bin>", "warps", "resident, of a chip's TPC"}},
    {{"series", "bank_excess.<bank>.<bin>", "words", "beyond the ideal passes of their component, by bank"}},
    {{"series", "first_warps.<warp>.<part>", "", "SM, slot, stage, launch and completion (cycles) of the first 512"}},
    {{"series", "meshlets.<meshlet>.<part>", "",
      "primitives, cycles from launch to completion; the first 4096 with any"}},
    {{"host", "wall_s", "s", "from the end of reading the input until all results but the reports are on disk"},
     preference::lower},
    {{"host", "transactions_per_s", "operations/s", "of all ISBE ports in that time"}, preference::higher},
    {{"host", "peak_memory_mb", "MiB", "most memory that the process ever had"}, preference::lower},
};

template <std::size_t Count>
void add_stated(list& all, const stated_figure (&rows)[Count])
{
    for (const auto& row : rows) {
        all.push_back(preferred(row.better, stated(row.of)));
        all.back().measured = row.measured;
    }
}

void add_checks(list& all)
{
    auto responded =
        for_each(figure_range::opcode, preferred(preference::none, stated({"transactions", "<opcode>", "operations",
                                                                           "responded to (replay, crosscheck)"})));
    responded.value = [](const instance_counters& c, const figure_scope&, unsigned i) -> figure_value {
        return c.sm.latency[i].count();
    };
    all.push_back(std::move(responded));
    add_stated(all, of_commands);
    all.push_back(in_database("traps.id", counted({"", "trap_count", "warp instructions", "that raised an error"},
                                                  &sm_counters::trap_count)));
    add_stated(all, of_series);
    for (std::size_t i = 0, before = all.size(); i < before; ++i) {
        if (all[i].series.empty()) continue;
        auto f = preferred(preference::none,
                           stated({"series", (all[i].series + ".<bin>").c_str(), all[i].unit.c_str(), ""}));
        f.description = "over time: " + all[i].key();
        all.push_back(std::move(f));
    }
    add_stated(all, of_parts_and_host);
}

list made()
{
    list all;
    add_run(all);
    add_instructions(all);
    add_storage(all);
    add_proxies(all);
    add_stalls(all);
    add_occupancy(all);
    add_histograms(all);
    add_ports(all);
    add_checks(all);
    return all;
}

// ---- names ----------------------------------------------------------------------------------------------------------

/// Whether the dotted `key` is what the dotted `pattern` stands for. The last <...> of "coverage.hits.<bin>" may have
/// dots itself.
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

std::string figure::key() const
{
    if (section == port_section) return "per_instance.<sm>.ports.<port>." + path;
    const auto name = section.empty() ? path : section + "." + path;
    return bins ? name + ".<bin>.<part>" : name;
}

const std::vector<figure>& figures()
{
    static const list all = made();
    return all;
}

const figure* find_figure(const std::string& key)
{
    const auto& all = figures();
    const auto find = [&](const std::string& wanted) -> const figure* {
        // A name before a pattern: `instructions.other` is no opcode.
        for (const auto& f : all)
            if (f.key() == wanted) return &f;
        for (const auto& f : all)
            if (matches(wanted, f.key())) return &f;
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
        {"invocations", "Invocations", "stage", "threads", true, true, 1},
        {"instructions", "Instructions", "opcode", "warp instructions", true, true, 2},
        {"latency", "Latency (cycles)", "opcode", "value", true, true, 3},
        {"bandwidth", "Bandwidth", "direction", "value", true, true, 4},
        {"bank_conflicts", "Bank conflicts", "figure", "value", true, true, 5},
        {"discarded", "Discarded", "reason", "count", true, true, 8},
        {"stalls", "Stalls (cycles)", "source", "cycles", true, true, 6},
        {"occupancy", "Occupancy", "figure", "value", true, true, 7},
        {"proxies", "Energy and area (proxies)", "figure", "value", true, false, 9},
        {"histograms", "Histograms", "figure", "value", true, false, 0}, // with a table of their own
        {port_section, "Ports", "figure", "value", false, false, 0},     // of each instance
        {"transactions", "Transactions", "opcode", "value", false, false, 0},
        {"crosscheck", "Crosscheck", "figure", "value", false, false, 0},
        {"replay", "Replay", "figure", "value", false, false, 0},
        {"load", "Load", "figure", "value", false, false, 0},
        {"curve", "Load curve", "figure", "value", false, false, 0},
        {"chip", "Chip", "figure", "value", false, false, 0},
        {"tpcs", "TPCs", "figure", "value", false, false, 0},
        {"coverage", "Coverage", "bin", "value", false, false, 0},
        {"series", "Over time", "figure", "value", false, false, 0},
        {"host", "Host", "figure", "value", false, false, 0}, // last
    };
    return sections;
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
