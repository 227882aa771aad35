// SPDX-License-Identifier: Apache-2.0
// Reads waveform files of all supported kinds as the text of a VCD file.
#pragma once

#include <istream>
#include <memory>
#include <string>

namespace isbesim::testbench {

/// VCD, plain or compressed by gzip, and FST if the program was built with Verilator, whose library reads it.
class waveform_text {
public:
    /// `path` is "-" for standard input. Throws input_error for an unreadable file, and for files of other kinds, which
    /// it names.
    explicit waveform_text(const std::string& path);
    ~waveform_text();

    /// Reading it throws input_error if the file is damaged.
    std::istream& stream() { return stream_; }
    /// False if the text is a conversion of a binary file.
    bool has_lines() const;

private:
    std::unique_ptr<std::streambuf> buffer_;
    std::istream stream_;
};

} // namespace isbesim::testbench
