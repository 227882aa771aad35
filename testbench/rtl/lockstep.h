// SPDX-License-Identifier: Apache-2.0
// Runs AT and RTL side by side: every request to the AT ISBE is put on the RTL's pins in the same cycle, and accept
// cycle, response cycle, data, status, error and passes must be equal. The tolerance is zero.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testbench/rtl/rtl_clock.h"
#include "tlm/clock.h"
#include "tlm/transaction_observer.h"

namespace isbesim {
template <typename Counters>
struct statistic;
}

namespace isbesim::testbench {

struct lockstep_totals {
    std::uint64_t transactions = 0; ///< compared completely
    std::uint64_t data_mismatches = 0;
    std::uint64_t cycle_mismatches = 0;
    /// First timing mismatch, in cycles; `lockstep::timeout` if the late side did not follow.
    std::uint64_t max_cycle_error = 0;
    std::uint64_t resets = 0; ///< compared pin by pin before the transactions
    std::uint64_t reset_cycles = 0;

    lockstep_totals& operator+=(const lockstep_totals& other);
};

/// The figures of these counts, in the order of reports.
std::vector<statistic<lockstep_totals>> lockstep_statistics();

/// "lockstep: N transactions, …", the line that every run with a comparison prints.
std::string lockstep_line(const lockstep_totals& totals);

/// Attach it to an isbe_at. It stops comparing after the first difference: from then on the two are different machines,
/// and further differences have no meaning.
class lockstep : public transaction_observer, private rtl_clock::listener {
public:
    /// Cycles to wait for the late side, to measure its delay, and for req_ready of an idle block.
    static constexpr std::uint64_t timeout = 4096;
    /// Cycles for which the RTL is clocked after wrong data, for its waveform.
    static constexpr std::uint64_t cycles_after_mismatch = 4;

    /// `stop` is called once: at the first difference or, if the RTL was early, when AT has followed.
    lockstep(std::unique_ptr<rtl_block> block, const isbe_config& config, const cycle_clock& clock,
             std::function<void()> stop);

    void begin_request(std::uint64_t id, unsigned port, const warp_op& op, std::uint64_t cycle) override;
    void accept(std::uint64_t id, unsigned port, std::uint64_t cycle) override;
    void response(std::uint64_t id, unsigned port, const warp_op& op, const warp_result& result,
                  const transaction_times& times) override;
    /// A response that was held back must still be the same.
    void end_response(std::uint64_t id, unsigned port, std::uint64_t cycle) override;

    /// The current cycle is the RTL's first one. To be called before the first operation.
    void begin_now() { clock_.begin_at(time_.now()); }
    /// Clocks the RTL up to the end of the run; it must then have no operation in flight.
    void finish();
    const lockstep_totals& totals() const { return totals_; }
    bool failed() const { return failed_; }
    /// The first difference: its kind in the first line, then transaction, cycle, lanes, expected (AT) and got (RTL);
    /// or the RTL's failure before any difference.
    const std::string& mismatch_report() const { return mismatch_report_; }
    /// Cycle of the first difference.
    std::uint64_t difference_cycle() const { return difference_cycle_; }

private:
    /// The state of one port of AT.
    struct port_state {
        bool accepted_now = false;
        bool responding = false; ///< BEGIN_RESP seen, not transferred
        std::uint64_t accept_cycle = 0;
        std::uint64_t transfer_cycle = 0;
        bool transferring = false;
        std::uint64_t id = 0; ///< of the newest request
        std::uint64_t responded = 0;
        warp_op op; ///< of the newest request, for the report
        std::uint64_t response_cycle = 0;
        warp_result shown; ///< the response that the RTL has shown first
    };

    enum class event { accept, response };
    static std::string verb_of(event kind);
    /// An event that the RTL had before AT.
    struct early_event {
        event kind;
        unsigned port;
        std::uint64_t cycle;
    };

    void request_transferred(unsigned port, std::uint64_t cycle) override;
    void response_was_valid(unsigned port, std::uint64_t cycle, bool taken) override;
    void response_withdrawn(unsigned port, std::uint64_t cycle) override;
    void block_failed(std::uint64_t cycle, const std::string& text) override;
    /// Reads the RTL's response and compares it; `changed`: it was equal when it became valid.
    bool compare(std::uint64_t id, unsigned port, const warp_op& op, const warp_result& expected, std::uint64_t cycle,
                 bool changed = false);
    void fail_early(event kind, unsigned port, std::uint64_t cycle, const std::string& text);
    void fail_late(event kind, unsigned port, std::uint64_t cycle, const std::string& text);
    void fail(std::uint64_t cycle, const std::string& text);
    /// Clocks the RTL alone for a cycle and takes its responses, except on port `except`.
    void advance_alone(unsigned except);
    bool ready_waits_for_valid(unsigned port);
    /// Puts the kind of the difference before its description.
    void name_kind(const std::string& text) { mismatch_report_ = "the RTL " + text + "\n" + mismatch_report_; }
    void follow(event kind, unsigned port, std::uint64_t cycle);
    void end_early(std::uint64_t error);

    rtl_clock clock_;
    unsigned ports_in_use_;
    cycle_clock time_;
    std::function<void()> stop_;
    std::array<port_state, rtl_clock::max_ports> ports_;
    lockstep_totals totals_;
    std::uint64_t answers_ = 0; ///< transferred responses of the RTL
    warp_result got_;
    bool failed_ = false;
    std::optional<early_event> early_; ///< AT has not followed yet
    std::string mismatch_report_;
    std::uint64_t difference_cycle_ = 0;
};

} // namespace isbesim::testbench
