// SPDX-License-Identifier: Apache-2.0
// A plain memory access of the cross-check.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tlm>

namespace isbesim::testbench {

using byte = unsigned char;

/// A plain access to some bytes; some may be disabled.
struct memory_access {
    bool write = false;
    std::uint64_t address = 0;
    std::vector<byte> data;
    std::vector<byte> enables; ///< empty: all

    bool enabled(std::size_t i) const { return enables.empty() || enables[i % enables.size()] == TLM_BYTE_ENABLED; }
    void fill(tlm::tlm_generic_payload& payload, std::vector<byte>& bytes)
    {
        payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        payload.set_address(address);
        payload.set_data_ptr(bytes.data());
        payload.set_data_length(static_cast<unsigned>(bytes.size()));
        payload.set_streaming_width(static_cast<unsigned>(bytes.size()));
        payload.set_byte_enable_ptr(enables.empty() ? nullptr : enables.data());
        payload.set_byte_enable_length(static_cast<unsigned>(enables.size()));
        payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        payload.set_gp_option(tlm::TLM_FULL_PAYLOAD);
    }
};

} // namespace isbesim::testbench
