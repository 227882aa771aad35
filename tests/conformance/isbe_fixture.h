// SPDX-License-Identifier: Apache-2.0
// Conformance rows on the ISBE alone: every test runs on every back end of isbe_bench.
#pragma once

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/isbe_bench.h"
#include "tests/support/warp_operations.h"

namespace isbesim::test {

inline constexpr word one = 0x3f800000U; // 1.0F
inline const attribute_set generic0 = ids({0x80, 0x84, 0x88, 0x8c});

/// The machine with the alternative of every choice, so that one compiled RTL covers them all.
inline isbe_config alternative_isbe()
{
    isbe_config config;
    config.attribute_default = 0;
    config.position_w_default = 0;
    config.patch_winner = lane_winner::lowest;
    config.bank_map = bank_map::rotate;
    config.gs_slot_order = gs_slot_order::blocked;
    config.map_byte_swap = true;
    return config;
}

/// The array-of-vertices layout, on the machine "unskewed", whose RTL is compiled (testbench/rtl/CMakeLists.txt).
inline isbe_config unskewed_isbe()
{
    isbe_config config;
    config.lines = 512;
    config.banks = 16;
    config.skew = false;
    config.bank_map = bank_map::rotate;
    config.gs_slot_order = gs_slot_order::blocked;
    config.request_queue_depth = 3;
    config.response_queue_depth = 5;
    config.pipeline_latency = 10;
    config.write_latency = 2;
    config.al2p_latency = 4;
    config.out_latency = 3;
    config.contexts = 16;
    return config;
}

class isbe_conformance : public testing::TestWithParam<std::string> {
protected:
    /// Replaces the configuration; to be called before the first use of bench().
    isbe_config& config() { return config_; }
    isbe_bench& bench()
    {
        if (!bench_) bench_ = std::make_unique<isbe_bench>(GetParam(), config_);
        return *bench_;
    }

    /// The context of warp slot 0.
    context bind(const context& c)
    {
        bench().bind(0, c);
        return c;
    }
    warp_result run(const warp_op& op) { return bench().run(op).result; }

    /// Fills the ATTR region of a space: the attribute of rank r of vertex v gets value(r, v).
    template <typename F>
    void fill(const space_layout& s, F&& value)
    {
        const unsigned n = s.allocated.count();
        for (unsigned rank = 0; rank < n; ++rank)
            for (unsigned v = 0; v < s.vertex_count; ++v)
                bench().poke(s.attr_base + skewed(n, rank, v), static_cast<word>(value(rank, v)));
    }
    word attribute(const space_layout& s, unsigned rank, unsigned vertex)
    {
        return bench().peek(s.attr_base + skewed(s.allocated.count(), rank, vertex));
    }
    /// The whole storage, to check that nothing changed.
    std::vector<std::uint8_t> image() { return bench().peek_bytes(0, config_.lines * 128); }

private:
    isbe_config config_;
    std::unique_ptr<isbe_bench> bench_;
};

inline per_lane<std::uint16_t> all_statuses(unsigned status)
{
    per_lane<std::uint16_t> values;
    values.fill(static_cast<std::uint16_t>(status));
    return values;
}

/// Compares the first components of a lane, and its status.
inline void expect_lane(const warp_result& result, unsigned lane, std::initializer_list<word> words,
                        unsigned status = lane_status::ok)
{
    unsigned component = 0;
    for (const word expected : words) EXPECT_EQ(result.data[component++][lane], expected) << "lane " << lane;
    EXPECT_EQ(result.status[lane], status) << "lane " << lane;
}

/// A geometry state from its fields, with the checksum of micro-architecture section 4.6.
constexpr word state_word(unsigned slot, unsigned to_stream = 0, bool stream_valid = false, unsigned strip = 0)
{
    const word low = slot | to_stream << 16 | (stream_valid ? 1U << 18 : 0U) | strip << 20;
    const auto rotate = [](word byte, unsigned by) { return ((byte << by) | (byte >> (8 - by))) & 0xffU; };
    return low | ((low & 0xffU) ^ rotate((low >> 8) & 0xffU, 3) ^ rotate((low >> 16) & 0xffU, 5)) << 24;
}

/// The context of the stage after `previous`: its input space is the output space of `previous`.
inline context consumer(stage warp_stage, const context& previous, const attribute_set& enabled)
{
    context c = make_context(warp_stage, {}, ids({0x80}));
    c.output.attr_base = 0xc000;
    c.input = previous.output;
    c.input.enabled = enabled;
    return c;
}

#define ISBESIM_ON_EVERY_BACK_END(suite)                                                                               \
    INSTANTIATE_TEST_SUITE_P(on, suite, testing::ValuesIn(back_ends_with_rtl()),                                       \
                             [](const auto& chosen) { return chosen.param; })

} // namespace isbesim::test
