// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/help_texts.h"

#include <functional>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <boost/json/object.hpp>

#include "testbench/command_line/command_line.h"
#include "testbench/figures/figures.h"
#include "testbench/files/nearest.h"
#include "testbench/gl/chip/chip.h"
#include "testbench/schema/schemas.h"
#include "testbench/system/config.h"
#include "testbench/system/presets.h"
#include "testbench/version.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

constexpr auto preference_names = enum_names<preference::none>("lower", "higher", "none");
constexpr auto cost_names = enum_names<cost_of::draw>("", "machine", "draw");

/// Places of a figure outside the reports: database, series, timeline; then the condition under which it is measured.
std::string places_outside_reports(const figure& f)
{
    std::string text;
    const auto add = [&](const char* prefix, const std::string& place) {
        if (!place.empty()) text += (text.empty() ? "" : ", ") + std::string(prefix) + place;
    };
    add("database ", f.database);
    add("series ", f.series);
    add("timeline: ", f.timeline);
    add("", condition_of(f.measured));
    return text;
}

/// Calls `take` with the title of each section, the report's top level first, and the section's figures about `word`.
void for_each_section(const std::string& word,
                      const std::function<void(const std::string& title, const std::vector<const figure*>&)>& take)
{
    const auto take_section = [&, about = figures_about(word)](const std::string& section, const std::string& title) {
        std::vector<const figure*> found;
        for (const auto* f : about)
            if (f->section == section) found.push_back(f);
        if (!found.empty() || word.empty()) take(title, found);
    };
    take_section("", "Run");
    for (const auto& section : figure_sections()) take_section(section.name, section.title);
}

/// True if the dotted `word` matches the beginning of the figure's key: "latency.ald" for "latency.<opcode>.p99".
bool is_prefix(const std::string& word, const std::string& key)
{
    std::istringstream words(word), parts(key);
    for (std::string own, part; std::getline(words, own, '.');)
        if (!std::getline(parts, part, '.') || (own != part && part.front() != '<')) return false;
    return !word.empty();
}

} // namespace

std::vector<const figure*> figures_about(const std::string& word)
{
    std::vector<const figure*> found;
    const auto* const named = find_figure(word);
    for (const auto& f : figures())
        if (&f == named || is_prefix(word, f.key()) || mentions(f.key(), word) || mentions(f.description, word))
            found.push_back(&f);
    return found;
}

std::vector<std::pair<std::string, std::string>> facts_about(const std::string& word)
{
    std::vector<std::pair<std::string, std::string>> found;
    const auto schema = report_schema();
    for (const auto& [key, form] : schema.at("properties").get_object()) {
        const auto* const text = form.get_object().if_contains("description");
        if (text == nullptr || find_figure(key) != nullptr) continue;
        if (mentions(key, word) || mentions(text->get_string(), word)) found.emplace_back(key, text->get_string());
    }
    return found;
}

void print_figures_help(std::ostream& out, const std::string& word)
{
    out << "Figures of report.json: key [unit], how instances (SM with ISBE, port) make the whole, description, where\n"
           "else it is: column of --database, key in `series`, place in --timeline. `per_instance[]` holds those that\n"
           "instances have. An <opcode>, <stage>, ... stands for each of them. What a run does not measure is absent:\n"
           "`stacks` and `bottleneck` are there where SMs and ISBE run cycle by cycle (--timing at with --isbe at, "
           "lockstep,\n"
           "or RTL that keeps to the page's cycles), `critical_path` with --isbe at and lockstep.\n";
    for_each_section(word, [&](const std::string& title, const std::vector<const figure*>& here) {
        out << "\n" << title << "\n\n";
        for (const auto* f : here) {
            out << "  " << std::left << std::setw(40) << f->key();
            if (!f->unit.empty()) out << " [" << f->unit << "]";
            out << "  " << row_of(f->merge).name << "\n      " << f->description << "\n";
            const auto more = places_outside_reports(*f);
            if (!more.empty()) out << "      (" << more << ")\n";
        }
    });
    if (const auto facts = facts_about(word); !facts.empty()) {
        out << "\nBeside the figures (report.json's `covers` has more)\n\n";
        for (const auto& [key, text] : facts) out << "  " << key << "\n      " << text << "\n";
    }
    if (!word.empty()) return;
    out << "\nHow instances make the whole\n\n";
    for (std::size_t r = 0; r < enum_count<merge_rule::whole_run>; ++r) {
        const auto& row = row_of(static_cast<merge_rule>(r));
        out << "  " << std::left << std::setw(16) << row.name << row.description << "\n";
    }
}

json::array figures_table_json(const std::string& word)
{
    json::array table;
    for (const auto* f : figures_about(word))
        table.push_back({{"key", f->key()},
                         {"unit", f->unit},
                         {"description", f->description},
                         {"merge", row_of(f->merge).name},
                         {"better", preference_names[static_cast<std::size_t>(f->better)]},
                         {"cost_of", cost_names[static_cast<std::size_t>(f->cost)]},
                         {"database", f->database},
                         {"series", f->series},
                         {"timeline", f->timeline},
                         {"condition", condition_of(f->measured)}});
    return table;
}

namespace {

/// Text for roff(7): escapes and requests are neutralised, and a minus can be searched for and copied.
std::string roff(const std::string& text)
{
    std::string result = text.find_first_of(".'") == 0 ? "\\&" : "";
    for (const char c : text) {
        if (c == '\\')
            result += "\\e";
        else if (c == '-')
            result += "\\-";
        else
            result += c;
    }
    return result;
}

/// "lt|at (=at)" -> "lt at"; "" if not all values are names.
std::string choices_of(const std::string& parameter)
{
    auto names = parameter.substr(0, parameter.find(' '));
    if (names.find('|') == std::string::npos ||
        names.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789|") != std::string::npos)
        return "";
    for (auto& c : names) c = c == '|' ? ' ' : c;
    return names;
}

/// The names, each followed by `ending`, separated by blanks.
template <typename T>
std::string words_of(const T& rows, const char* ending = "")
{
    std::string text;
    for (const auto& row : rows) text += (text.empty() ? "" : " ") + std::string(row.name) + ending;
    return text;
}

/// Patterns of "COMMAND WORD", such as "run --isbe", and the values that may follow it.
std::vector<std::pair<std::string, std::string>> values_after_words()
{
    std::vector<std::pair<std::string, std::string>> rows = {
        {"*\" --config\"", "default " + words_of(machines())},
        {"*\" --set\"", words_of(config_keys(), "=")},
        {"*\" --chip\"", words_of(gl::chips())},
        {"\"help help\"", words_of(commands())},
        {"\"help schema\"", words_of(schema_rows())},
        {"\"help config\"", words_of(config_keys())},
    };
    for (const auto* topic : help_topics) rows[3].second += std::string(" ") + topic;
    for (const auto& command : commands()) {
        const auto options = command.options();
        for (const auto& option : options.options())
            if (const auto choices = choices_of(option->format_parameter()); !choices.empty())
                rows.emplace_back("\"" + std::string(command.name) + " --" + option->long_name() + "\"", choices);
    }
    return rows;
}

} // namespace

void print_manual_page(std::ostream& out)
{
    out << ".TH ISBESIM 1 \"\" \"isbesim " << roff(version_text) << "\" \"User Commands\"\n"
        << ".SH NAME\nisbesim \\- " << overview_text << "\n"
        << ".SH SYNOPSIS\n.B isbesim\n.I COMMAND\n.RI [ OPTIONS ]\n"
        << ".SH COMMANDS\n";
    for (const auto& command : commands()) {
        out << ".SS isbesim " << roff(command.usage) << "\n" << roff(command.description) << ".\n";
        const auto options = command.options();
        for (const auto& option : options.options())
            out << ".TP\n\\fB\\-\\-" << roff(option->long_name()) << "\\fR \\fI" << roff(option->format_parameter())
                << "\\fR\n"
                << roff(option->description()) << "\n";
    }
    out << ".SH EXIT STATUS\n" << roff(exit_status_text) << "\n";
}

void print_bash_completion(std::ostream& out)
{
    out << "# Completion of isbesim in bash, made by `isbesim help --bash-completion`.\n"
           "_isbesim()\n"
           "{\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options= values= i\n"
           "    COMPREPLY=()\n"
           "    for ((i = 2; i < COMP_CWORD; ++i)); do\n"
           "        [[ ${COMP_WORDS[i]} != -- ]] || return 0 # a program and its arguments\n"
           "    done\n"
           "    # The equal sign is a word of its own.\n"
           "    if [[ $word == = ]]; then\n"
           "        word=\n"
           "    elif [[ $before == = ]]; then\n"
           "        before=${COMP_WORDS[COMP_CWORD-2]}\n"
           "    fi\n"
           "    case ${COMP_WORDS[1]} in\n";
    for (const auto& command : commands()) {
        out << "    " << command.name << ") options=\"";
        const auto options = command.options();
        for (const auto& option : options.options()) out << " --" << option->long_name();
        out << "\" ;;\n";
    }
    out << "    esac\n"
           "    case \"${COMP_WORDS[1]} $before\" in\n";
    for (const auto& [pattern, values] : values_after_words())
        out << "    " << pattern << ") values=\"" << values << "\" ;;\n";
    out << "    esac\n"
           "    ((COMP_CWORD > 1)) || values=\""
        << words_of(commands())
        << "\"\n"
           "    [[ $word != -* ]] || values=$options\n"
           "    COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
           "    [[ $before != --set ]] || compopt -o nospace 2>/dev/null || true\n"
           "}\n"
           "complete -o default -F _isbesim isbesim\n";
}

} // namespace isbesim::testbench
