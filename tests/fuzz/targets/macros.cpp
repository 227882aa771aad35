// SPDX-License-Identifier: Apache-2.0
// Macros of any words, in front of a class that only keeps what it gets. Whether parameters come in one packet or one
// by one must make no difference.
#include <cstring>

#include "testbench/gl/channel/macro_front.h"
#include "tests/fuzz/targets/operations.h"
#include "tests/gl/macro_test.h"

namespace isbesim::fuzz {

namespace {

class kept_methods : public gl::engine {
public:
    explicit kept_methods(gl::sent_methods& sent) : sent_(sent) {}
    void method(std::uint32_t number, std::uint32_t value) override { sent_.emplace_back(number, value); }

private:
    gl::sent_methods& sent_;
};

class nothing_drawn : public gl::draw_target {
public:
    void draw(const gl::three_d_state&, const gl::drawn_vertices&) override {}
    void separate() override {}
    void dispatch(const gl::three_d_state&, const gl::launch_descriptor&) override {}
    std::uint64_t report(gl::report_kind, unsigned) override { return 0; }
    void clear(gl::report_kind) override {}
    void transfer(std::uint64_t) override {}
    std::uint64_t nanoseconds() override { return 0; }
    void set_stream_out_offset(unsigned, std::uint32_t) override {}
};

enum item : unsigned { code, call, method };

/// Returns the methods that macros send for an input: a byte for the chip, then items of a kind and words.
gl::sent_methods run(std::string_view bytes, bool one_by_one)
{
    constexpr std::uint64_t memory_bytes = 0x10010000;
    static gl::gpu_memory memory(memory_bytes);
    constexpr std::uint32_t steps = 2000;
    const auto& chip = *gl::find_chip((take_byte(bytes) & 1) != 0 ? "tu102" : "gm107");
    std::memset(memory.at(gl::gpu_memory::first_address, 0x10000), 7, 0x10000);
    gl::upload_journal journal;
    gl::fence_queue fences(memory);
    nothing_drawn target;
    gl::tally counts;
    gl::macro_memory macros(chip.classes.front());
    gl::sent_methods sent;
    gl::macro_front front({chip, memory, journal, fences, target, counts}, macros, std::make_unique<kept_methods>(sent),
                          steps);
    field_reader in(bytes);
    while (!in.done()) {
        switch (in.byte() % 3) {
        case code:
            front.method(0x11c, in.byte() % 4);
            front.method(0x120, in.byte());
            front.method(0x114, in.byte());
            for (auto left = in.byte(); left != 0; --left) front.method(0x118, in.whole());
            break;
        case call: {
            const auto macro = in.byte() % 4;
            front.method(0x3800 + 8 * macro, in.whole());
            for (auto left = in.byte() % 32; left != 0; --left) {
                if (one_by_one) front.packet_end();
                front.method(0x3804, in.whole());
            }
            break;
        }
        default: {
            const auto number = in.half() % 0xe00;
            front.method(number * 4, in.whole());
        }
        }
        front.packet_end();
    }
    return sent;
}

void put(std::string& seed, std::uint32_t word)
{
    for (unsigned i = 0; i < 4; ++i) seed += static_cast<char>(word >> (8 * i));
}

std::string seed_of(bool turing, const std::vector<std::uint32_t>& words, const std::vector<std::uint32_t>& parameters)
{
    std::string seed;
    for (const unsigned byte : {turing ? 1U : 0U, unsigned{code}, 0U, 0U, 0U, static_cast<unsigned>(words.size())})
        seed += static_cast<char>(byte);
    for (const auto word : words) put(seed, word);
    for (const unsigned byte : {unsigned{method}, 0x55U, 1U}) seed += static_cast<char>(byte);
    put(seed, 0x10000000);
    seed += static_cast<char>(call);
    seed += '\0';
    put(seed, parameters.front());
    seed += static_cast<char>(parameters.size() - 1);
    for (std::size_t i = 1; i < parameters.size(); ++i) put(seed, parameters[i]);
    return seed;
}

} // namespace

void macros(std::string_view bytes)
{
    require(run(bytes, false) == run(bytes, true), "macros send the same however their parameters come");
}

std::vector<std::string> macro_seeds(const std::string&)
{
    std::vector<std::string> seeds;
    {
        using namespace gl::fermi;
        seeds.push_back(seed_of(false,
                                {at(0x1880), add(load, 2, 0, 0), alu(0, send, 3, 1, 2), alu(1, send, 3, 3, 2),
                                 read(move, 4, 1, 0x400), bits(2, send, 4, 4, 2, 3, 5, 7), add(move, 1, 1, -1),
                                 jump(true, false, 1, -5) | end, alu(2, send, 0, 2, 1), nothing},
                                {3, 4, 5}));
    }
    using namespace gl::turing;
    const group draws = {{0, 1, load_0, zero, at(0x1880)}, {0, 2, load_1}, {imm_0, alu_0}, {none, alu_1}};
    seeds.push_back(
        seed_of(true,
                macro({{{0, zero, zero, zero, at(0x560)}, {0, zero, zero, zero, 2}, {imm_0, imm_1}},
                       {{7, zero, imm, imm_pair, 0x1000}, {0, zero, zero, zero, 1}},
                       draws,
                       {{23, zero, 1, zero, 4}},
                       {{6, 3, 1, 2}, {5, 4}, {none, alu_0}, {none, alu_1}},
                       {{31, zero, imm, 3, 5}, {22, 5, imm, 1, 0x400}},
                       {{30, 6, imm, zero, 5}, {16, 7, 6, 5, 4 << 10 | 5 << 5 | 3}, {none, alu_1}, {}, 3, 2},
                       {{29, zero, 2, zero, 0x8002}},
                       draws,
                       {{}, {}, {}, {}, 0, zero, true},
                       {}}),
                {3, 4, 5, 6, 7}));
    return seeds;
}

} // namespace isbesim::fuzz
