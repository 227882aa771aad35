// SPDX-License-Identifier: Apache-2.0
// Gives executors access to the memory at a socket. Executors work on bytes in place: in a region that the memory
// grants for direct access, otherwise in copies that are read when an instruction accesses them and written back after
// it. No process waits: the memory's time is its annotated delay.
#pragma once

#include <deque>
#include <vector>

#include <systemc>
#include <tlm>

#include "models/memory/memory_path.h"
#include "models/memory/memory_space.h"

namespace isbesim {

class memory_port final : public memory_space, private tlm::tlm_bw_transport_if<> {
public:
    /// Stays unbound if there is no memory.
    using socket_type = tlm::tlm_initiator_socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

    explicit memory_port(socket_type& socket);

    std::uint8_t* find(std::uint64_t address, std::size_t size) override;

    /// Loads go this way, as those of SM `number`.
    void attach(memory_path& path, unsigned number)
    {
        path_ = &path;
        number_ = number;
    }
    /// Cycles that the path adds to the accesses of a load, which begin in `now` (`begun`: memory_path::load()).
    std::uint64_t cycles_of_path(std::uint64_t now, std::uint64_t begun)
    {
        return path_ == nullptr ? 0 : path_->load(number_, touched_, now, begun) - now;
    }

    /// Ends the instruction: writes its changes to a memory without direct access. Returns the time of its longest
    /// access.
    sc_core::sc_time finish();
    /// True if nothing was accessed since finish().
    bool idle() const { return !accessed_; }

private:
    struct staged {
        std::uint64_t address;
        std::vector<std::uint8_t> original, bytes;
    };

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override;
    std::uint8_t* direct(std::uint64_t address, std::size_t size);
    std::uint8_t* stage(std::uint64_t address, std::size_t size);
    bool transport(tlm::tlm_command command, std::uint64_t address, std::vector<std::uint8_t>& bytes);

    socket_type& socket_;
    std::vector<tlm::tlm_dmi> regions_;
    std::deque<staged> staged_; ///< of the current instruction; pointers into it stay valid
    sc_core::sc_time longest_;
    bool accessed_ = false;
    memory_path* path_ = nullptr;
    unsigned number_ = 0;
    sector_list touched_; ///< of the current instruction
};

} // namespace isbesim
