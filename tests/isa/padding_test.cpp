// SPDX-License-Identifier: Apache-2.0
// The last bundle of an SM50 program that ends before its third slot: nvdisasm shows NOPs there, and the way back must
// not write them.
#include <gtest/gtest.h>

#include "models/isa/binary.h"
#include "models/isa/text/text.h"

namespace isbesim::isa {
namespace {

TEST(padding, ISA_02_missing_slots_print_as_nop_and_are_not_written)
{
    for (unsigned n = 1; n <= 6; ++n) {
        std::string source;
        for (unsigned i = 1; i < n; ++i) source += "MOV R0, R1;\n";
        const auto code = assemble(source + "EXIT;\n", architecture::sm50, {});
        const auto bytes = encode_program(code);
        EXPECT_EQ(bytes.size(), 8 * (n + (n + 2) / 3));
        const auto text = disassemble(code);
        std::size_t nops = 0;
        for (auto at = text.find("NOP ?pad"); at != std::string::npos; at = text.find("NOP ?pad", at + 1)) ++nops;
        EXPECT_EQ(nops, (3 - n % 3) % 3);
        EXPECT_EQ(encode_program(assemble(text, architecture::sm50, {})), bytes);
    }
}

TEST(padding, ISA_01_nothing_follows_it)
{
    try {
        assemble("EXIT;\nNOP ?pad;\nEXIT;\n", architecture::sm50, {});
        FAIL();
    } catch (const program_error& error) {
        EXPECT_EQ(error.line, 3U);
    }
}

} // namespace
} // namespace isbesim::isa
