// SPDX-License-Identifier: Apache-2.0
#include "testbench/arguments/command_arguments.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>

#include "testbench/files/nearest.h"

namespace isbesim::testbench {

namespace fs = std::filesystem;
namespace po = boost::program_options;

namespace {

constexpr const char* read_options[] = {"config", "coefficients", "next"};
constexpr const char* written_options[] = {
    "out", "record", "database", "timeline", "kanata", "wave", "wave-on-difference", "report", "capture"};

/// The mistake in an option and the expectation. Boost's own text never ends if the word contains `%option%`, which
/// Boost replaces by the word until it is gone.
std::string wrong_option(const po::error_with_option_name& error, const po::options_description& allowed)
{
    const auto name = error.get_option_name();
    std::vector<std::string> names;
    for (const auto& option : allowed.options()) names.push_back("--" + option->long_name());
    if (std::find(names.begin(), names.end(), name) == names.end())
        return "unknown option '" + name + "', expected " + nearest_list(name, names);
    const auto text = [&]() -> std::string {
        if (dynamic_cast<const po::multiple_occurrences*>(&error) != nullptr)
            return " cannot be specified more than once";
        const auto* syntax = dynamic_cast<const po::invalid_syntax*>(&error);
        if (syntax == nullptr) return " is ambiguous"; // if two options of a name are joined
        if (syntax->kind() == po::invalid_syntax::extra_parameter) return " does not take any arguments";
        if (syntax->kind() == po::invalid_syntax::missing_parameter) return " lacks its argument";
        return " is empty behind the equal sign";
    }();
    return "option '" + name + "'" + text + ", expected as in 'isbesim help'";
}

} // namespace

command_arguments::command_arguments(std::vector<std::string> words, const po::options_description& allowed,
                                     const char* positional_name, std::size_t most)
    : words_(std::move(words)), positional_name_(positional_name)
{
    po::options_description all;
    all.add(allowed);
    all.add_options()(positional_name, po::value<std::vector<std::string>>());
    po::positional_options_description positionals;
    positionals.add(positional_name, -1);
    try {
        namespace style = po::command_line_style;
        const auto parsed = po::command_line_parser(words_)
                                .options(all)
                                .positional(positionals)
                                .style(style::unix_style & ~style::allow_guessing)
                                .run();
        find_places(parsed);
        check_values(parsed);
        po::store(parsed, values_);
        po::notify(values_);
        for (const auto& option : allowed.options())
            if (const auto* number = dynamic_cast<const ranged_value*>(option->semantic().get()))
                if (const auto& name = option->long_name(); has(name.c_str()))
                    check(name, get<std::uint64_t>(name.c_str()), number->range);
    } catch (const po::error_with_option_name& error) {
        throw input_error(place_of_word(error.get_option_name()), wrong_option(error, allowed));
    } catch (const po::error& error) {
        throw input_error({"command-line", 1, 1}, std::string(error.what()) + ", expected as in 'isbesim help'");
    }
    if (has(positional_name) && get<std::vector<std::string>>(positional_name).size() > most) {
        const auto& extra = get<std::vector<std::string>>(positional_name)[most];
        throw input_error(place_of_positional(most),
                          "'" + extra + "' is an argument too many, expected " +
                              (most == 1 ? "one " : "at most " + std::to_string(most) + " of ") + positional_name);
    }
    check_files();
}

std::string command_arguments::text_of(const char* option) const
{
    const auto* text = has(option) ? boost::any_cast<std::string>(&values_[option].value()) : nullptr;
    return text == nullptr ? "" : *text;
}

std::vector<command_file> command_arguments::written_files() const
{
    std::vector<command_file> files;
    for (const std::string option : written_options) {
        const auto name = is_given(option.c_str()) ? text_of(option.c_str()) : "";
        auto path = whole_path(name);
        if (!name.empty() && !path.empty())
            files.push_back({"--" + option, name, place_of("--" + option), std::move(path)});
    }
    return files;
}

std::vector<command_file> command_arguments::read_files() const
{
    std::error_code ignored;
    std::vector<command_file> files;
    const auto add = [&](const std::string& name, const std::string& by, const source_place& place) {
        auto path = whole_path(fs::is_directory(name, ignored) ? name + "/scenario.json" : name);
        if (fs::is_regular_file(path, ignored)) files.push_back({by, name, place, std::move(path)});
    };
    for (const std::string option : read_options) add(text_of(option.c_str()), "--" + option, place_of("--" + option));
    if (!has(positional_name_)) return files;
    std::size_t index = 0;
    for (const auto& name : get<std::vector<std::string>>(positional_name_))
        add(name, positional_name_, place_of_positional(index++));
    return files;
}

void command_arguments::check_files() const
{
    std::map<fs::path, std::string> read, written;
    for (const auto& file : read_files()) read.emplace(file.path, file.option);
    for (const auto& file : written_files()) {
        // 'calibrate' may replace the machine that it starts from.
        if (const auto found = read.find(file.path);
            found != read.end() && !(file.option == "--out" && found->second == "--config"))
            file.refuse("which " + found->second + " reads; expected another file");
        if (const auto [other, is_new] = written.emplace(file.path, file.option); !is_new)
            file.refuse("which " + other->second + " writes, too; expected another file");
    }
}

void command_arguments::find_places(const po::parsed_options& parsed)
{
    std::size_t position = 0;
    for (const auto& option : parsed.options) {
        if (words_[position] != option.original_tokens.front()) ++position; // "--", which no option has
        const auto begin = position;
        position += option.original_tokens.size();
        const bool named = option.position_key < 0;
        places_[named ? "--" + option.string_key : std::string(positional_name_)].push_back({begin, position - 1});
    }
}

void command_arguments::check_values(const po::parsed_options& parsed) const
{
    std::map<std::string, std::size_t> used;
    for (const auto& option : parsed.options) {
        const auto name = option.position_key < 0 ? "--" + option.string_key : std::string(positional_name_);
        const auto* known = parsed.description->find_nothrow(option.string_key, false);
        const auto place = place_of_value(name, used[name]++);
        for (const auto& value : option.value) {
            if (value.empty()) throw input_error(place, name + " is empty, expected a value");
            std::uint64_t most = 0;
            if (known == nullptr) continue;
            if (dynamic_cast<const po::typed_value<std::uint64_t>*>(known->semantic().get()) != nullptr)
                most = std::numeric_limits<std::uint64_t>::max();
            else if (dynamic_cast<const po::typed_value<unsigned>*>(known->semantic().get()) != nullptr)
                most = std::numeric_limits<unsigned>::max();
            else
                continue;
            std::uint64_t number = 0;
            const auto* end = value.data() + value.size();
            const auto read = std::from_chars(value.data(), end, number);
            if (read.ec == std::errc() && read.ptr == end && number <= most) continue;
            throw input_error(place, name + " is '" + value + "', expected a decimal integer from 0 to " +
                                         std::to_string(most));
        }
    }
}

source_place command_arguments::place_of_word(const std::string& word) const
{
    for (std::size_t i = 0; i < words_.size(); ++i)
        if (words_[i] == word || words_[i].rfind(word + "=", 0) == 0) return place_at(i);
    return {"command-line", 1, 1};
}

source_place command_arguments::place_of(const std::string& option) const
{
    const auto found = places_.find(option);
    return found == places_.end() ? source_place{"command-line", 1, 1} : place_at(found->second.front().name);
}

source_place command_arguments::place_of_value(const std::string& option, std::size_t use) const
{
    const auto found = places_.find(option);
    return found == places_.end() ? source_place{"command-line", 1, 1} : place_at(found->second.at(use).value);
}

void command_arguments::fail(const std::string& option, const std::string& text) const
{
    throw input_error(place_of("--" + option), "--" + option + text);
}

void command_arguments::refuse(const std::string& option, const std::string& value, const std::string& expected) const
{
    fail(option, " is '" + value + "', expected " + expected);
}

void command_arguments::check(const std::string& option, std::uint64_t value, const option_range& range) const
{
    if (!range.admits(value)) fail(option, " is " + std::to_string(value) + ", expected " + range.text());
}

std::string command_arguments::positional(const std::string& expected) const
{
    if (!has(positional_name_)) throw input_error({"command-line", 1, 1}, "no file given, expected " + expected);
    return get<std::vector<std::string>>(positional_name_).front();
}

std::string command_arguments::second_positional() const
{
    const auto& all = get<std::vector<std::string>>(positional_name_);
    return all.size() > 1 ? all[1] : "";
}

} // namespace isbesim::testbench
