// SPDX-License-Identifier: Apache-2.0
// A run as a Trace Event file (--timeline), which Perfetto and chrome://tracing draw: every component over time.
//
// The format is the JSON array of Google's "Trace Event Format". Its unit is the microsecond; here 1 us is a clock
// cycle. Tracks with one activity at a time use complete events (X); tracks with overlapping activities use pairs of
// asynchronous events (b, e).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/machine_config.h"
#include "testbench/analysis/run_events.h"
#include "testbench/files/whole_file.h"
#include "testbench/report/cycle_window.h"
#include "tlm/cause_log.h"

namespace isbesim::testbench {

/// One level over time, as a list of changes in order.
///
/// A change may be reported up to `horizon` cycles after the latest one, because records come when an operation ends;
/// the track sorts them. A change that is reported later counts from the horizon on, so memory stays flat.
class counter_track {
public:
    static constexpr std::uint64_t horizon = 1U << 14; ///< cycles

    using output = std::function<void(std::uint64_t cycle, std::int64_t level)>;
    /// `show` gets every cycle with a new level inside the window, and the level at its beginning if that is not 0.
    counter_track(const cycle_window& window, output show) : window_(window), show_(std::move(show)) {}

    /// The level changes in `cycle`.
    void add(std::uint64_t cycle, std::int64_t amount);
    /// Writes the pending value.
    void finish() { flush(UINT64_MAX); }

private:
    /// Shows the changes before `end`, which are final.
    void flush(std::uint64_t end);

    cycle_window window_;
    output show_;
    std::map<std::uint64_t, std::int64_t> changes_; ///< not shown yet
    std::uint64_t shown_to_ = 0;                    ///< changes before this cycle are final
    std::uint64_t latest_ = 0;
    std::int64_t level_ = 0;
    bool begun_ = false;
};

/// The counter tracks of --timeline: the resources in use, over time.
class timeline_counters {
public:
    /// A value of a track of an SM or of its ISBE.
    using output = std::function<void(bool is_isbe, unsigned sm, const char* title, std::uint64_t cycle, double value)>;
    timeline_counters(const machine_config& config, unsigned sms, const cycle_window& window, output show);

    void level(const level_event& event);
    void transaction(const transaction_event& event);
    void finish();

private:
    static constexpr std::uint64_t bandwidth_bin = 16; ///< cycles over which bytes are averaged

    struct site {
        std::vector<counter_track> levels;   ///< by level_kind
        std::vector<counter_track> requests; ///< by port
        std::vector<counter_track> others;   ///< attribute queue, bytes read, bytes written
    };
    counter_track track(bool is_isbe, unsigned sm, const char* title, double scale = 1);

    cycle_window window_;
    output show_;
    std::vector<site> sites_;
};

class run_timeline : public run_listener {
public:
    /// Throws std::runtime_error if the file cannot be written. `with_sm`: there are SMs and a PE, not just an ISBE
    /// that replays a trace. `exclusive`: an ISBE's banks serve one operation at a time; loosely timed, they may not.
    run_timeline(const std::string& path, const machine_config& config, bool with_sm, bool exclusive,
                 const cycle_window& window);
    /// Closes the list; throws std::runtime_error if something could not be written. `estimated`: the cycles are an
    /// estimate.
    void finish(bool estimated);

    /// The track of the draw's critical path, without steps that take no cycle.
    void path(const std::vector<path_segment>& steps);

    void transaction(const transaction_event& event) override;
    void warp(const warp_event& event) override;
    void space(const space_event& event) override;
    void stall(const stall_event& event) override;
    void trap(const trap_event& event) override;
    void batch(const batch_event& event) override;
    void output(const output_event& event) override;
    void level(const level_event& event) override { counters_.level(event); }

private:
    /// Process and thread of the format.
    struct track {
        unsigned process = 0;
        unsigned thread = 0;
    };
    void name_process(unsigned process, const std::string& name);
    void name_thread(track where, const std::string& name);
    void name_sm(unsigned sm);
    void name_isbe(unsigned sm);
    void begin_event();
    /// `arguments`: members of a JSON object, or "".
    void complete(track where, const char* name, std::uint64_t begin, std::uint64_t end, const char* arguments);
    void overlapping(track where, const char* category, const char* name, std::uint64_t begin, std::uint64_t end,
                     const char* arguments);
    void instant(track where, const char* name, std::uint64_t when, const char* arguments);
    void counter(unsigned process, const char* name, std::uint64_t cycle, double value);
    void put(const char* format, ...) __attribute__((format(printf, 2, 3)));
    void flush();
    std::uint64_t end_of(std::uint64_t cycle);

    unsigned sm_process(unsigned sm) const { return 10 + 2 * sm; }
    unsigned isbe_process(unsigned sm) const { return 11 + 2 * sm; }

    std::string path_;
    whole_file file_;
    std::string buffer_;
    machine_config config_;
    bool exclusive_;
    cycle_window window_; ///< events entirely outside are left out
    timeline_counters counters_;
    std::vector<unsigned> processes_;
    bool first_ = true;
    std::uint64_t last_cycle_ = 0; ///< the latest of all events
    std::uint64_t next_id_ = 0;    ///< of asynchronous events
};

} // namespace isbesim::testbench
