// SPDX-License-Identifier: Apache-2.0
#include "models/isbe/timing/isbe_module.h"

#include <stdexcept>

#include "models/isbe/functional/context.h"
#include "tlm/operation_rules.h"
#include "tlm/payload_extension.h"

namespace isbesim {

/// Adds the port's number to the calls that arrive on one socket.
class isbe_module::port_interface final : public tlm::tlm_fw_transport_if<> {
public:
    port_interface(isbe_module& owner, unsigned port) : owner_(owner), port_(port) {}

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override
    {
        if (phase == tlm::BEGIN_REQ && owner_.refuses(payload)) return tlm::TLM_COMPLETED;
        return owner_.forward(port_, payload, phase, delay);
    }
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override
    {
        if (!owner_.refuses(payload)) owner_.block(port_, payload, delay);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override
    {
        return owner_.direct_memory(payload, dmi);
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) override
    {
        return owner_.refuses(payload) ? 0 : owner_.debug(payload);
    }

private:
    isbe_module& owner_;
    unsigned port_;
};

isbe_module::isbe_module(const sc_core::sc_module_name& name, const isbe_config& config)
    : sc_core::sc_module(name), ports("port", config.ports), config_(config)
{
    for (unsigned port = 0; port < config.ports; ++port) {
        interfaces_.push_back(std::make_unique<port_interface>(*this, port));
        ports[port].bind(*interfaces_.back());
    }
}

isbe_module::~isbe_module() = default;

bool isbe_module::refuses(tlm::tlm_generic_payload& payload) const
{
    const auto* const extension = payload.get_extension<isbe_extension>();
    if (extension == nullptr) return false;
    const warp_op& op = extension->op;
    auto refused = check_operation(payload, op);
    if (refused.status == tlm::TLM_OK_RESPONSE && op.op == opcode::bind && op.context < config_.contexts) {
        try {
            check_context(unpack_context(op), storage_bytes());
        } catch (const std::invalid_argument& error) {
            refused = {tlm::TLM_GENERIC_ERROR_RESPONSE, error.what()};
        }
    }
    if (refused.status == tlm::TLM_OK_RESPONSE) return false;
    payload.set_response_status(refused.status);
    SC_REPORT_WARNING("/isbesim/isbe", ("a warp operation is refused: " + refused.reason).c_str());
    return true;
}

bool isbe_module::direct_memory(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi)
{
    dmi.init();
    return false;
}

} // namespace isbesim
