// SPDX-License-Identifier: Apache-2.0
// Transaction traces: what every port asked of the ISBE, in which order it was carried out, when, and what it
// responded, in a compact binary file that `replay` and the benchmark read.
//
// Layout, all little-endian: "ISBETRC3", u32 length + UTF-8 JSON of the machine configuration, u8 ports, u8 1 when it
// was recorded loosely timed and else 0, the records, and after them 0xff, u64 number of records, u64 checksum
// (checksum.h) of all bytes before. A record begins with u8 port; then follow stream, request (counted from the port's
// record before), accept and response (from request), response_hold, the operation, the number of dependencies and
// their distances, the number of waits and for each its distance and gap * 8 + event, and the answer
// (trace_writer.cpp). Numbers in records are LEB128 varints unless said otherwise.
//
// Records are in the order in which the ISBE carried the operations out, so whatever an operation depends on is before
// it. Three things keep the data of a replay what they were, on any machine:
//  * the operations of a *stream* are requested in their order, all by one initiator, whose port is a queue;
//  * an operation is requested after those that it names as dependencies (access_order.h): after their requests where
//    they are of its own initiator, after their responses where they are not;
//  * and after the responses of all records that are trace_window or more before it, which therefore no record names.
//
// Its waits say when: an operation is due when all events that it waits for were so many cycles ago, their gaps
// (wait_tracker.h). Those of a recording that does not tell them are from the start: the recorded cycles.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "testbench/crosscheck/traffic/operation_answer.h"
#include "testbench/crosscheck/traffic/traffic.h"

namespace isbesim::testbench {

/// Something is wrong with a trace: at `offset`, in bytes, where there is a place for it.
class trace_error : public std::runtime_error {
public:
    explicit trace_error(const std::string& text, std::uint64_t offset = 0) : std::runtime_error(text), offset_(offset)
    {
    }
    std::uint64_t offset() const { return offset_; }

private:
    std::uint64_t offset_;
};

inline constexpr unsigned max_trace_ports = 2;
/// A replay adds cycles of different streams up: far below what 64 bits of picoseconds hold.
inline constexpr std::uint64_t max_trace_cycle = std::uint64_t{1} << 40;
/// A stream per port; or of a draw from 1 on warps, 64 at a time, and writes and reads that the PE carries out for 64
/// warps at a time.
inline constexpr unsigned first_pe_stream = 65;
inline constexpr unsigned max_streams = first_pe_stream + 2 * 64;
inline constexpr unsigned trace_window = 4096;

/// Distances to the records that an operation waits for, the nearest first; at most one per other stream.
struct dependency_list {
    unsigned count = 0;
    std::array<std::uint16_t, max_streams - 1> distance{};
};

/// What an operation waits for: the start of the recording, or of another operation, of that and its phases one.
enum class awaited_event : std::uint8_t {
    start,
    due, ///< its initiator wanted to request it
    request,
    accept,
    response,
};
inline constexpr auto last_awaited_event = awaited_event::response;

inline constexpr unsigned awaited_event_bits = 3; ///< in a record

struct wait_entry {
    std::uint16_t distance = 0; ///< to the other record, back from this one; 0 for the start
    awaited_event event = awaited_event::start;
    std::uint64_t gap = 0; ///< cycles from there until it is due
};
struct wait_list {
    static constexpr unsigned most = 8;
    unsigned count = 0;
    std::array<wait_entry, most> of;
};

/// What a record says of an operation besides what it asks for. Cycles are those of the recorded run.
struct record_facts {
    std::uint8_t port = 0;
    std::uint8_t stream = 0;
    std::uint64_t request = 0;       ///< the request appeared at the port
    std::uint64_t accept = 0;        ///< the port took it
    std::uint64_t response = 0;      ///< the response appeared there, never before the port's last one
    std::uint32_t response_hold = 0; ///< cycles from there to its acceptance
    dependency_list after;
    wait_list waits;
    operation_answer answer;
};

struct trace_record : record_facts {
    warp_op op;
};

/// Data components, 0..4, that a request carries; the others are don't-care.
unsigned request_components(opcode op, unsigned size);
inline unsigned request_components(const warp_op& op)
{
    return request_components(op.op, op.size);
}
/// Lanes in which they count.
constexpr lane_mask request_data_lanes(opcode op, lane_mask active)
{
    return op == opcode::bind ? all_lanes : active;
}
constexpr lane_mask request_data_lanes(const warp_op& op)
{
    return request_data_lanes(op.op, op.lanes);
}

/// How the words of the active lanes are stored: most attribute traffic is uniform or evenly spaced.
enum class lane_code : std::uint8_t { zero, uniform, stride, raw };

inline constexpr char trace_magic[8] = {'I', 'S', 'B', 'E', 'T', 'R', 'C', '3'};
inline constexpr std::uint8_t trace_end_mark = 0xff;
inline constexpr unsigned trace_trailer_bytes = 1 + 8 + 8;

} // namespace isbesim::testbench
