// SPDX-License-Identifier: Apache-2.0
// A TPC (the whole machine unless it is a chip): a PE, sm_count SMs with an ISBE each, and their observers.
//
//   PE ──launch──[checker]──▶ SM i ──[checker]──▶ ISBE i, port 0
//    └───────────────────────────────[checker]──▶ ISBE i, port 1     isbe.ports = 1: both ──▶ port_mux ──▶ port 0
//                     SM i ──▶ memory, one for all
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <systemc>

#include "models/machine_config.h"
#include "models/memory/memory_module.h"
#include "models/pe/front_end/draw.h"
#include "models/pe/pe.h"
#include "models/sm/sm.h"
#include "testbench/rtl/isbe_backend.h"
#include "testbench/system/port_mux.h"
#include "tlm/cause_log.h"
#include "tlm/clock.h"
#include "tlm/protocol_checker.h"

namespace isbesim::testbench {

enum class run_end : std::uint8_t {
    done,
    deadlock, ///< no events are left and the draw is not over
    watchdog, ///< too many cycles, or too many without progress
    failed,   ///< a program cannot continue (it ran off its end, ...)
    mismatch, ///< the RTL beside the model behaved differently
};

struct run_limits {
    std::uint64_t max_cycles = 0; ///< 0: no limit, but see stall_cycles
    /// Without max_cycles: the run is aborted if no warp begins or ends for this number of cycles.
    std::uint64_t stall_cycles = 5'000'000;
};

struct run_outcome {
    run_end end = run_end::done;
    std::uint64_t cycles = 0; ///< from the beginning of the first draw to the end of the last draw, or to the abort
    std::string text;         ///< the end of the run in one line; a mismatch has more lines
    std::string state_dump;   ///< waiting processes and their events, a line each; empty if done

    /// Adds the TPC to the first line of `text`.
    void name_tpc(const std::string& tpc) { text.insert(std::min(text.find('\n'), text.size()), " (TPC " + tpc + ")"); }
};

/// Recording of the critical path of a run (tlm/cause.h): none, by reason and stage, or also step by step, which takes
/// memory for every step.
enum class path_recording : std::uint8_t { off, sums, steps };

/// Cycles at which a run pauses for an observer.
class run_stops {
public:
    static constexpr std::uint64_t never = UINT64_MAX;

    virtual ~run_stops() = default;
    /// The next such cycle; events of earlier cycles have happened by then, its own have not.
    virtual std::uint64_t next() const = 0;
    virtual void reached() = 0;
};

/// The parts of a system. `draw` and `sink` must live until the draw has ended, `wave` must outlive the system.
struct system_parts {
    const machine_config& config;
    const isbe_backend& backend;
    const draw_call& draw;
    vertex_sink& sink;
    bool check_protocol = false;
    waveform* wave = nullptr; ///< shows the ISBE of SM `wave_sm`; may be null
    unsigned wave_sm = 0;
    path_recording path = path_recording::sums; ///< ignored for a loosely timed machine
    sm_timing timing = sm_timing::by_cycle;     ///< by_warp: the back end must respond without waiting, as lt does
    unsigned tpc = 0;                           ///< number on the chip
};

class simulated_system {
public:
    /// Throws draw_error (also batch_too_large) if the draw cannot run on this machine. One system per process,
    /// constructed before the first sc_start.
    explicit simulated_system(const system_parts& parts);
    ~simulated_system();

    /// Adds a draw after the earlier draws (pe::add), of which TPC `tpc` (or undealt) gets its batches; the next run()
    /// runs it. Throws draw_error.
    /// On an idle machine it takes the cycles that it takes on a new one.
    void add(const draw_call& draw, vertex_sink& sink, unsigned tpc = 0);
    /// Observer of draws; must outlive the system.
    void attach(draw_events& listener);

    /// Runs until all draws have ended. The system can only run again after run_end::done. `progress`, if set, is
    /// called occasionally. Exceptions of processes pass through, except for sm_error.
    run_outcome run(const run_limits& limits, const std::function<void()>& progress, run_stops* stops = nullptr);

    const machine_config& config() const { return config_; }
    const cycle_clock& clock() const { return clock_; }
    isbesim::pe& pe() { return *pe_; }
    const isbesim::pe& pe() const { return *pe_; }
    unsigned sm_count() const { return static_cast<unsigned>(sites_.size()); }
    memory_module& memory() { return *memory_; }
    isbesim::sm& sm(unsigned i) { return *sites_[i].sm; }
    isbe_module& isbe(unsigned i) { return *sites_[i].isbe.module; }
    isbe_counters counters(unsigned i) const { return sites_[i].isbe.counters(); }
    /// The comparison of ISBE `i` with its RTL; null unless the back end is lockstep.
    const lockstep* comparison(unsigned i) const { return sites_[i].isbe.comparison.get(); }
    /// Cycles that requests waited for a shared port (isbe.ports = 1).
    std::uint64_t port_wait(unsigned i) const { return port_wait(i, 0) + port_wait(i, 1); }
    /// The same for client 0 (SM) or 1 (PE).
    std::uint64_t port_wait(unsigned i, unsigned client) const;
    /// Critical path of the ended draw; empty if not recorded: only the back ends AT and lockstep report the events
    /// inside an ISBE.
    std::vector<path_part> critical_path() const;
    std::vector<path_segment> critical_path_steps() const;
    /// Descriptions of the violations of all checkers; empty if nothing was checked.
    std::vector<std::string> violations() const;
    std::uint64_t violation_count() const;

private:
    struct site {
        std::unique_ptr<isbesim::sm> sm;
        isbe_instance isbe;
        std::unique_ptr<port_mux> mux;
    };
    class done_watch;
    class draw_switch;

    void connect(tlm::tlm_initiator_socket<>& initiator, tlm::tlm_base_target_socket_b<>& target,
                 const std::string& name, unsigned port);
    std::uint64_t progress_count() const;
    std::string state_dump() const;

    std::unique_ptr<cause_log> causes_; ///< must outlive everything that refers to its events
    machine_config config_;
    cycle_clock clock_;
    bool check_protocol_;
    std::unique_ptr<memory_path> path_; ///< null: memory.model is ideal
    std::vector<site> sites_;
    std::unique_ptr<isbesim::pe> pe_;
    std::unique_ptr<memory_module> memory_;
    std::unique_ptr<done_watch> watch_;
    std::unique_ptr<draw_switch> switch_;
    std::vector<std::unique_ptr<protocol_checker>> checkers_;
};

} // namespace isbesim::testbench
