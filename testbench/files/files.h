// Whole files as texts.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "testbench/files/input_error.h"

namespace isbesim::testbench {

/// Whole file as bytes. Throws input_error at FILE:1:1 with the expectation.
std::string read_file(const std::string& path, const std::string& expected);

/// How errors name an input: "-" is standard-input.
std::string input_name(const std::string& file);
/// read_file(), or all of standard input for "-".
std::string read_input(const std::string& file, const std::string& expected);

/// False when not all of it could be written; errno says why.
[[nodiscard]] bool write_file(const std::string& path, std::string_view content);
/// Throws input_error at `asked_at`, the option that names the file.
void write_file(const std::string& path, std::string_view content, const source_place& asked_at);
/// The same, or to `out`, which is standard output, for "-". A terminal gets no binary.
void write_output(const std::string& path, std::string_view content, const source_place& asked_at, std::ostream& out,
                  bool binary);

} // namespace isbesim::testbench
