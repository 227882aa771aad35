// SPDX-License-Identifier: Apache-2.0
#include "testbench/analysis/run_timeline.h"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <stdexcept>

#include "models/isbe/functional/lanes.h"
#include "models/isbe/functional/names.h"
#include "testbench/files/write_error.h"
#include "testbench/report/critical_path.h"

namespace isbesim::testbench {

void counter_track::add(std::uint64_t cycle, std::int64_t amount)
{
    if (amount == 0) return;
    changes_[std::max(cycle, shown_to_)] += amount;
    latest_ = std::max(latest_, cycle);
    // Occasionally, not with every change: looking at the front of the map each time would cost as much as the map.
    if (latest_ >= shown_to_ + 2 * horizon) flush(latest_ - horizon);
}

void counter_track::flush(std::uint64_t end)
{
    auto change = changes_.begin();
    for (; change != changes_.end() && change->first < end; ++change) {
        const auto& [cycle, amount] = *change;
        if (!begun_ && cycle >= window_.first) {
            begun_ = true;
            if (level_ != 0 && cycle > window_.first) show_(window_.first, level_);
        }
        level_ += amount;
        if (amount != 0 && window_.contains(cycle)) show_(cycle, level_);
    }
    changes_.erase(changes_.begin(), change);
    shown_to_ = end;
}

namespace {

constexpr std::array<const char*, 2> request_titles = {"request queue of port 0", "request queue of port 1"};

enum other : std::size_t { attribute_queue, bytes_read, bytes_written };

constexpr std::size_t buffer_bytes = 1U << 18;
constexpr unsigned draw_process = 0;
constexpr unsigned pe_process = 1;

// Threads of a process, in the order in which they are shown.
constexpr unsigned pe_fetch = 0;
constexpr unsigned pe_stage = 1; // + stage
constexpr unsigned pe_output = 20;
constexpr unsigned sm_attribute_unit = 0;
constexpr unsigned sm_scheduler = 1; // + scheduler
constexpr unsigned sm_slot = 100;    // + slot
constexpr unsigned isbe_banks = 0;
constexpr unsigned isbe_request = 1;  // + 3 * port
constexpr unsigned isbe_queue = 2;    // + 3 * port
constexpr unsigned isbe_response = 3; // + 3 * port

} // namespace

timeline_counters::timeline_counters(const machine_config& config, unsigned sms, const cycle_window& window,
                                     output show)
    : window_(window), show_(std::move(show))
{
    for (unsigned sm = 0; sm < sms; ++sm) {
        auto& here = sites_.emplace_back();
        here.levels = {track(true, sm, "lines in use"), track(false, sm, "resident warps")};
        for (unsigned port = 0; port < config.isbe.ports; ++port)
            here.requests.push_back(track(true, sm, request_titles[port]));
        here.others = {track(false, sm, "attribute queue"),
                       track(true, sm, "bytes read per cycle", 1.0 / bandwidth_bin),
                       track(true, sm, "bytes written per cycle", 1.0 / bandwidth_bin)};
    }
}

counter_track timeline_counters::track(bool is_isbe, unsigned sm, const char* title, double scale)
{
    return {window_, [this, is_isbe, sm, title, scale](std::uint64_t cycle, std::int64_t level) {
                show_(is_isbe, sm, title, cycle, static_cast<double>(level) * scale);
            }};
}

void timeline_counters::level(const level_event& event)
{
    sites_[event.sm].levels[static_cast<std::size_t>(event.kind)].add(event.cycle, event.change);
}

void timeline_counters::transaction(const transaction_event& event)
{
    auto& here = sites_[event.sm];
    const auto stay = [](counter_track& queue, std::uint64_t begin, std::uint64_t end) {
        if (begin == no_value || begin >= end) return;
        queue.add(begin, 1);
        if (end != no_value) queue.add(end, -1);
    };
    if (event.warp != no_value) stay(here.others[attribute_queue], event.issued, event.accept);
    if (event.accept != no_value) stay(here.requests[event.port], event.accept, event.grant);
    if (event.grant == no_value) return;
    // A bin shows the mean over its cycles; an operation counts in each bin in proportion to its passes there.
    const auto passes = std::max<std::uint64_t>(event.footprint.passes, 1);
    for (std::uint64_t begin = 0; begin < passes;) {
        const auto bin = (event.grant + begin) / bandwidth_bin * bandwidth_bin;
        const auto end = std::min(passes, bin + bandwidth_bin - event.grant);
        for (auto [bytes, to] : {std::pair{event.footprint.bytes_read, &here.others[bytes_read]},
                                 std::pair{event.footprint.bytes_written, &here.others[bytes_written]}}) {
            const auto part = static_cast<std::int64_t>(bytes * end / passes - bytes * begin / passes);
            if (part == 0) continue;
            to->add(bin, part);
            to->add(bin + bandwidth_bin, -part);
        }
        begin = end;
    }
}

void timeline_counters::finish()
{
    for (auto& here : sites_)
        for (auto* tracks : {&here.levels, &here.requests, &here.others})
            for (auto& each : *tracks) each.finish();
}

run_timeline::run_timeline(const std::string& path, const machine_config& config, bool with_sm, bool exclusive,
                           const cycle_window& window)
    : path_(path),
      file_(path),
      config_(config),
      exclusive_(exclusive),
      window_(window),
      counters_(config, with_sm ? config.sm_count : 1, window,
                [this](bool is_isbe, unsigned sm, const char* title, std::uint64_t cycle, double value) {
                    counter(is_isbe ? isbe_process(sm) : sm_process(sm), title, cycle, value);
                })
{
    if (!file_.open()) throw std::runtime_error("the timeline '" + path + "' can't be written");
    buffer_.reserve(buffer_bytes + 1024);
    put("[");
    if (with_sm) {
        name_process(pe_process, "PE");
        name_thread({pe_process, pe_fetch}, "batch fetch");
        for (unsigned s = 1; s < stage_count; ++s)
            name_thread({pe_process, pe_stage + s}, std::string(stage_names[s]) + " spaces");
        name_thread({pe_process, pe_output}, "stream out");
    }
    for (unsigned sm = 0; sm < (with_sm ? config.sm_count : 1); ++sm) {
        if (with_sm) name_sm(sm);
        name_isbe(sm);
    }
}

void run_timeline::name_sm(unsigned sm)
{
    const auto process = sm_process(sm);
    name_process(process, "SM " + std::to_string(sm));
    name_thread({process, sm_attribute_unit}, "attribute unit");
    for (unsigned s = 0; s < config_.sm.schedulers; ++s)
        name_thread({process, sm_scheduler + s}, "scheduler " + std::to_string(s) + " stalls");
    for (unsigned w = 0; w < config_.sm.warps; ++w)
        name_thread({process, sm_slot + w}, "warp slot " + std::to_string(w));
}

void run_timeline::name_isbe(unsigned sm)
{
    const auto process = isbe_process(sm);
    name_process(process, "ISBE " + std::to_string(sm));
    name_thread({process, isbe_banks}, "bank passes");
    for (unsigned p = 0; p < config_.isbe.ports; ++p) {
        const auto port = "port " + std::to_string(p);
        name_thread({process, isbe_request + 3 * p}, port + " request");
        name_thread({process, isbe_queue + 3 * p}, port + " queue");
        name_thread({process, isbe_response + 3 * p}, port + " response");
    }
}

// ---- the format -----------------------------------------------------------------------------------------------------

void run_timeline::put(const char* format, ...)
{
    char text[512];
    std::va_list arguments;
    va_start(arguments, format);
    const int length = std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    buffer_.append(text, std::min(static_cast<std::size_t>(length), sizeof text - 1));
    if (buffer_.size() >= buffer_bytes) flush();
}

void run_timeline::flush()
{
    file_.write(buffer_.data(), buffer_.size());
    buffer_.clear();
    if (!file_.good()) throw write_error::incomplete("the timeline '" + path_ + "'");
}

void run_timeline::begin_event()
{
    put(first_ ? "\n" : ",\n");
    first_ = false;
}

void run_timeline::name_process(unsigned process, const std::string& name)
{
    begin_event();
    put(R"({"ph":"M","name":"process_name","pid":%u,"args":{"name":"%s"}})", process, name.c_str());
    processes_.push_back(process);
    begin_event();
    put(R"({"ph":"M","name":"process_sort_index","pid":%u,"args":{"sort_index":%u}})", process, process);
}

void run_timeline::name_thread(track where, const std::string& name)
{
    begin_event();
    put(R"({"ph":"M","name":"thread_name","pid":%u,"tid":%u,"args":{"name":"%s"}})", where.process, where.thread,
        name.c_str());
    begin_event();
    put(R"({"ph":"M","name":"thread_sort_index","pid":%u,"tid":%u,"args":{"sort_index":%u}})", where.process,
        where.thread, where.thread);
}

void run_timeline::counter(unsigned process, const char* name, std::uint64_t cycle, double value)
{
    begin_event();
    put(R"({"ph":"C","name":"%s","pid":%u,"ts":%llu,"args":{"value":%.10g}})", name, process,
        static_cast<unsigned long long>(cycle), value);
}

void run_timeline::complete(track where, const char* name, std::uint64_t begin, std::uint64_t end,
                            const char* arguments)
{
    if (!window_.overlaps(begin, end)) return;
    begin_event();
    put(R"({"ph":"X","name":"%s","pid":%u,"tid":%u,"ts":%llu,"dur":%llu,"args":{%s}})", name, where.process,
        where.thread, static_cast<unsigned long long>(begin), static_cast<unsigned long long>(end - begin), arguments);
}

void run_timeline::overlapping(track where, const char* category, const char* name, std::uint64_t begin,
                               std::uint64_t end, const char* arguments)
{
    if (!window_.overlaps(begin, end)) return;
    const auto id = static_cast<unsigned long long>(next_id_++);
    begin_event();
    put(R"({"ph":"b","cat":"%s","name":"%s","id":"%llu","pid":%u,"tid":%u,"ts":%llu,"args":{%s}})", category, name, id,
        where.process, where.thread, static_cast<unsigned long long>(begin), arguments);
    begin_event();
    put(R"({"ph":"e","cat":"%s","name":"%s","id":"%llu","pid":%u,"tid":%u,"ts":%llu})", category, name, id,
        where.process, where.thread, static_cast<unsigned long long>(end));
}

void run_timeline::instant(track where, const char* name, std::uint64_t when, const char* arguments)
{
    if (!window_.contains(when)) return;
    begin_event();
    put(R"({"ph":"i","s":"t","name":"%s","pid":%u,"tid":%u,"ts":%llu,"args":{%s}})", name, where.process, where.thread,
        static_cast<unsigned long long>(when), arguments);
}

/// Activities that never ended are drawn up to the last cycle of any event.
std::uint64_t run_timeline::end_of(std::uint64_t cycle)
{
    if (cycle == no_value) return last_cycle_;
    last_cycle_ = std::max(last_cycle_, cycle);
    return cycle;
}

void run_timeline::path(const std::vector<path_segment>& steps)
{
    constexpr track where{draw_process, 0};
    if (steps.empty()) return;
    name_process(draw_process, "draw");
    name_thread(where, "critical path");
    for (const auto& step : steps) {
        if (step.from == step.to) continue;
        const auto text = "\"stage\":\"" + place_name(step.place) + "\"";
        complete(where, name_of(step.reason), step.from, step.to, text.c_str());
    }
}

// ---- the events -----------------------------------------------------------------------------------------------------

void run_timeline::transaction(const transaction_event& event)
{
    counters_.transaction(event);
    const char* name = name_of(event.op);
    const auto process = isbe_process(event.sm);
    const auto port = 3 * event.port;
    char arguments[160];
    std::snprintf(arguments, sizeof arguments, R"("address":%lld,"size":%u,"lanes":%u,"context":%u,"passes":%u)",
                  static_cast<long long>(event.address), event.size, lane_count(event.lanes), event.context,
                  event.passes);
    end_of(event.begin);
    const auto accepted = end_of(event.accept);
    // A channel is busy up to and including the cycle of the transfer.
    complete({process, isbe_request + port}, name, event.begin, std::max(accepted, event.begin) + 1, arguments);
    if (event.accept != no_value) {
        const auto granted = std::max(end_of(event.grant), event.accept);
        overlapping({process, isbe_queue + port}, "queue", name, event.accept, granted, arguments);
    }
    if (event.grant != no_value) {
        const track banks{process, isbe_banks};
        if (exclusive_)
            complete(banks, name, event.grant, event.grant + event.passes, arguments);
        else
            overlapping(banks, "banks", name, event.grant, event.grant + event.passes, arguments);
    }
    if (event.response != no_value && (event.end != no_value || !exclusive_)) {
        const auto taken = event.end != no_value ? end_of(event.end) : end_of(event.response);
        if (exclusive_)
            complete({process, isbe_response + port}, name, event.response, taken + 1, arguments);
        else
            instant({process, isbe_response + port}, name, event.response, arguments);
    }
    if (event.warp == no_value) return;
    std::snprintf(arguments, sizeof arguments, R"("warp":%llu,"pc":%u,"error":%u,"instruction":%s)",
                  static_cast<unsigned long long>(event.warp), event.pc, static_cast<unsigned>(event.error),
                  event.instruction ? "true" : "false");
    overlapping({sm_process(event.sm), sm_attribute_unit}, "attribute", name, event.issued, end_of(event.written),
                arguments);
}

void run_timeline::warp(const warp_event& event)
{
    char arguments[250];
    std::snprintf(arguments, sizeof arguments,
                  R"("warp":%llu,"threads":%u,"stall_count_cycles":%llu,"scoreboard_cycles":%llu,"pipe_cycles":%llu,)"
                  R"("issue_cycles":%llu)",
                  static_cast<unsigned long long>(event.number), lane_count(event.lanes),
                  static_cast<unsigned long long>(event.stall_count_cycles),
                  static_cast<unsigned long long>(event.scoreboard_cycles),
                  static_cast<unsigned long long>(event.pipe_cycles),
                  static_cast<unsigned long long>(event.issue_cycles));
    const auto end = std::max(end_of(event.completed), event.launched);
    complete({sm_process(event.sm), sm_slot + event.slot}, name_of(event.stage), event.launched, end, arguments);
}

void run_timeline::space(const space_event& event)
{
    char arguments[100];
    std::snprintf(arguments, sizeof arguments, R"("sm":%u,"first_line":%u,"lines":%u)", event.sm, event.lines.first,
                  event.lines.count);
    const auto end = std::max(end_of(event.released), event.allocated);
    overlapping({pe_process, pe_stage + static_cast<unsigned>(event.stage)}, "space",
                event.role == space::input ? "input" : "output", event.allocated, end, arguments);
}

void run_timeline::stall(const stall_event& event)
{
    complete({sm_process(event.sm), sm_scheduler + event.scheduler}, name_of(event.reason), event.first,
             end_of(event.first + event.cycles), "");
}

void run_timeline::trap(const trap_event& event)
{
    char arguments[100];
    std::snprintf(arguments, sizeof arguments, R"("code":%u,"pc":%u,"lanes":%u)", event.trap.code, event.trap.pc,
                  event.trap.lanes);
    instant({sm_process(event.sm), sm_slot + event.trap.warp}, "trap", event.trap.cycle, arguments);
}

void run_timeline::batch(const batch_event& event)
{
    char arguments[100];
    std::snprintf(arguments, sizeof arguments, R"("batch":%llu,"vertices":%u,"primitives":%u,"bytes":%llu)",
                  static_cast<unsigned long long>(event.number), event.vertices, event.primitives,
                  static_cast<unsigned long long>(event.bytes));
    complete({pe_process, pe_fetch}, "fetch", event.begin, end_of(event.end), arguments);
}

void run_timeline::output(const output_event& event)
{
    char arguments[100];
    std::snprintf(arguments, sizeof arguments, R"("stream":%u,"first_primitive":%llu,"primitives":%llu)", event.stream,
                  static_cast<unsigned long long>(event.first), static_cast<unsigned long long>(event.primitives));
    instant({pe_process, pe_output}, "stream out", event.cycle, arguments);
}

void run_timeline::finish(bool estimated)
{
    counters_.finish();
    for (const auto process : processes_) {
        begin_event();
        put(R"({"ph":"M","name":"process_labels","pid":%u,"args":{"labels":"1 us = 1 clock cycle%s"}})", process,
            estimated ? " (estimate)" : "");
    }
    put("\n]\n");
    flush();
    if (!file_.finish()) throw write_error::incomplete("the timeline '" + path_ + "'");
}

} // namespace isbesim::testbench
