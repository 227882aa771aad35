// SPDX-License-Identifier: Apache-2.0
// Combines the events of one SM and its ISBE into records (run_events.h).
#pragma once

#include <algorithm>
#include <vector>

#include "models/sm/sm_observer.h"
#include "testbench/analysis/run_events.h"
#include "tlm/ring.h"
#include "tlm/transaction_observer.h"

namespace isbesim::testbench {

/// All listeners of a run, and the numbers that its records share.
class run_hub {
public:
    void add(run_listener& listener)
    {
        listeners_.push_back(&listener);
        transaction_listeners_.push_back(&listener);
    }
    /// All records except those of transactions, which are not built unless a listener wants them.
    void add_without_transactions(run_listener& listener) { listeners_.push_back(&listener); }
    const std::vector<run_listener*>& listeners() const { return listeners_; }
    const std::vector<run_listener*>& transaction_listeners() const { return transaction_listeners_; }
    /// The listener also receives instructions; others do not, because instructions are many.
    void add_for_instructions(run_listener& listener) { instruction_listeners_.push_back(&listener); }
    const std::vector<run_listener*>& instruction_listeners() const { return instruction_listeners_; }
    void level(const level_event& event)
    {
        for (auto* listener : listeners_) listener->level(event);
    }
    std::uint64_t next_warp() { return warps_++; }
    std::uint64_t next_order() { return order_++; }
    /// Count the warps resident on all SMs and their peak.
    void warp_began() { most_resident_ = std::max(most_resident_, ++resident_); }
    void warp_ended() { --resident_; }
    std::uint64_t most_resident() const { return most_resident_; }

private:
    std::vector<run_listener*> listeners_;
    std::vector<run_listener*> transaction_listeners_;
    std::vector<run_listener*> instruction_listeners_;
    std::uint64_t warps_ = 0;
    std::uint64_t order_ = 0;
    std::uint64_t resident_ = 0;
    std::uint64_t most_resident_ = 0;
};

/// The surroundings of an ISBE.
struct site_facts {
    unsigned sm = 0;
    unsigned ports = 2;
    unsigned warps = 0;    ///< slots of the SM; 0: there is no SM
    bool transfers = true; ///< the ISBE reports END_RESP
};

/// Operations of one port are accepted, granted and responded to in the order of their requests, and an SM's operations
/// reach the port in the order in which they entered the SM's queue: so counting matches all events.
class site_recorder : public transaction_observer, public sm_observer {
public:
    site_recorder(run_hub& hub, const site_facts& facts);
    /// Reports everything that has not ended.
    void finish();

private:
    struct open_port {
        ring<transaction_event> operations; ///< between request and end, oldest first
        std::size_t accepted = 0;           ///< number of accepted operations, from the front
        std::size_t granted = 0;
        std::size_t responded = 0;
        std::size_t ended = 0; ///< number of operations that the ISBE has finished
    };
    /// An operation as the SM submitted it.
    struct submission {
        std::uint64_t warp = 0;
        isbesim::stage stage = isbesim::stage::none;
        std::uint64_t issued = 0;
        std::uint32_t pc = 0;
        bool instruction = false;
    };

    void begin_request(std::uint64_t id, unsigned port, const warp_op& op, std::uint64_t cycle) override;
    void accept(std::uint64_t id, unsigned port, std::uint64_t cycle) override;
    void granted(std::uint64_t id, unsigned port, const warp_op& op, const warp_result& result, std::uint64_t cycle,
                 const access_footprint& footprint) override;
    void response(std::uint64_t id, unsigned port, const warp_op& op, const warp_result& result,
                  const transaction_times& times) override;
    void end_response(std::uint64_t id, unsigned port, std::uint64_t cycle) override;

    void launched(const warp_launch& launch, std::uint64_t cycle) override;
    void completed(unsigned slot, const warp_completion& completion, std::uint64_t cycle) override;
    void issued(const issue_event& issue) override;
    void submitted(const attribute_operation& operation) override;
    void responded(const attribute_operation& operation, const warp_result& result, std::uint64_t cycle) override;
    void trapped(const trap_record& trap) override;
    void stalled(unsigned number, stall_reason reason, std::uint64_t first, std::uint64_t cycles) override;

    bool keeps_transactions() const { return !hub_.transaction_listeners().empty(); }
    bool asked_by_sm(unsigned port, const warp_op& op) const;
    void report_ended(open_port& port);
    void report(const stall_event& stall);

    run_hub& hub_;
    site_facts facts_;
    std::vector<open_port> ports_;
    ring<submission> submitted_;    ///< not on the port yet
    std::vector<warp_event> warps_; ///< by slot
    std::vector<std::uint8_t> resident_;
    std::vector<stall_event> stalls_; ///< by scheduler: the last stall, which may continue
};

} // namespace isbesim::testbench
