// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traces/encoded_operation.h"

#include <cstring>

#include "models/isbe/functional/lanes.h"

namespace isbesim::testbench {

namespace {

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

word take_varint(const std::uint8_t*& in)
{
    word value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const word next = *in++;
        value |= (next & 0x7fU) << shift;
        if (next < 0x80) return value;
    }
}

template <unsigned pins>
word take_value(const std::uint8_t*& in)
{
    if constexpr (pins == 32) return take_word(in);
    if constexpr (pins < 8) return *in++;
    return take_varint(in);
}

void take_lanes(const std::uint8_t*& in, per_lane<word>& values, const warp_op& op)
{
    take_lanes(in, values, op.lanes);
}
void take_lanes(const std::uint8_t*& in, std::array<per_lane<word>, max_components>& data, const warp_op& op)
{
    const unsigned components = request_components(op);
    for (unsigned i = 0; i < components; ++i) take_lanes(in, data[i], request_data_lanes(op));
}

} // namespace

std::uint16_t encoded_operation::context() const
{
    const auto* in = bytes + static_cast<unsigned>(request_field::context);
    return static_cast<std::uint16_t>(take_varint(in));
}

void decode(const std::uint8_t* in, warp_op& op)
{
#define ISBESIM_FIELD(name, pins, ...) op.name = static_cast<decltype(op.name)>(take_value<pins>(in));
#define ISBESIM_LANE_FIELD(name, ...) take_lanes(in, op.name, op);
#include "tlm/request_fields.inc"
}

} // namespace isbesim::testbench
