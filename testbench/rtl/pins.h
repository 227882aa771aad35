// Pins of a Verilated model whose vectors hold a slice per port: the fields of rtl_ref/README.md, section 2.
#pragma once

#include <cstdint>
#include <cstring>

#include "tlm/warp_op.h"

namespace isbesim::testbench::pins {

/// Writes and reads bits [port * width, ...) of a vector that fits a machine word.
template <typename vector>
void set(vector& pins, unsigned port, unsigned width, word value)
{
    const auto mask = ((std::uint64_t{1} << width) - 1) << (port * width);
    pins = static_cast<vector>((pins & ~mask) | ((std::uint64_t{value} << (port * width)) & mask));
}
template <typename vector>
word get(const vector& pins, unsigned port, unsigned width)
{
    return static_cast<word>((std::uint64_t{pins} >> (port * width)) & ((std::uint64_t{1} << width) - 1));
}

/// Whole arrays, little-endian words on both sides.
template <typename vector, typename array>
void put(vector& pins, unsigned port, const array& values)
{
    std::memcpy(pins.data() + port * (sizeof values / sizeof(word)), &values, sizeof values);
}
template <typename vector, typename array>
void take(const vector& pins, unsigned port, array& values)
{
    std::memcpy(&values, pins.data() + port * (sizeof values / sizeof(word)), sizeof values);
}

/// The request fields, req_valid included.
template <typename model>
void put_request(model& m, unsigned port, const warp_op& op)
{
    set(m.req_op, port, 3, static_cast<word>(op.op));
    set(m.req_space, port, 1, static_cast<word>(op.space));
    set(m.req_region, port, 3, static_cast<word>(op.region));
    set(m.req_form, port, 2, static_cast<word>(op.form));
    set(m.req_type, port, 2, static_cast<word>(op.type));
    set(m.req_size, port, 3, op.size);
    set(m.req_skew, port, 1, op.skew ? 1U : 0U);
    set(m.req_context, port, 16, op.context);
    set(m.req_immediate, port, 32, static_cast<word>(op.immediate));
    set(m.req_lanes, port, 32, op.lanes);
    put(m.req_address, port, op.address);
    put(m.req_handle, port, op.handle);
    put(m.req_data, port, op.data);
    set(m.req_valid, port, 1, 1);
}

} // namespace isbesim::testbench::pins
