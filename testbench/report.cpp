#include "testbench/report.h"

#include <algorithm>

#include "models/isbe/names.h"
#include "models/isbe/passes.h"
#include "testbench/config.h"
#include "testbench/hex_text.h"
#include "testbench/report_figures.h"
#include "testbench/version.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

constexpr unsigned program_opcodes = opcode_count - 1; // all but BIND, the last, which no instruction encodes

/// Counters of one instance, or of all of them added up.
struct figures {
    sm_counters sm;
    pe_site_counters pe;
    isbe_counters isbe;
    isbe_timing_counters ports;
    std::uint64_t port_wait = 0; ///< shared port: cycles that requests waited for it
};

void add(isbe_counters& total, const isbe_counters& one)
{
    for (unsigned i = 0; i < opcode_count; ++i) total.operations[i] += one.operations[i];
    total.accesses += one.accesses;
    total.passes += one.passes;
    total.ideal_passes += one.ideal_passes;
    total.bank_reads += one.bank_reads;
    total.bank_writes += one.bank_writes;
    total.crossbar_words += one.crossbar_words;
    total.map_lookups += one.map_lookups;
    total.bytes_read += one.bytes_read;
    total.bytes_written += one.bytes_written;
    total.discarded_bmap += one.discarded_bmap;
    total.discarded_out_of_range += one.discarded_out_of_range;
    total.discarded_patch_conflict += one.discarded_patch_conflict;
    total.discarded_gs_overflow += one.discarded_gs_overflow;
}

void add(isbe_timing_counters& total, const isbe_timing_counters& one)
{
    total.operations += one.operations;
    total.busy_cycles += one.busy_cycles;
    total.bank_conflict_cycles += one.bank_conflict_cycles;
    total.contention_cycles += one.contention_cycles;
    total.queue_full_cycles += one.queue_full_cycles;
    total.response_stall_cycles += one.response_stall_cycles;
}

json::object invocations_json(const linked_pipeline& pipeline, const pe_site_counters& pe)
{
    json::object object;
    for (const auto& linked : pipeline.stages) {
        const auto s = static_cast<std::size_t>(linked.stage);
        object[name_of(linked.stage)] = pe.invocations[s];
    }
    return object;
}

json::object instructions_json(const sm_counters& sm)
{
    json::object object;
    for (unsigned i = 0; i < program_opcodes; ++i) object[opcode_names[i]] = sm.instructions[i];
    object["other"] = sm.instructions_other;
    return object;
}

json::object latencies_json(const sm_counters& sm)
{
    json::object object;
    for (unsigned i = 0; i < program_opcodes; ++i) object[opcode_names[i]] = latency_json(sm.latency[i]);
    return object;
}

json::object stalls_json(const figures& f)
{
    const auto reason = [&](stall_reason r) { return f.sm.stalls[static_cast<std::size_t>(r)]; };
    return {{"isbe_full", f.pe.isbe_full_cycles},
            {"warp_slot", f.pe.warp_slot_cycles},
            {"queue_full", f.ports.queue_full_cycles},
            {"port_contention", f.ports.contention_cycles + f.port_wait},
            {"bank_conflict", f.ports.bank_conflict_cycles},
            {"response", f.ports.response_stall_cycles},
            {"attribute_queue", reason(stall_reason::queue_full)},
            {"scoreboard", reason(stall_reason::scoreboard)},
            {"stall_count", reason(stall_reason::stall_count)},
            {"drain", reason(stall_reason::drain)}};
}

/// What run_series collected, and the distributions of the latencies: samples per class of `class_cycles` cycles, from
/// 0 on, and how many samples are beyond the histogram's limit.
json::object series_json(const sm_counters& sm, json::object series)
{
    constexpr std::uint64_t classes = 64;
    json::object distributions;
    for (unsigned i = 0; i < program_opcodes; ++i) {
        const auto& latency = sm.latency[i];
        const auto last = std::min<std::uint64_t>(latency.max(), latency_histogram::limit);
        std::uint64_t width = 1;
        while (last / width >= classes) width *= 2;
        json::array counts;
        for (std::uint64_t from = 0; latency.count() != 0 && from <= last; from += width) {
            std::uint64_t samples = 0;
            for (auto cycles = from; cycles < from + width; ++cycles) samples += latency.samples(cycles);
            counts.push_back(samples);
        }
        distributions[opcode_names[i]] = {
            {"class_cycles", width}, {"counts", std::move(counts)}, {"beyond", latency.overflowed()}};
    }
    series["latency"] = std::move(distributions);
    return series;
}

json::object occupancy_json(const figures& f, std::uint64_t cycles)
{
    return {{"isbe_lines_peak", f.pe.lines.peak()},
            {"isbe_lines_mean", f.pe.lines.mean(cycles)},
            {"warps_mean", f.sm.warps.mean(cycles)},
            {"warps_peak", f.sm.warps.peak()}};
}

/// `shared`: cycles that requests waited outside because another client used the port.
json::object port_json(const isbe_timing_counters& port, std::uint64_t shared)
{
    return {{"operations", port.operations},
            {"busy_cycles", port.busy_cycles},
            {"bank_conflict_cycles", port.bank_conflict_cycles},
            {"contention_cycles", port.contention_cycles},
            {"shared_port_cycles", shared},
            {"queue_full_cycles", port.queue_full_cycles},
            {"response_stall_cycles", port.response_stall_cycles}};
}

json::object covers_json(double peak_per_isbe, consumer_rule consumer)
{
    return {{"cycles",
             "Clock cycles from the start of the draw until the PE had streamed out the last vertex and every "
             "access to an ISBE was answered; of a run that was given up, until then. All means and rates "
             "are over these cycles."},
            {"time_ns", "cycles / clock_ghz."},
            {"output", "primitives_in: assembled from the draw; fetched_bytes: vertex data read for them. "
                       "vertices_captured: streamed out, all streams; vertices_written: they are in vertices.csv "
                       "(not with --no-vertices). primitives_out, vertices_out: what left the last "
                       "stage, captured or not. geometry_threads_lost: threads that ended with an invalid state."},
            {"invocations", "Threads launched per stage, all SMs. A vertex that several primitives of a batch share "
                            "counts once per batch."},
            {"instructions", "Warp instructions issued, all SMs: the attribute path by opcode, 'other' is the rest. "
                             "The final OUT that EXIT implies is not an instruction, but an operation of the ISBE."},
            {"latency", "Warp instructions with an active lane and without a trap, from issue at the SM to write-back "
                        "(loads, AL2P, OUT) or to the ISBE's answer (stores); waiting in the SM's attribute queue and "
                        "at the port included. A percentile above 65535 cycles is given as the maximum."},
            {"bandwidth", bandwidth_covers(peak_per_isbe)},
            {"bank_conflicts", conflicts_cover},
            {"stalls", "isbe_full, warp_slot: the PE's oldest waiting warp of a stage found no lines / no slot. "
                       "queue_full: requests waited for a place in a port's queue. port_contention: the other port "
                       "was granted instead, or the shared port was taken. bank_conflict: passes beyond the ideal. "
                       "response: responses waited for their taker. attribute_queue, scoreboard, stall_count, drain: "
                       "scheduler cycles with resident warps and no issue, by reason."},
            {"occupancy", "128-byte ISBE lines allocated and warps resident, averaged over the cycles of the draw; "
                          "all instances together, the peaks too: the most at any one time, which is less than the "
                          "sum of the instances' own peaks when those came at different times."},
            {"series",
             "Of all instances, in bins of bin_cycles from cycle 0, the last of last_bin_cycles. Sums, which add up to "
             "the run's: bytes, passes (of bank_conflicts) and busy_cycles (of the ports: those and the passes of "
             "operations that do not touch the storage), all by the first pass of their operation; stalls, scheduler "
             "cycles; bank_words and bank_excess, by bank: words served, and those beyond the ideal passes of their "
             "component. Means over the cycles of the bin: isbe_lines, warps. first_warps: SM, slot, stage, launch and "
             "completion of the first 512. latency: samples per class; beyond: those above 65535 cycles."},
            {"consumer", consumer == consumer_rule::written
                             ? "Behind the last stage all attributes that it writes are read (pe.consumer), whatever "
                               "is captured: the capture list does not change cycles or traffic."
                             : "Behind the last stage only the captured attributes are read (pe.consumer): cycles and "
                               "traffic depend on the capture list."},
            {"proxies", proxies_cover},
            {"per_instance", "The same figures per SM with its ISBE, and per port of it: counts add up to the totals, "
                             "means too. shared_port_cycles: requests waited because the other client used the one "
                             "port."},
            {"traps", "Warp instructions that raised an error; the warp went on. The first 1024 of each SM; "
                      "trap_count has all."},
            {"host", host_covers},
            {"discarded", discarded_cover}};
}

void append_traps(json::array& all, const sm_counters& sm, unsigned index)
{
    for (const auto& trap : sm.traps) {
        all.push_back(json::object{{"code", trap.code},
                                   {"stage", name_of(trap.stage)},
                                   {"sm", index},
                                   {"warp", trap.warp},
                                   {"lane_mask", hex_text(trap.lanes, 8)},
                                   {"pc", trap.pc},
                                   {"cycle", trap.cycle}});
    }
}

json::object instance_json(const linked_pipeline& pipeline, const figures& f, unsigned index, std::uint64_t cycles,
                           double peak, json::array ports)
{
    return {{"sm", index},
            {"invocations", invocations_json(pipeline, f.pe)},
            {"instructions", instructions_json(f.sm)},
            {"latency", latencies_json(f.sm)},
            {"bandwidth", bandwidth_json(f.isbe, cycles, peak)},
            {"bank_conflicts", conflicts_json(f.isbe)},
            {"discarded", discarded_json(f.isbe)},
            {"stalls", stalls_json(f)},
            {"occupancy", occupancy_json(f, cycles)},
            {"ports", std::move(ports)}};
}

json::object output_json(const pe_draw_counters& draw, const report_facts& facts)
{
    json::object output = {{"primitives_in", draw.primitives_in},
                           {"vertices_captured", facts.rows},
                           {"vertices_written", facts.vertices_written}};
    for (unsigned s = 0; s < draw.vertices_out.size(); ++s) {
        if (s > 0 && draw.vertices_out[s] == 0) continue;
        output["primitives_out_stream_" + std::to_string(s)] = draw.primitives_out[s];
        output["vertices_out_stream_" + std::to_string(s)] = draw.vertices_out[s];
    }
    output["geometry_threads_lost"] = draw.lost_threads;
    output["fetched_bytes"] = draw.fetched_bytes;
    return output;
}

} // namespace

std::optional<lockstep_totals> lockstep_totals_of(const simulated_system& system)
{
    std::optional<lockstep_totals> total;
    for (unsigned i = 0; i < system.sm_count(); ++i) {
        const auto* comparison = system.comparison(i);
        if (comparison == nullptr) continue;
        if (!total) total.emplace();
        total->transactions += comparison->totals().transactions;
        total->data_mismatches += comparison->totals().data_mismatches;
        total->cycle_mismatches += comparison->totals().cycle_mismatches;
        total->max_cycle_error = std::max(total->max_cycle_error, comparison->totals().max_cycle_error);
    }
    return total;
}

std::uint64_t operations_of(simulated_system& system)
{
    std::uint64_t operations = 0;
    for (unsigned i = 0; i < system.sm_count(); ++i)
        for (unsigned p = 0; p < system.config().isbe.ports; ++p) operations += system.isbe(i).timing(p).operations;
    return operations;
}

json::object make_report(simulated_system& system, const run_outcome& outcome, const report_facts& facts)
{
    const auto& config = system.config();
    const auto cycles = outcome.cycles;
    const auto& pipeline = system.pe().pipeline();
    const double peak = 4.0 * columns_of(config.isbe);
    figures total;
    json::array instances, traps;
    for (unsigned i = 0; i < system.sm_count(); ++i) {
        figures one;
        one.sm = system.sm(i).counters();
        one.pe = system.pe().site_counters(i);
        one.isbe = system.counters(i);
        json::array ports;
        for (unsigned p = 0; p < config.isbe.ports; ++p) {
            const auto timing = system.isbe(i).timing(p);
            add(one.ports, timing);
            ports.push_back(port_json(timing, p == 0 ? system.port_wait(i) : 0));
        }
        one.port_wait = system.port_wait(i);
        instances.push_back(instance_json(pipeline, one, i, cycles, peak, std::move(ports)));
        append_traps(traps, one.sm, i);
        if (i == 0) {
            total = one;
        } else {
            total.sm.merge(one.sm);
            total.pe.merge(one.pe);
            add(total.isbe, one.isbe);
            add(total.ports, one.ports);
            total.port_wait += one.port_wait;
        }
    }
    json::object report;
    report["tool"] = {{"name", "isbesim"}, {"version", version_text}, {"seed", facts.seed}};
    report["scenario"] = facts.scenario;
    report["backend"] = facts.backend;
    report["result"] = {{"status", facts.status}, {"text", facts.text}};
    report["cycles"] = cycles;
    report["time_ns"] = system.clock().nanoseconds(cycles);
    report["output"] = output_json(system.pe().draw_counters(), facts);
    report["invocations"] = invocations_json(pipeline, total.pe);
    report["instructions"] = instructions_json(total.sm);
    report["latency"] = latencies_json(total.sm);
    report["bandwidth"] = bandwidth_json(total.isbe, cycles, peak * system.sm_count());
    report["bank_conflicts"] = conflicts_json(total.isbe);
    report["discarded"] = discarded_json(total.isbe);
    report["stalls"] = stalls_json(total);
    auto occupancy = occupancy_json(total, cycles);
    occupancy["isbe_lines_peak"] = facts.lines_peak; // when the instances' own peaks were is not kept
    occupancy["warps_peak"] = facts.warps_peak;
    report["occupancy"] = std::move(occupancy);
    report["proxies"] = proxies_json(total.isbe, config.isbe, system.sm_count(), facts.coefficients);
    report["per_instance"] = std::move(instances);
    if (const auto totals = lockstep_totals_of(system)) report["crosscheck"] = crosscheck_json(*totals);
    report["trap_count"] = total.sm.trap_count;
    report["traps"] = std::move(traps);
    report["warnings"] = warnings_json(facts.warnings);
    report["series"] = series_json(total.sm, facts.series);
    report["covers"] = covers_json(peak, config.pe.consumer);
    report["config"] = config_to_json(config);
    return report;
}

} // namespace isbesim::testbench
