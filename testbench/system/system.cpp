// SPDX-License-Identifier: Apache-2.0
#include "testbench/system/system.h"

#include <algorithm>

#include "testbench/rtl/rtl_engine.h"
#include "tlm/count_text.h"
#include "tlm/has_process.h"
#include "tlm/process_guard.h"

namespace isbesim::testbench {

namespace {

/// The limits of a run.
class run_watchdog {
public:
    run_watchdog(const run_limits& limits, std::uint64_t begin) : limits_(limits), begin_(begin), progress_cycle_(begin)
    {
    }

    /// Cycles from `now` to the next check.
    std::uint64_t step(std::uint64_t now) const
    {
        constexpr std::uint64_t slice = 100'000;
        return limits_.max_cycles == 0 ? slice : std::min(slice, limits_.max_cycles - (now - begin_));
    }

    /// The reason to abort the run; empty while it may continue. `progress` changes when a warp begins or ends.
    std::string check(std::uint64_t now, std::uint64_t progress)
    {
        if (limits_.max_cycles != 0) {
            if (now - begin_ < limits_.max_cycles) return {};
            return "watchdog: the draw is not over after " + std::to_string(limits_.max_cycles) + " cycles";
        }
        if (progress != progress_) {
            progress_ = progress;
            progress_cycle_ = now;
        }
        if (now - progress_cycle_ < limits_.stall_cycles) return {};
        return "watchdog: no warp has begun or ended for " + std::to_string(limits_.stall_cycles) +
               " cycles (--max-cycles N waits longer)";
    }

private:
    run_limits limits_;
    std::uint64_t begin_;
    std::uint64_t progress_ = 0;
    std::uint64_t progress_cycle_; ///< of the last progress
};

} // namespace

/// Ends sc_start in the cycle in which the PE is done.
class simulated_system::done_watch : public sc_core::sc_module {
public:
    done_watch(const sc_core::sc_module_name& name, const isbesim::pe& pe) : sc_core::sc_module(name)
    {
        ISBESIM_HAS_PROCESS(done_watch);
        SC_METHOD(pause);
        sensitive << pe.done_event();
        dont_initialize();
    }

private:
    void pause()
    {
        guard_process([] { sc_core::sc_pause(); });
    }
};

/// Connects each draw with its memory. A draw that accesses memory is alone on the machine (models/pe/draw_run.h).
class simulated_system::draw_switch : public draw_events {
public:
    explicit draw_switch(memory_module& memory) : memory_(memory) {}

    void draw_begins(const draw_call& draw) override
    {
        memory_.replace(draw.memory.get());
        if (listener != nullptr) listener->draw_begins(draw);
    }
    void draw_ended(const draw_run& run) override
    {
        if (ended++ == 0) first_begin = run.begin;
        if (listener != nullptr) listener->draw_ended(run);
    }

    draw_events* listener = nullptr;
    std::uint64_t ended = 0;       ///< draws of this run
    std::uint64_t first_begin = 0; ///< cycle

private:
    memory_module& memory_;
};

simulated_system::simulated_system(const system_parts& parts)
    : config_(parts.config),
      clock_(cycle_clock::from_ghz(parts.config.clock_ghz)),
      check_protocol_(parts.check_protocol)
{
    const auto loosely = parts.timing == sm_timing::by_warp;
    const auto style = loosely ? warp_initiator::style::decoupled : parts.backend.style;
    pe_ = std::make_unique<isbesim::pe>("pe", pe_parts{config_, clock_, style, parts.draw, parts.sink, parts.tpc});
    memory_ = std::make_unique<memory_module>("memory", parts.draw.memory.get(), clock_.time(config_.memory.latency));
    if (config_.memory.model == memory_rule::hierarchy) {
        path_ = std::make_unique<memory_path>(config_);
        pe_->attach(*path_);
    }
    switch_ = std::make_unique<draw_switch>(*memory_);
    pe_->attach(*switch_);
    watch_ = std::make_unique<done_watch>("done_watch", *pe_);
    for (unsigned i = 0; i < config_.sm_count; ++i) {
        const auto number = std::to_string(i);
        site s;
        s.sm = std::make_unique<isbesim::sm>(("sm" + number).c_str(), config_.sm, clock_, parts.backend.style,
                                             parts.timing);
        s.sm->memory.bind(memory_->socket);
        s.isbe = parts.backend.make(("isbe" + number).c_str(), config_.isbe, clock_, require_rtl_block,
                                    i == parts.wave_sm ? parts.wave : nullptr);
        connect(pe_->launch_socket(i), s.sm->launch, "launch" + number, 0);
        auto& ports = s.isbe.module->ports;
        if (config_.isbe.ports == 1) {
            s.mux = std::make_unique<port_mux>(("mux" + number).c_str(), clock_);
            connect(s.sm->isbe, s.mux->from[0], "sm" + number, 0);
            connect(pe_->isbe_socket(i), s.mux->from[1], "pe" + number, 0);
            connect(s.mux->to, ports[0], "port" + number, 0);
        } else {
            connect(s.sm->isbe, ports[0], "sm" + number, 0);
            connect(pe_->isbe_socket(i), ports[1], "pe" + number, 1);
        }
        if (path_) s.sm->attach(*path_, i);
        sites_.push_back(std::move(s));
    }
    if (parts.path != path_recording::off && sites_[0].isbe.module->tells_causes()) {
        causes_ = std::make_unique<cause_log>(parts.path == path_recording::steps);
        pe_->record(causes_->start(0));
    }
}

simulated_system::~simulated_system() = default;

void simulated_system::add(const draw_call& draw, vertex_sink& sink, unsigned tpc)
{
    const bool is_idle = pe_->done();
    pe_->add(draw, sink, tpc);
    for (auto& each : sites_)
        if (is_idle) each.sm->rewind();
}

void simulated_system::attach(draw_events& listener)
{
    switch_->listener = &listener;
}

void simulated_system::connect(tlm::tlm_initiator_socket<>& initiator, tlm::tlm_base_target_socket_b<>& target,
                               const std::string& name, unsigned port)
{
    if (!check_protocol_) {
        initiator.bind(target);
        return;
    }
    checkers_.push_back(std::make_unique<protocol_checker>(("checker_" + name).c_str(), clock_, port));
    initiator.bind(checkers_.back()->target);
    checkers_.back()->initiator.bind(target);
}

std::uint64_t simulated_system::progress_count() const
{
    std::uint64_t count = 0;
    for (unsigned i = 0; i < pe_->sites(); ++i) {
        for (const auto warps : pe_->site_counters(i).warps) count += warps;
    }
    for (const auto vertices : pe_->draw_counters().vertices_out) count += vertices;
    return count;
}

std::string simulated_system::state_dump() const
{
    std::string text = pe_->state_dump();
    for (unsigned i = 0; i < sites_.size(); ++i) {
        const auto lines = sites_[i].sm->state_dump();
        if (lines.empty()) continue;
        if (!text.empty() && text.back() != '\n') text += '\n';
        text += (sites_.size() > 1 ? "sm" + std::to_string(i) + ":\n" : "") + lines;
    }
    return text;
}

run_outcome simulated_system::run(const run_limits& limits, const std::function<void()>& progress, run_stops* stops)
{
    run_outcome outcome;
    const auto begin = clock_.now();
    run_watchdog watchdog(limits, begin);
    switch_->ended = 0;
    const auto give_up = [&](run_end end, const std::string& text) {
        outcome.end = end;
        outcome.cycles = clock_.now() - begin;
        outcome.text = text;
        outcome.state_dump = state_dump();
        pe_->settle();
        return outcome;
    };
    const auto differing = [&]() -> const lockstep* {
        for (const auto& s : sites_)
            if (s.isbe.comparison && s.isbe.comparison->failed()) return s.isbe.comparison.get();
        return nullptr;
    };
    while (!pe_->done()) {
        const auto now = clock_.now();
        const auto stop = stops == nullptr ? run_stops::never : stops->next();
        // Runs to the end of the step even without events, because the limits also count idle cycles.
        try {
            start_simulation(clock_.time(std::min(watchdog.step(now), stop - now)));
            for (const auto& s : sites_) s.isbe.catch_up();
        } catch (const sm_error& error) {
            return give_up(run_end::failed, error.what());
        } catch (const rtl_failure& error) {
            return give_up(run_end::mismatch, error.what());
        }
        if (const auto* comparison = differing()) return give_up(run_end::mismatch, comparison->mismatch_report());
        if (pe_->done()) break;
        if (clock_.now() == stop) stops->reached();
        if (!sc_core::sc_pending_activity()) {
            return give_up(run_end::deadlock, "deadlock before cycle " + std::to_string(clock_.now()) +
                                                  ": nothing is left to happen and the draw is not over");
        }
        if (const auto text = watchdog.check(clock_.now(), progress_count()); !text.empty())
            return give_up(run_end::watchdog, text);
        if (progress) progress();
    }
    for (const auto& s : sites_)
        if (s.isbe.comparison) s.isbe.comparison->finish();
    if (const auto* comparison = differing()) return give_up(run_end::mismatch, comparison->mismatch_report());
    outcome.cycles = pe_->done_cycle() - switch_->first_begin;
    outcome.text = "done in " + count_text(outcome.cycles, "cycle");
    return outcome;
}

std::uint64_t simulated_system::port_wait(unsigned i, unsigned client) const
{
    const auto& mux = sites_[i].mux;
    return mux ? mux->waited_cycles(client) : 0;
}

std::vector<path_part> simulated_system::critical_path() const
{
    return causes_ ? causes_->path_to(pe_->end()) : std::vector<path_part>();
}

std::vector<path_segment> simulated_system::critical_path_steps() const
{
    return causes_ ? causes_->segments_to(pe_->end()) : std::vector<path_segment>();
}

std::vector<std::string> simulated_system::violations() const
{
    std::vector<std::string> texts;
    for (const auto& checker : checkers_) {
        for (const auto& violation : checker->violations()) {
            texts.push_back(std::string(checker->basename()) + ": " + violation.describe());
        }
    }
    return texts;
}

std::uint64_t simulated_system::violation_count() const
{
    std::uint64_t count = 0;
    for (const auto& checker : checkers_) count += checker->violation_count();
    return count;
}

} // namespace isbesim::testbench
