// SPDX-License-Identifier: Apache-2.0
// Headers, samplers and uploads of the open driver (tests/data/textures), with what llvmpipe returns for them.
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "test_paths.h"
#include "tests/texture/texture_bench.h"

namespace isbesim::test {
namespace {

struct captured_request {
    std::string line;
    std::string kind;
    std::vector<std::string> fields;
    texel wanted{};

    float real(std::size_t field) const
    {
        return to_float(static_cast<word>(std::stoul(fields.at(field), nullptr, 16)));
    }
    std::int32_t number(std::size_t field) const { return std::stoi(fields.at(field)); }
};

struct captured_case {
    std::string name;
    double tolerance = 0;
    std::vector<std::uint8_t> header, sampler, memory;
    std::uint64_t address = 0;
    std::vector<captured_request> requests;
};

std::vector<std::uint8_t> read_words(std::istream& in)
{
    std::vector<std::uint8_t> bytes;
    for (std::string text; in >> text;) {
        const auto value = static_cast<word>(std::stoul(text, nullptr, 16));
        for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
    return bytes;
}

captured_request read_request(const std::string& kind, std::istream& in, const std::string& line)
{
    captured_request request{line, kind, {}, {}};
    for (std::string text; in >> text && text != "=";) request.fields.push_back(text);
    for (word& each : request.wanted) in >> std::hex >> each;
    return request;
}

std::vector<captured_case> read_captures()
{
    std::vector<captured_case> cases;
    std::ifstream file(ISBESIM_SOURCE_DIR "/tests/data/textures/nouveau.txt");
    for (std::string line; std::getline(file, line);) {
        std::istringstream in(line);
        std::string kind;
        in >> kind;
        if (kind == "#") continue;
        if (kind == "case") {
            cases.emplace_back();
            in >> cases.back().name >> cases.back().tolerance;
        } else if (kind == "header" || kind == "sampler") {
            (kind == "header" ? cases.back().header : cases.back().sampler) = read_words(in);
        } else if (kind == "memory") {
            std::size_t size = 0;
            in >> std::hex >> cases.back().address >> std::dec >> size;
            cases.back().memory.resize(size);
        } else if (kind == "bytes") {
            std::size_t offset = 0;
            std::string digits;
            in >> std::hex >> offset >> digits;
            for (std::size_t i = 0; i < 16; ++i)
                cases.back().memory.at(offset + i) =
                    static_cast<std::uint8_t>(std::stoul(digits.substr(2 * i, 2), nullptr, 16));
        } else {
            cases.back().requests.push_back(read_request(kind, in, line));
        }
    }
    return cases;
}

fault answer(texture::texture_unit& unit, const captured_request& captured, texel& got)
{
    const auto shape_of = [&] { return static_cast<shape>(captured.number(0)); };
    if (captured.kind == "fetch") {
        texture::fetch_request request;
        request.shape = shape_of();
        request.coordinates = {captured.number(1), captured.number(2), captured.number(3)};
        request.layer = static_cast<word>(captured.number(4));
        request.level = captured.number(5);
        return unit.fetch(request, got);
    }
    if (captured.kind == "sample") {
        texture::sample_request request;
        request.shape = shape_of();
        request.coordinates = {captured.real(1), captured.real(2), captured.real(3)};
        request.layer = static_cast<word>(captured.number(4));
        request.level = texture::level_mode::explicit_level;
        request.level_value = captured.real(5);
        request.offset = {static_cast<std::int8_t>(captured.number(6)), static_cast<std::int8_t>(captured.number(7)),
                          0};
        request.compare = captured.number(8) != 0;
        request.reference = captured.real(9);
        const fault why = unit.sample(request, got);
        if (request.compare) got.fill(got[0]); // the program had one number from it
        return why;
    }
    if (captured.kind == "gather") {
        texture::gather_request request;
        request.shape = shape_of();
        request.coordinates = {captured.real(1), captured.real(2), captured.real(3)};
        request.layer = static_cast<word>(captured.number(4));
        request.component = static_cast<unsigned>(captured.number(5));
        request.four_offsets = captured.number(6) != 0;
        if (request.four_offsets) request.offsets = {{{0, 1}, {-3, 2}, {5, -7}, {1, 0}}};
        request.compare = captured.number(7) != 0;
        request.reference = captured.real(8);
        return unit.gather(request, got);
    }
    const fault why = unit.query_header({}, texture::query::dimension, captured.number(0), got);
    for (unsigned i = 0; i < 4; ++i)
        if (captured.wanted[i] == 0) got[i] = 0;
    return why;
}

TEST(texture_captures, the_open_driver_s_headers_and_uploads_read_as_llvmpipe_reads_them)
{
    const auto cases = read_captures();
    EXPECT_EQ(cases.size(), 34U);
    for (const captured_case& each : cases) {
        const auto memory = std::make_shared<global_memory>();
        memory->add(headers_at, each.header);
        memory->add(samplers_at, each.sampler);
        memory->add(each.address, each.memory);
        texture::texture_unit unit(memory, {headers_at, samplers_at, 1, 1, 15});
        EXPECT_FALSE(each.requests.empty());
        for (const captured_request& request : each.requests) {
            texel got{};
            ASSERT_EQ(answer(unit, request, got), fault::none) << each.name << ": " << request.line;
            if (each.tolerance == 0) {
                EXPECT_EQ(got, request.wanted) << each.name << ": " << request.line;
                continue;
            }
            for (unsigned c = 0; c < 4; ++c)
                EXPECT_NEAR(to_float(got[c]), to_float(request.wanted[c]), each.tolerance)
                    << each.name << ": " << request.line;
        }
    }
}

} // namespace
} // namespace isbesim::test
