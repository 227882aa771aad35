// SPDX-License-Identifier: Apache-2.0
// The programs of tests/data with what the vendor's disassembler prints for them.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/isa/binary.h"
#include "models/isa/codec.h"
#include "models/isa/text/text.h"
#include "test_paths.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::isa {

struct listed_program {
    struct line {
        std::uint32_t address;
        std::string text;
    };
    std::string name;
    std::vector<std::uint8_t> bytes;
    std::vector<line> lines;
};

inline std::vector<listed_program> listed_programs(const std::string& folder)
{
    namespace fs = std::filesystem;
    std::vector<listed_program> result;
    for (const auto& entry : fs::directory_iterator(fs::path(ISBESIM_SOURCE_DIR) / "tests/data" / folder)) {
        if (entry.path().extension() != ".dis") continue;
        auto& made = result.emplace_back();
        made.name = entry.path().string();
        auto binary = entry.path();
        const auto bytes = testbench::temporary_folder::read(binary.replace_extension(".code.bin").string());
        made.bytes.assign(bytes.begin(), bytes.end());
        std::ifstream listing(entry.path());
        for (std::string line; std::getline(listing, line);) {
            const auto blank = line.find(' ');
            if (blank == std::string::npos) continue;
            const auto address = std::stoul(line.substr(0, blank), nullptr, 16);
            made.lines.push_back({static_cast<std::uint32_t>(address), line.substr(blank + 1)});
        }
    }
    return result;
}

inline void expect_every_bit_kept(const listed_program& listed, const program& code)
{
    for (const auto& each : code.code)
        EXPECT_EQ(encode_instruction(code.arch, each), each.word) << listed.name << " " << instruction_text(each);
    EXPECT_EQ(encode_program(code), listed.bytes) << listed.name;
    EXPECT_EQ(encode_program(assemble(disassemble(code), code.arch)), listed.bytes) << listed.name;
}

} // namespace isbesim::isa
