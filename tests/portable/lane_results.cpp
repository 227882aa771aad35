// SPDX-License-Identifier: Apache-2.0
// What every instruction and the ISBE make of random lanes, as checksums: lane_results [SEED [CASES]]. How fast
// each class of instructions is carried out: lane_results --speed.
//
// The same program is built twice: with the functions that tlm/vector_clones.h compiles for wide registers, of which
// the loader takes those for this processor, and without them. compare runs both.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "models/isbe/execution/isbe_core.h"
#include "testbench/crosscheck/traffic/random_traffic.h"
#include "tests/portable/checksum_of.h"
#include "tests/portable/sampled_instruction.h"

namespace isbesim::test {
namespace {

/// A line for each row of the table: cases that were carried out, those among them that ended with an error, and the
/// checksum of all.
void show_instructions(isa::architecture arch, const char* name, std::uint64_t seed, unsigned cases)
{
    constexpr unsigned tries = 200; // to find words of a row that rows before it take most of
    unsigned number = 0;
    for (const auto& row : isa::instruction_table(arch)) {
        ++number;
        if (row.execute == nullptr) continue;
        isa::sampled_instruction sample(seed * 100'000 + number);
        checksum_of sum;
        unsigned done = 0, failed = 0;
        for (unsigned i = 0; i < cases; ++i) {
            bool drawn = false;
            for (unsigned t = 0; t < tries && !drawn; ++t) drawn = sample.draw(arch, row);
            if (!drawn) continue;
            sample.fill();
            sample.execute();
            sum.add(sample.checksum());
            ++done;
            failed += sample.failed() ? 1 : 0;
        }
        std::printf("%s %u %s: %u cases, %u errors, %016llx\n", name, number, row.mnemonic, done, failed,
                    static_cast<unsigned long long>(sum.sum()));
    }
}

/// Million warp instructions per second, the median of `rounds`; 0 where no word of the row that is drawn
/// can be carried out on all lanes.
double speed_of(isa::architecture arch, const isa::opcode_row& row, std::uint64_t seed)
{
    constexpr unsigned rounds = 5, repetitions = 2000;
    isa::sampled_instruction sample(seed);
    bool works = false;
    for (unsigned t = 0; t < 200 && !works; ++t) {
        if (!sample.draw(arch, row)) continue;
        sample.fill();
        sample.execute();
        works = !sample.failed() && sample.took_part() == all_lanes;
    }
    if (!works) return 0;
    std::vector<double> speeds;
    for (unsigned round = 0; round < rounds; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        for (unsigned i = 0; i < repetitions; ++i) sample.repeat();
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
        speeds.push_back(repetitions / passed.count() / 1e6);
    }
    std::nth_element(speeds.begin(), speeds.begin() + rounds / 2, speeds.end());
    return speeds[rounds / 2];
}

constexpr const char* class_names[] = {"arithmetic", "variable latency", "memory", "global memory",
                                       "texture",    "attribute",        "control"};

void show_speed(isa::architecture arch, const char* name)
{
    struct row_speed {
        double speed;
        const char* mnemonic;
        bool operator<(const row_speed& other) const { return speed < other.speed; }
    };
    std::vector<row_speed> classes[std::size(class_names)];
    unsigned number = 0;
    for (const auto& row : isa::instruction_table(arch)) {
        if (row.execute == nullptr) continue;
        const auto speed = speed_of(arch, row, ++number);
        if (speed != 0) classes[static_cast<unsigned>(row.latency)].push_back({speed, row.mnemonic});
    }
    for (std::size_t i = 0; i < std::size(class_names); ++i) {
        auto& each = classes[i];
        if (each.empty()) continue;
        std::sort(each.begin(), each.end());
        std::printf("%-5s %-17s %5zu %8.2f %8.2f  %-10s %8.2f  %s\n", name, class_names[i], each.size(),
                    each[each.size() / 2].speed, each.front().speed, each.front().mnemonic, each.back().speed,
                    each.back().mnemonic);
    }
}

void show_speed()
{
    std::printf(
        "Million warp instructions per second of host time, executor alone, a random word of each row, 32 lanes.\n"
        "%-5s %-17s %5s %8s %8s  %-10s %8s\n",
        "", "class", "rows", "median", "slowest", "", "fastest");
    show_speed(isa::architecture::sm50, "sm50");
    show_speed(isa::architecture::sm75, "sm75");
}

void show_isbe(const isbe_config& config, const char* name, std::uint64_t seed, std::uint64_t operations)
{
    isbe_core core(config);
    testbench::random_traffic traffic(config, seed, operations);
    checksum_of sum;
    warp_result result;
    std::uint64_t done = 0;
    testbench::traffic_item item;
    for (std::uint64_t i = 0; i < operations; ++i) {
        if (!traffic.next(static_cast<unsigned>(i % config.ports), item)) continue;
        core.execute(item.op, result);
        for (const auto& each : result.data) sum.all(each);
        sum.all(result.status).add(result.error).add(result.passes);
        ++done;
    }
    std::printf("ISBE %s: %llu operations, %016llx\n", name, static_cast<unsigned long long>(done),
                static_cast<unsigned long long>(sum.sum()));
}

void show(std::uint64_t seed, unsigned cases)
{
    show_instructions(isa::architecture::sm50, "sm50", seed, cases);
    show_instructions(isa::architecture::sm75, "sm75", seed, cases);
    isbe_config config;
    show_isbe(config, "as it is", seed, 500ULL * cases);
    config.banks = 16;
    config.lines = 64;
    config.access = access_rule::line;
    show_isbe(config, "by lines", seed, 500ULL * cases);
}

} // namespace
} // namespace isbesim::test

int main(int argc, char* argv[])
{
    if (argc > 1 && std::string(argv[1]) == "--speed") {
        isbesim::test::show_speed();
        return 0;
    }
    const std::uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
    const auto cases = static_cast<unsigned>(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 30);
    isbesim::test::show(seed, cases);
    return 0;
}
