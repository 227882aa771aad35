// SPDX-License-Identifier: Apache-2.0
#include "models/memory/memory_path.h"

#include <algorithm>
#include <fstream>
#include <list>
#include <map>
#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "models/memory/global_memory.h"
#include "models/memory/shared_memory.h"

namespace isbesim {
namespace {

/// Lists of lines by set, the last used first.
class simple_cache {
public:
    explicit simple_cache(std::uint64_t bytes)
        : ways_(std::min<std::uint64_t>(bytes / 128, 16)), sets_(bytes / 128 / ways_)
    {
    }
    bool access(std::uint64_t sector)
    {
        const auto line = sector / 4;
        auto& set = lines_[line % sets_];
        if (std::find(set.begin(), set.end(), line) == set.end() && set.size() == ways_) {
            present_.erase(present_.lower_bound(4 * set.back()), present_.lower_bound(4 * set.back() + 4));
            set.pop_back();
        }
        set.remove(line);
        set.push_front(line);
        return !present_.insert(sector).second;
    }

private:
    std::size_t ways_;
    std::uint64_t sets_;
    std::map<std::uint64_t, std::list<std::uint64_t>> lines_;
    std::set<std::uint64_t> present_;
};

TEST(sector_cache, evicts_the_least_recently_used_line)
{
    std::mt19937 random(7);
    for (const std::uint64_t bytes : {128U, 384U, 2048U, 4096U, 12288U, 65536U}) {
        sector_cache cache(bytes);
        simple_cache expected(bytes);
        for (unsigned i = 0; i < 20'000; ++i) {
            const auto sector = random() % 8 == 0 ? random() % 100'000 : random() % (bytes / 24);
            ASSERT_EQ(cache.access(sector), expected.access(sector)) << bytes << " bytes, access " << i;
        }
    }
}

TEST(sector_list, has_each_sector_that_bytes_touch_once)
{
    sector_list list;
    list.add(100, 0);
    list.add(31, 2);
    list.add(96, 128);
    list.add(0, 1);
    list.add(223, 1);
    EXPECT_EQ(list.merged(), (std::vector<std::uint64_t>{0, 1, 3, 4, 5, 6}));
}

machine_config config_of(double dram)
{
    machine_config config;
    config.sm_count = 2;
    config.memory.model = memory_rule::hierarchy;
    config.memory.l1_bytes = 1024;
    config.memory.l2_bytes = 1 << 20;
    config.memory.l1_bytes_per_cycle = 64;
    config.memory.l2_bytes_per_cycle = 32;
    config.memory.dram_bytes_per_cycle = dram;
    config.memory.l2_latency = 100;
    config.memory.dram_latency = 1000;
    return config;
}

TEST(memory_path, takes_the_time_of_the_furthest_level)
{
    memory_path path(config_of(8));
    sector_list list;
    const auto load = [&](unsigned sm, std::uint64_t address, std::uint64_t bytes, std::uint64_t now) {
        list.add(address, bytes);
        return path.load(sm, list, now, now) - now;
    };
    EXPECT_EQ(load(0, 0, 128, 0), 4 * 32 / 8 + 1100U); // from DRAM at 8 bytes a cycle
    EXPECT_EQ(load(0, 0, 128, 5000), 128 / 64U);       // in L1
    EXPECT_EQ(load(1, 0, 128, 5000), 128 / 32 + 100U); // of another SM: in L2
    EXPECT_EQ(load(0, 0, 0, 6000), 0U);
    EXPECT_EQ(load(0, 4096, 32, 6000), 4 + 1100U);
    EXPECT_EQ(load(1, 8192, 32, 6000), 8 + 1100U) << "DRAM is shared";
    path.share_with(3);
    EXPECT_EQ(load(1, 1 << 20, 32, 9000), 12 + 1100U) << "with two other TPCs";
    const auto& counted = path.counters();
    EXPECT_EQ(counted.l1_sectors, 15U);
    EXPECT_EQ(counted.l1_hits, 4U);
    EXPECT_EQ(counted.l2_sectors, 11U);
    EXPECT_EQ(counted.l2_hits, 4U);
    EXPECT_EQ(counted.dram_bytes, 7 * 32U);
}

TEST(memory_path, a_sector_that_is_on_its_way_arrives_once)
{
    memory_path path(config_of(8));
    sector_list list;
    const auto arrival = [&](unsigned sm, std::uint64_t address, std::uint64_t bytes, std::uint64_t now) {
        list.add(address, bytes);
        return path.load(sm, list, now, now);
    };
    constexpr std::uint64_t first = 100 + 4 + 1100;
    EXPECT_EQ(arrival(0, 0, 32, 100), first);
    EXPECT_EQ(arrival(0, 0, 32, 99), 101U) << "before the request, which a warp made ahead of time";
    EXPECT_EQ(arrival(0, 0, 32, 150), first) << "in L1";
    EXPECT_EQ(arrival(1, 0, 32, 160), first) << "in L2";
    EXPECT_EQ(arrival(1, 0, 32, 170), first) << "in L1 of the other SM";
    EXPECT_EQ(arrival(0, 32, 32, 200), 200 + 4 + 1100U) << "the next sector of the line";
    EXPECT_EQ(arrival(0, 0, 32, 210), 200 + 4 + 1100U) << "the line has one time, that of the last sector";
    EXPECT_EQ(arrival(0, 0, 64, 2000), 2000 + 1U);
    EXPECT_EQ(arrival(0, 64, 32, 3000), 3000 + 4 + 1100U);
    EXPECT_EQ(arrival(0, 0, 32, 3010), 3010 + 1U) << "arrived before the line's next request";
    EXPECT_EQ(path.counters().dram_bytes, 3 * 32U);
}

TEST(memory_path, first_tpc_reads_a_sector)
{
    memory_path path(config_of(8));
    sector_list list;
    list.add(0, 64);
    EXPECT_EQ(path.tag(list, false).from_dram, 2U); // another TPC
    list.add(32, 64);
    const auto own = path.tag(list, true);
    EXPECT_EQ(own.sectors, 2U);
    EXPECT_EQ(own.from_dram, 1U);
    EXPECT_EQ(path.counters().dram_bytes, 32U);
    EXPECT_EQ(path.fetch(own, 10), 10 + 4 + 1100U);
    EXPECT_EQ(path.fetch({}, 10), 10U);
}

TEST(memory_path, shares_level_2_and_dram_with_tpcs_that_run_together)
{
    const auto config = config_of(8);
    memory_path first(config), second(config);
    const auto load = [](memory_path& path, std::uint64_t address, std::uint64_t now) {
        sector_list list;
        list.add(address, 32);
        return path.load(0, list, now, now) - now;
    };
    first.share_with(2);
    second.share_with(2);
    {
        const shared_memory shared(config);
        EXPECT_EQ(load(first, 0, 0), 4 + 1100U) << "the whole rate";
        EXPECT_EQ(load(second, 4096, 0), 8 + 1100U) << "after the other";
        EXPECT_EQ(load(second, 0, 5000), 1 + 100U) << "the other has read it";
        sector_list list;
        list.add(8192, 32);
        first.tag(list, false);
        list.add(8192, 32);
        EXPECT_EQ(second.tag(list, true).from_dram, 1U) << "read by the one that gets the batch";
    }
    EXPECT_EQ(load(first, 4096, 9000), 8 + 1100U) << "apart again";
}

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
    for (std::size_t offset = 0; offset < size; offset += size / 16) EXPECT_EQ(first[offset], 0);
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
