// SPDX-License-Identifier: Apache-2.0
// Reads traces: first the file as a whole, then record by record.
#pragma once

#include <array>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "testbench/crosscheck/traces/encoded_operation.h"
#include "testbench/crosscheck/traces/trace.h"

namespace isbesim::testbench {

/// A trace with a valid header, trailer and checksum: any byte that was changed after writing is detected.
struct trace_file {
    std::string path;
    std::string config_json;
    unsigned ports = 0;
    bool loosely_timed = false; ///< cycles of --isbe lt: an estimate
    std::uint64_t operations = 0;
    std::uint64_t begin = 0; ///< offset of the first record
    std::uint64_t end = 0;   ///< end of the last record
};

/// Reads the whole file once, a block at a time. Throws trace_error.
trace_file open_trace(const std::string& path);

/// A position in a trace. Holds one block of the file.
class trace_reader {
public:
    explicit trace_reader(const trace_file& trace);
    /// False at the end. Throws trace_error, with the offset of the byte, for a record that no writer makes.
    bool next(trace_record& record);
    /// Reads a record without decoding its operation, which is valid until the next record is read.
    bool next(record_facts& record, encoded_operation& op);
    /// Records read so far.
    std::uint64_t operations() const { return operations_; }
    /// Offset of the record that was read last.
    std::uint64_t record_offset() const { return record_offset_; }

private:
    void have_a_record();
    std::uint8_t byte();
    std::uint8_t small(unsigned limit, const char* what);
    std::uint64_t varint(std::uint64_t limit, const char* what);
    std::uint64_t long_varint(std::uint64_t limit, const char* what);
    word number();
    template <unsigned pins>
    word value(unsigned values, const char* text);
    void skip(std::size_t bytes);
    void skip_lanes(lane_mask active);
    void skip_operation();
    void dependencies(dependency_list& list);
    void waits(wait_list& list);
    [[noreturn]] void ended() const;
    [[noreturn]] void too_large(const char* what, std::uint64_t value, std::uint64_t limit) const;
    [[noreturn]] void fail(const std::string& what) const;

    const trace_file trace_;
    std::ifstream file_;
    std::vector<std::uint8_t> buffer_;
    std::size_t position_ = 0;
    std::size_t filled_ = 0;
    std::uint64_t offset_ = 0; ///< of buffer_[0] in the file
    std::uint64_t operations_ = 0;
    std::uint64_t record_offset_ = 0;
    std::array<std::uint64_t, max_trace_ports> last_request_{};
    std::array<std::uint8_t, max_streams> port_of_stream_{};
};

} // namespace isbesim::testbench
