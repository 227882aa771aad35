// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traces/encoded_operation.h"

#include <cstring>

#include "models/isbe/functional/lanes.h"

namespace isbesim::testbench {

namespace {

constexpr std::size_t field_bytes = 7;

constexpr bool is_little_endian = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

word take_word(const std::uint8_t*& in)
{
    const word value = word{in[0]} | word{in[1]} << 8 | word{in[2]} << 16 | word{in[3]} << 24;
    in += 4;
    return value;
}

void take_lanes(const std::uint8_t*& in, per_lane<word>& values, lane_mask active)
{
    if (active == 0) return;
    switch (static_cast<lane_code>(*in++)) {
    case lane_code::zero:
        return;
    case lane_code::raw:
        if (is_little_endian && active == all_lanes) {
            std::memcpy(values.data(), in, sizeof values);
            in += sizeof values;
        } else {
            for_each_lane(active, [&](unsigned lane) { values[lane] = take_word(in); });
        }
        return;
    case lane_code::uniform: {
        const word value = take_word(in);
        for (unsigned lane = 0; lane < warp_lanes; ++lane) values[lane] = value & lane_on(active, lane);
        return;
    }
    case lane_code::stride:
        break;
    }
    word value = take_word(in);
    const word step = take_word(in);
    if (active == all_lanes) {
        for (unsigned lane = 0; lane < warp_lanes; ++lane) values[lane] = value + lane * step;
        return;
    }
    for_each_lane(active, [&](unsigned lane) {
        values[lane] = value;
        value += step;
    });
}

std::uint16_t take_context(const std::uint8_t*& in)
{
    std::uint64_t context = 0;
    for (unsigned shift = 0;; shift += 7) {
        const std::uint64_t next = *in++;
        context |= (next & 0x7fU) << shift;
        if (next < 0x80) break;
    }
    return static_cast<std::uint16_t>(context);
}

} // namespace

std::uint16_t encoded_operation::context() const
{
    const auto* in = bytes + field_bytes;
    return take_context(in);
}

void decode(const std::uint8_t* in, warp_op& op)
{
    op.op = static_cast<opcode>(in[0]);
    op.space = static_cast<space>(in[1]);
    op.region = static_cast<region>(in[2]);
    op.form = static_cast<address_form>(in[3]);
    op.type = static_cast<out_type>(in[4]);
    op.size = in[5];
    op.skew = in[6] != 0;
    in += field_bytes;
    op.context = take_context(in);
    op.immediate = static_cast<std::int32_t>(take_word(in));
    op.lanes = take_word(in);
    take_lanes(in, op.address, op.lanes);
    take_lanes(in, op.handle, op.lanes);
    const unsigned components = request_components(op);
    for (unsigned c = 0; c < components; ++c) take_lanes(in, op.data[c], request_data_lanes(op));
}

} // namespace isbesim::testbench
