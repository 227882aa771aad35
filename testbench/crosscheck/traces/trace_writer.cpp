// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traces/trace_writer.h"

#include <cstring>

#include "testbench/crosscheck/traces/encoded_operation.h"

namespace isbesim::testbench {

namespace {

constexpr std::size_t flush_bytes = 1U << 16;
/// Six arrays of 32 words with their codes, the dependencies of two bytes each, waits of two numbers, and less than 100
/// bytes for the rest.
constexpr std::size_t record_bytes =
    6 * (1 + 4 * warp_lanes) + 2 * max_streams + 2 * max_varint_bytes * wait_list::most + 100;

std::uint8_t* put_word(std::uint8_t* out, word value)
{
    for (unsigned i = 0; i < 4; ++i) *out++ = static_cast<std::uint8_t>(value >> (8 * i));
    return out;
}

void put_long(std::uint8_t* out, std::uint64_t value)
{
    put_word(put_word(out, static_cast<word>(value)), static_cast<word>(value >> 32));
}

std::uint8_t* put_varint(std::uint8_t* out, std::uint64_t value)
{
    for (; value >= 0x80; value >>= 7) *out++ = static_cast<std::uint8_t>(value | 0x80);
    *out++ = static_cast<std::uint8_t>(value);
    return out;
}

std::uint8_t* put_lanes(std::uint8_t* out, const per_lane<word>& values, lane_mask lanes)
{
    per_lane<word> active{};
    unsigned n = 0;
    for (unsigned lane = 0; lane < warp_lanes; ++lane)
        if ((lanes >> lane) & 1U) active[n++] = values[lane];
    if (n == 0) return out;
    const word step = n > 1 ? active[1] - active[0] : 0;
    bool strided = true;
    for (unsigned i = 1; i < n; ++i) strided = strided && active[i] - active[i - 1] == step;
    const auto code = !strided         ? lane_code::raw
                      : step != 0      ? lane_code::stride
                      : active[0] != 0 ? lane_code::uniform
                                       : lane_code::zero;
    *out++ = static_cast<std::uint8_t>(code);
    switch (code) {
    case lane_code::zero:
        break;
    case lane_code::uniform:
        out = put_word(out, active[0]);
        break;
    case lane_code::stride:
        out = put_word(put_word(out, active[0]), step);
        break;
    case lane_code::raw:
        for (unsigned i = 0; i < n; ++i) out = put_word(out, active[i]);
        break;
    }
    return out;
}

template <unsigned pins>
std::uint8_t* put_value(std::uint8_t* out, word value)
{
    if constexpr (pins == 32) return put_word(out, value);
    return put_varint(out, value);
}

std::uint8_t* put_lanes(std::uint8_t* out, const per_lane<word>& values, const warp_op& op)
{
    return put_lanes(out, values, op.lanes);
}
std::uint8_t* put_lanes(std::uint8_t* out, const std::array<per_lane<word>, max_components>& data, const warp_op& op)
{
    for (unsigned i = 0; i < request_components(op); ++i) out = put_lanes(out, data[i], request_data_lanes(op));
    return out;
}

std::uint8_t* put_operation(std::uint8_t* out, const warp_op& op)
{
#define ISBESIM_FIELD(name, pins, ...) out = put_value<pins>(out, static_cast<word>(op.name));
#define ISBESIM_LANE_FIELD(name, ...) out = put_lanes(out, op.name, op);
#include "tlm/request_fields.inc"
    return out;
}

} // namespace

trace_writer::trace_writer(const std::string& path, const std::string& config_json, unsigned ports, bool loosely_timed)
    : file_(path), path_(path)
{
    if (!file_.open())
        throw trace_error(path + " can't be written, expected the name of a new file in a folder that takes files");
    buffer_.resize(sizeof trace_magic + 4 + config_json.size() + 2 + flush_bytes + record_bytes);
    std::uint8_t* out = buffer_.data();
    std::memcpy(out, trace_magic, sizeof trace_magic);
    out = put_word(out + sizeof trace_magic, static_cast<word>(config_json.size()));
    std::memcpy(out, config_json.data(), config_json.size());
    out += config_json.size();
    *out++ = static_cast<std::uint8_t>(ports);
    *out++ = static_cast<std::uint8_t>(loosely_timed);
    used_ = static_cast<std::size_t>(out - buffer_.data());
}

void trace_writer::write(const trace_record& record)
{
    std::uint8_t* out = buffer_.data() + used_;
    *out++ = record.port;
    *out++ = record.stream;
    out = put_varint(out, record.request - last_request_[record.port]);
    last_request_[record.port] = record.request;
    out = put_varint(out, record.accept - record.request);
    out = put_varint(out, record.response - record.request);
    out = put_varint(out, record.response_hold);
    out = put_operation(out, record.op);
    out = put_varint(out, record.after.count);
    for (unsigned i = 0; i < record.after.count; ++i) out = put_varint(out, record.after.distance[i]);
    out = put_varint(out, record.waits.count);
    for (unsigned i = 0; i < record.waits.count; ++i) {
        const auto& wait = record.waits.entries[i];
        out = put_varint(out, wait.distance);
        out = put_varint(out, wait.gap << awaited_event_bits | static_cast<unsigned>(wait.event));
    }
    *out++ = static_cast<std::uint8_t>(record.answer.error);
    out = put_varint(out, record.answer.status);
    out = put_word(out, record.answer.digest);
    used_ = static_cast<std::size_t>(out - buffer_.data());
    ++operations_;
    if (used_ >= flush_bytes) flush();
}

void trace_writer::flush()
{
    sum_.add_bytes(buffer_.data(), used_);
    file_.write(buffer_.data(), used_);
    used_ = 0;
}

void trace_writer::close()
{
    buffer_[used_++] = trace_end_mark;
    put_long(buffer_.data() + used_, operations_);
    used_ += 8;
    flush();
    put_long(buffer_.data(), sum_.value());
    file_.write(buffer_.data(), 8);
    if (!file_.finish()) throw trace_error(path_ + " can't be written completely, expected room for it");
}

} // namespace isbesim::testbench
