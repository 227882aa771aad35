// What occupies a port besides a plain four-phase warp operation: a raw access of several operations, or a blocking
// call. It goes through the same queues, one operation after the other.
#pragma once

#include <cstddef>

#include <systemc>
#include <tlm>

#include "models/isbe/timing/raw_access.h"

namespace isbesim {

class compound_access {
public:
    /// One warp operation of a blocking call.
    compound_access(tlm::tlm_generic_payload& payload, const warp_op& op, warp_result& result)
        : payload_(payload), ops_(&op), results_(&result), count_(1)
    {
    }
    /// A plain access that passed check_raw_access().
    explicit compound_access(tlm::tlm_generic_payload& payload)
        : payload_(payload),
          raw_(split_raw_access(payload)),
          ops_(raw_.ops.data()),
          results_(raw_.results.data()),
          count_(raw_.ops.size())
    {
    }
    compound_access(const compound_access&) = delete;
    compound_access& operator=(const compound_access&) = delete;

    tlm::tlm_generic_payload& payload() { return payload_; }

    /// The operation that asks for the request channel, until request_done() has been called for each.
    const warp_op& op() const { return ops_[requested_]; }
    warp_result& result() { return results_[requested_]; }
    /// True when that was the last one.
    bool request_done() { return ++requested_ == count_; }
    /// True when all have responded; the payload then holds data and status.
    bool response_done()
    {
        if (++responded_ != count_) return false;
        finish_raw_access(payload_, raw_); // of a warp operation there is none
        payload_.set_response_status(tlm::TLM_OK_RESPONSE);
        return true;
    }

    /// Set by a blocking call, notified when it may return.
    sc_core::sc_event* done = nullptr;

private:
    tlm::tlm_generic_payload& payload_;
    raw_access raw_;
    const warp_op* ops_;
    warp_result* results_;
    std::size_t count_;
    std::size_t requested_ = 0;
    std::size_t responded_ = 0;
};

} // namespace isbesim
