#include "testbench/crosscheck/trace.h"

#include <cstring>

namespace isbesim::testbench {

namespace {

constexpr char magic[8] = {'I', 'S', 'B', 'E', 'T', 'R', 'C', '1'};
constexpr std::size_t flush_bytes = 1U << 16;
constexpr unsigned max_ports = 2;

/// How the words of the active lanes are stored: most attribute traffic is uniform or evenly spaced.
enum class lane_code : std::uint8_t { zero, uniform, stride, raw };

void put_varint(std::vector<std::uint8_t>& out, std::uint64_t value)
{
    while (value >= 0x80) {
        out.push_back(static_cast<std::uint8_t>(value | 0x80));
        value >>= 7;
    }
    out.push_back(static_cast<std::uint8_t>(value));
}

void put_word(std::vector<std::uint8_t>& out, word value)
{
    for (unsigned i = 0; i < 4; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

void put_lanes(std::vector<std::uint8_t>& out, const per_lane<word>& values, lane_mask lanes)
{
    per_lane<word> active{};
    unsigned n = 0;
    for (unsigned lane = 0; lane < warp_lanes; ++lane)
        if ((lanes >> lane) & 1U) active[n++] = values[lane];
    if (n == 0) return;
    const word step = n > 1 ? active[1] - active[0] : 0;
    bool even = true;
    for (unsigned i = 1; i < n; ++i) even = even && active[i] - active[i - 1] == step;
    const auto code = !even            ? lane_code::raw
                      : step != 0      ? lane_code::stride
                      : active[0] != 0 ? lane_code::uniform
                                       : lane_code::zero;
    out.push_back(static_cast<std::uint8_t>(code));
    switch (code) {
    case lane_code::zero:
        break;
    case lane_code::uniform:
        put_word(out, active[0]);
        break;
    case lane_code::stride:
        put_word(out, active[0]);
        put_word(out, step);
        break;
    case lane_code::raw:
        for (unsigned i = 0; i < n; ++i) put_word(out, active[i]);
        break;
    }
}

/// Lanes in which the data of a request count.
lane_mask data_lanes(const warp_op& op)
{
    return op.op == opcode::bind ? all_lanes : op.lanes;
}

} // namespace

unsigned request_components(const warp_op& op)
{
    switch (op.op) {
    case opcode::ast:
        return op.size;
    case opcode::isbewr:
        return 1;
    case opcode::bind:
        return 2; // 64 descriptor words
    default:
        return 0;
    }
}

trace_writer::trace_writer(const std::string& path, const std::string& config_json, unsigned ports)
    : file_(path, std::ios::binary | std::ios::trunc), path_(path), last_cycle_(ports)
{
    if (!file_) throw trace_error(path + ": can't be written");
    buffer_.insert(buffer_.end(), magic, magic + sizeof magic);
    put_word(buffer_, static_cast<word>(config_json.size()));
    buffer_.insert(buffer_.end(), config_json.begin(), config_json.end());
    put_word(buffer_, ports);
}

void trace_writer::record(unsigned port, const traffic_item& item)
{
    const auto& op = item.op;
    put_varint(buffer_, port);
    put_varint(buffer_, item.earliest - last_cycle_[port]);
    last_cycle_[port] = item.earliest;
    put_varint(buffer_, item.response_hold);
    const std::uint8_t fields[] = {static_cast<std::uint8_t>(op.op),     static_cast<std::uint8_t>(op.space),
                                   static_cast<std::uint8_t>(op.region), static_cast<std::uint8_t>(op.form),
                                   static_cast<std::uint8_t>(op.type),   op.size,
                                   static_cast<std::uint8_t>(op.skew)};
    buffer_.insert(buffer_.end(), std::begin(fields), std::end(fields));
    put_varint(buffer_, op.context);
    put_word(buffer_, static_cast<word>(op.immediate));
    put_word(buffer_, op.lanes);
    put_lanes(buffer_, op.address, op.lanes);
    put_lanes(buffer_, op.handle, op.lanes);
    for (unsigned c = 0; c < request_components(op); ++c) put_lanes(buffer_, op.data[c], data_lanes(op));
    if (buffer_.size() >= flush_bytes) {
        file_.write(reinterpret_cast<const char*>(buffer_.data()), static_cast<std::streamsize>(buffer_.size()));
        buffer_.clear();
    }
}

void trace_writer::close()
{
    if (!file_.is_open()) return;
    file_.write(reinterpret_cast<const char*>(buffer_.data()), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
    file_.close();
    if (!file_) throw trace_error(path_ + ": can't be written completely");
}

trace_writer::~trace_writer()
{
    try {
        close();
    } catch (const trace_error&) { // close() is there for those who want to know
    }
}

trace_reader::trace_reader(const std::string& path) : file_(path, std::ios::binary), path_(path), buffer_(flush_bytes)
{
    if (!file_) throw trace_error(path + ": can't be read");
    const auto fixed = [&](char* to, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            const int value = byte();
            if (value < 0) fail("ends inside the header, expected a transaction trace");
            to[i] = static_cast<char>(value);
        }
    };
    const auto number = [&] {
        unsigned char bytes[4];
        fixed(reinterpret_cast<char*>(bytes), 4);
        return static_cast<word>(bytes[0] | bytes[1] << 8 | bytes[2] << 16) | static_cast<word>(bytes[3]) << 24;
    };
    char start[sizeof magic];
    fixed(start, sizeof start);
    if (std::memcmp(start, magic, sizeof magic) != 0)
        fail("is no transaction trace, expected it to start with ISBETRC1");
    const auto length = number();
    if (length > (1U << 20))
        fail("has a configuration of " + std::to_string(length) + " bytes, expected at most 1 MiB");
    config_json_.resize(length);
    fixed(config_json_.data(), length);
    const auto ports = number();
    if (ports < 1 || ports > max_ports) fail("has " + std::to_string(ports) + " ports, expected 1 or 2");
    waiting_.resize(ports);
    last_cycle_.resize(ports);
}

bool trace_reader::next(unsigned port, traffic_item& item)
{
    while (waiting_[port].empty())
        if (!read_record()) return false;
    item = waiting_[port].front();
    waiting_[port].pop_front();
    return true;
}

int trace_reader::byte()
{
    if (position_ == filled_) {
        offset_ += filled_;
        file_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
        filled_ = static_cast<std::size_t>(file_.gcount());
        position_ = 0;
        if (filled_ == 0) return -1;
    }
    return static_cast<unsigned char>(buffer_[position_++]);
}

std::uint64_t trace_reader::varint()
{
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const int next = byte();
        if (next < 0) fail("ends inside a record");
        value |= static_cast<std::uint64_t>(next & 0x7f) << shift;
        if (next < 0x80) return value;
    }
    fail("holds a number of more than 64 bits");
}

bool trace_reader::read_record()
{
    const int first = byte();
    if (first < 0) return false;
    const auto port = static_cast<unsigned>(first);
    if (port >= waiting_.size())
        fail("names port " + std::to_string(port) + ", expected less than " + std::to_string(waiting_.size()));

    const auto small = [&](unsigned limit, const char* what) {
        const int value = byte();
        if (value < 0) fail("ends inside a record");
        if (static_cast<unsigned>(value) > limit)
            fail(std::string("has ") + what + " " + std::to_string(value) + ", expected at most " +
                 std::to_string(limit));
        return static_cast<std::uint8_t>(value);
    };
    const auto number = [&] {
        word value = 0;
        if (filled_ - position_ >= 4) {
            for (unsigned i = 0; i < 4; ++i)
                value |= static_cast<word>(static_cast<unsigned char>(buffer_[position_ + i])) << (8 * i);
            position_ += 4;
            return value;
        }
        for (unsigned i = 0; i < 4; ++i) value |= static_cast<word>(small(255, "byte")) << (8 * i);
        return value;
    };
    const auto lanes_into = [&](per_lane<word>& values, lane_mask lanes) {
        if (lanes == 0) return;
        const auto code = static_cast<lane_code>(small(3, "lane code"));
        word value = code == lane_code::uniform || code == lane_code::stride ? number() : 0;
        const word step = code == lane_code::stride ? number() : 0;
        for (unsigned lane = 0; lane < warp_lanes; ++lane) {
            if (((lanes >> lane) & 1U) == 0) continue;
            if (code == lane_code::raw) value = number();
            values[lane] = value;
            value += step;
        }
    };

    waiting_[port].emplace_back();
    auto& item = waiting_[port].back();
    auto& op = item.op;
    item.earliest = last_cycle_[port] += varint();
    item.response_hold = static_cast<std::uint32_t>(varint());
    op.op = static_cast<opcode>(small(opcode_count - 1, "opcode"));
    op.space = static_cast<space>(small(1, "space"));
    op.region = static_cast<region>(small(4, "region"));
    op.form = static_cast<address_form>(small(2, "address form"));
    op.type = static_cast<out_type>(small(3, "OUT type"));
    op.size = small(max_components, "size");
    op.skew = small(1, "skew flag") != 0;
    op.context = static_cast<std::uint16_t>(varint());
    op.immediate = static_cast<std::int32_t>(number());
    op.lanes = number();
    lanes_into(op.address, op.lanes);
    lanes_into(op.handle, op.lanes);
    for (unsigned c = 0; c < request_components(op); ++c) lanes_into(op.data[c], data_lanes(op));
    return true;
}

void trace_reader::fail(const std::string& what) const
{
    throw trace_error(path_ + ": byte " + std::to_string(offset_ + position_) + ": " + what);
}

} // namespace isbesim::testbench
