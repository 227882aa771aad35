// SPDX-License-Identifier: Apache-2.0
#include "tlm/payload_extension.h"

namespace isbesim {

tlm::tlm_extension_base* isbe_extension::clone() const
{
    return new isbe_extension(*this);
}

void isbe_extension::copy_from(const tlm::tlm_extension_base& other)
{
    *this = static_cast<const isbe_extension&>(other);
}

void make_request(tlm::tlm_generic_payload& payload, isbe_extension& extension)
{
    payload.set_command(tlm::TLM_IGNORE_COMMAND);
    payload.set_address(0);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(extension.op.data.data()));
    payload.set_data_length(warp_data_bytes);
    payload.set_streaming_width(warp_data_bytes);
    payload.set_byte_enable_ptr(nullptr);
    payload.set_byte_enable_length(0);
    payload.set_gp_option(tlm::TLM_MIN_PAYLOAD);
    payload.set_dmi_allowed(false);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    payload.set_extension(&extension);
}

} // namespace isbesim
