// SPDX-License-Identifier: Apache-2.0
#include "tlm/operation_rules.h"

#include <array>
#include <cstring>

#include "tlm/payload_extension.h"

namespace isbesim {

namespace {

struct field {
    const char* name;
    unsigned value;
    unsigned legal; ///< bit i: value i

    bool is_legal() const { return value < 32 && (legal >> value & 1U) != 0; }
};

constexpr unsigned values_below(unsigned count)
{
    return (1U << count) - 1;
}

std::array<field, 7> fields_of(const warp_op& op)
{
    constexpr unsigned words = values_below(max_components + 1) & ~1U, bytes = 1U << 1 | 1U << 2 | 1U << 4;
    constexpr unsigned two_pins = values_below(4), three_pins = values_below(8);
    const bool raw = is_raw(op.op), by_address = is_attribute(op.op);
    std::uint8_t skew = 0;
    std::memcpy(&skew, &op.skew, 1); // a bool that is neither 0 nor 1 must not be read as one
    return {{{"op", static_cast<unsigned>(op.op), values_below(opcode_count)},
             {"space", static_cast<unsigned>(op.space), values_below(space_count)},
             {"region", static_cast<unsigned>(op.region), raw ? values_below(region_count) : three_pins},
             {"form", static_cast<unsigned>(op.form), by_address ? values_below(form_count) : two_pins},
             {"type", static_cast<unsigned>(op.type), two_pins},
             {"size", op.size,
              raw                                   ? bytes
              : by_address || op.op == opcode::al2p ? words
                                                    : three_pins},
             {"skew", skew, values_below(2)}}};
}

std::string values_of(unsigned legal)
{
    std::string text;
    for (unsigned i = 0; legal >> i != 0; ++i) {
        if ((legal >> i & 1U) == 0) continue;
        if (!text.empty()) text += legal >> i == 1 ? " or " : ", ";
        text += std::to_string(i);
    }
    return text;
}

} // namespace

std::string field_error(const warp_op& op)
{
    for (const auto& field : fields_of(op))
        if (!field.is_legal())
            return std::string(field.name) + " is " + std::to_string(field.value) + ", expected " +
                   values_of(field.legal);
    return {};
}

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
