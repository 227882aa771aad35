// SPDX-License-Identifier: Apache-2.0
// The RTL as the engine of a four_phase_isbe: its pins determine when requests are accepted and responses are valid.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/isbe/timing/port_operation.h"
#include "testbench/rtl/rtl_account.h"
#include "testbench/rtl/rtl_clock.h"
#include "tlm/ring.h"
#include "tlm/transaction_observer.h"

namespace isbesim::testbench {

/// The RTL failed (rtl_block::failure); thrown by start_simulation() (process_guard.h). what() is the whole line.
class rtl_failure : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// "the RTL violates an assertion in cycle 12: ..." or "the RTL stops in cycle 12: ...", with its end of line.
std::string failure_line(std::uint64_t cycle, const std::string& text);

/// Has the members of grant_scheduler, which documents them.
class rtl_engine : private rtl_clock::listener {
public:
    rtl_engine(const isbe_config& config, std::unique_ptr<rtl_block> block);

    void report_to(const std::vector<transaction_observer*>& observers) { account_.report_to(observers); }
    void advance_to(std::uint64_t now) { clock_.advance_to(now); }
    void begin_at(std::uint64_t now) { clock_.begin_at(now); }
    void offer(unsigned port, const port_operation& operation, std::uint64_t now);
    bool can_accept(unsigned port, std::uint64_t now) const;
    void accept(unsigned port, const port_operation& operation);
    port_operation* response(unsigned port, std::uint64_t now);
    port_operation transfer(unsigned port, std::uint64_t now);
    std::uint64_t next_response(unsigned port) const;
    std::uint64_t next_accept(unsigned port) const;
    unsigned ports() const { return port_count_; }
    const isbe_timing_counters& counters(unsigned port) const { return account_.counters(port); }
    rtl_account& account() { return account_; }

private:
    struct channel {
        ring<port_operation> operations; ///< accepted, without a response yet
        bool handed_out = false;
        std::uint64_t accept_free = 0;
        std::uint64_t response_free = 0;
        std::uint64_t valid_since = 0; ///< of the response handed out last
    };

    void request_transferred(unsigned, std::uint64_t) override {}
    void response_was_valid(unsigned, std::uint64_t, bool) override {}
    void block_failed(std::uint64_t cycle, const std::string& text) override;

    static constexpr std::uint64_t never = ~std::uint64_t{0};

    unsigned port_count_;
    rtl_clock clock_;
    rtl_account account_;
    std::array<channel, rtl_clock::max_ports> channels_;
};

} // namespace isbesim::testbench
