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

/// The share of operations that are not drawn at random only.
struct traffic_setting {
    unsigned corners = 0;  ///< percent: descriptors and operations with corner values
    unsigned general = 0;  ///< percent: attribute accesses that are not alike in all lanes, but mean the same
    unsigned crowded = 0;  ///< percent: accesses with as many passes as lanes in each component
    unsigned any_slot = 0; ///< percent: operations, one of four a BIND, on any slot of the table
    unsigned waits = 0;    ///< of a thousand: responses that are held, and pauses, for 2^15 to 2^17 cycles
    bool dense = false;    ///< no pauses, and no response is held for long
    unsigned meetings = 0; ///< items of a port between pauses after which all ports begin in the same cycle; 0: none
};

class random_traffic : public traffic_source {
public:
    /// `transactions` in total, shared evenly by the ports. Each port starts by binding every context slot it uses, one
    /// after the other; some slots are used before that.
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
        unsigned to_bind = 0;    ///< index of the first of slots_ still to be bound at the start
        unsigned unused = 0;     ///< the slot outside slots_ that was bound last
        unsigned phase_left = 1; ///< items until the rhythm changes; the first item comes at once, on every port
        unsigned gap_mode = 0;
        unsigned since_meeting = 0; ///< items
        unsigned hold_mode = 0;
        std::vector<context> bound; ///< contexts that this port last bound to slots_: hints for plausible values
    };

    void fill(port_stream& stream, warp_op& op);
    /// `bound` becomes the context that the slot gets.
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
