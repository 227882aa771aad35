// SPDX-License-Identifier: Apache-2.0
// An initiator that knows only TLM-2.0 and the payload of a warp operation: it writes words all over an ISBE's storage
// and reads them back, in four phases, with several operations in flight.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>

#include "tlm/payload_extension.h"

class copy_engine : public sc_core::sc_module, private tlm::tlm_mm_interface {
public:
    tlm_utils::simple_initiator_socket<copy_engine> socket{"socket"};

    copy_engine(const sc_core::sc_module_name& name, const sc_core::sc_time& cycle, std::uint32_t storage_bytes);

    unsigned responses() const { return responses_; }
    unsigned wrong_words() const { return wrong_words_; }
    const sc_core::sc_time& last_response() const { return last_response_; }
    /// Digest of the times of all responses, in order.
    std::uint64_t digest() const { return digest_; }

    /// The word that it writes at an address.
    static std::uint32_t word_at(std::uint32_t address) { return address * 2654435761U + 1; }

private:
    struct request {
        tlm::tlm_generic_payload payload;
        isbesim::isbe_extension extension;
        ~request() { payload.clear_extension(&extension); }
    };

    void run();
    void send(isbesim::opcode op, unsigned number);
    tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    void check(const isbesim::isbe_extension& extension);
    void free(tlm::tlm_generic_payload*) override {} // requests live as long as this object

    sc_core::sc_time cycle_;
    std::uint32_t storage_bytes_;
    std::vector<std::unique_ptr<request>> requests_;
    bool channel_busy_ = false;
    sc_core::sc_event event_;
    unsigned responses_ = 0;
    unsigned wrong_words_ = 0;
    sc_core::sc_time last_response_;
    std::uint64_t digest_ = 14695981039346656037U;
};
