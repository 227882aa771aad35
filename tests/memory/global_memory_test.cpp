// SPDX-License-Identifier: Apache-2.0
#include "models/memory/global_memory.h"

#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace isbesim {
namespace {

constexpr std::uint64_t base = 0x2'0000'0000;

/// KiB of this process that are in memory.
std::uint64_t resident()
{
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word)
        if (word == "VmRSS:") {
            std::uint64_t kib = 0;
            status >> kib;
            return kib;
        }
    return 0;
}

TEST(global_memory, unwritten_memory_takes_no_room)
{
    constexpr std::size_t size = std::size_t{1} << 30;
    const auto before = resident();
    ASSERT_NE(before, 0U);
    global_memory memory;
    memory.add(base, buffer_bytes(size));
    auto* const first = memory.find(base, size);
    ASSERT_NE(first, nullptr);
    for (std::size_t at = 0; at < size; at += size / 16) EXPECT_EQ(first[at], 0);
    first[size - 1] = 7;
    EXPECT_EQ(*memory.find(base + size - 1, 1), 7);
    // A sanitizer has a byte beside eight.
    EXPECT_LT(resident() - before, size / 1024 / 4);
}

TEST(global_memory, buffers_have_their_contents)
{
    global_memory memory;
    memory.add(base + 16, std::vector<std::uint8_t>{1, 2, 3});
    memory.add(base, buffer_bytes(16));
    ASSERT_EQ(memory.buffers().size(), 2U);
    EXPECT_EQ(memory.buffers()[0].address, base);
    EXPECT_EQ(memory.buffers()[1].bytes.size(), 3U);
    EXPECT_EQ(*memory.find(base + 17, 2), 2);
}

} // namespace
} // namespace isbesim
