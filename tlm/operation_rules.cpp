// SPDX-License-Identifier: Apache-2.0
#include "tlm/operation_rules.h"

#include "tlm/payload_extension.h"
#include "tlm/warp_fields.h"

namespace isbesim {

refusal check_operation(const tlm::tlm_generic_payload& payload, const warp_op& op)
{
    if (payload.get_command() != tlm::TLM_IGNORE_COMMAND)
        return {tlm::TLM_COMMAND_ERROR_RESPONSE, "the command is not TLM_IGNORE_COMMAND"};
    if (payload.get_data_length() != warp_data_bytes)
        return {tlm::TLM_BURST_ERROR_RESPONSE, "the data length is " + std::to_string(payload.get_data_length()) +
                                                   ", expected " + std::to_string(warp_data_bytes)};
    if (payload.get_streaming_width() < warp_data_bytes)
        return {tlm::TLM_BURST_ERROR_RESPONSE, "the streaming width is " +
                                                   std::to_string(payload.get_streaming_width()) + ", expected " +
                                                   std::to_string(warp_data_bytes)};
    if (payload.get_byte_enable_ptr() != nullptr)
        return {tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, "there are byte enables, expected none"};
    if (payload.get_data_ptr() == nullptr) return {tlm::TLM_GENERIC_ERROR_RESPONSE, "the data pointer is null"};
    if (auto error = field_error(op); !error.empty()) return {tlm::TLM_GENERIC_ERROR_RESPONSE, std::move(error)};
    return {};
}

} // namespace isbesim
