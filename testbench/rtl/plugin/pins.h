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

/// Whole arrays of `words` 32-bit words per port, little-endian on both sides.
template <typename vector>
void put(vector& pins, unsigned port, unsigned words, const void* values)
{
    if (values != nullptr) std::memcpy(pins.data() + port * words, values, words * sizeof(std::uint32_t));
}
template <typename vector>
void take(const vector& pins, unsigned port, unsigned words, void* values)
{
    std::memcpy(values, pins.data() + port * words, words * sizeof(std::uint32_t));
}

/// The request fields without req_valid.
template <typename model>
void put_request(model& m, unsigned port, const isbesim_rtl_request& request)
{
    set(m.req_op, port, 3, request.op);
    set(m.req_space, port, 1, request.space);
    set(m.req_region, port, 3, request.region);
    set(m.req_form, port, 2, request.form);
    set(m.req_type, port, 2, request.type);
    set(m.req_size, port, 3, request.size);
    set(m.req_skew, port, 1, request.skew);
    set(m.req_context, port, 16, request.context);
    set(m.req_immediate, port, 32, request.immediate);
    set(m.req_lanes, port, 32, request.lanes);
    put(m.req_address, port, 32, request.address);
    put(m.req_handle, port, 32, request.handle);
    put(m.req_data, port, 128, request.data);
}

} // namespace pins
