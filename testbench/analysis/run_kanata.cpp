// SPDX-License-Identifier: Apache-2.0
#include "testbench/analysis/run_kanata.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <stdexcept>

#include "models/isbe/functional/lanes.h"
#include "models/isbe/functional/names.h"
#include "testbench/files/write_error.h"

namespace isbesim::testbench {

namespace {

constexpr std::size_t kanata_buffer_bytes = 1U << 18;
constexpr unsigned instructions_between = 64;

/// Adds a phase and drops the previous one if it takes no cycle.
void put(std::vector<std::pair<std::uint64_t, const char*>>& all, std::uint64_t cycle, const char* name)
{
    if (!all.empty() && all.back().first == cycle) all.pop_back();
    all.emplace_back(cycle, name);
}

} // namespace

run_kanata::run_kanata(const std::string& path, const machine_config& config, const cycle_window& window,
                       program_text text)
    : path_(path), file_(path), config_(config), window_(window), text_(std::move(text))
{
    if (!file_.open()) throw std::runtime_error("the pipeline log '" + path + "' can't be written");
    buffer_ = "Kanata\t0004\n";
}

void run_kanata::launched(const warp_event& event)
{
    warps_[event.number].next = event.launched + 1;
}

void run_kanata::instruction(const instruction_event& event)
{
    last_ = std::max(last_, event.issued);
    auto& warp = warps_[event.warp];
    warp.next = event.issued + 1;
    shown one{event, {}, 0};
    std::vector<std::pair<std::uint64_t, const char*>> phases;
    put(phases, event.first, "Sc");
    put(phases, event.stall_until, "Sb");
    put(phases, event.scoreboard_until, "Wp");
    put(phases, event.pipe_until, "Ws");
    put(phases, event.issued, event.ready == no_value ? "Aq" : "X");
    for (const auto& [cycle, name] : phases) one.phases.push_back({cycle, name});
    if (event.ready == no_value) {
        warp.waiting.emplace(event.issued, std::move(one));
    } else {
        one.end = event.ready;
        complete(std::move(one));
    }
    if (++since_advance_ >= instructions_between) advance();
}

void run_kanata::transaction(const transaction_event& event)
{
    if (event.warp == no_value || !event.instruction) return;
    const auto warp = warps_.find(event.warp);
    if (warp == warps_.end()) return;
    const auto found = warp->second.waiting.find(event.issued);
    if (found == warp->second.waiting.end()) return;
    auto one = std::move(found->second);
    warp->second.waiting.erase(found);
    // Phases: the attribute queue from the issue on, the port, its queue, the pass engine, the way back.
    std::vector<std::pair<std::uint64_t, const char*>> phases;
    put(phases, event.issued, "Aq");
    const auto known = [&](std::uint64_t cycle, const char* name) {
        if (cycle != no_value && cycle >= phases.back().first) put(phases, cycle, name);
    };
    known(event.begin, "Rq");
    known(event.accept, "Pq");
    known(event.grant, "Ps");
    if (event.grant != no_value) known(event.grant + event.passes, "Lt");
    known(event.response, "Wb");
    one.phases.pop_back(); // the queue, which `phases` also has
    for (const auto& [cycle, name] : phases) one.phases.push_back({cycle, name});
    one.end = std::max(phases.back().first + 1, event.written == no_value ? 0 : event.written + 1);
    complete(std::move(one));
    if (warp->second.ended && warp->second.waiting.empty()) warps_.erase(warp);
}

void run_kanata::warp(const warp_event& event)
{
    const auto found = warps_.find(event.number);
    if (found == warps_.end()) return;
    // The END_RESP of its last response may still be due.
    found->second.ended = true;
    found->second.next = std::numeric_limits<std::uint64_t>::max();
    if (found->second.waiting.empty()) warps_.erase(found);
}

void run_kanata::complete(shown&& one)
{
    last_ = std::max(last_, one.end);
    if (!window_.overlaps(one.event.first, one.end)) return;
    const auto first = one.event.first;
    ready_.emplace(first, std::move(one));
}

void run_kanata::advance()
{
    since_advance_ = 0;
    std::uint64_t safe = std::numeric_limits<std::uint64_t>::max();
    for (const auto& [number, warp] : warps_) {
        safe = std::min(safe, warp.next);
        for (const auto& [issued, one] : warp.waiting) safe = std::min(safe, one.event.first);
    }
    // Without warps the next one may come in this cycle.
    if (warps_.empty()) safe = last_ == 0 ? 0 : std::min(safe, cycle_);
    while (!ready_.empty() && ready_.begin()->first < safe) {
        number(std::move(ready_.begin()->second));
        ready_.erase(ready_.begin());
    }
    while (!commands_.empty() && commands_.top().cycle < safe) {
        write(commands_.top());
        commands_.pop();
    }
}

void run_kanata::add(std::uint64_t cycle, std::string text)
{
    commands_.push({cycle, orders_++, std::move(text)});
}

/// Assigns the instruction its number: no instruction that begins earlier is missing.
void run_kanata::number(shown&& one)
{
    const auto id = std::to_string(numbered_);
    const auto& event = one.event;
    char label[160];
    std::snprintf(label, sizeof label, "%llu %s %04x: ", static_cast<unsigned long long>(event.warp),
                  name_of(event.stage), event.pc);
    char detail[160];
    std::snprintf(detail, sizeof detail, "SM %u, warp slot %u, launch %llu, issued in cycle %llu", event.sm, event.slot,
                  static_cast<unsigned long long>(event.warp), static_cast<unsigned long long>(event.issued));
    const auto thread = event.sm * config_.sm.warps + event.slot;
    add(event.first, "I\t" + id + "\t" + id + "\t" + std::to_string(thread) + "\n" + "L\t" + id + "\t0\t" + label +
                         text_(event.stage, event.pc) + "\n" + "L\t" + id + "\t1\t" + detail + "\n");
    for (const auto& each : one.phases) add(each.cycle, "S\t" + id + "\t0\t" + each.name + "\n");
    add(one.end, "E\t" + id + "\t0\t" + one.phases.back().name + "\nR\t" + id + "\t" + id + "\t0\n");
    ++numbered_;
}

void run_kanata::write(const command& one)
{
    if (!begun_) {
        buffer_ += "C=\t" + std::to_string(one.cycle) + "\n";
        begun_ = true;
    } else if (one.cycle > cycle_) {
        buffer_ += "C\t" + std::to_string(one.cycle - cycle_) + "\n";
    }
    cycle_ = one.cycle;
    buffer_ += one.text;
    if (buffer_.size() >= kanata_buffer_bytes) flush();
}

void run_kanata::flush()
{
    file_.write(buffer_.data(), buffer_.size());
    buffer_.clear();
    if (!file_.good()) throw write_error::incomplete("the pipeline log '" + path_ + "'");
}

void run_kanata::finish()
{
    for (auto& [number, warp] : warps_) {
        for (auto& [issued, one] : warp.waiting) {
            one.end = last_ + 1;
            complete(std::move(one));
        }
    }
    for (auto& [first, one] : ready_) number(std::move(one));
    ready_.clear();
    for (; !commands_.empty(); commands_.pop()) write(commands_.top());
    flush();
    if (!file_.finish()) throw write_error::incomplete("the pipeline log '" + path_ + "'");
}

} // namespace isbesim::testbench
