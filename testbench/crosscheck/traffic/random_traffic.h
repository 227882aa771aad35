// SPDX-License-Identifier: Apache-2.0
// Constrained-random ISBE traffic: every opcode, size, region, mask, conflict degree, map and error of the
// micro-architecture page, reproducible from a seed.
#pragma once

#include <cstdint>
#include <vector>

#include "models/isbe/functional/context.h"
#include "models/machine_config.h"
#include "testbench/crosscheck/traffic/random_numbers.h"
#include "testbench/crosscheck/traffic/traffic.h"

namespace isbesim::testbench {

/// Shares of operations and waits that plain random traffic would hardly have.
struct traffic_setting {
    unsigned corners = 0;  ///< percent: descriptors and operations with corner values
    unsigned general = 0;  ///< percent: attribute accesses whose lanes differ in bits that change no result
    unsigned crowded = 0;  ///< percent: accesses with as many passes as lanes in each component
    unsigned any_slot = 0; ///< percent: operations on any slot of the table, a quarter of them BINDs
    unsigned waits = 0;    ///< per mille: items that hold their response, or pause, for 2^15 to 2^17 cycles
    bool dense = false;    ///< no pauses, and no response is held for long
    unsigned meetings = 0; ///< items of a port between pauses after which all ports begin in the same cycle; 0: none
};

class random_traffic : public traffic_source {
public:
    /// `transactions` in total, shared evenly by the ports. Early among its operations each port binds every context
    /// slot that it uses; some slots are used before that.
    random_traffic(const isbe_config& config, std::uint64_t seed, std::uint64_t transactions,
                   const traffic_setting& setting = {});
    const traffic_item* draw(unsigned port) override;

private:
    struct port_stream {
        explicit port_stream(std::uint64_t seed) : random(seed) {}
        random_numbers random;
        traffic_item drawn;
        std::uint64_t left = 0;
        std::uint64_t cycle = 0; ///< earliest cycle of the last item
        unsigned to_bind = 0;    ///< number of slots_, from the first on, that are not bound yet
        unsigned unused = 0;     ///< the slot outside slots_ that was bound last
        unsigned phase_left = 1; ///< items until the rhythm changes; 1: the first item comes at once
        unsigned gap_mode = 0;
        unsigned since_meeting = 0; ///< in items
        unsigned hold_mode = 0;
        std::vector<context> bound; ///< contexts that this port last bound to slots_: hints for plausible values
    };

    void fill(port_stream& stream, warp_op& op);
    /// Writes a BIND of `slot`; sets `bound` to its context.
    void fill_bind(random_numbers& random, warp_op& op, std::uint16_t slot, context& bound) const;
    std::uint16_t foreign_slot(random_numbers& random) const;
    std::uint16_t next_unused_slot(port_stream& stream) const;
    void rhythm(port_stream& stream, traffic_item& item);
    static void wait_long(random_numbers& random, port_stream& stream, traffic_item& item);

    isbe_config config_;
    traffic_setting setting_;
    std::vector<std::uint16_t> slots_; ///< context slots that are bound, including the machine's last slot
    std::vector<port_stream> ports_;
};

} // namespace isbesim::testbench
