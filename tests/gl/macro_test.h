// SPDX-License-Identifier: Apache-2.0
// Macros written by hand, and a host that keeps what they send.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include "testbench/gl/channel/macro_fermi.h"
#include "testbench/gl/channel/macro_turing.h"

namespace isbesim::gl {

using sent_methods = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

class recorded_methods : public macro_host {
public:
    void emit(std::uint32_t method, std::uint32_t value) override
    {
        sent.emplace_back(method, value);
        values[method] = value;
    }
    std::uint32_t state(std::uint32_t method) const override
    {
        const auto found = values.find(method);
        return found != values.end() ? found->second : 0;
    }
    bool has_parameters(unsigned count) const override { return parameters.size() >= count; }
    std::uint32_t take_parameter() override
    {
        const auto value = parameters.front();
        parameters.pop_front();
        return value;
    }

    sent_methods sent;
    std::map<std::uint32_t, std::uint32_t> values;
    std::deque<std::uint32_t> parameters;
};

/// Runs code from its first word on; `last` is how that ended.
template <typename machine>
class macro_bench {
public:
    explicit macro_bench(const std::vector<std::uint32_t>& code)
    {
        for (const auto word : code) memory.append(word);
    }

    const sent_methods& run(std::deque<std::uint32_t> parameters)
    {
        host.sent.clear();
        host.parameters = std::move(parameters);
        processor.start(0);
        return go_on();
    }
    const sent_methods& go_on()
    {
        unsigned steps = 0;
        do last = processor.step();
        while (last == macro_event::ran && ++steps < 10000);
        return host.sent;
    }

    recorded_methods host;
    macro_memory memory{std::is_same_v<machine, macro_turing> ? 0xc597U : 0xb097U};
    machine processor{host, memory};
    macro_event last = macro_event::ran;
};

/// Words of Fermi's macros. A register is a number, 0 reads as zero.
namespace fermi {

enum assignment : std::uint32_t { load, move, aim, send_load, send, aim_load, aim_send_parameter, aim_send_high };
constexpr std::uint32_t end = 0x80; ///< the next instruction is the last one

constexpr std::uint32_t alu(std::uint32_t function, assignment how, std::uint32_t to, std::uint32_t a, std::uint32_t b)
{
    return function << 17 | b << 14 | a << 11 | to << 8 | how << 4;
}
constexpr std::uint32_t add(assignment how, std::uint32_t to, std::uint32_t a, std::int32_t value)
{
    return static_cast<std::uint32_t>(value) << 14 | a << 11 | to << 8 | how << 4 | 1;
}
constexpr std::uint32_t bits(std::uint32_t operation, assignment how, std::uint32_t to, std::uint32_t a,
                             std::uint32_t b, std::uint32_t first, std::uint32_t count, std::uint32_t place)
{
    return place << 27 | count << 22 | first << 17 | b << 14 | a << 11 | to << 8 | how << 4 | operation;
}
constexpr std::uint32_t read(assignment how, std::uint32_t to, std::uint32_t a, std::int32_t value)
{
    return (add(how, to, a, value) & ~7U) | 5;
}
constexpr std::uint32_t jump(bool if_not_zero, bool without_slot, std::uint32_t a, std::int32_t distance)
{
    return static_cast<std::uint32_t>(distance) << 14 | a << 11 | (without_slot ? 0x20U : 0U) |
           (if_not_zero ? 0x10U : 0U) | 7;
}
/// Methods from this one on.
constexpr std::uint32_t at(std::uint32_t method, std::uint32_t step = 1)
{
    return add(aim, 0, 0, static_cast<std::int32_t>(step << 12 | method / 4));
}
constexpr std::uint32_t nothing = 0x11;

} // namespace fermi

/// Instructions of Turing's macros, as NVIDIA's public description of the fields has them.
namespace turing {

enum names : std::uint32_t { zero = 24, imm, imm_pair, imm_32, load_0, load_1 };
enum outs : std::uint32_t { none, alu_0, alu_1, out_load_0, out_load_1, imm_0, imm_1, high_0 = 8, high_1, out_imm_32 };

struct alu {
    std::uint32_t operation = 0, to = zero, a = zero, b = zero, immediate = 0;
};
struct out {
    std::uint32_t method = none, value = none;
};
struct group {
    alu first{}, second{};
    out one{}, two{};
    std::uint32_t mode = 0, predicate = zero;
    bool last = false;
};

/// Three words, the highest bits first.
inline void add(std::vector<std::uint32_t>& code, const group& what)
{
    std::uint32_t words[3] = {};
    const auto put = [&](unsigned low, unsigned bits, std::uint32_t value) {
        for (unsigned i = 0; i < bits; ++i) words[2 - (low + i) / 32] |= ((value >> i) & 1U) << (low + i) % 32;
    };
    put(0, 1, what.last ? 1 : 0);
    put(1, 4, what.mode);
    put(5, 5, what.predicate);
    put(10, 5, what.first.operation);
    put(15, 5, what.first.to);
    put(20, 5, what.first.a);
    put(25, 5, what.first.b);
    put(30, 16, what.first.immediate);
    put(46, 5, what.second.operation);
    put(51, 5, what.second.to);
    put(56, 5, what.second.a);
    put(61, 5, what.second.b);
    put(66, 16, what.second.immediate);
    put(82, 3, what.one.method);
    put(85, 4, what.one.value);
    put(89, 3, what.two.method);
    put(92, 4, what.two.value);
    code.insert(code.end(), words, words + 3);
}

inline std::vector<std::uint32_t> macro(const std::vector<group>& groups)
{
    std::vector<std::uint32_t> code;
    for (const auto& each : groups) add(code, each);
    return code;
}

/// 11:0 method / 4, 15:12 the step.
constexpr std::uint32_t at(std::uint32_t method, std::uint32_t step = 1)
{
    return step << 12 | method / 4;
}

} // namespace turing

} // namespace isbesim::gl
