// SPDX-License-Identifier: Apache-2.0
// What Vulkan's driver needs besides what OpenGL's does: address spaces, programs without uploads, root tables, a
// topology beside BEGIN.
#include <algorithm>
#include <cerrno>
#include <cstring>

#include <gtest/gtest.h>

#include "models/isa/encoding/binary.h"
#include "models/isa/text/text.h"
#include "testbench/gl/channel/three_d_methods.h"
#include "testbench/gl/draws/draw_builder.h"
#include "testbench/gl/draws/draw_programs.h"
#include "testbench/gl/draws/draw_vertices.h"
#include "tests/gl/push_buffer.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::gl {
namespace {

constexpr auto page = gpu_memory::page;
constexpr std::uint64_t high = (std::uint64_t{1} << 38) - 16 * page;

class address_space : public testing::Test {
protected:
    memory_range range(std::uint64_t pages, std::uint64_t first = 0) const
    {
        return {pages * page, place_ + first * page, {}};
    }

    gpu_memory storage_{std::uint64_t{1} << 32};
    std::uint64_t place_ = storage_.allocate(8 * page, 0);
    gpu_memory space_{storage_, std::uint64_t{1} << 38};
};

TEST_F(address_space, two_ranges_of_the_same_bytes_are_the_same_memory)
{
    ASSERT_EQ(space_.map(high, range(8)), 0);
    ASSERT_EQ(space_.map(0x20000000, range(2, 3)), 0);
    *space_.at(high + 3 * page + 5, 1) = 7;
    EXPECT_EQ(*space_.at(0x20000005, 1), 7);
    EXPECT_EQ(*storage_.at(place_ + 3 * page + 5, 1), 7);
    EXPECT_EQ(space_.region(high + 3 * page).bytes, 8 * page);
    EXPECT_EQ(space_.region(0x20000005).address, 0x20000000U);
    EXPECT_EQ(space_.at(place_, 1), nullptr) << "the place in the memfd is no address";
}

TEST_F(address_space, a_hole_and_an_overlap_leave_the_rest_as_it_was)
{
    for (unsigned i = 0; i < 8; ++i) *storage_.at(place_ + i * page, 1) = static_cast<std::uint8_t>(10 + i);
    ASSERT_EQ(space_.map(high, range(8)), 0);
    ASSERT_EQ(space_.unmap(high + 2 * page, page), 0);
    ASSERT_EQ(space_.map(high + 5 * page, range(2)), 0);
    const std::uint8_t expected[] = {10, 11, 0, 13, 14, 10, 11, 17};
    for (unsigned i = 0; i < 8; ++i) {
        const auto* bytes = space_.at(high + i * page, page);
        EXPECT_EQ(space_.region(high + i * page).data != nullptr, i != 2) << i;
        ASSERT_EQ(bytes != nullptr, i != 2) << i;
        EXPECT_EQ(bytes != nullptr ? *bytes : 0, expected[i]) << i;
    }
    EXPECT_EQ(space_.region(high + page).bytes, 2 * page);
    EXPECT_EQ(space_.region(high + 6 * page).address, high + 5 * page);
    // Ranges with consecutive addresses have consecutive bytes.
    EXPECT_NE(space_.at(high + 3 * page, 5 * page), nullptr);
    EXPECT_EQ(space_.at(high + 3 * page, 5 * page + 1), nullptr);
    EXPECT_EQ(space_.at(high + page, 2 * page), nullptr);
    EXPECT_EQ(space_.at(high + 4 * page, 2 * page)[page], 10);
}

TEST_F(address_space, sparse_addresses_without_memory_read_as_zero_and_keep_nothing)
{
    ASSERT_EQ(space_.map(high, range(8)), 0);
    ASSERT_EQ(space_.map(high + 2 * page, {4 * page, memory_range::hole, {}}), 0);
    ASSERT_EQ(space_.map(high + 3 * page, range(1, 7)), 0); // the hole is two now
    *space_.at(high + 3 * page, 1) = 9;
    gpu_memory view(storage_, std::uint64_t{1} << 38);
    view.set_table(space_.table());
    for (auto* each : {&space_, &view}) {
        for (const unsigned at : {2U, 4U, 5U}) {
            auto* bytes = each->find(high + at * page + 16, 16);
            ASSERT_NE(bytes, nullptr) << at;
            EXPECT_EQ(*bytes, 0) << at;
            *bytes = 1;
            EXPECT_EQ(each->at(high + at * page, 4), nullptr) << "only programs go there";
        }
        EXPECT_EQ(*each->find(high + 3 * page, 1), 9);
        each->empty_holes();
        EXPECT_EQ(*each->find(high + 5 * page + 16, 1), 0);
        EXPECT_TRUE(each->extent(high + 4 * page).touched.empty());
    }
    EXPECT_EQ(*space_.find(high + 7 * page, 1), 9) << "the same memory as that at 3";
    ASSERT_EQ(space_.unmap(high + 4 * page, page), 0);
    EXPECT_EQ(space_.find(high + 4 * page, 1), nullptr);
    EXPECT_NE(space_.find(high + 5 * page, 1), nullptr);
}

TEST_F(address_space, invalid_page_range_is_refused)
{
    EXPECT_EQ(space_.map(high + 8, range(1)), EINVAL);
    EXPECT_EQ(space_.map(high, {page / 2, place_, {}}), EINVAL);
    EXPECT_EQ(space_.map(high, {0, place_, {}}), EINVAL);
    EXPECT_EQ(space_.map(high, {page, place_ + 8, {}}), EINVAL);
    EXPECT_EQ(space_.map(high, range(17)), EINVAL);
    EXPECT_EQ(space_.map(0, range(1)), EINVAL);
    EXPECT_EQ(space_.unmap(~std::uint64_t{0} - page + 1, 2 * page), EINVAL);
    EXPECT_EQ(storage_.map(high, range(1)), EINVAL);
    EXPECT_TRUE(space_.table().empty());
}

TEST_F(address_space, a_buffer_is_kept_by_its_ranges)
{
    auto kept = std::make_shared<int>(0);
    ASSERT_EQ(space_.map(high, {4 * page, place_, kept}), 0);
    space_.unmap(high + page, page);
    EXPECT_EQ(kept.use_count(), 3);
    space_.unmap(high, page);
    EXPECT_EQ(kept.use_count(), 2);
    space_.unmap(high, 4 * page);
    EXPECT_EQ(kept.use_count(), 1);
}

TEST_F(address_space, a_view_follows_the_table)
{
    gpu_memory view(storage_, std::uint64_t{1} << 38);
    *storage_.at(place_ + 2 * page, 1) = 3;
    space_.map(high, range(4));
    const auto before = space_.version();
    view.set_table(space_.table());
    EXPECT_EQ(*view.at(high + 2 * page, 1), 3);
    space_.unmap(high + page, page);
    space_.map(high, range(1, 2));
    EXPECT_NE(space_.version(), before);
    view.set_table(space_.table());
    EXPECT_EQ(*view.at(high, 1), 3);
    EXPECT_EQ(view.at(high + page, 1), nullptr);
    EXPECT_EQ(*view.at(high + 2 * page, 1), 3);
}

TEST_F(address_space, a_capture_sees_written_pages_at_their_addresses)
{
    space_.map(high, range(4, 2));
    *space_.at(high + 3 * page, 1) = 1;
    const auto found = space_.extent(high);
    ASSERT_EQ(found.touched.size(), 1U);
    EXPECT_EQ(found.bytes, 4 * page);
    EXPECT_EQ(found.touched[0].address, high + 3 * page);
    EXPECT_EQ(found.touched[0].bytes, page);
    EXPECT_EQ(found.touched[0].data, space_.at(high + 3 * page, 1));
}

class extent : public address_space {
protected:
    std::uint64_t extent_of(const std::vector<std::uint8_t>& code, isa::architecture arch, std::uint8_t padding = 0xff)
    {
        space_.map(high, range(8));
        std::memset(space_.at(high, 8 * page), padding, 8 * page);
        std::copy(code.begin(), code.end(), space_.at(high, 8 * page));
        return program_extent(space_, high, arch);
    }
    std::uint64_t extent_of(const std::string& text, isa::architecture arch)
    {
        const auto code = isa::encode_program(isa::assemble(text, arch));
        const auto found = extent_of(code, arch);
        return found == code.size() ? 0 : found + 1; // 0: as it should be
    }
};

TEST_F(extent, a_program_ends_where_no_path_goes_on)
{
    using isa::architecture;
    EXPECT_EQ(extent_of("EXIT ;\n", architecture::sm75), 0U);
    EXPECT_EQ(extent_of("MOV R0, R1 ;\n@P0 EXIT ;\nMOV R2, R3 ;\nEXIT ;\n", architecture::sm75), 0U);
    // A branch over the first EXIT reaches the code after it.
    EXPECT_EQ(extent_of("@P0 BRA 0x30 ;\nMOV R0, R1 ;\nEXIT ;\nMOV R2, R3 ;\nEXIT ;\n", architecture::sm75), 0U);
    EXPECT_EQ(extent_of("@P0 EXIT ;\nBRA 0x0 ;\n", architecture::sm75), 0U); // a loop is its own end
    EXPECT_EQ(extent_of("MOV R0, R1 ;\nRET.REL.NODEC R2 0x0 ;\n", architecture::sm75), 0U);
    // Execution continues at the pushed address, not at the next instruction.
    EXPECT_EQ(extent_of("SSY 0x28 ;\n@P0 BRA 0x28 ;\nEXIT ;\nMOV R0, R1 ;\nMOV R2, R3 ;\nSYNC ;\n", architecture::sm50),
              0U);
    EXPECT_THROW(extent_of("MOV R0, R1 ;\n", architecture::sm75), isa::program_error);
    EXPECT_EQ(extent_of(std::vector<std::uint8_t>{}, architecture::sm50, 0), 0U); // nothing but padding
}

TEST_F(extent, equals_the_size_of_each_sample_program)
{
    for (const std::string name : {"gs_pass/vs", "gs_pass/gs"}) {
        const auto text = testbench::temporary_folder::read(testbench::samples + name + ".code.bin");
        const std::vector<std::uint8_t> code(text.begin(), text.end());
        EXPECT_EQ(extent_of(code, isa::architecture::sm50), code.size()) << name;
    }
}

TEST(array_end, turing_has_sizes_where_addresses_were)
{
    EXPECT_EQ(array_end(0x1000, 0x1fff), 0x1fffU);
    EXPECT_EQ(array_end(high, 0x100), high + 0xff);
    EXPECT_EQ(array_end(high, 0), high - 1); // no byte at all
}

TEST(vulkan_state, root_tables_are_filled_from_a_place_on)
{
    test_channel channel("tu102");
    channel.submit(push_buffer()
                       .method(three_d::root_table_place, {0xf802})
                       .repeat(three_d::root_table_word, {1, 2, 3})
                       .method(three_d::root_table_place, {7})
                       .method(three_d::root_table_word, {4})
                       .method(three_d::begin, {4})
                       .method(three_d::arrays_first, {0, 3})
                       .method(three_d::end, {0}));
    ASSERT_EQ(channel.target.states.size(), 1U);
    const auto& root = channel.target.states[0].root;
    EXPECT_TRUE(channel.target.states[0].has_root_tables);
    EXPECT_EQ(root[2][62], 1U);
    EXPECT_EQ(root[2][63], 2U);
    EXPECT_EQ(root[2][0], 3U); // the place has eight bits
    EXPECT_EQ(root[7][0], 4U);
    EXPECT_EQ(root[0][0], 0U);
}

TEST(vulkan_state, a_topology_of_its_own_takes_the_place_of_begins)
{
    test_channel channel("tu102");
    const auto draw = [](push_buffer& to) {
        to.method(three_d::begin, {3}).method(three_d::arrays_first, {0, 3}).method(three_d::end, {0});
        to.method(three_d::begin, {3 | three_d::next_instance});
        to.method(three_d::arrays_first, {0, 3}).method(three_d::end, {0});
    };
    push_buffer push;
    push.method(three_d::topology, {4});
    draw(push);
    push.method(three_d::topology_control, {1});
    draw(push);
    channel.submit(push);
    const vertex_run run{vertex_run::source::arrays, 0, 3, {}};
    EXPECT_EQ(channel.target.draws, (draw_list{{3, 0, 2, {run}}, {4, 0, 2, {run}}}));
}

} // namespace
} // namespace isbesim::gl
