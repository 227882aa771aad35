// SPDX-License-Identifier: Apache-2.0
// Waveform files of any kind that can be read, as the text of a VCD file.
#pragma once

#include <istream>
#include <memory>
#include <string>

namespace isbesim::testbench {

/// VCD as it is or compressed by gzip, and FST where the program was built with Verilator, whose library reads it.
class waveform_text {
public:
    /// `path` is "-" for standard input. Throws input_error for a file that can't be read, and for other kinds by their
    /// names.
    explicit waveform_text(const std::string& path);
    ~waveform_text();

    /// Its buffer throws input_error where the file turns out to be damaged.
    std::istream& stream() { return stream_; }

private:
    std::unique_ptr<std::streambuf> buffer_;
    std::istream stream_;
};

} // namespace isbesim::testbench
