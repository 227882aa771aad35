// SPDX-License-Identifier: Apache-2.0
// Short ways to talk about TGSI texts.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "models/varying/allocation/allocation.h"
#include "models/varying/language/parser.h"
#include "models/varying/lowering/lowering.h"
#include "tests/support/error_text.h"

namespace isbesim::varying {

inline constexpr strategy strategies[] = {strategy::chain, strategy::indirect, strategy::split, strategy::local,
                                          strategy::select};

inline shader parse_one(const std::string& text)
{
    auto programs = parse(text);
    EXPECT_EQ(programs.size(), 1U) << text;
    return std::move(programs.at(0));
}

/// "LINE:COLUMN: text" of the error that parsing and placing the text ends in; empty when it ends well.
inline std::string error_of(const std::string& text)
{
    try {
        for (const auto& each : parse(text)) allocate(each);
    } catch (const shader_error& error) {
        return std::to_string(error.at.line) + ":" + std::to_string(error.at.column) + ": " + error.what();
    }
    return "";
}

inline void expect_error(const std::string& text, const std::string& part)
{
    const auto error = error_of(text);
    EXPECT_NE(error.find(part), std::string::npos) << text << "\n" << error;
}

/// Why there is no program of the text, or no header; empty when there are both.
inline std::string refusal_of(const std::string& text, strategy how = strategy::chain)
{
    return error_text<shader_error>([&] {
        const auto code = parse_one(text);
        const auto placed = allocate(code);
        lower(code, placed, {isa::architecture::sm50, how, true});
        make_header(code, placed, 3);
    });
}

inline void expect_refusal(const std::string& text, const std::string& part, strategy how = strategy::chain)
{
    const auto refusal = refusal_of(text, how);
    EXPECT_NE(refusal.find(part), std::string::npos) << text << "\n" << refusal;
}

/// Address of a component, "OUT", 4, 'x'.
inline unsigned address_of(const allocation& placed, register_file file, unsigned number, unsigned component)
{
    const auto* found = placed.find(file, number, component);
    return found != nullptr ? found->address(number, component) : ~0U;
}

} // namespace isbesim::varying
