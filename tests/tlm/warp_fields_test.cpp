// SPDX-License-Identifier: Apache-2.0
// The lists of fields beside the page that the RTL is written from: micro-architecture section 2.
#include "tlm/warp_fields.h"

#include <fstream>
#include <regex>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "test_paths.h"

namespace isbesim {
namespace {

using field_widths = std::vector<std::pair<std::string, unsigned long>>;

/// Rows "| `data` | 4 x 32 x 32 | ..." of the table with this first column.
field_widths fields_of_page(const std::string& column)
{
    std::ifstream page(ISBESIM_SOURCE_DIR "/rtl_ref/README.md");
    static const std::regex row("\\| `(\\w+)` \\| (\\d+)(?: x (\\d+))?(?: x (\\d+))? \\|.*"), rule("\\|[-|]+");
    field_widths fields;
    std::string line;
    while (std::getline(page, line) && line.rfind("| " + column + " |", 0) != 0) {}
    for (std::smatch parts; std::getline(page, line) && !line.empty();) {
        if (std::regex_match(line, rule)) continue;
        EXPECT_TRUE(std::regex_match(line, parts, row)) << line;
        unsigned long bits = 1;
        for (unsigned i = 2; i < parts.size(); ++i) bits *= parts[i].matched ? std::stoul(parts[i]) : 1;
        fields.emplace_back(parts[1], bits);
    }
    return fields;
}

TEST(warp_fields, have_the_names_and_widths_of_the_page)
{
    const field_widths request{
#define ISBESIM_FIELD(name, pins, ...) {#name, pins},
#define ISBESIM_LANE_FIELD ISBESIM_FIELD
#include "tlm/request_fields.inc"
    };
    EXPECT_EQ(request, fields_of_page("request field"));
    const field_widths response{
#define ISBESIM_FIELD(name, pins, ...) {#name, pins},
#define ISBESIM_LANE_FIELD ISBESIM_FIELD
#include "tlm/response_fields.inc"
    };
    EXPECT_EQ(response, fields_of_page("response field"));
}

TEST(warp_fields, legal_values_follow_the_page)
{
    warp_op op;
    for (unsigned code = 0; code < 8; ++code)
        for (unsigned region = 0; region < 8; ++region)
            for (unsigned form = 0; form < 4; ++form)
                for (unsigned size = 0; size < 8; ++size) {
                    op.op = static_cast<opcode>(code);
                    op.region = static_cast<isbesim::region>(region);
                    op.form = static_cast<address_form>(form);
                    op.size = static_cast<std::uint8_t>(size);
                    const bool words = size >= 1 && size <= 4, bytes = size == 1 || size == 2 || size == 4;
                    const bool legal = code <= 1                ? form <= 2 && words
                                       : code == 2              ? words
                                       : code == 4 || code == 5 ? region <= 4 && bytes
                                                                : code <= 6;
                    ASSERT_EQ(field_error(op).empty(), legal)
                        << code << " " << region << " " << form << " " << size << " " << field_error(op);
                }
}

} // namespace
} // namespace isbesim
