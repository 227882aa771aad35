// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/json_document.h"

#include <cstdlib>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "testbench/files/json_text.h"
#include "tests/support/error_text.h"

namespace isbesim::testbench {
namespace {

std::string place(const json_document& document, const boost::json::value& value)
{
    const auto place = document.place_of(value);
    return std::to_string(place.line) + ":" + std::to_string(place.column);
}

TEST(json_document, every_value_has_its_place)
{
    const json_document document("x.json", "{\n \"a\": [1, -2.5e1,\n   {\"b\\n\": true, \"c\": [ ]}, null],\n"
                                           "\"z\" : \"t\\\"x\", \"last\":12}");
    const auto& root = document.root();
    const auto& a = root.at("a");
    EXPECT_EQ(place(document, root), "1:1");
    EXPECT_EQ(place(document, a), "2:7");
    EXPECT_EQ(place(document, a.at(0)), "2:8");
    EXPECT_EQ(place(document, a.at(1)), "2:11");
    EXPECT_EQ(place(document, a.at(2)), "3:4");
    EXPECT_EQ(place(document, a.at(2).at("b\n")), "3:12");
    EXPECT_EQ(place(document, a.at(2).at("c")), "3:23");
    EXPECT_EQ(place(document, a.at(3)), "3:29");
    EXPECT_EQ(place(document, root.at("z")), "4:7");
    EXPECT_EQ(place(document, root.at("last")), "4:22");
    EXPECT_EQ(document.place_of_key(a.at(2), "c").column, 18U);
    EXPECT_EQ(document.place_of_key(root, "z").line, 4U);
}

TEST(json_document, text_that_is_no_json_has_a_place)
{
    const auto error = [](const std::string& text) {
        return error_text([&] { json_document("f", text); }).substr(0, 5);
    };
    EXPECT_EQ(error(""), "f:1:1");
    EXPECT_EQ(error("{\"a\": 1,}"), "f:1:9");
    EXPECT_EQ(error("\n\n[01]"), "f:3:3");
    EXPECT_EQ(error("[1,\n2 3]"), "f:2:3");
    EXPECT_EQ(error("[1] x"), "f:1:5");
    EXPECT_EQ(error(std::string(100, '[')).substr(0, 4), "f:1:"); // deeper than anything sensible: refused, no crash
    EXPECT_EQ(error("[1, 2.5, \"x\"]"), "");
}

TEST(json_document, typed_access_names_value_place_and_expectation)
{
    const json_document document("f", "{\"n\": 5, \"big\": 1e300, \"neg\": -1, \"s\": \"text\", \"frac\": 1.5}");
    const auto& root = document.root();
    EXPECT_EQ(document.integer(root.at("n"), "n", 0, 5), 5U);
    EXPECT_EQ(error_text([&] { document.integer(root.at("n"), "n", 0, 4); }),
              "f:1:7: n is 5, expected an integer from 0 to 4");
    EXPECT_NE(error_text([&] { document.integer(root.at("big"), "big", 0, 4); }), "");
    EXPECT_NE(error_text([&] { document.integer(root.at("neg"), "neg", 0, 4); }), "");
    EXPECT_NE(error_text([&] { document.integer(root.at("frac"), "frac", 0, 4); }), "");
    EXPECT_EQ(error_text([&] { document.integer(root.at("s"), "s", 0, 4); }),
              "f:1:40: s is \"text\", expected an integer from 0 to 4");
    EXPECT_EQ(error_text([&] {
                  document.only_keys(root, "the thing", {"n", "big", "negg", "s", "frac"});
              }),
              "f:1:24: unknown key 'neg' in the thing, expected negg, n or big (the nearest of 5)");
}

TEST(json_document, words_are_hexadecimal_texts_integers_or_floats)
{
    const json_document document("f", "[\"0x3f800000\", \"0xff\", 16, \"0xFFFFFFFF\", 4294967295, 0]");
    EXPECT_EQ(document.words(document.root(), "w"),
              (std::vector<word>{0x3f800000U, 0xffU, 16U, 0xffffffffU, 0xffffffffU, 0U}));
    for (const auto* wrong : {"[\"\"]", "[\"0x\"]", "[\"0x1ffffffff\"]", "[\"0x000000001\"]", "[\"xyz\"]", "[\"ff\"]",
                              "[\"10\"]", "[4294967296]", "[-1]", "[null]", "[true]", "{}", "[\"1 \"]", "[\"1.0\"]"}) {
        const json_document bad("f", wrong);
        EXPECT_NE(error_text([&] { bad.words(bad.root(), "w"); }), "") << wrong;
    }
}

// IEEE 754: 1 is 3f800000; 0.1 lies between 3dcccccc and 3dcccccd, nearer to the latter; 2^24 + 1 is a tie, to even;
// the largest float is (2 - 2^-23) * 2^127; half an ulp above it begins infinity; 2^-149 is the smallest.
TEST(json_document, a_word_with_a_point_or_an_exponent_is_a_float)
{
    const json_document document("f", "[1.0, 2.0, -1.5, 1e0, 0.1, 16777217.0, 3.4028234663852886e38, 1.4e-45, -0.0,"
                                      " 3.40282356779733e38]");
    EXPECT_EQ(document.words(document.root(), "w"),
              (std::vector<word>{0x3f800000U, 0x40000000U, 0xbfc00000U, 0x3f800000U, 0x3dcccccdU, 0x4b800000U,
                                 0x7f7fffffU, 1U, 0x80000000U, 0x7f7fffffU}));
    for (const auto* wrong : {"[3.4028235677973366e38]", "[1e39]", "[-1e39]", "[1e300]", "[1e-60]"}) {
        const json_document bad("f", wrong);
        EXPECT_NE(error_text([&] { bad.words(bad.root(), "w"); }).find("in the range of a 32-bit float"),
                  std::string::npos)
            << wrong;
    }
}

TEST(json_document, numbers_are_the_nearest_double)
{
    // Boost.JSON's own parser is off by one unit in the last place here.
    for (const auto* text :
         {"1.7976931348623157e308", "2.2250738585072011e-308", "9007199254740993.0",
          "0.1000000000000000055511151231257827", "6929495644600919.5", "3.2378839133029012895883e-315"}) {
        const json_document document("f", text);
        EXPECT_EQ(document.root().as_double(), std::strtod(text, nullptr)) << text;
    }
    for (const std::string large : {"18446744073709551616", "1e400", "-1.8e308"})
        EXPECT_EQ(error_text([&] { json_document("f", "[1,\n " + large + "]"); }),
                  "f:2:2: an integer of more than 64 bits or a number above 1.8e308, expected a smaller one, or a "
                  "number with a point or an exponent");
    EXPECT_EQ(error_text([] { json_document("f", "[18446744073709551615, -9223372036854775808]"); }), "");
}

TEST(json_document, a_key_that_stands_twice_has_a_place)
{
    const auto error = [](const std::string& text) { return error_text([&] { json_document("f", text); }); };
    EXPECT_EQ(error("{\"a\": 1,\n \"b\": {\"a\": 2, \"x\": [{\"y\": 1}, {\"y\": 2}]},\n  \"a\": 3}"),
              "f:3:3: key 'a' stands twice in this object, expected each key once");
    EXPECT_EQ(error("{\"o\": [\"}\", {\"k\\n\": 1, \"k\\u000a\": 2}]}"),
              "f:1:24: key 'k?' stands twice in this object, expected each key once");
    EXPECT_EQ(error("{\"a\": {\"a\": {\"a\": 1}}, \"b\": [\"a\", \"a\"]}"), "");
}

TEST(json_document, errors_take_a_single_line)
{
    const auto error = [](const std::string& text) { return error_text([&] { json_document("f", text); }); };
    EXPECT_NE(error("\xef\xbb\xbf{}").find("f:1:1: the file begins with a byte order mark"), std::string::npos);
    EXPECT_EQ(input_error({"f"}, "a\nb\x7f\xc3\xa9").what(), std::string("f:1:1: a?b?\xc3\xa9"));
    EXPECT_EQ(input_error({"f"}, "a\xc3 \xe9").what(), std::string("f:1:1: a? ?"));
    EXPECT_EQ(input_error({"f"}, "a\x80").what(), std::string("f:1:1: a?"));
}

TEST(json_document, error_quotes_a_long_values_beginning_and_states_expectation)
{
    const std::string euro = "\xe2\x82\xac"; // of three bytes: no cut within one
    for (std::size_t shift = 0; shift < 3; ++shift) {
        std::string value(shift, 'x');
        for (unsigned i = 0; i < 100'000; ++i) value += euro;
        const std::string what = input_error({"f"}, value + ", expected a number").what();
        EXPECT_LE(what.size(), 1010U);
        EXPECT_EQ(what.rfind("f:1:1: " + std::string(shift, 'x') + euro, 0), 0U);
        EXPECT_NE(what.find(euro + " ... " + euro), std::string::npos);
        EXPECT_EQ(what.substr(what.size() - 22), euro + ", expected a number");
    }
    EXPECT_EQ(input_error({"f"}, std::string(993, 'x')).what(), "f:1:1: " + std::string(993, 'x'));
}

TEST(json_text, numbers_are_short_and_read_back)
{
    EXPECT_EQ(json_text(boost::json::parse("{\"a\":0.5,\"b\":[1,2],\"c\":{}}")),
              "{ \"a\": 0.5, \"b\": [1, 2], \"c\": {} }\n");
    EXPECT_EQ(json_text(boost::json::parse("{\"a\":[1,2]}"), 5), "{\n  \"a\": [\n    1,\n    2\n  ]\n}\n");
    for (const double value : {0.1, 1e300, 123456789.0, 1.0 / 3.0}) {
        EXPECT_EQ(std::stod(number_text(value)), value);
    }
}

} // namespace
} // namespace isbesim::testbench
