// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/targets/target.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <sys/mman.h>
#include <unistd.h>

namespace isbesim::fuzz {

const std::vector<target>& targets()
{
    static const std::vector<target> all = {
        {"program_binary", "SM50, SM75 and SM86 machine code", program_binary, binary_seeds, no_words, 161},
        {"program_text", "program text", program_text, text_seeds, program_words, 400},
        {"header", "program headers", header, header_seeds, no_words, 160},
        {"machine", "machine JSON", machine, machine_seeds, machine_words, 400},
        {"scenario", "scenario JSON", scenario, scenario_seeds, scenario_words, 700},
        {"coefficients", "coefficients", coefficients, coefficient_seeds, no_words, 400},
        {"expectation", "CSV of vertices", expectation, expectation_seeds, no_words, 400},
        {"varying", "TGSI text, up to programs", varying, varying_seeds, varying_words, 500},
        {"command_line", "options, one a line", command_line, command_seeds, command_words, 200},
        {"trace", "traces", trace, trace_seeds, no_words, 3000},
        {"waveform", "VCD files of the ports, for calibration", waveform, waveform_seeds, waveform_words, 2500},
        {"capture", "contents of a capture's chunks", capture, capture_seeds, no_words, 6000},
        {"traffic", "operations, for model, oracle and page", traffic, traffic_seeds, no_words, 4000},
        {"payload", "fields of generic payloads, for LT and AT", payload, traffic_seeds, no_words, 2000},
        {"macros", "macros, their calls and methods", macros, macro_seeds, no_words, 2000},
        {"block", "operations, for model and Verilated block", block, block_seeds, no_words, 4000, block_is_built},
    };
    return all;
}

const target* find_target(std::string_view name)
{
    for (const auto& one : targets())
        if (name == one.name) return &one;
    return nullptr;
}

void require(bool holds, const char* promise)
{
    if (holds) return;
    std::fprintf(stderr, "broken: %s\n", promise);
    std::abort();
}

memory_file::memory_file(std::string_view bytes) : descriptor_(memfd_create("input", MFD_CLOEXEC))
{
    if (descriptor_ < 0 || write(descriptor_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
        throw std::runtime_error("no file in memory");
}

memory_file::~memory_file()
{
    close(descriptor_);
}

std::string memory_file::path() const
{
    return "/proc/self/fd/" + std::to_string(descriptor_);
}

std::string memory_file::content() const
{
    std::ifstream in(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void add_beginnings(std::vector<std::string>& texts, std::size_t bytes)
{
    const auto whole = texts.size();
    for (std::size_t i = 0; i < whole; ++i)
        if (texts[i].size() > bytes) texts.push_back(texts[i].substr(0, texts[i].rfind('\n', bytes - 1) + 1));
}

std::vector<std::string> contents(const std::string& folder, std::string_view ending)
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        const auto name = entry.path().string();
        if (entry.is_regular_file() && name.size() >= ending.size() &&
            std::string_view(name).substr(name.size() - ending.size()) == ending)
            names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    std::vector<std::string> found;
    for (const auto& name : names) {
        std::ifstream in(name, std::ios::binary);
        found.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    return found;
}

} // namespace isbesim::fuzz
