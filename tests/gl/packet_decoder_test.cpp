// SPDX-License-Identifier: Apache-2.0
// Packets of the host interface: kinds, immediate values, packets that continue in the next piece.
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "testbench/gl/channel/command_processor.h"
#include "tests/gl/push_buffer.h"

namespace isbesim::gl {
namespace {

class recorder : public method_sink {
public:
    void method(unsigned subchannel, std::uint32_t number, std::uint32_t value) override
    {
        methods.emplace_back(subchannel, number, value);
    }
    void packet_end(unsigned) override { ++packets; }
    void bad_header(std::uint32_t word) override { bad.push_back(word); }

    std::vector<std::tuple<unsigned, std::uint32_t, std::uint32_t>> methods;
    std::vector<std::uint32_t> bad;
    unsigned packets = 0;
};

using methods = decltype(recorder::methods);

TEST(packet_decoder, knows_the_four_kinds)
{
    recorder sink;
    packet_decoder decoder(sink);
    const auto push = push_buffer()
                          .method(0x100, {1, 2}, 3)
                          .repeat(0x200, {3, 4})
                          .once(0x300, {5, 6, 7})
                          .immediate(0x400, 0x1abc, 7)
                          .words;
    decoder.words(push.data(), push.size());
    EXPECT_EQ(sink.methods, (methods{{3, 0x100, 1},
                                     {3, 0x104, 2},
                                     {0, 0x200, 3},
                                     {0, 0x200, 4},
                                     {0, 0x300, 5},
                                     {0, 0x304, 6},
                                     {0, 0x304, 7},
                                     {7, 0x400, 0x1abc}}));
    EXPECT_EQ(sink.packets, 4U);
}

TEST(packet_decoder, a_packet_goes_on_in_the_next_piece)
{
    recorder sink;
    packet_decoder decoder(sink);
    const auto push = push_buffer().method(0x100, {1, 2, 3}).words;
    for (const auto word : push) {
        EXPECT_EQ(sink.packets, 0U);
        decoder.words(&word, 1);
    }
    EXPECT_EQ(sink.methods, (methods{{0, 0x100, 1}, {0, 0x104, 2}, {0, 0x108, 3}}));
    EXPECT_EQ(sink.packets, 1U);
    EXPECT_FALSE(decoder.inside_packet());
}

TEST(packet_decoder, zeros_are_padding_and_other_headers_are_errors)
{
    recorder sink;
    packet_decoder decoder(sink);
    const std::vector<std::uint32_t> words{0, 0, 0xe0000001};
    decoder.words(words.data(), words.size());
    EXPECT_TRUE(sink.methods.empty());
    EXPECT_EQ(sink.bad, (std::vector<std::uint32_t>{0xe0000001}));
}

} // namespace
} // namespace isbesim::gl
