// SPDX-License-Identifier: Apache-2.0
// Fuzz targets: each takes any bytes and returns, whatever they are. What it may not do: crash, leak, hang, throw what
// its reader does not promise to throw, or break a round trip. scripts/fuzz runs them under libFuzzer (fuzzer.cpp), the
// ordinary tests with the inputs that are kept (fuzz_targets_test.cpp).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace isbesim::fuzz {

struct target {
    const char* name;
    const char* reads; ///< for people
    void (*run)(std::string_view bytes);
    /// Inputs that are right, to begin with. `sources` is the folder of the repository, with a slash.
    std::vector<std::string> (*seeds)(const std::string& sources);
    /// Words that inputs are made of.
    std::vector<std::string> (*words)();
    /// Bytes of an input at most, unless scripts/fuzz sets it: enough for all that a reader knows, and few
    /// enough that there are many inputs.
    std::size_t length;
    /// Whether this build has what it runs; null: always.
    bool (*is_built)() = nullptr;
};

const std::vector<target>& targets();
/// Null when there is no such target.
const target* find_target(std::string_view name);

/// Ends the process, as a fuzzer expects it, when a promise is broken.
void require(bool holds, const char* promise);

/// A file with these bytes, for readers that take a path; in memory, gone with the object.
class memory_file {
public:
    explicit memory_file(std::string_view bytes);
    ~memory_file();
    memory_file(const memory_file&) = delete;
    memory_file& operator=(const memory_file&) = delete;
    std::string path() const;
    std::string content() const;

private:
    int descriptor_;
};

/// The first byte of the input, and the rest; 0 of an empty one.
inline unsigned take_byte(std::string_view& bytes)
{
    if (bytes.empty()) return 0;
    const auto first = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    return first;
}

/// Adds the beginnings of texts: whole lines within `bytes` bytes.
void add_beginnings(std::vector<std::string>& texts, std::size_t bytes);

/// Contents of all files below a folder whose names end like this.
std::vector<std::string> contents(const std::string& folder, std::string_view ending);

// programs.cpp
void program_binary(std::string_view bytes);
void program_text(std::string_view bytes);
void header(std::string_view bytes);
std::vector<std::string> binary_seeds(const std::string& sources);
std::vector<std::string> text_seeds(const std::string& sources);
std::vector<std::string> header_seeds(const std::string& sources);
std::vector<std::string> program_words();
// texts.cpp
void machine(std::string_view bytes);
void scenario(std::string_view bytes);
void coefficients(std::string_view bytes);
void expectation(std::string_view bytes);
void varying(std::string_view bytes);
void command_line(std::string_view bytes);
std::vector<std::string> machine_seeds(const std::string& sources);
std::vector<std::string> scenario_seeds(const std::string& sources);
std::vector<std::string> coefficient_seeds(const std::string& sources);
std::vector<std::string> expectation_seeds(const std::string& sources);
std::vector<std::string> varying_seeds(const std::string& sources);
std::vector<std::string> command_seeds(const std::string& sources);
std::vector<std::string> machine_words();
std::vector<std::string> scenario_words();
std::vector<std::string> varying_words();
std::vector<std::string> command_words();
// recordings.cpp
void trace(std::string_view bytes);
void capture(std::string_view bytes);
std::vector<std::string> trace_seeds(const std::string& sources);
std::vector<std::string> capture_seeds(const std::string& sources);
// waveforms.cpp
void waveform(std::string_view bytes);
std::vector<std::string> waveform_seeds(const std::string& sources);
std::vector<std::string> waveform_words();
// traffic.cpp
void traffic(std::string_view bytes);
std::vector<std::string> traffic_seeds(const std::string& sources);
// payloads.cpp
void payload(std::string_view bytes);
// macros.cpp
void macros(std::string_view bytes);
std::vector<std::string> macro_seeds(const std::string& sources);
// block.cpp
void block(std::string_view bytes);
bool block_is_built();
std::vector<std::string> block_seeds(const std::string& sources);

inline std::vector<std::string> no_words()
{
    return {};
}

} // namespace isbesim::fuzz
