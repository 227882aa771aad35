// SPDX-License-Identifier: Apache-2.0
#include "models/sm/memory_port.h"

#include <algorithm>

namespace isbesim {

memory_port::memory_port(socket_type& socket) : socket_(socket)
{
    socket_.bind(*this);
}

std::uint8_t* memory_port::find(std::uint64_t address, std::size_t size)
{
    if (socket_.size() == 0 || size == 0 || size - 1 > ~address) return nullptr;
    accessed_ = true;
    if (path_ != nullptr) touched_.add(address, size);
    std::uint8_t* const found = direct(address, size);
    return found != nullptr ? found : stage(address, size);
}

std::uint8_t* memory_port::direct(std::uint64_t address, std::size_t size)
{
    const auto holds = [&](const tlm::tlm_dmi& region) {
        return address >= region.get_start_address() && address + (size - 1) <= region.get_end_address();
    };
    auto region = std::find_if(regions_.begin(), regions_.end(), holds);
    if (region == regions_.end()) {
        tlm::tlm_generic_payload payload;
        payload.set_address(address);
        payload.set_command(tlm::TLM_WRITE_COMMAND);
        tlm::tlm_dmi granted;
        if (!socket_->get_direct_mem_ptr(payload, granted) || !granted.is_read_write_allowed() || !holds(granted))
            return nullptr;
        regions_.push_back(granted);
        region = regions_.end() - 1;
    }
    longest_ = std::max({longest_, region->get_read_latency(), region->get_write_latency()});
    return region->get_dmi_ptr() + (address - region->get_start_address());
}

std::uint8_t* memory_port::stage(std::uint64_t address, std::size_t size)
{
    // The lanes of an instruction see each other's changes.
    for (auto& each : staged_)
        if (each.address == address && each.bytes.size() == size) return each.bytes.data();
    std::vector<std::uint8_t> bytes(size);
    if (!transport(tlm::TLM_READ_COMMAND, address, bytes)) return nullptr;
    staged_.push_back({address, bytes, bytes});
    return staged_.back().bytes.data();
}

bool memory_port::transport(tlm::tlm_command command, std::uint64_t address, std::vector<std::uint8_t>& bytes)
{
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(bytes.data());
    payload.set_data_length(static_cast<unsigned>(bytes.size()));
    payload.set_streaming_width(static_cast<unsigned>(bytes.size()));
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay;
    socket_->b_transport(payload, delay);
    longest_ = std::max(longest_, delay);
    return payload.is_response_ok();
}

sc_core::sc_time memory_port::finish()
{
    for (auto& each : staged_)
        if (each.bytes != each.original) transport(tlm::TLM_WRITE_COMMAND, each.address, each.bytes);
    staged_.clear();
    touched_.clear();
    const sc_core::sc_time duration = longest_;
    longest_ = sc_core::SC_ZERO_TIME;
    accessed_ = false;
    return duration;
}

tlm::tlm_sync_enum memory_port::nb_transport_bw(tlm::tlm_generic_payload& /*payload*/, tlm::tlm_phase& /*phase*/,
                                                sc_core::sc_time& /*delay*/)
{
    return tlm::TLM_COMPLETED; // the port sends no non-blocking requests
}

void memory_port::invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last)
{
    regions_.erase(std::remove_if(regions_.begin(), regions_.end(),
                                  [&](const tlm::tlm_dmi& region) {
                                      return region.get_start_address() <= last && region.get_end_address() >= first;
                                  }),
                   regions_.end());
}

} // namespace isbesim
