// SPDX-License-Identifier: Apache-2.0
// Values of options that fill the members of a command's request.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <boost/program_options.hpp>

namespace isbesim::testbench {

/// Admitted numbers; both bounds are inclusive.
struct option_range {
    std::uint64_t low = 0;
    std::uint64_t high = std::numeric_limits<std::uint64_t>::max();
    const char* unit = ""; ///< of `low`, for the error if there is no upper bound

    bool admits(std::uint64_t value) const { return value >= low && value <= high; }
    std::string text() const
    {
        if (high != std::numeric_limits<std::uint64_t>::max())
            return std::to_string(low) + " to " + std::to_string(high);
        return "at least " + std::to_string(low) + " " + unit;
    }
};

inline option_range at_least_one(const char* unit)
{
    return {1, std::numeric_limits<std::uint64_t>::max(), unit};
}

/// A number whose range command_arguments checks.
struct ranged_value : boost::program_options::typed_value<std::uint64_t> {
    explicit ranged_value(const option_range& admitted) : typed_value(nullptr), range(admitted) {}
    option_range range;
};

/// A flag, which sets `member`.
inline auto* bound(bool& member)
{
    return boost::program_options::value<bool>(&member)->zero_tokens();
}

/// An option with one value, `name` in the help; its default is the value of `member` unless that is an empty string.
template <typename T>
auto* bound(T& member, const char* name)
{
    auto* value = boost::program_options::value<T>(&member)->value_name(name);
    if constexpr (std::is_same_v<T, std::string>)
        if (member.empty()) return value;
    return value->default_value(member);
}

/// An option without a default.
template <typename T>
auto* bound(std::optional<T>& member, const char* name)
{
    return boost::program_options::value<T>()->value_name(name)->notifier(
        [&member](const T& value) { member = value; });
}

/// A number in `range`; without a default if `member` is a std::optional.
template <typename T>
auto* bound(T& member, const char* name, const option_range& range)
{
    auto* value = new ranged_value(range); // its description will own it
    value->value_name(name)->notifier([&member](std::uint64_t number) { member = static_cast<T>(number); });
    if constexpr (std::is_integral_v<T>) value->default_value(member);
    return value;
}

/// A repeatable option.
template <typename T>
auto* bound(std::vector<T>& member, const char* name)
{
    return boost::program_options::value<std::vector<T>>(&member)->composing()->value_name(name);
}

/// The options of a Choices that lives as long as the program, so that the result can parse words, not only print help.
template <typename Choices>
boost::program_options::options_description lasting_options()
{
    static Choices choices;
    return choices.options();
}

} // namespace isbesim::testbench
