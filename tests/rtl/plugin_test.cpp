// SPDX-License-Identifier: Apache-2.0
// The C interface of a plug-in (testbench/rtl/rtl_plugin.h) beyond what the other tests use of it.
#include <string>

#include <gtest/gtest.h>

#include "tests/rtl/bench.h"

using namespace rtl;

namespace {

TEST(rtl_plugin, says_what_it_is)
{
    const auto& plugin = plugin_of("smallest");
    EXPECT_EQ(plugin.interface_number, unsigned{ISBESIM_RTL_INTERFACE});
    EXPECT_EQ(plugin.struct_size, sizeof plugin);
    EXPECT_EQ(plugin.ports, 1u);
    EXPECT_EQ(plugin.assertions, 0u);
    EXPECT_EQ(std::string(plugin.parameters),
              "LINES=8 BANKS=8 BANK_MAP=0 ACCESS_LINE=0 SKEW=1 PORTS=1 REQUEST_QUEUE_DEPTH=1 RESPONSE_QUEUE_DEPTH=1 "
              "PIPELINE_LATENCY=2 WRITE_LATENCY=2 AL2P_LATENCY=2 OUT_LATENCY=2 FIXED_PRIORITY=0 GS_BLOCKED=0 "
              "WINNER_LOWEST=0 ATTRIBUTE_DEFAULT=14 POSITION_W_DEFAULT=1065353216 MAP_BYTE_SWAP=0 CONTEXTS=1");
    EXPECT_FALSE(std::string(plugin.digest).empty());
    EXPECT_NE(std::string(plugin.digest), plugin_of("machine").digest);
}

void expect_back_door(std::unique_ptr<block> dut, std::uint32_t bytes)
{
    bench b(std::move(dut));
    b.fill_with_addresses(bytes, 0x5a000000);
    std::uint32_t value = 0;
    for (std::uint32_t address = 0; address < bytes; address += 4) {
        ASSERT_TRUE(b.dut().peek(address, value)) << address;
        ASSERT_EQ(value, 0x5a000000 + address);
    }
    EXPECT_FALSE(b.dut().peek(bytes, value));
    EXPECT_FALSE(b.dut().peek(2, value)); // no whole word
    EXPECT_FALSE(b.dut().poke(bytes, 1));

    ASSERT_TRUE(b.dut().poke(bytes - 4, 0x1234567));
    EXPECT_EQ(b.peek_word(bytes - 4), 0x1234567u);
    EXPECT_EQ(b.peek_word(bytes - 8), 0x5a000000 + bytes - 8);
}

TEST(rtl_plugin, the_storage_of_banks_of_a_word_each_is_seen_past_the_pins)
{
    expect_back_door(make_smallest(), 8 * 128);
    expect_back_door(make_machine(), 64 * 128);
    expect_back_door(make_other(), 24 * 128); // banks by xor
}

TEST(rtl_plugin, the_storage_of_a_line_block_is_seen_past_the_pins)
{
    expect_back_door(make_line(), 64 * 128);
}

TEST(rtl_plugin, two_blocks_of_different_plug_ins_keep_apart)
{
    bench one(make_machine());
    bench other(make_other());
    one.fill_with_addresses(0x400, 0x1000000);
    other.fill_with_addresses(0x400, 0x2000000);
    EXPECT_EQ(one.peek_word(0x104), 0x1000104u);
    EXPECT_EQ(other.peek_word(0x104), 0x2000104u);
    bench again(make_machine()); // of the same plug-in
    EXPECT_EQ(again.peek_word(0x104), 0u);
    EXPECT_EQ(one.peek_word(0x104), 0x1000104u);
}

} // namespace
