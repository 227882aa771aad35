// SPDX-License-Identifier: Apache-2.0
// A reset in the middle of a store, in each cycle that it may come in: what its passes have written before, with the
// overwritten bits, is what the RTL has (micro-architecture sections 2, 4.5 and 5).
#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "models/attribute/layout.h"
#include "models/isbe/functional/gs_state.h"
#include "testbench/rtl/store/rtl_parameters.h"
#include "tests/c_interface/c_block.h"
#include "tests/c_interface/rtl_pins.h"
#include "tests/rtl/configurations.h"

namespace isbesim::test {
namespace {

/// Model and RTL with the same inputs; every output pin is compared. Port 0 is driven.
class both_blocks {
public:
    explicit both_blocks(const char* name)
        : config(testbench::rtl_configuration_of(name)), model(config), rtl_(rtl::plugin_of(name))
    {
    }

    void clock(const isbesim_request* request, bool response_ready, bool reset)
    {
        for (unsigned port = 0; port < config.ports; ++port) {
            const auto ours = model.pins(port), theirs = rtl_.pins(port);
            ASSERT_EQ(ours.req_ready, theirs.req_ready);
            ASSERT_EQ(ours.resp_valid, theirs.resp_valid);
            if (ours.resp_valid != 0) {
                ASSERT_EQ(std::memcmp(&ours.response, &theirs.response, sizeof ours.response), 0);
            }
        }
        std::vector<isbesim_inputs> inputs(config.ports, isbesim_inputs{nullptr, 0});
        inputs[0] = {request, response_ready ? 1U : 0U};
        model.clock(inputs, reset);
        rtl_.clock(inputs, reset);
    }
    void send(const warp_op& op)
    {
        isbesim_request request;
        testbench::write_request(op, request);
        for (bool taken = false; !taken;) {
            taken = model.pins(0).req_ready != 0;
            clock(&request, false, false);
        }
    }
    isbesim_response receive()
    {
        while (model.pins(0).resp_valid == 0) clock(nullptr, false, false);
        const auto response = model.pins(0).response;
        clock(nullptr, true, false);
        return response;
    }
    isbesim_response run(const warp_op& op)
    {
        send(op);
        return receive();
    }

    isbe_config config;
    c_block model;

private:
    rtl_pins rtl_;
};

warp_op bind_of(const context& slot)
{
    warp_op op;
    op.op = opcode::bind;
    pack_context(slot, op);
    return op;
}

/// Every word of the storage is an attribute of a vertex, behind shared spaces: a load of it tells its overwritten bit.
context whole_storage(const isbe_config& config)
{
    context slot;
    slot.stage = stage::tess;
    slot.shared_spaces = true;
    slot.input.allocated.insert(28);
    slot.input.enabled = slot.input.allocated;
    slot.input.attr_bytes = config.lines * line_bytes;
    slot.input.vertex_count = slot.input.attr_bytes / 4;
    slot.output = slot.input;
    return slot;
}

struct looked_at {
    std::vector<word> words;
    unsigned overwritten = 0;
};

looked_at look(both_blocks& blocks)
{
    looked_at found;
    blocks.run(bind_of(whole_storage(blocks.config)));
    for (unsigned line = 0; line < blocks.config.lines; ++line) {
        warp_op op;
        op.op = opcode::ald;
        op.size = 1;
        op.space = space::input;
        op.lanes = all_lanes;
        op.immediate = 28 * 4;
        for (unsigned lane = 0; lane < warp_lanes; ++lane) op.handle[lane] = line * warp_lanes + lane;
        const auto response = blocks.run(op);
        EXPECT_EQ(response.error, 0U);
        for (unsigned lane = 0; lane < warp_lanes; ++lane) {
            found.words.push_back(response.data[lane]);
            found.overwritten += (response.status[lane] & lane_status::overwritten) != 0 ? 1 : 0;
        }
    }
    return found;
}

/// Words that differ from 0 after each of `passes` + 1 resets: the first comes before the first pass.
std::vector<std::size_t> written_before_resets(const char* name, const context& slot, const warp_op& op,
                                               unsigned passes, std::vector<unsigned>& overwritten)
{
    std::vector<std::size_t> written;
    for (unsigned done = 0; done <= passes; ++done) {
        both_blocks blocks(name);
        if (slot.stage != stage::none) blocks.run(bind_of(slot));
        blocks.send(op);
        const auto begin = isbesim_cycle(blocks.model.get());
        for (unsigned i = 0; i < done + 1; ++i) blocks.clock(nullptr, false, false); // granted in the first
        blocks.clock(nullptr, false, true);
        EXPECT_EQ(isbesim_cycle(blocks.model.get()), begin + done + 2);
        const auto found = look(blocks);
        written.push_back(found.words.size() -
                          static_cast<std::size_t>(std::count(found.words.begin(), found.words.end(), 0U)));
        overwritten.push_back(found.overwritten);
    }
    return written;
}

/// Words, past all regions.
warp_op physical_store(lane_mask lanes)
{
    warp_op op;
    op.op = opcode::isbewr;
    op.region = region::physical;
    op.space = space::output;
    op.size = 4;
    op.lanes = lanes;
    return op;
}

/// A row of one bank for each lane, in a slot that does not exist: the physical region needs none.
TEST(cut_stores, leave_a_word_for_each_pass)
{
    auto op = physical_store(all_lanes);
    op.context = 0xffff;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        op.address[lane] = lane * line_bytes;
        op.data[0][lane] = 1 + lane;
    }
    std::vector<unsigned> overwritten;
    const auto written = written_before_resets("small", {}, op, warp_lanes, overwritten);
    for (unsigned done = 0; done <= warp_lanes; ++done) {
        EXPECT_EQ(written[done], done);
        EXPECT_EQ(overwritten[done], 0U);
    }
}

/// Tokens of EMIT, each in a row of its own: they set the overwritten bit with shared spaces, and clear it without.
TEST(cut_stores, leave_tokens_with_their_overwritten_bits)
{
    for (const bool shared : {true, false}) {
        context slot = whole_storage(testbench::rtl_configuration_of("small"));
        slot.stage = stage::geometry;
        slot.shared_spaces = shared;
        slot.geometry.stream_mask = 1;
        slot.output.map_bytes = 2048;
        slot.geometry.thread_count = warp_lanes;
        slot.geometry.max_vertices = 60;
        warp_op op;
        op.op = opcode::out;
        op.type = out_type::emit;
        op.lanes = all_lanes;
        for (unsigned lane = 0; lane < warp_lanes; ++lane) {
            gs_state state;
            state.slot = lane;
            state.stream_valid = lane != 0;
            state.strip = lane == 0 ? 0 : 1;
            op.handle[lane] = encode_gs_state(state);
        }
        both_blocks blocks("small");
        blocks.run(bind_of(slot));
        const auto passes = blocks.run(op).passes;
        ASSERT_GT(passes, 1U);
        std::vector<unsigned> overwritten;
        const auto written = written_before_resets("small", slot, op, passes, overwritten);
        EXPECT_EQ(written.front(), 0U);
        EXPECT_TRUE(std::is_sorted(written.begin(), written.end()));
        EXPECT_GT(written.back(), written[1]);
        for (unsigned done = 0; done <= passes; ++done) EXPECT_EQ(overwritten[done], shared ? written[done] : 0U);
    }
}

/// Four words a lane, aligned: four lanes write the same ones. Which of them wins is the machine's choice, and all of a
/// component come in one pass.
TEST(cut_stores, leave_whole_components)
{
    for (const auto* const name : {"small", "choices"}) { // the highest lane wins; the lowest
        context slot = whole_storage(testbench::rtl_configuration_of(name));
        slot.stage = stage::tess_init;
        slot.shared_spaces = false;
        slot.output.patch_words = 40;
        slot.output.patch_count = 1;
        warp_op op;
        op.op = opcode::ast;
        op.form = address_form::patch;
        op.space = space::output;
        op.size = max_components;
        op.lanes = all_lanes;
        for (unsigned lane = 0; lane < warp_lanes; ++lane) {
            op.address[lane] = lane * 4;
            for (unsigned c = 0; c < max_components; ++c) op.data[c][lane] = 100 * c + lane + 1;
        }
        both_blocks blocks(name);
        blocks.run(bind_of(slot));
        const auto passes = blocks.run(op).passes;
        ASSERT_GE(passes, max_components);
        std::vector<unsigned> overwritten;
        const auto written = written_before_resets(name, slot, op, passes, overwritten);
        EXPECT_EQ(written.front(), 0U);
        EXPECT_EQ(written.back(), warp_lanes);
    }
}

/// Bytes that reach into the next word are a component of their own, which comes later: both components of different
/// lanes meet in the same words.
TEST(cut_stores, leave_parts_of_words)
{
    for (const auto* const name : {"small", "choices", "by_line"}) {
        auto op = physical_store(all_lanes);
        for (unsigned lane = 0; lane < warp_lanes; ++lane) {
            op.address[lane] = 2 + lane * 2 + lane % 4 * line_bytes;
            op.data[0][lane] = 0x01010101U * (lane + 1);
        }
        both_blocks blocks(name);
        const auto passes = blocks.run(op).passes;
        ASSERT_GT(passes, 2U);
        std::vector<unsigned> overwritten;
        const auto written = written_before_resets(name, {}, op, passes, overwritten);
        EXPECT_EQ(written.front(), 0U);
        EXPECT_TRUE(std::is_sorted(written.begin(), written.end()));
        EXPECT_GT(written.back(), written[1]);
    }
}

/// Words written past the pins after all passes stay.
TEST(cut_stores, leave_alone_what_came_behind_them)
{
    both_blocks blocks("small");
    auto op = physical_store(1);
    op.data[0][0] = 5;
    blocks.run(op);
    std::uint32_t value = 6;
    ASSERT_EQ(isbesim_write_storage(blocks.model.get(), 0, &value, 1), ISBESIM_OK);
    blocks.clock(nullptr, false, true);
    ASSERT_EQ(isbesim_read_storage(blocks.model.get(), 0, &value, 1), ISBESIM_OK);
    EXPECT_EQ(value, 6U);
}

/// A request not accepted is not checked; a slot that does not exist has no descriptor.
TEST(cut_stores, a_descriptor_is_checked_when_it_is_taken)
{
    both_blocks blocks("small");
    auto bad = whole_storage(blocks.config);
    bad.input.attr_bytes += 4; // beyond the storage
    auto op = bind_of(bad);
    isbesim_request request;
    testbench::write_request(op, request);
    const std::vector<isbesim_inputs> inputs{{&request, 0}, {nullptr, 0}};
    EXPECT_EQ(isbesim_clock(blocks.model.get(), 0, inputs.data()), ISBESIM_INVALID);
    EXPECT_EQ(isbesim_cycle(blocks.model.get()), 0U);

    for (const unsigned slot : {blocks.config.contexts, 0xffffU}) {
        op.context = static_cast<std::uint16_t>(slot);
        blocks.run(op); // and reports it in its response
    }

    op.context = 0;
    testbench::write_request(op, request);
    warp_op load;
    load.op = opcode::isberd;
    load.region = region::physical;
    load.size = 4;
    isbesim_request good;
    testbench::write_request(load, good);
    while (blocks.model.pins(0).req_ready != 0) blocks.clock(&good, false, false);
    blocks.clock(&request, false, false); // no room: it waits
}

} // namespace
} // namespace isbesim::test
