// SPDX-License-Identifier: Apache-2.0
// The macros of Mesa's nouveau driver, found by their fingerprints in the installed driver: each has the effect of
// plain methods written by hand.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "test_paths.h"
#include "testbench/gl/channel/macro_front.h"
#include "tests/gl/push_buffer.h"

namespace isbesim::gl::agreement {
namespace {

using words = std::vector<std::uint32_t>;
constexpr auto place = test_channel::place;

enum class macro_kind : std::uint8_t {
    state_only,          ///< blending, polygon modes, rasterisation: nothing for the stages here
    privileged_register, ///< a register of the rasteriser, which the firmware writes: value, mask, register
    per_instance_bits,   ///< count, bits -> per_instance[0 ..]
    vertex_array_select, ///< array, limit, address
    geometry_select,     ///< program select of the geometry stage
    evaluation_select,   ///< ... of the evaluation stage
    draw_arrays,         ///< indirect draws
    draw_elements,
    draw_arrays_count, ///< ... with their number in memory
    draw_elements_count,
    query_to_buffer, ///< difference of two reports, clamped
    compute_counter,
    compute_counter_report
};

struct known_macro {
    const char* chip;
    std::uint64_t fingerprint; ///< FNV-1a of the code
    std::uint32_t sum;         ///< of its words: a rolling sum finds candidates
    std::uint32_t words;
    macro_kind kind;
};

/// The macros of Mesa 22.3 and 25.0. A driver with other code needs rows of its own.
const known_macro known[] = {
    {"gm107", 0x0a92f70598121799U, 0x05c8792f, 7, macro_kind::per_instance_bits},
    {"gm107", 0x2f768d8afdaf1265U, 0x25b1c1ee, 12, macro_kind::vertex_array_select},
    {"gm107", 0x80973d5207269649U, 0x077002b1, 9, macro_kind::state_only},
    {"gm107", 0x6f5fc93d836650b5U, 0x06ea3315, 17, macro_kind::state_only},
    {"gm107", 0x7297e9f1d3889ca5U, 0x06ea3315, 17, macro_kind::state_only},
    {"gm107", 0xa6f2cd0301ead699U, 0x06ea6b15, 17, macro_kind::geometry_select},
    {"gm107", 0x096718c3754e7cf9U, 0x06ea6b15, 17, macro_kind::evaluation_select},
    {"gm107", 0x68adda0bc5b5936fU, 0xaf6281d5, 30, macro_kind::draw_arrays},
    {"gm107", 0xf78e020cee5abd45U, 0xc9d614ed, 42, macro_kind::draw_elements},
    {"gm107", 0x3254d37ee00ed4e9U, 0xb6773927, 46, macro_kind::draw_arrays_count},
    {"gm107", 0x5b2942dafe855f5eU, 0xd0f0f672, 61, macro_kind::draw_elements_count},
    {"gm107", 0x1007424fc44cf508U, 0x17a2662a, 34, macro_kind::query_to_buffer},
    {"gm107", 0xe8303afdd69c3103U, 0x43d3210c, 17, macro_kind::state_only},
    {"gm107", 0x28e5d9b25c64192cU, 0x1a1c83bb, 26, macro_kind::privileged_register}, // since Mesa 24
    {"gm107", 0x3e4ea915d594bf25U, 0x15cede84, 24, macro_kind::compute_counter},
    {"gm107", 0x49b027285736310eU, 0x1decbb79, 19, macro_kind::compute_counter_report},
    {"tu102", 0xebd59ee55d4e2daeU, 0x026ecb9b, 18, macro_kind::per_instance_bits},
    {"tu102", 0x7664cabbf14374dbU, 0x06bcd91f, 21, macro_kind::vertex_array_select},
    {"tu102", 0xc6061b156f647648U, 0xbc59e4c6, 15, macro_kind::state_only},
    {"tu102", 0x3e1c51950892589eU, 0x7ab028f6, 36, macro_kind::state_only},
    {"tu102", 0x4812aff53467928bU, 0xbab028f3, 36, macro_kind::state_only},
    {"tu102", 0x0316e706d87ecf26U, 0xdb9028f3, 36, macro_kind::geometry_select},
    {"tu102", 0xa124c76e2e08dcdeU, 0xdb9028f3, 36, macro_kind::evaluation_select},
    {"tu102", 0xf5092f7330f81608U, 0xeac2634c, 48, macro_kind::draw_arrays},
    {"tu102", 0x8494acd448612238U, 0x5a1bd7c1, 54, macro_kind::draw_elements},
    {"tu102", 0x11e59943fcb37ac8U, 0xea7d346f, 72, macro_kind::draw_arrays_count},
    {"tu102", 0x586d3a8eb10c8365U, 0x771033ef, 81, macro_kind::draw_elements_count},
    {"tu102", 0xf73a0a3a3d22d564U, 0xc57a4804, 63, macro_kind::query_to_buffer},
    {"tu102", 0x4e97f8eb057e2f1dU, 0x35d40631, 33, macro_kind::state_only},
    {"tu102", 0xf0a9dfef08886fa5U, 0xf984e794, 36, macro_kind::privileged_register},
    {"tu102", 0x6165c34fd7fe123fU, 0xf6a646da, 21, macro_kind::compute_counter},
    {"tu102", 0xba18c9d9eca3cb55U, 0xfc7febee, 27, macro_kind::compute_counter_report},
};

std::uint64_t fingerprint(const std::uint32_t* code, std::uint32_t count)
{
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (std::uint32_t i = 0; i < count; ++i)
        for (unsigned byte = 0; byte < 4; ++byte) hash = (hash ^ ((code[i] >> (8 * byte)) & 0xff)) * 0x100000001b3U;
    return hash;
}

/// Words of all drivers of Mesa that are installed: nouveau_dri.so, libgallium-*.so.
const words& driver_words()
{
    static const words all = [] {
        namespace fs = std::filesystem;
        words result;
        std::error_code error;
        for (const fs::path folder : {"/usr/lib/" ISBESIM_MULTIARCH, "/usr/lib/" ISBESIM_MULTIARCH "/dri"}) {
            for (const auto& entry : fs::directory_iterator(folder, error)) {
                const auto name = entry.path().filename().string();
                if (name != "nouveau_dri.so" && name.rfind("libgallium-", 0) != 0) continue;
                const auto before = result.size();
                const auto count = entry.file_size() / 4;
                result.resize(before + count);
                std::ifstream in(entry.path(), std::ios::binary);
                in.read(reinterpret_cast<char*>(result.data() + before), static_cast<std::streamsize>(count * 4));
            }
        }
        return result;
    }();
    return all;
}

/// The code of a macro in an installed driver; empty if no driver has it.
words code_of(const known_macro& macro)
{
    const auto& all = driver_words();
    if (all.size() < macro.words) return {};
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        sum += all[i];
        if (i >= macro.words) sum -= all[i - macro.words];
        if (sum != macro.sum || i + 1 < macro.words) continue;
        const auto* code = all.data() + (i + 1 - macro.words);
        if (fingerprint(code, macro.words) == macro.fingerprint) return {code, code + macro.words};
    }
    return {};
}

std::uint64_t wide(std::uint32_t low, std::uint32_t high)
{
    return (std::uint64_t{high} << 32) | low;
}

/// Has the effect of each macro by plain methods and words of memory.
class plain_methods {
public:
    explicit plain_methods(const char* name) : channel(name), limit_base_(find_chip(name)->limit_base) {}

    void run(macro_kind kind, const words& arguments)
    {
        switch (kind) {
        case macro_kind::per_instance_bits:
            for (std::uint32_t i = 0; i < arguments[0]; ++i) set(0x1880 + 4 * i, (arguments[1] >> i) & 1);
            break;
        case macro_kind::vertex_array_select:
            set(limit_base_ + 8 * arguments[0], arguments[1]);
            set(limit_base_ + 8 * arguments[0] + 4, arguments[2]);
            set(0x1c04 + 0x10 * arguments[0], arguments[3]);
            set(0x1c08 + 0x10 * arguments[0], arguments[4]);
            break;
        case macro_kind::geometry_select:
            set(0x2100, arguments[0]);
            break;
        case macro_kind::evaluation_select:
            set(0x20c0, arguments[0]);
            break;
        case macro_kind::draw_arrays:
        case macro_kind::draw_arrays_count:
            draw(arguments, false, kind == macro_kind::draw_arrays_count);
            break;
        case macro_kind::draw_elements:
        case macro_kind::draw_elements_count:
            draw(arguments, true, kind == macro_kind::draw_elements_count);
            break;
        case macro_kind::query_to_buffer:
            write_difference(arguments);
            break;
        case macro_kind::compute_counter_report:
            write(wide(arguments[3], arguments[2]), arguments[0]);
            write(wide(arguments[3], arguments[2]) + 4, arguments[1]);
            break;
        default:
            break;
        }
    }

    test_channel channel;

private:
    void set(std::uint32_t method, std::uint32_t value) { channel.submit(push_buffer().method(method, {value})); }
    void write(std::uint64_t address, std::uint32_t value) { channel.poke(address, value); }

    void draw(const words& arguments, bool elements, bool counted)
    {
        const std::size_t head = counted ? 4 : 3; // primitive, first draw number, draws, their number in memory
        const std::size_t size = elements ? 5 : 4;
        auto draws = arguments[2];
        if (counted) draws = std::min(draws, arguments[3] > arguments[1] ? arguments[3] - arguments[1] : 0);
        for (std::uint32_t i = 0; i < draws; ++i) {
            const auto* command = arguments.data() + head + i * size;
            const auto base = elements ? command[3] : 0;
            if (command[1] == 0) {
                if (elements) channel.submit(push_buffer().once(0x238c, {0x1a0, base}));
                continue;
            }
            const auto first_instance = command[elements ? 4 : 3];
            push_buffer push;
            push.once(0x238c, {0x1a0, base, first_instance, arguments[1] + i});
            if (elements) push.method(0x1434, {base}).method(0x1118, {base});
            push.method(0x1438, {first_instance});
            for (std::uint32_t instance = 0; instance < command[1]; ++instance)
                push.method(0x1618, {arguments[0] | (instance != 0 ? 1U << 26 : 0)})
                    .method(elements ? 0x17dc : 0xd74, {command[2], command[0]})
                    .method(0x1614, {0});
            channel.submit(push);
        }
        set(0x1438, 88);
        if (elements) channel.submit(push_buffer().method(0x1434, {77}).method(0x1118, {77}));
    }

    void write_difference(const words& arguments)
    {
        if (arguments[6] < arguments[5]) return; // the report is not there yet
        const auto value = wide(arguments[1], arguments[2]) - wide(arguments[3], arguments[4]);
        const auto address = wide(arguments[8], arguments[7]);
        if (arguments[0] != 0) {
            write(address, static_cast<std::uint32_t>(std::min<std::uint64_t>(value, arguments[0])));
            return;
        }
        write(address, static_cast<std::uint32_t>(value));
        write(address + 4, static_cast<std::uint32_t>(value >> 32));
    }

    std::uint32_t limit_base_;
};

class random_arguments {
public:
    words draw(macro_kind kind)
    {
        switch (kind) {
        case macro_kind::state_only:
            return {below(256)};
        case macro_kind::privileged_register:
            return {any(), any(), any()};
        case macro_kind::per_instance_bits:
            return {1 + below(16), any()};
        case macro_kind::vertex_array_select:
            return {below(16), below(256), any(), below(256), any()};
        case macro_kind::geometry_select:
            return {0x40 | below(2)};
        case macro_kind::evaluation_select:
            return {0x30 | below(2)};
        case macro_kind::draw_arrays:
        case macro_kind::draw_elements:
        case macro_kind::draw_arrays_count:
        case macro_kind::draw_elements_count:
            return draws(kind);
        case macro_kind::query_to_buffer: {
            const bool close = below(2) != 0;
            const auto upper = below(3);
            return {below(2) * (1 + below(1000)),
                    close ? below(500) : any(),
                    upper + below(2),
                    close ? below(500) : any(),
                    upper,
                    below(3),
                    below(3),
                    0,
                    place + 8 * below(16)};
        }
        case macro_kind::compute_counter:
            return {6, 1 + below(9), 1 + below(9), 1 + below(9), 1 + below(9), 1 + below(9), 1};
        case macro_kind::compute_counter_report:
            return {any(), any(), 0, place + 8 * below(16)};
        }
        return {};
    }

private:
    std::uint32_t any() { return static_cast<std::uint32_t>(random_()); }
    std::uint32_t below(std::uint32_t limit) { return any() % limit; }

    words draws(macro_kind kind)
    {
        const bool elements = kind == macro_kind::draw_elements || kind == macro_kind::draw_elements_count;
        const auto count = 1 + below(4);
        words result{below(6), below(4), count};
        if (kind == macro_kind::draw_arrays_count || kind == macro_kind::draw_elements_count)
            result.push_back(below(9));
        for (std::uint32_t i = 0; i < count; ++i) {
            for (const auto word : {below(6), below(4), below(100)}) result.push_back(word);
            if (elements) result.push_back(any());
            result.push_back(below(5));
        }
        return result;
    }

    std::mt19937 random_{1};
};

void compare(test_channel& macro, test_channel& hand)
{
    for (auto* each : {&macro, &hand}) // the final state
        each->submit(push_buffer().method(0x1618, {0}).method(0xd74, {0, 1}).method(0x1614, {0}));
    ASSERT_EQ(macro.target.draws, hand.target.draws);
    for (std::size_t i = 0; i < macro.target.draws.size(); ++i) {
        std::vector<std::uint32_t> methods{0x1118, 0x1434, 0x1438, 0x20c0, 0x2100};
        for (std::uint32_t k = 0; k < 32; ++k) methods.push_back(0x1880 + 4 * k);
        for (std::uint32_t k = 0; k < 0x200; k += 4) methods.push_back(0x1c00 + k);
        for (std::uint32_t k = 0; k < 0x100; k += 4)
            for (const auto base : {0x600U, 0x1f00U}) methods.push_back(base + k);
        for (const auto method : methods)
            EXPECT_EQ(macro.target.states[i].at(method), hand.target.states[i].at(method)) << std::hex << method;
    }
    EXPECT_EQ(macro.peek_words(place, 0x100), hand.peek_words(place, 0x100));
    EXPECT_TRUE(macro.counts.unknown.empty()) << macro.counts.unknown.begin()->first;
}

class drivers_macros : public testing::TestWithParam<known_macro> {};

TEST_P(drivers_macros, match_the_recorded_results)
{
    const auto& tested = GetParam();
    const auto code = code_of(tested);
    if (code.empty()) GTEST_SKIP() << "no driver with this macro is installed";
    random_arguments random;
    for (unsigned round = 0; round < 40; ++round) {
        test_channel macro(tested.chip);
        plain_methods hand(tested.chip);
        for (auto* each : {&macro, &hand.channel}) {
            for (std::uint32_t i = 0; i < 0x400; i += 4) each->poke(place + i, i);
            each->submit(
                push_buffer().method(0x2380, {0x1000, 0, place}).method(0x1434, {77, 88}).method(0x1118, {77}));
        }
        macro.submit(push_buffer().method(0x11c, {5, 0x30}).method(0x114, {0x30}).repeat(0x118, code));
        for (unsigned calls = 0; calls < 3; ++calls) {
            const auto arguments = random.draw(tested.kind);
            macro.submit(push_buffer().once(0x3828, arguments));
            hand.run(tested.kind, arguments);
        }
        compare(macro, hand.channel);
        if (testing::Test::HasFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(all, drivers_macros, testing::ValuesIn(known), [](const auto& each) {
    char text[32];
    std::snprintf(text, sizeof text, "%s_%016llx", each.param.chip,
                  static_cast<unsigned long long>(each.param.fingerprint));
    return std::string(text);
});

} // namespace
} // namespace isbesim::gl::agreement
