// SPDX-License-Identifier: Apache-2.0
// Compute launches: descriptors in every format, grids of warps that share memory and wait for each other.
#include "testbench/gl/draws/dispatch.h"

#include <gtest/gtest.h>

#include "testbench/gl/draws/draw_programs.h"
#include "tests/gl/push_buffer.h"
#include "tests/gl/sample_draw.h"
#include "tests/support/error_text.h"

namespace isbesim::gl {
namespace {

using triple = std::array<std::uint32_t, 3>;

/// Words of a descriptor, field by field as the class headers place them.
struct descriptor {
    std::array<std::uint32_t, 96> words{};

    void set(unsigned high, unsigned low, std::uint64_t value)
    {
        for (unsigned bit = low; bit <= high; ++bit)
            words[bit / 32] |= static_cast<std::uint32_t>(value >> (bit - low) & 1) << bit % 32;
        EXPECT_EQ(high - low < 63 ? value >> (high - low + 1) : 0, 0U) << "does not fit " << high << ":" << low;
    }
    std::optional<launch_descriptor> read(isa::architecture arch = isa::architecture::sm86) const
    {
        return read_launch(reinterpret_cast<const std::uint8_t*>(words.data()), arch);
    }
};

TEST(launch_descriptors, every_format_agrees)
{
    struct format {
        unsigned major, minor, depth, constant, upper_bits, size_high, size_low, local_low, local_high, program,
            release;
        std::uint64_t size;
    };
    for (const format& each : {format{1, 7, 432, 928, 8, 991, 975, 1440, 1472, 256, 202, 256},
                               format{2, 1, 448, 1024, 17, 1087, 1075, 928, 960, 256, 138, 16},
                               format{2, 3, 448, 1024, 17, 1087, 1075, 928, 960, 1536, 138, 16},
                               format{3, 0, 448, 1024, 17, 1087, 1075, 736, 1600, 1536, 0, 16}}) {
        descriptor fields;
        fields.set(583, 580, each.major);
        fields.set(579, 576, each.minor);
        fields.set(415, 384, 0x12345);
        fields.set(431, 416, 0xfedc);
        fields.set(each.depth + 15, each.depth, 0xabcd);
        fields.set(607, 592, 8);
        fields.set(623, 608, 4);
        fields.set(639, 624, 3);
        fields.set(561, 544, 0x2abcd);
        fields.set(each.local_low + 23, each.local_low, 0x100);
        fields.set(each.local_high + 23, each.local_high, 0x20);
        fields.set(each.program + 31, each.program, 0x87654321);
        if (each.program == 1536) fields.set(1584, 1568, 0x1ffff);
        fields.set(647, 640, 0x81);
        const auto last = 64 * 7;
        fields.set(each.constant + last + 31, each.constant + last, 0x76543200);
        fields.set(each.constant + last + 31 + each.upper_bits, each.constant + last + 32, 0xa5);
        fields.set(each.size_high + last, each.size_low + last, each.size);
        const auto read = fields.read();
        ASSERT_TRUE(read) << each.major << "." << each.minor;
        EXPECT_EQ(read->groups, (triple{0x12345, 0xfedc, 0xabcd}));
        EXPECT_EQ(read->threads, (triple{8, 4, 3}));
        EXPECT_EQ(read->shared_bytes, 0x2abcdU);
        EXPECT_EQ(read->local_bytes, 0x120U);
        EXPECT_EQ(read->program, each.program == 256 ? 0x87654321U : 0x1ffff87654321U);
        EXPECT_EQ(read->program_is_offset, each.program == 256);
        for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(read->constants[i].valid, i == 0 || i == 7) << i;
        EXPECT_EQ(read->constants[7].address, 0xa576543200U);
        EXPECT_EQ(read->constants[7].bytes, 256U);
        EXPECT_FALSE(read->signals);
        if (each.release == 0) continue;
        fields.set(each.release, each.release, 1);
        EXPECT_TRUE(fields.read()->signals);
    }
    descriptor unknown;
    unknown.set(583, 576, 0x77);
    EXPECT_FALSE(unknown.read());
}

TEST(launch_descriptors, blackwell_divides_addresses_and_sizes)
{
    constexpr auto sm120 = isa::architecture::sm120;
    descriptor fields;
    fields.set(471, 464, 0x50);
    fields.set(1279, 1248, 0x12345);
    fields.set(1295, 1280, 0xfedc);
    fields.set(1327, 1312, 0xabcd);
    fields.set(1103, 1088, 8);
    fields.set(1119, 1104, 4);
    fields.set(1127, 1120, 3);
    fields.set(1136, 1128, 0x1ff); // registers
    fields.set(1162, 1152, 0x7ff);
    fields.set(1199, 1184, 0x10);
    fields.set(1215, 1200, 0x2);
    fields.set(1055, 1024, 0x87654321);
    fields.set(1076, 1056, 0x1fffff);
    fields.set(1375 + 448, 1344 + 448, 0x76543200);
    fields.set(1394 + 448, 1376 + 448, 0x5a5a5);
    fields.set(1407 + 448, 1395 + 448, 0x10);
    fields.set(1856, 1856, 1);
    fields.set(1886, 1884, 5); // valid, prefetched
    const auto read = fields.read(sm120);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->groups, (triple{0x12345, 0xfedc, 0xabcd}));
    EXPECT_EQ(read->threads, (triple{8, 4, 3}));
    EXPECT_EQ(read->shared_bytes, 0x7ffU * 128);
    EXPECT_EQ(read->local_bytes, 0x12U * 16);
    EXPECT_EQ(read->program, 0x1fffff87654321U * 16);
    EXPECT_FALSE(read->program_is_offset);
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(read->constants[i].valid, i == 0 || i == 7) << i;
    EXPECT_EQ(read->constants[7].address, 0x5a5a576543200U * 64);
    EXPECT_EQ(read->constants[7].bytes, 256U);
    EXPECT_FALSE(read->signals);
    for (const unsigned release : {288U, 304U, 320U, 336U, 344U}) {
        auto signals = fields;
        signals.set(release, release, 1);
        EXPECT_TRUE(signals.read(sm120)->signals) << release;
    }
    descriptor unknown;
    unknown.set(471, 464, 0x40);
    EXPECT_FALSE(unknown.read(sm120));
}

/// Lane i reads the word that lane 95 - i stored, mostly a lane of another warp.
constexpr const char* exchange_sm50 = R"(S2R R0, SR_TID.X ; S2R R1, SR_TID.Y ; S2R R2, SR_TID.Z ; S2R R3, SR_CTAID.X ;
    ISCADD R4, R1, R0, 0x3 ; ISCADD R4, R2, R4, 0x5 ; SHL R7, R4, 0x2 ; STS [R7], R4 ;
    BAR.SYNC 0x0 ; IADD R5, -R7, 0x17c ; LDS R6, [R5] ; ISCADD R8, R3, R7, 0x8 ; ISCADD R8, R3, R8, 0x7 ;
    IADD R8, R8, c[0x0][0x8] ; MOV R9, RZ ; STG.E [R8], R6 ; EXIT ;)";
/// The same; lanes of the middle warp reach the barrier on two paths.
constexpr const char* exchange_sm75 = R"(S2R R0, SR_TID.X ; S2R R1, SR_TID.Y ; S2R R2, SR_TID.Z ; S2R R3, SR_CTAID.X ;
    LEA R4, R1, R0, 0x3 ; LEA R4, R2, R4, 0x5 ; STS [R4.X4], R4 ; ISETP.LT.AND P0, PT, R4, 0x30, PT ;
    @P0 BAR.SYNC 0x0 ; @!P0 BAR.SYNC 0x0 ; IADD3 R5, -R4, 0x5f, RZ ; LDS R6, [R5.X4] ; IMAD R8, R3, 0x60, R4 ;
    LEA R8, R8, c[0x0][0x8], 0x2 ; MOV R9, RZ ; STG.E.SYS [R8], R6 ; EXIT ;)";
/// The first warp waits in a loop for what the second one stores.
constexpr const char* spin_sm75 = R"(S2R R0, SR_TID.X ; ISETP.LT.AND P0, PT, R0, 0x20, PT ; @!P0 BRA last ;
    again: LDS R1, [0x0] ; ISETP.EQ.AND P1, PT, R1, 0x0, PT ; @P1 BRA again ;
    MOV R8, c[0x0][0x8] ; MOV R9, RZ ; STG.E.SYS [R8], R1 ; EXIT ;
    last: MOV R1, 0x2a ; STS [0x0], R1 ; EXIT ;)";

class dispatch : public testing::Test {
protected:
    static constexpr std::uint32_t code = 0x20000000, constants = 0x21000000, results = 0x22000000;

    isa::grid_result run(const char* chip_name, const std::string& text, const triple& groups, const triple& threads)
    {
        const auto& chip = *find_chip(chip_name);
        const auto bytes = isa::encode_program(isa::assemble(text, chip.arch));
        std::memcpy(sample_.memory.at(code, bytes.size()), bytes.data(), bytes.size());
        sample_.journal.uploaded(code, bytes.size());
        sample_.poke(constants + 8, results);
        three_d_state state;
        state.at(0x160c) = code - 0x1000;
        launch_descriptor what;
        what.groups = groups;
        what.threads = threads;
        what.program_is_offset = !chip.absolute_programs;
        what.program = what.program_is_offset ? 0x1000 : code;
        what.shared_bytes = 96 * 4;
        what.constants[0] = {constants, 256, true};
        program_source programs(chip, sample_.memory, sample_.journal);
        // Programs reach allocated buffers only.
        while (sample_.memory.region(results).data == nullptr) sample_.memory.allocate(1U << 24, 0);
        return run_dispatch(state, what, chip, sample_.memory, programs);
    }
    std::string refusal(const std::string& text, const triple& threads, const triple& groups = {1, 1, 1})
    {
        return error_text<draw_refused>([&] { run("tu102", text, groups, threads); });
    }
    std::uint32_t word(unsigned number) const
    {
        std::uint32_t value = 0;
        std::memcpy(&value, sample_.memory.at(results + 4 * number, 4), 4);
        return value;
    }

    sample_draw sample_;
};

TEST_F(dispatch, warps_of_a_workgroup_share_memory_after_a_barrier)
{
    for (const auto& [chip, text] : {std::pair{"gm107", exchange_sm50}, std::pair{"tu102", exchange_sm75}}) {
        std::memset(sample_.memory.at(results, 4096), 0, 4096);
        const auto result = run(chip, text, {2, 1, 1}, {8, 4, 3});
        EXPECT_EQ(result.count, 0U);
        EXPECT_EQ(result.stored, 192U * 4); // in buffers; stores to shared memory do not count
        for (unsigned i = 0; i < 192; ++i) EXPECT_EQ(word(i), 95 - i % 96) << chip << " " << i;
        EXPECT_EQ(word(192), 0U);
    }
}

TEST_F(dispatch, spinning_warp_does_not_block_others)
{
    run("tu102", spin_sm75, {1, 1, 1}, {64, 1, 1});
    EXPECT_EQ(word(0), 42U);
}

TEST_F(dispatch, unsupported_dispatch_is_refused_by_name)
{
    EXPECT_EQ(refusal("EXIT ;", {1025, 1, 1}), "dispatch: more than 1024 threads in a workgroup");
    EXPECT_EQ(refusal("EXIT ;", {1, 1, 1}, {5000, 5000, 1}), "dispatch: more than 16,777,216 workgroups");
    EXPECT_EQ(refusal("ALD R0, a[0x80] ; EXIT ;", {1, 1, 1}), "dispatch: attributes in a compute program");
}

TEST_F(dispatch, an_address_in_no_buffer_is_a_trap_and_the_warp_goes_on)
{
    const auto traps = run("tu102", R"(MOV R2, 0x100 ; MOV R3, RZ ; STG.E.SYS [R2], R3 ; MOV R4, c[0x0][0x8] ;
        MOV R5, RZ ; MOV R6, 0x9 ; STG.E.SYS [R4], R6 ; EXIT ;)",
                           {3, 1, 1}, {1, 1, 1});
    EXPECT_EQ(traps.count, 3U);
    EXPECT_EQ(traps.stored, 3U * 4); // not by the stores that trapped
    EXPECT_EQ(traps.first, 0x0e);
    EXPECT_EQ(traps.address, 0x20U);
    EXPECT_EQ(word(0), 9U);
}

TEST(compute_engine, launches_its_descriptors_grid_unless_a_condition_hides_it)
{
    constexpr unsigned compute = 1;
    test_channel channel("tu102");
    descriptor fields;
    fields.set(583, 576, 0x23);
    fields.set(415, 384, 5);
    fields.set(431, 416, 1);
    fields.set(463, 448, 1);
    std::memcpy(channel.memory.at(test_channel::place, sizeof fields.words), fields.words.data(), sizeof fields.words);
    channel.memory.at(test_channel::place + 256, 256)[0x48] = 0x77;
    push_buffer push;
    push.method(0, {0xc5c0}, compute).method(0x2b4, {test_channel::place >> 8}, compute);
    push.method(0x2bc, {1}, compute); // invalidates, and starts nothing
    push.method(0x2bc, {3}, compute);
    push.method(0x1558, {0}, compute).method(0x2bc, {2}, compute);
    push.method(0x1558, {1}, compute).method(0x130, {0, 0, 0}).method(0x2bc, {2}, compute).method(0x138, {1});
    push.method(0x2b4, {0}, compute).method(0x2bc, {2}, compute);
    push.method(0x2b4, {test_channel::place / 256 + 1}, compute).method(0x2bc, {2}, compute);
    channel.submit(push);
    ASSERT_EQ(channel.target.launches.size(), 1U);
    EXPECT_EQ(channel.target.launches[0].groups, (triple{5, 1, 1}));
    EXPECT_EQ(channel.counts.dispatches, 1U);
    EXPECT_EQ(channel.counts.hidden, 2U) << "by its own condition, and by that of all classes";
    EXPECT_EQ(channel.counts.refused.at("dispatch: a descriptor outside the GPU's memory"), 1U);
    EXPECT_EQ(channel.counts.refused.at("dispatch: a descriptor of an unknown format"), 1U);
}

} // namespace
} // namespace isbesim::gl
