// Transaction traces: what every port asked of the ISBE and when, in a compact binary file that `replay` and the
// benchmark read. The file holds requests only; answers are computed again by whatever replays it.
//
// Layout, all little-endian: "ISBETRC1", u32 length + UTF-8 JSON of the machine configuration, u32 ports, then records
// in order of request until end of file. Numbers in records are LEB128 varints unless said otherwise.
#pragma once

#include <cstdint>
#include <deque>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbench/crosscheck/traffic.h"

namespace isbesim::testbench {

class trace_error : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Data components, 0..4, that a request carries; the others are don't-care.
unsigned request_components(const warp_op& op);

class trace_writer {
public:
    /// Throws trace_error when the file can't be written.
    trace_writer(const std::string& path, const std::string& config_json, unsigned ports);
    void record(unsigned port, const traffic_item& item);
    /// Flushes and reports a full disk; the destructor flushes silently.
    void close();
    ~trace_writer();

private:
    std::ofstream file_;
    std::string path_;
    std::vector<std::uint8_t> buffer_;
    std::vector<std::uint64_t> last_cycle_;
};

/// Reads lazily: memory is bounded by how far apart in the file the ports' items are.
class trace_reader : public traffic_source {
public:
    explicit trace_reader(const std::string& path);
    const std::string& config_json() const { return config_json_; }
    unsigned ports() const { return static_cast<unsigned>(waiting_.size()); }
    bool next(unsigned port, traffic_item& item) override;

private:
    bool read_record();
    int byte();
    std::uint64_t varint();
    [[noreturn]] void fail(const std::string& what) const;

    std::ifstream file_;
    std::string path_;
    std::string config_json_;
    std::vector<char> buffer_;
    std::size_t position_ = 0;
    std::size_t filled_ = 0;
    std::uint64_t offset_ = 0; ///< of buffer_[0] in the file
    std::vector<std::deque<traffic_item>> waiting_;
    std::vector<std::uint64_t> last_cycle_;
};

} // namespace isbesim::testbench
