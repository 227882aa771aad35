// SPDX-License-Identifier: Apache-2.0
// Statistics of parts of a run: counts between two cycles, as differences of the counters (--every, --cycles).
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "models/figures/instance_counters.h"
#include "models/statistics/cycle_stack.h"
#include "testbench/report/cycle_window.h"
#include "testbench/report/proxies.h"
#include "testbench/report/report_figures.h"
#include "testbench/report/run_account.h"
#include "testbench/system/system.h"

namespace isbesim::testbench {

/// An event belongs to the window in which it is counted: an operation's passes in the cycle of its grant, a latency
/// and the wait of a warp for its slot at their end. The events that end the run belong to its last window.
class run_windows : public run_stops {
public:
    struct request {
        std::uint64_t every = 0;         ///< cycles per row of the CSV; 0: no CSV
        std::string file;                ///< path of the CSV
        std::optional<cycle_window> one; ///< the report's window
        bool estimated = false;          ///< the cycles are an estimate, which the CSV states in a column
    };

    /// `system` must outlive this object.
    run_windows(request wanted, simulated_system& system, const coefficient_table& coefficients);

    std::uint64_t next() const override;
    void reached() override;
    /// To be called when the run has ended after `cycles`. Throws write_error.
    void finish(std::uint64_t cycles);
    /// To be called after finish(); none without `one`, and without cycles if the run ended before it.
    std::optional<window_account> take_window() { return std::move(window_); }

private:
    struct state {
        std::uint64_t cycle = 0;
        instance_counters counters;
        std::vector<cycle_stack> stacks; ///< empty: not recorded
    };
    state state_at(std::uint64_t cycle) const;
    static window_account between(const state& begin, state end);
    void end_row(const state& current);
    void end_known_row();

    request wanted_;
    simulated_system& system_;
    coefficient_table coefficients_;
    std::ofstream csv_;
    state row_begin_;
    std::optional<state> row_end_; ///< not yet written: the last events of a run come in its last row's end
    state window_begin_;
    std::optional<window_account> window_;
    bool titled_ = false;
};

/// Path of a TPC's CSV. join_windows() joins the CSVs of all TPCs to `file`, with a first column `tpc`, and throws
/// write_error.
std::string windows_of_tpc(const std::string& file, unsigned tpc);
void join_windows(const std::string& file, unsigned tpcs);

/// The figures of a window, and its stacks. `sms`: number of SMs counted; `all_names`: as in report_scope.
boost::json::object window_figures(const window_account& window, const machine_config& config,
                                   const std::vector<stage>& stages, unsigned sms,
                                   const coefficient_table& coefficients, bool all_names = false);

/// `covers` text of `window` and windows.csv.
extern const char* const windows_cover;

} // namespace isbesim::testbench
