// SPDX-License-Identifier: Apache-2.0
// What follows from the lists of fields, request_fields.inc and response_fields.inc, for any user of warp_op.h.
#pragma once

#include <array>
#include <cstring>
#include <string>

#include "tlm/warp_op.h"

namespace isbesim {

enum class request_field : unsigned {
#define ISBESIM_FIELD(name, ...) name,
#define ISBESIM_LANE_FIELD(name, ...) name,
#include "tlm/request_fields.inc"
};

inline constexpr std::array request_field_names{
#define ISBESIM_FIELD(name, ...) #name,
#define ISBESIM_LANE_FIELD(name, ...) #name,
#include "tlm/request_fields.inc"
};

constexpr const char* name_of(request_field field)
{
    return request_field_names[static_cast<unsigned>(field)];
}

/// Whether the opcode gives the field a meaning, in one form at least (micro-architecture section 2).
constexpr bool uses(opcode op, request_field field)
{
    const bool by_field[] = {
#define ISBESIM_FIELD(name, pins, values, used, ...) used,
#define ISBESIM_LANE_FIELD(name, pins, used) used,
#include "tlm/request_fields.inc"
    };
    return by_field[static_cast<unsigned>(field)];
}

/// A set of numbers: bit i is number i.
constexpr unsigned values_below(unsigned count)
{
    return (1U << count) - 1;
}

// Byte by byte, since a bool that is neither 0 nor 1 must not be read as one.
inline bool operator==(const warp_op& a, const warp_op& b)
{
#define ISBESIM_FIELD(name, ...)                                                                                       \
    if (std::memcmp(&a.name, &b.name, sizeof a.name) != 0) return false;
#define ISBESIM_LANE_FIELD ISBESIM_FIELD
#include "tlm/request_fields.inc"
    return true;
}
inline bool operator==(const warp_result& a, const warp_result& b)
{
#define ISBESIM_FIELD(name, ...)                                                                                       \
    if (a.name != b.name) return false;
#define ISBESIM_LANE_FIELD ISBESIM_FIELD
#include "tlm/response_fields.inc"
    return true;
}
inline bool operator!=(const warp_op& a, const warp_op& b)
{
    return !(a == b);
}
inline bool operator!=(const warp_result& a, const warp_result& b)
{
    return !(a == b);
}

namespace detail {
template <typename T>
std::uint32_t number(T value)
{
    return static_cast<std::uint32_t>(value);
}
inline std::uint32_t number(const bool& value)
{
    std::uint8_t byte = 0;
    std::memcpy(&byte, &value, 1); // as above
    return byte;
}
constexpr bool is_legal(std::uint32_t value, unsigned pins, unsigned legal)
{
    return legal == 0 ? value <= 0xffffffffU >> (32 - pins) : value < 32 && (legal >> value & 1U) != 0;
}
std::string value_error(const char* name, std::uint32_t value, unsigned pins, unsigned legal);
} // namespace detail

/// Which field has a value that the table of micro-architecture section 2 excludes, the value, and those that it may
/// have; empty without such a field. Fields that the operation ignores may have any value that fits their pins.
/// `request`: a warp_op, or a structure with members of these names.
template <typename Request>
std::string field_error(const Request& request)
{
    const auto op = static_cast<opcode>(request.op);
#define ISBESIM_FIELD(name, pins, values, used, ...)                                                                   \
    if (const unsigned legal = (used) ? (values) : 0; !detail::is_legal(detail::number(request.name), pins, legal))    \
        return detail::value_error(#name, detail::number(request.name), pins, legal);
#include "tlm/request_fields.inc"
    return {};
}

} // namespace isbesim
