// SPDX-License-Identifier: Apache-2.0
// A foreign interconnect that passes on every transaction as a transaction of its own, with its own payloads, memory
// and memory manager. It knows the standard but not the ISBE.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include <systemc>
#include <tlm>

namespace foreign {

class copying_interconnect : public sc_core::sc_module,
                             public tlm::tlm_fw_transport_if<>,
                             public tlm::tlm_bw_transport_if<>,
                             public tlm::tlm_mm_interface {
public:
    tlm::tlm_target_socket<> target{"target"};
    tlm::tlm_initiator_socket<> initiator{"initiator"};

    /// `delay` is added to every call on the forward path.
    explicit copying_interconnect(const sc_core::sc_module_name& name, const sc_core::sc_time& delay = {})
        : sc_core::sc_module(name), delay_(delay)
    {
        target.bind(*this);
        initiator.bind(*this);
    }
    std::uint64_t copies() const { return copies_; }
    /// Payloads that were not returned yet.
    std::size_t in_use() const { return all_.size() - idle_.size(); }

private:
    struct own_payload : tlm::tlm_generic_payload {
        using tlm::tlm_generic_payload::tlm_generic_payload;
        tlm::tlm_generic_payload* original = nullptr;
        std::vector<unsigned char> data, enables;
    };

    own_payload& copy_of(tlm::tlm_generic_payload& original)
    {
        if (idle_.empty()) {
            all_.push_back(std::make_unique<own_payload>(this));
            idle_.push_back(all_.back().get());
        }
        own_payload& copy = *idle_.back();
        idle_.pop_back();
        ++copies_;
        copy.acquire();
        copy.original = &original;
        copy.data.assign(original.get_data_length(), 0);
        copy.enables.assign(original.get_byte_enable_length(), 0);
        copy.set_data_ptr(copy.data.data());
        copy.set_byte_enable_ptr(original.get_byte_enable_ptr() == nullptr ? nullptr : copy.enables.data());
        copy.deep_copy_from(original);
        return copy;
    }
    own_payload& copy_under_way(tlm::tlm_generic_payload& original)
    {
        return **std::find_if(all_.begin(), all_.end(), [&](const auto& copy) {
            return copy->original == &original && copy->get_ref_count() != 0;
        });
    }
    /// Copies the response to the original.
    static void update(own_payload& copy) { copy.original->update_original_from(copy); }
    static void forget(own_payload& copy)
    {
        auto* const original = copy.original;
        copy.original = nullptr;
        copy.release();
        if (original->has_mm()) original->release();
    }
    void free(tlm::tlm_generic_payload* payload) override
    {
        payload->reset(); // frees the copied extensions
        idle_.push_back(static_cast<own_payload*>(payload));
    }

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& original, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override
    {
        if (phase == tlm::END_RESP) {
            own_payload& copy = copy_under_way(original);
            sc_core::sc_time later = delay + delay_;
            initiator->nb_transport_fw(copy, phase, later);
            forget(copy);
            return tlm::TLM_COMPLETED;
        }
        if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
        original.acquire();
        own_payload& copy = copy_of(original);
        sc_core::sc_time later = delay + delay_;
        const auto status = initiator->nb_transport_fw(copy, phase, later);
        if (status == tlm::TLM_ACCEPTED) return status;
        delay = later;
        const bool responded = status == tlm::TLM_COMPLETED || phase == tlm::BEGIN_RESP;
        if (responded) update(copy);
        if (status == tlm::TLM_COMPLETED) forget(copy);
        return status;
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override
    {
        own_payload& copy = static_cast<own_payload&>(payload);
        const bool response = phase == tlm::BEGIN_RESP;
        if (response) update(copy);
        const auto status = target->nb_transport_bw(*copy.original, phase, delay);
        if (response && status != tlm::TLM_ACCEPTED) forget(copy); // TLM_COMPLETED, or TLM_UPDATED with END_RESP
        return status;
    }
    void b_transport(tlm::tlm_generic_payload& original, sc_core::sc_time& delay) override
    {
        if (original.has_mm()) original.acquire();
        own_payload& copy = copy_of(original);
        delay += delay_;
        initiator->b_transport(copy, delay);
        update(copy);
        forget(copy);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) override { return initiator->transport_dbg(payload); }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    sc_core::sc_time delay_;
    std::uint64_t copies_ = 0;
    std::vector<std::unique_ptr<own_payload>> all_;
    std::vector<own_payload*> idle_;
};

} // namespace foreign
