// SPDX-License-Identifier: Apache-2.0
// What the tests do with a block: run operations one at a time, look into the storage, and send streams.
#pragma once

#include <deque>
#include <functional>
#include <stdexcept>
#include <vector>

#include "tests/rtl/block.h"
#include "tests/rtl/configurations.h"
#include "tests/rtl/descriptor.h"

namespace rtl {

// Status bits, section 6.
inline constexpr std::uint16_t defaulted = 1 << 0;
inline constexpr std::uint16_t dropped_map = 1 << 1;
inline constexpr std::uint16_t out_of_range = 1 << 2;
inline constexpr std::uint16_t handle_range = 1 << 3;
inline constexpr std::uint16_t gs_state = 1 << 4;
inline constexpr std::uint16_t gs_overflow = 1 << 5;
inline constexpr std::uint16_t write_conflict = 1 << 6;
inline constexpr std::uint16_t not_al2p = 1 << 7;
inline constexpr std::uint16_t overwritten = 1 << 8;

inline constexpr unsigned error_encoding = 0x09;
inline constexpr unsigned error_combination = 0x0a;

// One value per lane: f(lane).
template <class F>
std::array<std::uint32_t, lane_count> per_lane(F f)
{
    std::array<std::uint32_t, lane_count> values{};
    for (unsigned i = 0; i < lane_count; ++i) values[i] = static_cast<std::uint32_t>(f(i));
    return values;
}

class bench {
public:
    explicit bench(std::unique_ptr<block> dut) : dut_(std::move(dut)) {}

    block& dut() { return *dut_; }
    std::uint64_t accepted() const { return accepted_; } // cycle in which the last `run` was accepted

    // One operation on an idle block, from request to response. Throws when the block does not answer.
    response run(const request& r, unsigned port = 0)
    {
        dut_->offer(port, r);
        wait([&] { return dut_->req_ready(port); }, "request not accepted");
        accepted_ = dut_->cycle();
        dut_->step();
        dut_->withdraw(port);
        wait([&] { return dut_->resp_valid(port); }, "no response");
        const response answer = dut_->resp(port);
        dut_->step();
        return answer;
    }

    response bind(unsigned slot, const descriptor& d)
    {
        request r;
        r.opcode = op::bind;
        r.context = slot;
        r.lanes = 0; // BIND does not look at them
        const auto words = d.words();
        for (std::size_t i = 0; i < words.size(); ++i) r.data[i] = words[i];
        return run(r);
    }

    // 32 words through the physical region, which needs no context.
    std::array<std::uint32_t, lane_count> peek(std::uint32_t byte)
    {
        const response answer = run(physical(op::isberd, byte));
        std::array<std::uint32_t, lane_count> words{};
        for (std::size_t i = 0; i < lane_count; ++i) words[i] = answer.data[i];
        return words;
    }
    std::uint32_t peek_word(std::uint32_t byte) { return peek(byte & ~127u)[byte % 128 / 4]; }

    void poke(std::uint32_t byte, const std::array<std::uint32_t, lane_count>& words)
    {
        request r = physical(op::isbewr, byte);
        for (std::size_t i = 0; i < lane_count; ++i) r.data[i] = words[i];
        run(r);
    }

    // Every word of the first `bytes` bytes holds its own byte address (plus `tag`): a load then says where it went.
    void fill_with_addresses(std::uint32_t bytes, std::uint32_t tag = 0)
    {
        for (std::uint32_t line = 0; line < bytes; line += 128) {
            poke(line, per_lane([&](unsigned i) { return tag + line + 4 * i; }));
        }
    }

    static request physical(op opcode, std::uint32_t byte)
    {
        request r;
        r.opcode = opcode;
        r.region = region::physical;
        r.size = 4;
        r.address = per_lane([&](unsigned i) { return byte + 4 * i; });
        return r;
    }

    // Offers the requests of each port as fast as the block takes them; response `k` of port `p` is result[p][k].
    // `ready(port, cycle)` drives resp_ready. Stops when everything has responded.
    struct streamed {
        std::vector<std::uint64_t> accepted;
        std::vector<response> responses;
    };
    std::vector<streamed> stream(
        std::vector<std::deque<request>> requests,
        const std::function<bool(unsigned, std::uint64_t)>& ready = [](unsigned, std::uint64_t) { return true; })
    {
        std::vector<streamed> result(requests.size());
        std::size_t left = 0;
        for (const auto& queue : requests) left += queue.size();
        for (unsigned idle = 0; left != 0; ++idle) {
            if (idle > 5000) throw std::runtime_error("stream: no progress");
            for (unsigned p = 0; p < requests.size(); ++p) {
                if (requests[p].empty())
                    dut_->withdraw(p);
                else
                    dut_->offer(p, requests[p].front());
                dut_->resp_ready(p, ready(p, dut_->cycle()));
            }
            std::vector<bool> taken(requests.size());
            for (unsigned p = 0; p < requests.size(); ++p) {
                taken[p] = !requests[p].empty() && dut_->req_ready(p);
                if (dut_->resp_valid(p) && ready(p, dut_->cycle())) {
                    result[p].responses.push_back(dut_->resp(p));
                    --left;
                    idle = 0;
                }
            }
            for (unsigned p = 0; p < requests.size(); ++p) {
                if (!taken[p]) continue;
                result[p].accepted.push_back(dut_->cycle());
                requests[p].pop_front();
            }
            dut_->step();
        }
        for (unsigned p = 0; p < requests.size(); ++p) {
            dut_->withdraw(p);
            dut_->resp_ready(p, true);
        }
        return result;
    }

private:
    template <class Condition>
    void wait(Condition condition, const char* what)
    {
        for (unsigned i = 0; !condition(); ++i) {
            if (i > 5000) throw std::runtime_error(what);
            dut_->step();
        }
    }

    std::unique_ptr<block> dut_;
    std::uint64_t accepted_ = 0;
};

// A descriptor that the tests share. Sixteen-word rows: six attributes, 40 vertices in each space.
//   input  attributes 0x0000 (0x600 bytes)   output attributes 0x0800 (0x600 bytes)
//   input  MAP 0x1000 (64)  PRIM 0x1200 (40) PATCH 0x1300, 3 patches of 10 words
//   output MAP 0x1100 (96)  PRIM 0x1240 (40) PATCH 0x1400, 3 patches of 10 words
inline descriptor six_attributes(stage s)
{
    descriptor d;
    d.stage = s;
    d.in.allocate_and_enable({0x70, 0x74, 0x78, 0x7c, 0x80, 0x84});
    d.in.attr_base = 0x0000;
    d.in.attr_bytes = 0x600;
    d.in.vertex_count = 40;
    d.in.map_base = 0x1000;
    d.in.map_bytes = 64;
    d.in.prim_base = 0x1200;
    d.in.prim_bytes = 40;
    d.in.patch_base = 0x1300;
    d.in.patch_words = 10;
    d.in.patch_count = 3;
    d.out = d.in;
    d.out.attr_base = 0x0800;
    d.out.map_base = 0x1100;
    d.out.map_bytes = 96;
    d.out.prim_base = 0x1240;
    d.out.patch_base = 0x1400;
    for (unsigned i = 0; i < 32; ++i) d.primitive[i] = static_cast<std::uint8_t>(i / 12); // 0, 1, 2
    return d;
}

inline request ald(int address, unsigned size = 1, bool output = false)
{
    request r;
    r.opcode = op::ald;
    r.immediate = address;
    r.size = size;
    r.output = output;
    return r;
}

inline request ast(int address, unsigned size = 1)
{
    request r = ald(address, size, true);
    r.opcode = op::ast;
    for (unsigned i = 0; i < r.data.size(); ++i) r.data[i] = 0xda7a0000u + i;
    return r;
}

} // namespace rtl
