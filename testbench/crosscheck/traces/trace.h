// SPDX-License-Identifier: Apache-2.0
// Transaction traces: the requests of every port, the order and the times of their execution, and the responses, in a
// compact binary file that `replay` and the benchmark read.
//
// Layout, all little-endian: "ISBETRC3", u32 length + UTF-8 JSON of the machine configuration, u8 ports, u8 1 if it was
// recorded loosely timed, else 0, the records, 0xff, u64 number of records, u64 checksum (checksum.h) of all bytes
// before. A record begins with u8 port; then follow stream, request (relative to the port's previous record), accept
// and response (relative to request), response_hold, the operation, the number of dependencies and their distances, the
// number of waits and for each its distance and gap * 8 + event, and the answer (trace_writer.cpp). Numbers in records
// are LEB128 varints unless stated otherwise.
//
// Records are in the order in which the ISBE executed the operations, so an operation comes after its dependencies.
// Three rules keep the data of a replay equal to the recorded data, on any machine:
//  * the operations of a *stream* are requested in their order, all by one initiator, whose port is a queue;
//  * an operation is requested after its dependencies (access_order.h): after the requests of those of its own
//    initiator, after the responses of those of the other initiator;
//  * it is requested after the responses of all operations trace_window or more before it, so no record names those.
//
// Its waits determine its time: an operation is due when the gap after each event that it waits for has passed
// (wait_tracker.h). If they are unknown, it waits for the start, with its recorded cycle as the gap.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "testbench/crosscheck/traffic/operation_answer.h"
#include "testbench/crosscheck/traffic/traffic.h"
#include "tlm/operation_table.h"

namespace isbesim::testbench {

/// A trace is invalid, at byte `offset` if the mistake has a place.
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
/// A replay adds up cycles of different streams, so this is far below the range of 64 bits of picoseconds.
inline constexpr std::uint64_t max_trace_cycle = std::uint64_t{1} << 40;
/// A draw has streams 1 to 64 for concurrent warps, and from first_pe_stream on two for each of 64 warps, for the PE's
/// writes and reads. Other recordings have one stream per port.
inline constexpr unsigned first_pe_stream = 65;
inline constexpr unsigned max_streams = first_pe_stream + 2 * 64;
inline constexpr unsigned trace_window = 4096;

/// Distances to the records on which an operation depends, the nearest first; at most one per other stream.
struct dependency_list {
    unsigned count = 0;
    std::array<std::uint16_t, max_streams - 1> distance{};
};

/// The events that an operation can wait for: the start of the recording, or one of these of another operation.
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
    std::uint64_t gap = 0; ///< cycles from the event until this operation is due
};
struct wait_list {
    static constexpr unsigned most = 8;
    unsigned count = 0;
    std::array<wait_entry, most> entries;
};

/// The content of a record without the operation itself. Cycles are those of the recorded run.
struct record_facts {
    std::uint8_t port = 0;
    std::uint8_t stream = 0;
    std::uint64_t request = 0;       ///< the request appeared at the port
    std::uint64_t accept = 0;        ///< the port accepted it
    std::uint64_t response = 0;      ///< the response appeared there, not before the port's previous one
    std::uint32_t response_hold = 0; ///< cycles from the response to its acceptance
    dependency_list after;
    wait_list waits;
    operation_answer answer;
};

struct trace_record : record_facts {
    warp_op op;
};

/// Data components, 0..4, that a request carries; the others are don't-care.
constexpr unsigned request_components(opcode op, unsigned size)
{
    const auto carried = row_of(op).carried;
    return carried == by_size ? size : carried;
}
inline unsigned request_components(const warp_op& op)
{
    return request_components(op.op, op.size);
}
/// Lanes in which these components matter.
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
