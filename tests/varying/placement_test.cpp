// SPDX-License-Identifier: Apache-2.0
// The packer against one that tries every place for every run.
#include "models/varying/allocation/placement.h"

#include <algorithm>
#include <ctime>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/repetitions.h"
#include "tests/varying/texts.h"

namespace isbesim::varying {
namespace {

/// Whether the runs fit, scalar by scalar, in any order: knows nothing of holes.
bool brute_force(std::vector<bool>& taken, std::vector<unsigned>& sizes)
{
    // The lowest free scalar stays free or begins one of the runs.
    const auto free = std::find(taken.begin(), taken.end(), false);
    if (sizes.empty()) return true;
    if (free == taken.end()) return false;
    const auto start = static_cast<std::size_t>(free - taken.begin());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto size = sizes[i];
        if (start + size > taken.size() ||
            std::find(taken.begin() + static_cast<long>(start), taken.begin() + static_cast<long>(start + size),
                      true) != taken.begin() + static_cast<long>(start + size))
            continue;
        std::fill_n(taken.begin() + static_cast<long>(start), size, true);
        sizes.erase(sizes.begin() + static_cast<long>(i));
        const bool fits = brute_force(taken, sizes);
        sizes.insert(sizes.begin() + static_cast<long>(i), size);
        std::fill_n(taken.begin() + static_cast<long>(start), size, false);
        if (fits) return true;
    }
    taken[start] = true;
    const bool fits = brute_force(taken, sizes);
    taken[start] = false;
    return fits;
}

TEST(placement, VAR_03_packs_as_brute_force_does)
{
    std::mt19937 twister(3);
    const auto random = [&] { return static_cast<unsigned>(twister()); };
    unsigned placed = 0, refused = 0;
    const auto rounds = repetitions(4000);
    for (unsigned round = 0; round < rounds; ++round) {
        std::vector<bool> taken(8 + random() % 13);
        for (std::size_t i = 0; i < taken.size(); ++i) taken[i] = random() % 5 == 0;
        std::vector<hole> holes;
        for (unsigned i = 0; i < taken.size(); ++i) {
            if (taken[i]) continue;
            if (holes.empty() || holes.back().end != i) holes.push_back({i, i});
            holes.back().end = i + 1;
        }
        std::vector<unsigned> sizes(1 + random() % 6);
        for (auto& size : sizes) size = 1 + random() % 6;
        auto scratch = sizes;
        auto map = taken;
        const bool expected = brute_force(map, scratch);
        const auto begins = place_runs(holes, sizes);
        ASSERT_EQ(begins.has_value(), expected) << round;
        (expected ? placed : refused) += 1;
        if (!begins) continue;
        for (std::size_t i = 0; i < sizes.size(); ++i)
            for (unsigned k = 0; k < sizes[i]; ++k) {
                ASSERT_LT((*begins)[i] + k, taken.size());
                ASSERT_FALSE(taken[(*begins)[i] + k]) << round;
                taken[(*begins)[i] + k] = true;
            }
    }
    EXPECT_GT(placed, rounds / 8);
    EXPECT_GT(refused, rounds / 8);
}

TEST(placement, many_runs_of_many_sizes_are_quick)
{
    std::vector<unsigned> sizes;
    for (unsigned i = 0; i < 30; ++i) sizes.push_back(i % 4 + 3);
    std::vector<hole> holes;
    for (unsigned i = 0; i < 20; ++i) holes.push_back({i * 7, i * 7 + 6});
    EXPECT_FALSE(place_runs(holes, sizes)); // more scalars than there are
    sizes.resize(25);                       // enough scalars, but only threes share a hole of six: 6 + 6 + 6 + 4 holes
    EXPECT_FALSE(place_runs(holes, sizes));
    sizes.resize(22); // 5 + 5 + 6 + 3 holes
    EXPECT_TRUE(place_runs(holes, sizes));
}

/// Exact fits of many sizes are hard; the search ends all the same, and what it finds is right.
TEST(placement, hard_arrangements_end)
{
    std::mt19937 twister(5);
    const auto random = [&] { return static_cast<unsigned>(twister()); };
    unsigned found = 0;
    for (unsigned round = 0; round < 462; ++round) {
        std::vector<hole> holes;
        unsigned room = 0;
        for (unsigned i = 2 + random() % 20, start = 0; i > 0 && start < 128; --i) {
            const unsigned length = std::min(2 + random() % 12, 128 - start);
            holes.push_back({start, start + length});
            room += length;
            start += length + 1;
        }
        std::vector<unsigned> sizes;
        const unsigned least = 2 + random() % 3, spread = 1 + random() % 9;
        for (unsigned left = room; left > 0; left -= sizes.back())
            sizes.push_back(std::min(left, least + random() % spread));
        if (round % 10 != 0 && round != 461) continue; // 461 takes 60 times as long without the limit
        const auto begin = std::clock();
        const auto begins = place_runs(holes, sizes);
        ASSERT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 4.0) << round;
        if (!begins) continue;
        ++found;
        std::vector<bool> taken(128, true);
        for (const auto& each : holes)
            std::fill(taken.begin() + static_cast<long>(each.begin), taken.begin() + static_cast<long>(each.end),
                      false);
        for (std::size_t i = 0; i < sizes.size(); ++i)
            for (unsigned k = 0; k < sizes[i]; ++k) {
                ASSERT_FALSE(taken.at((*begins)[i] + k));
                taken[(*begins)[i] + k] = true;
            }
    }
    EXPECT_GT(found, 10U);
}

/// Random declarations: the allocator's addresses are those of a list that is filled scalar by scalar.
TEST(placement, VAR_03_random_declarations_lie_where_a_list_of_scalars_puts_them)
{
    std::mt19937 twister(8);
    const auto random = [&] { return static_cast<unsigned>(twister()); };
    for (unsigned round = 0; round < 2000; ++round) {
        std::string text;
        std::vector<std::pair<unsigned, unsigned>> expected[64]; // per register: component, address
        unsigned scalar = random() % 4, number = 0;
        const auto letters = [](unsigned first, unsigned count) { return std::string("xyzw").substr(first, count); };
        while (number < 40) {
            const unsigned width = 1 + random() % 4, count = 1 + random() % 5;
            if (scalar + width * count > 128 || number + count > 64) break;
            text += "OUT[" + std::to_string(number) + ".." + std::to_string(number + count - 1) + "]." +
                    letters(0, width) + ", GENERIC[" + std::to_string(scalar / 4) + "]." + letters(scalar % 4, 1) +
                    "\n";
            for (unsigned i = 0; i < count; ++i)
                for (unsigned c = 0; c < width; ++c) expected[number + i].push_back({c, 0x80 + 4 * scalar++});
            number += count;
            scalar += random() % 3;
        }
        const auto code = parse_one(text);
        const auto placed = allocate(code);
        std::size_t components = 0;
        for (unsigned r = 0; r < number; ++r)
            for (const auto& [c, address] : expected[r]) {
                ASSERT_EQ(address_of(placed, register_file::output, r, c), address) << text;
                ++components;
            }
        ASSERT_EQ(placed.components().size(), components);
    }
}

} // namespace
} // namespace isbesim::varying
