#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "testbench/json_document.h"
#include "testbench/json_text.h"
#include "tests/testbench/error_text.h"

namespace isbesim::testbench {
namespace {

std::string place(const json_document& document, const boost::json::value& value)
{
    const auto at = document.place_of(value);
    return std::to_string(at.line) + ":" + std::to_string(at.column);
}

TEST(json_document, every_value_knows_its_place)
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
              "f:1:24: unknown key 'neg' in the thing, expected negg, n or big");
}

TEST(json_document, words_are_hexadecimal_texts_or_integers)
{
    const json_document document("f", "[\"0x3f800000\", \"ff\", 16, \"0xFFFFFFFF\"]");
    EXPECT_EQ(document.words(document.root(), "w"), (std::vector<word>{0x3f800000U, 0xffU, 16U, 0xffffffffU}));
    for (const auto* wrong : {"[\"\"]", "[\"0x\"]", "[\"0x1ffffffff\"]", "[\"xyz\"]", "[4294967296]", "[1.5]", "[null]",
                              "{}", "[\"1 \"]"}) {
        const json_document bad("f", wrong);
        EXPECT_NE(error_text([&] { bad.words(bad.root(), "w"); }), "") << wrong;
    }
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
