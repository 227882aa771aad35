// SPDX-License-Identifier: Apache-2.0
// Pins of a Verilated model, whose vectors have one slice per port: the fields of rtl_ref/README.md, section 2.
#pragma once

#include <cstdint>
#include <cstring>

#include "rtl_plugin.h"

namespace pins {

/// Writes and reads bits [port * width, ...) of a vector that fits a machine word.
template <typename vector>
void set(vector& pins, unsigned port, unsigned width, std::uint32_t value)
{
    const auto mask = ((std::uint64_t{1} << width) - 1) << (port * width);
    pins = static_cast<vector>((pins & ~mask) | ((std::uint64_t{value} << (port * width)) & mask));
}
template <typename vector>
std::uint32_t get(const vector& pins, unsigned port, unsigned width)
{
    return static_cast<std::uint32_t>((std::uint64_t{pins} >> (port * width)) & ((std::uint64_t{1} << width) - 1));
}

/// Whole arrays of `width` bits per port, 32-bit words that are little-endian on both sides.
template <typename vector>
void put(vector& pins, unsigned port, unsigned width, const void* values)
{
    if (values != nullptr) std::memcpy(pins.data() + port * (width / 32), values, width / 8);
}
template <typename vector>
void take(const vector& pins, unsigned port, unsigned width, void* values)
{
    std::memcpy(values, pins.data() + port * (width / 32), width / 8);
}

/// The request fields without req_valid.
template <typename model>
void put_request(model& m, unsigned port, const isbesim_rtl_request& request)
{
#define ISBESIM_FIELD(name, width, ...) set(m.req_##name, port, width, request.name);
#define ISBESIM_LANE_FIELD(name, width, ...) put(m.req_##name, port, width, request.name);
#include "tlm/request_fields.inc"
}

} // namespace pins
