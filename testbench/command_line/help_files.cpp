// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/help_files.h"

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "testbench/command_line/command_line.h"
#include "testbench/gl/chip/chip.h"
#include "testbench/schema/schemas.h"
#include "testbench/system/config.h"
#include "testbench/system/presets.h"
#include "testbench/version.h"

namespace isbesim::testbench {

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

/// The values that may follow a word of any command, or of one command: "run --isbe".
std::vector<std::pair<std::string, std::string>> values_behind_words()
{
    std::vector<std::pair<std::string, std::string>> rows = {
        {"*\" --config\"", "default " + words_of(presets())},
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
    for (const auto& [behind, values] : values_behind_words())
        out << "    " << behind << ") values=\"" << values << "\" ;;\n";
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
