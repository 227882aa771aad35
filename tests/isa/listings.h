// SPDX-License-Identifier: Apache-2.0
// The programs of tests/data with what the vendor's disassembler prints for their instructions.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/isa/encoding/binary.h"
#include "models/isa/encoding/codec.h"
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
    std::vector<line> lines; ///< of some of its instructions
};

inline std::vector<listed_program> listed_programs(const std::string& folder)
{
    namespace fs = std::filesystem;
    const std::string ending = ".code.bin";
    std::vector<listed_program> result;
    for (const auto& entry : fs::directory_iterator(fs::path(ISBESIM_SOURCE_DIR) / "tests/data" / folder)) {
        const std::string path = entry.path().string();
        if (path.size() < ending.size() || path.substr(path.size() - ending.size()) != ending) continue;
        auto& made = result.emplace_back();
        made.name = path.substr(0, path.size() - ending.size());
        const auto bytes = testbench::temporary_folder::read(path);
        made.bytes.assign(bytes.begin(), bytes.end());
        std::ifstream listing(made.name + ".dis");
        for (std::string address, text; listing >> address && std::getline(listing >> std::ws, text);)
            made.lines.push_back({static_cast<std::uint32_t>(std::stoul(address, nullptr, 16)), text});
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
