// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traces/trace_reader.h"

#include <algorithm>
#include <cstring>

#include "models/isbe/functional/lanes.h"
#include "testbench/files/checksum.h"
#include "tlm/enum_table.h"

namespace isbesim::testbench {

namespace {

constexpr std::size_t block_bytes = 1U << 16;
/// Port, stream, four numbers, the operation, the number of its dependencies, these, the number of its waits, these,
/// the answer.
constexpr std::size_t max_record_bytes = 2 + 4 * max_varint_bytes + max_operation_bytes +
                                         (1 + max_streams) * max_varint_bytes +
                                         (1 + 2 * wait_list::most) * max_varint_bytes + 1 + max_varint_bytes + 4;
constexpr std::size_t header_bytes = sizeof trace_magic + 4;
constexpr std::uint64_t max_config_bytes = 1U << 20;
constexpr std::uint64_t max_hold = 1U << 20;
constexpr std::uint8_t no_port = 0xff;

std::uint64_t little_endian(const char* bytes, unsigned count)
{
    std::uint64_t value = 0;
    for (unsigned i = 0; i < count; ++i) value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    return value;
}

constexpr unsigned highest_value(unsigned values)
{
    return 31U - static_cast<unsigned>(__builtin_clz(values));
}

} // namespace

trace_file open_trace(const std::string& path)
{
    trace_file trace;
    trace.path = path;
    std::ifstream file(path, std::ios::binary);
    if (!file || !file.seekg(0, std::ios::end)) throw trace_error("can't be read, expected a transaction trace");
    const std::streamoff last = file.tellg();
    char start[header_bytes] = {};
    file.seekg(0);
    file.read(start, sizeof start);
    const auto got = static_cast<std::uint64_t>(file.gcount());
    if (got == 0) throw trace_error("can't be read or is empty, expected a transaction trace");
    if (std::memcmp(start, trace_magic, sizeof trace_magic - 1) != 0)
        throw trace_error("is no transaction trace, expected it to start with ISBETRC3");
    if (start[sizeof trace_magic - 1] != trace_magic[sizeof trace_magic - 1])
        throw trace_error(std::string("is a trace of format '") + start[sizeof trace_magic - 1] +
                              "', expected format 3 (ISBETRC3): record it again with --record",
                          sizeof trace_magic - 1);
    const auto size = static_cast<std::uint64_t>(last);
    const auto length = little_endian(start + sizeof trace_magic, 4);
    if (length > max_config_bytes)
        throw trace_error("has a configuration of " + std::to_string(length) + " bytes, expected at most 1 MiB",
                          sizeof trace_magic);
    trace.begin = header_bytes + length + 2;
    if (got < header_bytes || size < trace.begin + trace_trailer_bytes)
        throw trace_error("ends inside the header, expected a whole trace: the file is damaged", size);
    trace.end = size - trace_trailer_bytes;

    // The sum covers all bytes before it.
    checksum sum;
    std::vector<char> block(block_bytes);
    file.clear();
    file.seekg(0);
    for (std::uint64_t left = size - 8; left != 0;) {
        file.read(block.data(), static_cast<std::streamsize>(std::min<std::uint64_t>(left, block.size())));
        const auto read = static_cast<std::uint64_t>(file.gcount());
        if (read == 0) throw trace_error("can't be read completely", size - 8 - left);
        sum.add_bytes(block.data(), read);
        left -= read;
    }
    char trailer[trace_trailer_bytes] = {};
    file.clear();
    file.seekg(static_cast<std::streamoff>(trace.end));
    file.read(trailer, sizeof trailer);
    if (file.gcount() != sizeof trailer || little_endian(trailer + 9, 8) != sum.value())
        throw trace_error("has another checksum than its bytes: the file is damaged or was not written to its end, "
                          "expected it as --record left it",
                          size - 8);
    if (static_cast<std::uint8_t>(trailer[0]) != trace_end_mark)
        throw trace_error("has no end mark, expected the byte 0xff", trace.end);
    trace.operations = little_endian(trailer + 1, 8);

    trace.config_json.resize(length);
    char facts[2] = {};
    file.clear();
    file.seekg(header_bytes);
    file.read(trace.config_json.data(), static_cast<std::streamsize>(length));
    file.read(facts, sizeof facts);
    if (!file) throw trace_error("can't be read completely", header_bytes);
    trace.ports = static_cast<unsigned char>(facts[0]);
    if (trace.ports < 1 || trace.ports > max_trace_ports)
        throw trace_error("has " + std::to_string(trace.ports) + " ports, expected 1 or 2", trace.begin - 2);
    if (facts[1] != 0 && facts[1] != 1)
        throw trace_error("has another number than 0 and 1 for how it was timed", trace.begin - 1);
    trace.loosely_timed = facts[1] != 0;
    return trace;
}

trace_reader::trace_reader(const trace_file& trace)
    : trace_(trace), file_(trace.path, std::ios::binary), buffer_(block_bytes), offset_(trace.begin)
{
    if (!file_.seekg(static_cast<std::streamoff>(trace.begin))) throw trace_error("can't be read");
    port_of_stream_.fill(no_port);
}

inline std::uint8_t trace_reader::byte()
{
    if (position_ == filled_) ended();
    return buffer_[position_++];
}

inline std::uint8_t trace_reader::small(unsigned limit, const char* what)
{
    const auto value = byte();
    if (value > limit) too_large(what, value, limit);
    return value;
}

inline std::uint64_t trace_reader::varint(std::uint64_t limit, const char* what)
{
    if (position_ == filled_ || buffer_[position_] >= 0x80) return long_varint(limit, what);
    const std::uint64_t value = buffer_[position_++];
    if (value > limit) too_large(what, value, limit);
    return value;
}

inline word trace_reader::number()
{
    if (filled_ - position_ >= sizeof(word)) {
        const auto* const bytes = buffer_.data() + position_;
        position_ += sizeof(word);
        return word{bytes[0]} | word{bytes[1]} << 8 | word{bytes[2]} << 16 | word{bytes[3]} << 24;
    }
    word value = 0;
    for (unsigned i = 0; i < sizeof(word); ++i) value |= word{byte()} << (8 * i);
    return value;
}

inline void trace_reader::skip(std::size_t bytes)
{
    if (bytes > filled_ - position_) {
        position_ = filled_;
        ended();
    }
    position_ += bytes;
}

bool trace_reader::next(trace_record& record)
{
    encoded_operation encoded;
    if (!next(record, encoded)) return false;
    record.op = warp_op{};
    decode(encoded.bytes, record.op);
    return true;
}

bool trace_reader::next(record_facts& record, encoded_operation& op)
{
    record_offset_ = offset_ + position_;
    if (record_offset_ == trace_.end) {
        if (operations_ != trace_.operations)
            fail("has " + std::to_string(operations_) + " operations, expected " + std::to_string(trace_.operations) +
                 " as its end says");
        return false;
    }
    have_a_record();
    record.port = small(trace_.ports - 1, "port");
    record.stream = small(max_streams - 1, "stream");
    auto& port = port_of_stream_[record.stream];
    if (port != no_port && port != record.port)
        fail("has stream " + std::to_string(record.stream) + " on port " + std::to_string(record.port) +
             ", expected it on port " + std::to_string(port) + " as before");
    port = record.port;
    auto& last = last_request_[record.port];
    record.request = last += varint(max_trace_cycle - last, "distance of requests");
    record.accept = record.request + varint(max_trace_cycle, "wait of a request");
    record.response = record.request + varint(max_trace_cycle, "latency");
    record.response_hold = static_cast<std::uint32_t>(varint(max_hold, "held response"));
    const auto begin = position_;
    skip_operation();
    op = {buffer_.data() + begin, position_ - begin};
    dependencies(record.after);
    waits(record.waits);
    record.answer.error = static_cast<op_error>(byte());
    record.answer.status = static_cast<std::uint16_t>(varint(0xffff, "lane status"));
    record.answer.digest = number();
    ++operations_;
    return true;
}

std::uint64_t trace_reader::long_varint(std::uint64_t limit, const char* what)
{
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 7 * max_varint_bytes; shift += 7) {
        const auto next = byte();
        value |= std::uint64_t{next & 0x7fU} << shift;
        if (next >= 0x80) continue;
        if (value > limit) too_large(what, value, limit);
        return value;
    }
    fail(std::string("has ") + what + " of more than 63 bits, expected at most " + std::to_string(limit));
}

template <unsigned pins>
word trace_reader::value(unsigned values, const char* text)
{
    if constexpr (pins == 32) return number();
    const word highest = values != 0 ? highest_value(values) : 0xffffffffU >> (32 - pins);
    if constexpr (pins < 8) return small(highest, text);
    return static_cast<word>(varint(highest, text));
}

void trace_reader::skip_operation()
{
#define ISBESIM_FIELD(name, pins, values, used, text)                                                                  \
    const auto name = static_cast<decltype(warp_op::name)>(value<pins>((used) ? (values) : 0, text));                  \
    static_cast<void>(name);
#define ISBESIM_LANE_FIELD(name, pins, ...)                                                                            \
    if constexpr (pins == 32 * warp_lanes)                                                                             \
        skip_lanes(lanes);                                                                                             \
    else                                                                                                               \
        for (auto left = request_components(op, size); left != 0; --left) skip_lanes(request_data_lanes(op, lanes));
#include "tlm/request_fields.inc"
}

void trace_reader::dependencies(dependency_list& list)
{
    list.count = static_cast<unsigned>(varint(max_streams - 1, "number of dependencies"));
    std::uint64_t before = 0;
    for (unsigned i = 0; i < list.count; ++i) {
        const auto distance = varint(trace_window - 1, "distance of a dependency");
        if (distance <= before || distance > operations_)
            fail("has a dependency at distance " + std::to_string(distance) + ", expected " +
                 std::to_string(before + 1) + " to " + std::to_string(operations_));
        list.distance[i] = static_cast<std::uint16_t>(distance);
        before = distance;
    }
}

void trace_reader::waits(wait_list& list)
{
    list.count = static_cast<unsigned>(varint(wait_list::most, "number of waits"));
    for (unsigned i = 0; i < list.count; ++i) {
        auto& wait = list.entries[i];
        wait.distance = static_cast<std::uint16_t>(varint(trace_window - 1, "distance of a wait"));
        const auto rest = varint((max_trace_cycle << awaited_event_bits) - 1, "gap of a wait");
        const auto event = static_cast<unsigned>(rest & ((1U << awaited_event_bits) - 1U));
        if (event >= enum_count<last_awaited_event>)
            fail("waits for event " + std::to_string(event) + ", expected 0 to " +
                 std::to_string(enum_count<last_awaited_event> - 1));
        wait.event = static_cast<awaited_event>(event);
        wait.gap = rest >> awaited_event_bits;
        if ((wait.event == awaited_event::start) != (wait.distance == 0))
            fail("waits for itself or for the start of another one, expected an event of an operation before it");
        if (wait.distance > operations_)
            fail("waits for one at distance " + std::to_string(wait.distance) + ", expected at most " +
                 std::to_string(operations_));
    }
}

void trace_reader::skip_lanes(lane_mask active)
{
    if (active == 0) return;
    switch (static_cast<lane_code>(small(enum_count<lane_code::raw> - 1, "lane code"))) {
    case lane_code::zero:
        return;
    case lane_code::uniform:
        return skip(sizeof(word));
    case lane_code::stride:
        return skip(2 * sizeof(word));
    case lane_code::raw:
        return skip(lane_count(active) * sizeof(word));
    }
}

/// Reads until the buffer holds a whole record, if the file has one.
void trace_reader::have_a_record()
{
    if (filled_ - position_ >= max_record_bytes || offset_ + filled_ == trace_.end) return;
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(position_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(filled_), buffer_.begin());
    offset_ += position_;
    filled_ -= position_;
    position_ = 0;
    const auto left = std::min<std::uint64_t>(trace_.end - offset_ - filled_, buffer_.size() - filled_);
    file_.read(reinterpret_cast<char*>(buffer_.data() + filled_), static_cast<std::streamsize>(left));
    filled_ += static_cast<std::size_t>(file_.gcount());
}

void trace_reader::ended() const
{
    fail(offset_ + filled_ == trace_.end ? "ends inside a record" : "can't be read completely");
}

void trace_reader::too_large(const char* what, std::uint64_t value, std::uint64_t limit) const
{
    fail(std::string("has ") + what + " " + std::to_string(value) + ", expected at most " + std::to_string(limit));
}

void trace_reader::fail(const std::string& what) const
{
    // The byte after which the mistake was noticed.
    const auto here = offset_ + position_;
    throw trace_error("operation " + std::to_string(operations_) + " " + what, here > trace_.begin ? here - 1 : here);
}

} // namespace isbesim::testbench
