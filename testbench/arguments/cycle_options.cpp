// SPDX-License-Identifier: Apache-2.0
#include "testbench/arguments/cycle_options.h"

#include <charconv>
#include <string>

#include "tlm/count_text.h"

namespace isbesim::testbench {

namespace {

bool read_number(const std::string& text, std::uint64_t& number)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size();
}

} // namespace

void read_cycles(const command_arguments& arguments, const char* option, std::uint64_t& first, std::uint64_t& last)
{
    const auto& text = arguments.get<std::string>(option);
    const auto colon = text.find(':');
    if (colon != std::string::npos && read_number(text.substr(0, colon), first) &&
        read_number(text.substr(colon + 1), last) && first <= last)
        return;
    const auto name = "--" + std::string(option);
    throw input_error(arguments.place_of(name), name + " is " + text + ", expected FIRST:LAST with FIRST <= LAST");
}

std::vector<input_warning> late_cycles(const command_arguments& arguments, std::uint64_t end)
{
    std::vector<input_warning> warnings;
    for (const auto* option : {"cycles", "wave-cycles"}) {
        if (!arguments.has(option)) continue;
        std::uint64_t first = 0, last = 0;
        read_cycles(arguments, option, first, last);
        const auto name = "--" + std::string(option);
        if (first > end)
            warnings.emplace_back("no_effect", arguments.place_of(name),
                                  name + " begins with cycle " + std::to_string(first) + ", but the run ends after " +
                                      count_text(end, "cycle"));
    }
    return warnings;
}

} // namespace isbesim::testbench
