// SPDX-License-Identifier: Apache-2.0
// Writes a trace, record by record.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "testbench/crosscheck/traces/trace.h"
#include "testbench/files/checksum.h"
#include "testbench/files/whole_file.h"

namespace isbesim::testbench {

class trace_writer {
public:
    /// Throws trace_error when the file can't be written.
    trace_writer(const std::string& path, const std::string& config_json, unsigned ports, bool loosely_timed);
    /// The records of a port must come in the order of their requests.
    void write(const trace_record& record);
    /// Ends the file and reports a full disk. A file that was never closed is not a trace: it has no trailer.
    void close();

    std::uint64_t operations() const { return operations_; }

private:
    void flush();

    whole_file file_;
    std::string path_;
    std::vector<std::uint8_t> buffer_;
    std::size_t used_ = 0;
    checksum sum_;
    std::array<std::uint64_t, max_trace_ports> last_request_{};
    std::uint64_t operations_ = 0;
};

} // namespace isbesim::testbench
