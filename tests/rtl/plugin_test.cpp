// SPDX-License-Identifier: Apache-2.0
// The C interface of a plug-in (testbench/rtl/rtl_plugin.h) beyond what the other tests use of it.
#include <cstdint>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tests/rtl/configurations.h"

using namespace rtl;

namespace {

TEST(rtl_plugin, identifies_itself)
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
    EXPECT_NE(std::string(plugin.digest), plugin_of("small").digest);
}

/// A block of a plug-in, past its pins.
class storage {
public:
    explicit storage(const char* name) : plugin_(plugin_of(name)), block_(plugin_.create(nullptr, 0)) {}
    ~storage() { plugin_.destroy(block_); }
    storage(const storage&) = delete;
    storage& operator=(const storage&) = delete;

    bool poke(std::uint32_t address, std::uint32_t value) { return plugin_.poke(block_, address, value) != 0; }
    bool peek(std::uint32_t address, std::uint32_t& value) { return plugin_.peek(block_, address, &value) != 0; }
    std::uint32_t at(std::uint32_t address)
    {
        std::uint32_t value = 0;
        EXPECT_TRUE(peek(address, value)) << address;
        return value;
    }

private:
    const isbesim_rtl_interface& plugin_;
    isbesim_rtl_block* block_;
};

TEST(rtl_plugin, storage_is_visible_past_the_pins_with_any_banks)
{
    const std::pair<const char*, std::uint32_t> rows[] = {
        {"smallest", 8 * 128}, {"small", 64 * 128}, {"choices", 96 * 128}, {"by_line", 256 * 128}};
    for (const auto& [name, bytes] : rows) {
        storage block(name);
        for (std::uint32_t address = 0; address < bytes; address += 4) ASSERT_TRUE(block.poke(address, ~address));
        for (std::uint32_t address = 0; address < bytes; address += 4) ASSERT_EQ(block.at(address), ~address) << name;
        std::uint32_t value = 0;
        EXPECT_FALSE(block.peek(bytes, value));
        EXPECT_FALSE(block.peek(2, value)); // no whole word
        EXPECT_FALSE(block.poke(bytes, 1));
    }
}

TEST(rtl_plugin, blocks_keep_apart)
{
    storage one("small"), other("choices"), again("small");
    EXPECT_TRUE(one.poke(0x104, 1));
    EXPECT_TRUE(other.poke(0x104, 2));
    EXPECT_TRUE(again.poke(0x104, 3));
    EXPECT_EQ(one.at(0x104), 1U);
    EXPECT_EQ(other.at(0x104), 2U);
    EXPECT_EQ(again.at(0x104), 3U);
}

} // namespace
