// SPDX-License-Identifier: Apache-2.0
// Push buffers written by hand, and a channel that takes them.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <tuple>
#include <vector>

#include "testbench/gl/channel/command_processor.h"

namespace isbesim::gl {

/// Packets, as the host interface reads them.
class push_buffer {
public:
    static constexpr unsigned upload_subchannel = 2, blit_subchannel = 3, copy_subchannel = 4;

    push_buffer& method(std::uint32_t number, std::initializer_list<std::uint32_t> data, unsigned subchannel = 0)
    {
        return packet(1, number, data, subchannel);
    }
    push_buffer& repeat(std::uint32_t number, const std::vector<std::uint32_t>& data, unsigned subchannel = 0)
    {
        return packet(3, number, data, subchannel);
    }
    push_buffer& once(std::uint32_t number, const std::vector<std::uint32_t>& data, unsigned subchannel = 0)
    {
        return packet(5, number, data, subchannel);
    }
    push_buffer& immediate(std::uint32_t number, std::uint32_t value, unsigned subchannel = 0)
    {
        words.push_back(4U << 29 | value << 16 | subchannel << 13 | number / 4);
        return *this;
    }

    std::vector<std::uint32_t> words;

private:
    push_buffer& packet(std::uint32_t kind, std::uint32_t number, const std::vector<std::uint32_t>& data,
                        unsigned subchannel)
    {
        words.push_back(kind << 29 | static_cast<std::uint32_t>(data.size()) << 16 | subchannel << 13 | number / 4);
        words.insert(words.end(), data.begin(), data.end());
        return *this;
    }
};

using word_list = std::vector<std::uint32_t>;
using draw_list = std::vector<drawn_vertices>;

inline bool operator==(const drawn_vertices& a, const drawn_vertices& b)
{
    return std::tie(a.primitive, a.first_instance, a.instances, a.runs, a.mesh) ==
           std::tie(b.primitive, b.first_instance, b.instances, b.runs, b.mesh);
}

/// Keeps the draws; its counters are the test's.
class recorded_draws : public draw_target {
public:
    void draw(const three_d_state& state, const drawn_vertices& vertices) override
    {
        states.push_back(state);
        draws.push_back(vertices);
        records.push_back(record);
    }
    void separate() override { separated.push_back(draws.size()); }
    void dispatch(const three_d_state&, const launch_descriptor& what) override { launches.push_back(what); }
    std::uint64_t report(report_kind kind, unsigned which) override
    {
        asked.emplace_back(kind, which);
        return counter;
    }
    void clear(report_kind kind) override { cleared.push_back(kind); }
    void transfer(std::uint64_t bytes) override { transferred += bytes; }
    std::uint64_t nanoseconds() override { return time; }
    void set_stream_out_offset(unsigned buffer, std::uint32_t offset) override { offsets.emplace_back(buffer, offset); }

    std::vector<three_d_state> states;
    std::vector<drawn_vertices> draws;
    std::vector<indirect_record> records;
    std::vector<std::size_t> separated; ///< draws before each separate()
    std::vector<launch_descriptor> launches;
    std::vector<std::pair<report_kind, unsigned>> asked;
    std::vector<report_kind> cleared;
    std::vector<std::pair<unsigned, std::uint32_t>> offsets;
    std::uint64_t counter = 0;
    std::uint64_t transferred = 0; ///< bytes
    std::uint64_t time = 0;
};

/// A channel with the classes bound as the driver binds them.
class test_channel {
public:
    explicit test_channel(const char* chip_name = "gm107")
        : memory(std::uint64_t{1} << 32), processor({*find_chip(chip_name), memory, journal, fences, target, counts})
    {
        submit(push_buffer()
                   .method(0, {0xb097})
                   .method(0, {0xa140}, push_buffer::upload_subchannel)
                   .method(0, {0x902d}, push_buffer::blit_subchannel));
        counts = {};
    }

    void submit(const push_buffer& push)
    {
        processor.words(push.words.data(), push.words.size());
        processor.finish();
    }

    void poke(std::uint64_t address, std::uint32_t value) { std::memcpy(memory.at(address, 4), &value, 4); }
    std::uint32_t peek(std::uint64_t address) const
    {
        std::uint32_t value = 0;
        std::memcpy(&value, memory.at(address, 4), 4);
        return value;
    }

    word_list peek_words(std::uint64_t address, std::size_t count) const
    {
        word_list words(count);
        std::memcpy(words.data(), memory.at(address, 4 * count), 4 * count);
        return words;
    }

    /// Where tests put their data.
    static constexpr std::uint32_t place = 0x20000000;

    gpu_memory memory;
    upload_journal journal;
    fence_queue fences{memory};
    recorded_draws target;
    tally counts;
    command_processor processor;
};

} // namespace isbesim::gl
