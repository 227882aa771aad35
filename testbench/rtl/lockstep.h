// AT and RTL side by side: every request that the AT ISBE sees is put on the RTL's pins in the same cycle, and accept
// cycle, response cycle, data, status, error and passes must agree. The tolerance is zero.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "testbench/rtl/rtl_clock.h"
#include "tlm/clock.h"
#include "tlm/transaction_observer.h"

namespace isbesim::testbench {

struct lockstep_totals {
    std::uint64_t transactions = 0; ///< compared completely
    std::uint64_t data_mismatches = 0;
    std::uint64_t cycle_mismatches = 0;
    std::uint64_t max_cycle_error = 0; ///< largest difference of a cycle; a missing event counts as at least 1
};

/// "lockstep: N transactions, …", the line that every run with a comparison prints.
std::string lockstep_line(const lockstep_totals& totals);

/// Attach to an isbe_at. After the first difference it compares nothing more: from there on the two are different
/// machines and every further difference would be noise.
class lockstep : public transaction_observer, private rtl_clock::listener {
public:
    /// `stop` is called once, at the first difference.
    lockstep(std::unique_ptr<rtl_block> block, const isbe_config& config, const cycle_clock& clock,
             std::function<void()> stop);

    void begin_request(std::uint64_t id, unsigned port, const warp_op& op, std::uint64_t cycle) override;
    void accept(std::uint64_t id, unsigned port, std::uint64_t cycle) override;
    void response(std::uint64_t id, unsigned port, const warp_op& op, const warp_result& result,
                  const transaction_times& times) override;
    void end_response(std::uint64_t id, unsigned port, std::uint64_t cycle) override;

    /// Lets the RTL catch up with the end of the run; it must have nothing left to answer.
    void finish();
    const lockstep_totals& totals() const { return totals_; }
    bool failed() const { return failed_; }
    /// Both sides' story of the first difference: transaction, cycle, lanes, expected (AT) and got (RTL).
    const std::string& story() const { return story_; }
    rtl_block& block() { return clock_.block(); }

private:
    /// What AT is doing on one port.
    struct port_state {
        bool requesting = false; ///< BEGIN_REQ seen, not accepted
        bool accepted_now = false;
        bool responding = false; ///< BEGIN_RESP seen, not transferred
        std::uint64_t accept_cycle = 0;
        std::uint64_t transfer_cycle = 0;
        bool transferring = false;
        std::uint64_t id = 0; ///< of the newest request
        std::uint64_t answered = 0;
        warp_op op; ///< of the newest request, for the story
    };

    void request_transferred(unsigned port, std::uint64_t cycle) override;
    void response_was_valid(unsigned port, std::uint64_t cycle, bool taken) override;
    void compare(std::uint64_t id, unsigned port, const warp_op& op, const warp_result& expected, std::uint64_t cycle);
    void fail_cycle(std::uint64_t error, const std::string& text);
    void fail(const std::string& text);

    rtl_clock clock_;
    cycle_clock time_;
    std::function<void()> stop_;
    std::array<port_state, rtl_clock::max_ports> ports_;
    lockstep_totals totals_;
    warp_result got_;
    bool failed_ = false;
    std::string story_;
};

} // namespace isbesim::testbench
