// The initiator side of an ISBE port: turns "send this warp_op, tell me when it is answered" into TLM-2.0, AT (four
// phases) or LT (b_transport). The SM's attribute unit, the PE and the replayer all use it.
#pragma once

#include <cstdint>

#include <systemc>
#include <tlm>

#include "tlm/clock.h"
#include "tlm/payload_extension.h"
#include "tlm/payload_pool.h"

namespace isbesim {

/// Cycles of one answered transaction, as seen at the port.
struct transaction_times {
    std::uint64_t begin_request = 0; ///< BEGIN_REQ
    std::uint64_t accept = 0;        ///< END_REQ: the request transfer
    std::uint64_t response = 0;      ///< BEGIN_RESP
};

class warp_initiator : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
public:
    enum class style : std::uint8_t { loosely_timed, approximately_timed };

    /// Gets every response, in port order, in the cycle it appears; END_RESP follows in the same cycle.
    class client {
    public:
        virtual ~client() = default;
        virtual void response(std::uint64_t tag, const warp_op& op, const warp_result& result,
                              const transaction_times& times) = 0;
        /// The request was transferred (END_REQ) and left the queue; called in that cycle, before response(). The SM
        /// counts queue places and read barriers from it.
        virtual void accepted(std::uint64_t /*tag*/) {}
    };

    tlm::tlm_initiator_socket<> socket;

    /// `queue_depth`: operations that may wait here for the request channel.
    warp_initiator(const sc_core::sc_module_name& name, style style, const cycle_clock& clock, unsigned queue_depth,
                   client& owner);

    /// True while another operation can be queued.
    bool can_send() const;
    /// A cleared request to fill in place; followed by exactly one send().
    warp_op& prepare();
    /// Queues the prepared request. It appears on the socket in this cycle when the channel is free, in order
    /// otherwise.
    void send(std::uint64_t tag);
    /// Operations sent or queued and not yet answered.
    unsigned pending() const;
};

} // namespace isbesim
