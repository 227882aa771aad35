// SPDX-License-Identifier: Apache-2.0
// Files, buffers and channels of the device, as a driver asks for them.
#include "testbench/gl/session/gl_device.h"

#include <cerrno>
#include <cstring>

#include <gtest/gtest.h>

#include "testbench/gl/channel/three_d_methods.h"
#include "tests/gl/push_buffer.h"
#include "tests/gl/sample_draw.h"

namespace isbesim::gl {
namespace {

class device : public testing::Test {
protected:
    isbesim_gl_reply ask(std::uint32_t kind, std::uint32_t file = 0, std::uint32_t handle = 0, std::uint64_t bytes = 0,
                         unsigned process = 1)
    {
        isbesim_gl_request request{};
        request.protocol = ISBESIM_GL_PROTOCOL;
        request.kind = kind;
        request.file = file;
        request.buffer.handle = handle;
        request.buffer.bytes = bytes;
        return device_.answer(process, request);
    }
    std::uint32_t open(unsigned process = 1) { return ask(ISBESIM_GL_OPEN_DEVICE, 0, 0, 0, process).file; }
    int submit(std::uint32_t file, std::uint32_t channel, const std::vector<isbesim_gl_piece>& pieces)
    {
        isbesim_gl_request request{};
        request.kind = ISBESIM_GL_SUBMIT;
        request.file = file;
        request.channel = channel;
        return device_.answer(1, request, {pieces}).error;
    }

    gpu_memory memory_{std::uint64_t{1} << 32};
    tally counts_;
    gl_device device_{*find_chip("tu102"), memory_, counts_, nullptr, nullptr};
};

TEST_F(device, hello_names_the_chip_and_checks_the_protocol)
{
    EXPECT_EQ(ask(ISBESIM_GL_HELLO).chipset, 0x162U);
    isbesim_gl_request other{};
    other.kind = ISBESIM_GL_HELLO;
    other.protocol = ISBESIM_GL_PROTOCOL + 1;
    EXPECT_EQ(device_.answer(1, other).error, EPROTO);
}

TEST_F(device, buffers_keep_their_address_until_the_last_release)
{
    const auto file = open();
    const auto small = ask(ISBESIM_GL_NEW_BUFFER, file, 0, 100).buffer;
    const auto large = ask(ISBESIM_GL_NEW_BUFFER, file, 0, 1 << 20).buffer;
    EXPECT_EQ(small.bytes, 4096U);
    EXPECT_EQ(large.address % (128 * 1024), 0U);
    EXPECT_GT(large.address, small.address + small.bytes);
    EXPECT_EQ(ask(ISBESIM_GL_DESCRIBE_BUFFER, file, large.handle).buffer.address, large.address);
    *memory_.at(small.address, 1) = 7;
    EXPECT_EQ(ask(ISBESIM_GL_CLOSE_BUFFER, file, small.handle).error, 0);
    EXPECT_EQ(ask(ISBESIM_GL_DESCRIBE_BUFFER, file, small.handle).error, ENOENT);
    const auto again = ask(ISBESIM_GL_NEW_BUFFER, file, 0, 4096).buffer;
    EXPECT_EQ(again.address, small.address);
    EXPECT_EQ(*memory_.at(again.address, 1), 0); // fresh
    EXPECT_EQ(ask(ISBESIM_GL_NEW_BUFFER, file, 0, 0).error, EINVAL);
    EXPECT_EQ(ask(ISBESIM_GL_NEW_BUFFER, file, 0, std::uint64_t{1} << 40).error, ENOMEM);
}

TEST_F(device, clears_wait_in_buffers_that_programs_do_not_map)
{
    const auto file = open();
    const auto waits = [&](std::uint32_t object) {
        isbesim_gl_request request{};
        request.kind = ISBESIM_GL_NEW_BUFFER;
        request.file = file;
        request.object = object;
        request.buffer.bytes = 4096;
        const auto address = device_.answer(1, request).buffer.address;
        memory_.fill(fill_of(address, 1));
        return memory_.extent(address).touched.empty();
    };
    EXPECT_TRUE(waits(ISBESIM_GL_HIDDEN));
    EXPECT_FALSE(waits(0));
}

TEST_F(device, window_system_has_no_frames_and_no_draws)
{
    constexpr unsigned server = 2;
    isbesim_gl_request hello{};
    hello.kind = ISBESIM_GL_HELLO;
    hello.protocol = ISBESIM_GL_PROTOCOL;
    hello.window_system = 1;
    EXPECT_EQ(device_.answer(server, hello).error, 0);
    // The server opens the device, and its client makes a channel of its own on that file.
    const auto file = open(server);
    const auto pushed = ask(ISBESIM_GL_NEW_BUFFER, file, 0, 4096, server).buffer;
    push_buffer push;
    push.method(0, {0xc597}).method(three_d::begin, {0}).method(three_d::arrays_first, {0, 3});
    push.method(three_d::end, {0});
    const auto bytes = static_cast<std::uint32_t>(push.words.size() * sizeof(std::uint32_t));
    std::memcpy(memory_.at(pushed.address, bytes), push.words.data(), bytes);
    for (const auto process : {server, 1U}) {
        const auto channel = ask(ISBESIM_GL_NEW_CHANNEL, file, 0, 0, process).channel;
        EXPECT_EQ(submit(file, channel, {{0, pushed.handle, bytes}}), 0);
        EXPECT_EQ(counts_.draws, process == server ? 0U : 1U);
        ask(ISBESIM_GL_FRAME_END, 0, 0, 0, process);
        EXPECT_EQ(counts_.frames, process == server ? 0U : 1U);
    }
    EXPECT_EQ(counts_.skipped.at(drawn_by_window_system), 1U);
}

TEST_F(device, a_shared_buffer_lives_in_both_files)
{
    const auto one = open(1);
    const auto two = open(2);
    const auto buffer = ask(ISBESIM_GL_NEW_BUFFER, one, 0, 4096).buffer;
    EXPECT_EQ(ask(ISBESIM_GL_DESCRIBE_BUFFER, two, buffer.handle).error, ENOENT);
    EXPECT_EQ(ask(ISBESIM_GL_SHARE_BUFFER, one, buffer.handle).error, 0);
    EXPECT_EQ(ask(ISBESIM_GL_IMPORT_BUFFER, two, buffer.handle).buffer.address, buffer.address);
    device_.forget(1); // the process that made it is gone
    EXPECT_EQ(ask(ISBESIM_GL_DESCRIBE_BUFFER, one, buffer.handle).error, EBADF);
    EXPECT_EQ(ask(ISBESIM_GL_DESCRIBE_BUFFER, two, buffer.handle).error, 0);
    device_.forget(2);
    const auto three = open(3);
    EXPECT_EQ(ask(ISBESIM_GL_IMPORT_BUFFER, three, buffer.handle).error, ENOENT);
}

TEST_F(device, submissions_reach_their_channel_and_stay_inside_their_buffers)
{
    const auto file = open();
    const auto channel = ask(ISBESIM_GL_NEW_CHANNEL, file).channel;
    const auto buffer = ask(ISBESIM_GL_NEW_BUFFER, file, 0, 4096).buffer;
    const auto push = push_buffer()
                          .method(0, {0xa140}, 2)
                          .method(0x188, {0, static_cast<std::uint32_t>(buffer.address) + 0x800}, 2)
                          .method(0x180, {4, 1}, 2)
                          .once(0x1b0, {0x1001, 0xabcd}, 2)
                          .words;
    std::memcpy(memory_.at(buffer.address, 4096), push.data(), push.size() * 4);
    // In two pieces that divide a packet.
    const auto bytes = static_cast<std::uint32_t>(push.size() * 4);
    EXPECT_EQ(submit(file, channel, {{0, buffer.handle, 8}, {8, buffer.handle, bytes - 8}}), 0);
    std::uint32_t value = 0;
    std::memcpy(&value, memory_.at(buffer.address + 0x800, 4), 4);
    EXPECT_EQ(value, 0xabcdU);
    EXPECT_EQ(counts_.submissions, 1U);
    EXPECT_EQ(submit(file, channel, {{4096, buffer.handle, 4}}), EINVAL);
    EXPECT_EQ(submit(file, channel, {{4092, buffer.handle, 8}}), EINVAL);
    EXPECT_EQ(submit(file, channel, {{0, buffer.handle + 1, 4}}), ENOENT);
    EXPECT_EQ(submit(file, channel + 1, {}), ENOENT);
    EXPECT_EQ(ask(ISBESIM_GL_CLOSE_CHANNEL, file).error, 0);
}

TEST_F(device, fence_passes_for_a_process_that_waits_for_a_named_object)
{
    const auto file = open();
    const auto channel = ask(ISBESIM_GL_NEW_CHANNEL, file).channel;
    const auto pushed = ask(ISBESIM_GL_NEW_BUFFER, file, 0, 4096).buffer;
    const auto other = ask(ISBESIM_GL_NEW_BUFFER, file, 0, 4096).buffer;
    const auto fence = static_cast<std::uint32_t>(pushed.address) + 0x800;
    const auto seen = [&] {
        std::uint32_t value = 0;
        std::memcpy(&value, memory_.at(fence, 4), 4);
        return value;
    };
    const auto send = [&](std::uint32_t value, std::uint32_t named) {
        const auto push =
            push_buffer().method(0, {0xc597}).method(0x1b00, {0, fence, value, 0x1000f010}).method(0, {0xc597});
        const auto bytes = static_cast<std::uint32_t>(push.words.size() * 4);
        std::memcpy(memory_.at(pushed.address, bytes), push.words.data(), bytes);
        isbesim_gl_request request{};
        request.kind = ISBESIM_GL_SUBMIT;
        request.file = file;
        request.channel = channel;
        return device_.answer(1, request, {{{0, pushed.handle, bytes}}, {named}}).fences;
    };
    EXPECT_NE(send(7, pushed.handle), 0U);
    EXPECT_NE(send(8, other.handle), 0U); // one more submission is not enough
    EXPECT_EQ(seen(), 0U);
    // The GPU has written it: so a push buffer can continue in its word.
    EXPECT_EQ(submit(file, channel, {{0x800, pushed.handle, 4}}), 0);
    EXPECT_EQ(counts_.unknown.count("push buffer header 00000008"), 1U);
    EXPECT_NE(ask(ISBESIM_GL_WAIT, file, pushed.handle).fences, 0U);
    EXPECT_EQ(seen(), 7U);
    EXPECT_EQ(ask(ISBESIM_GL_WAIT, file, other.handle).fences, 0U);
    EXPECT_EQ(seen(), 8U);
    EXPECT_NE(send(9, other.handle), 0U);
    EXPECT_EQ(ask(ISBESIM_GL_WAIT, file).fences, 0U); // for everything
    EXPECT_EQ(seen(), 9U);
    // A fence that is held for a closed buffer is not written into the next one.
    EXPECT_NE(send(10, other.handle), 0U);
    EXPECT_EQ(ask(ISBESIM_GL_CLOSE_BUFFER, file, pushed.handle).error, 0);
    EXPECT_FALSE(device_.holds_fences());
}

} // namespace
} // namespace isbesim::gl
