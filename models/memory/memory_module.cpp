// SPDX-License-Identifier: Apache-2.0
#include "models/memory/memory_module.h"

#include <algorithm>
#include <cstring>

namespace isbesim {

memory_module::memory_module(const sc_core::sc_module_name& name, memory_contents* contents,
                             const sc_core::sc_time& latency)
    : sc_core::sc_module(name), socket("socket"), contents_(contents), latency_(latency)
{
    socket.register_b_transport(this, &memory_module::b_transport);
    socket.register_nb_transport_fw(this, &memory_module::nb_transport_fw);
    socket.register_transport_dbg(this, &memory_module::transport_dbg);
    socket.register_get_direct_mem_ptr(this, &memory_module::get_direct_mem_ptr);
}

void memory_module::replace(memory_contents* contents)
{
    contents_ = contents;
    for (unsigned i = 0; i < socket.size(); ++i)
        socket[static_cast<int>(i)]->invalidate_direct_mem_ptr(0, ~sc_dt::uint64{0});
}

tlm::tlm_response_status memory_module::access(tlm::tlm_generic_payload& payload)
{
    const unsigned length = payload.get_data_length(), width = payload.get_streaming_width();
    unsigned char* const data = payload.get_data_ptr();
    const unsigned char* const enables = payload.get_byte_enable_ptr();
    const unsigned enable_length = payload.get_byte_enable_length();
    if (length == 0 || width == 0 || data == nullptr) return tlm::TLM_BURST_ERROR_RESPONSE;
    if (enables != nullptr && enable_length == 0) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    // A streaming width below the length accesses the same bytes repeatedly.
    std::uint8_t* const bytes =
        contents_ == nullptr ? nullptr : contents_->find(payload.get_address(), std::min(length, width));
    if (bytes == nullptr) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (payload.is_read() || payload.is_write()) {
        for (unsigned i = 0; i < length; ++i) {
            if (enables != nullptr && enables[i % enable_length] != TLM_BYTE_ENABLED) continue;
            std::uint8_t& here = bytes[i % width];
            (payload.is_read() ? data[i] : here) = payload.is_read() ? here : data[i];
        }
        bytes_ += length;
    }
    ++transactions_;
    return tlm::TLM_OK_RESPONSE;
}

void memory_module::b_transport(int /*id*/, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    payload.set_response_status(access(payload));
    payload.set_dmi_allowed(payload.is_response_ok());
    delay += latency_;
}

tlm::tlm_sync_enum memory_module::nb_transport_fw(int id, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay)
{
    if (phase == tlm::BEGIN_REQ) b_transport(id, payload, delay);
    return tlm::TLM_COMPLETED;
}

unsigned memory_module::transport_dbg(int /*id*/, tlm::tlm_generic_payload& payload)
{
    if (contents_ == nullptr) return 0;
    const auto region = contents_->region(payload.get_address());
    if (region.data == nullptr) return 0;
    const auto place = payload.get_address() - region.address;
    const auto count = static_cast<unsigned>(std::min<std::uint64_t>(region.bytes - place, payload.get_data_length()));
    std::uint8_t* const bytes = region.data + place;
    if (payload.is_read()) std::memcpy(payload.get_data_ptr(), bytes, count);
    if (payload.is_write()) std::memcpy(bytes, payload.get_data_ptr(), count);
    return count;
}

bool memory_module::get_direct_mem_ptr(int /*id*/, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& granted)
{
    const auto address = payload.get_address();
    const auto region = contents_ == nullptr ? memory_region() : contents_->region(address);
    granted.init();
    if (region.data == nullptr) { // denied for this byte: the next may be in a region
        granted.set_start_address(address);
        granted.set_end_address(address);
        return false;
    }
    granted.set_start_address(region.address);
    granted.set_end_address(region.address + (region.bytes - 1));
    granted.set_dmi_ptr(region.data);
    granted.allow_read_write();
    granted.set_read_latency(latency_);
    granted.set_write_latency(latency_);
    return true;
}

} // namespace isbesim
