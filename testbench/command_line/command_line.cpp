// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/command_line.h"

#include <algorithm>
#include <charconv>
#include <iomanip>
#include <iostream>
#include <limits>

#include "testbench/command_line/calibrate_command.h"
#include "testbench/command_line/capture_commands.h"
#include "testbench/command_line/compare_command.h"
#include "testbench/command_line/compile_command.h"
#include "testbench/command_line/figures_help.h"
#include "testbench/command_line/file_commands.h"
#include "testbench/command_line/gl_command.h"
#include "testbench/command_line/help_files.h"
#include "testbench/command_line/load_command.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/command_line/nearest.h"
#include "testbench/command_line/pack_command.h"
#include "testbench/command_line/run_command.h"
#include "testbench/command_line/serve_command.h"
#include "testbench/command_line/traffic_command.h"
#include "testbench/files/json_text.h"
#include "testbench/files/write_error.h"
#include "testbench/schema/schemas.h"
#include "testbench/system/config.h"
#include "testbench/version.h"
#include "tlm/process_guard.h"

namespace isbesim::testbench {

namespace po = boost::program_options;

namespace {

int run_help(const std::vector<std::string>& words, std::ostream& out, std::ostream&);

void print_overview(std::ostream& out)
{
    out << "isbesim " << version_text << ": " << overview_text << "\n\n";
    for (const auto& command : commands()) {
        out << "  isbesim " << std::left << std::setw(44) << command.usage << command.description << "\n";
    }
    out << "\nExit status: " << exit_status_text << "\n";
}

po::options_description help_config_options()
{
    po::options_description options("Options of 'help config'");
    options.add_options()("json", "the table as JSON, each key with its value in this machine:");
    add_machine_options(options);
    return options;
}

/// Of a WORD in which a table has nothing.
[[noreturn]] void fail_word(const command_arguments& arguments, const std::string& word, const char* what,
                            const std::vector<std::string>& names, const std::string& all)
{
    throw input_error(arguments.place_of(word), std::string("no ") + what + " has '" + word +
                                                    "' in its name or description, expected " +
                                                    nearest_list(word, names, all));
}

/// `words` begins with "config".
int run_help_config(const std::vector<std::string>& words, std::ostream& out)
{
    const command_arguments arguments(words, help_config_options(), "WORD", 2);
    const auto word = arguments.second_positional();
    const auto json = arguments.has("json");
    for (const auto* option : {"config", "set"})
        if (!json && arguments.has(option))
            throw input_error(arguments.place_of(std::string("--") + option),
                              std::string("--") + option + " needs --json, expected 'help config --json'");
    machine_config config;
    read_machine(arguments, config);
    if (json ? config_keys_about(word).empty() : !print_config_help(out, word)) {
        std::vector<std::string> names;
        for (const auto& key : config_keys()) names.emplace_back(key.name);
        fail_word(arguments, word, "key", names, "isbesim help config");
    }
    if (json) out << json_text(config_table_json(config, word));
    return exit_status::done;
}

po::options_description help_figures_options()
{
    po::options_description options("Options of 'help figures'");
    options.add_options()("json", "the table as JSON");
    options.add_options()("markdown", "as models/statistics/FIGURES.md");
    return options;
}

po::options_description help_options()
{
    po::options_description options("Options");
    options.add_options()("man", "the manual page of all commands");
    options.add_options()("bash-completion", "what completes them in bash");
    options.add(help_config_options()).add(help_figures_options());
    return options;
}

/// `words` begins with "schema".
int run_help_schema(const std::vector<std::string>& words, std::ostream& out)
{
    std::vector<std::string> names;
    for (const auto& row : schema_rows()) names.emplace_back(row.name);
    if (words.size() != 2)
        throw input_error({"command-line", 1, words.size() < 2 ? 3U : 4U},
                          "help schema takes one name, expected " + name_list(names));
    const auto schema = find_schema(words[1]);
    if (schema.is_null())
        throw input_error({"command-line", 1, 3}, "no schema of '" + words[1] + "', expected " + name_list(names));
    out << json_text(schema);
    return exit_status::done;
}

/// `words` begins with "figures".
int run_help_figures(const std::vector<std::string>& words, std::ostream& out)
{
    const command_arguments arguments(words, help_figures_options(), "WORD", 2);
    const auto word = arguments.second_positional();
    if (arguments.has("json") && arguments.has("markdown"))
        throw input_error(arguments.place_of("--markdown"), "--json and --markdown, expected one of them");
    if (arguments.has("markdown") && !word.empty())
        throw input_error(arguments.place_of(word),
                          "--markdown with a word, expected --markdown alone: the whole page");
    if (figures_about(word).empty() && facts_about(word).empty()) {
        std::vector<std::string> keys;
        for (const auto& f : figures()) keys.push_back(f.key());
        fail_word(arguments, word, "figure", keys, "isbesim help figures");
    }
    if (arguments.has("json"))
        out << json_text(figures_table_json(word));
    else if (arguments.has("markdown"))
        print_figures_markdown(out);
    else
        print_figures_help(out, word);
    return exit_status::done;
}

int run_help(const std::vector<std::string>& words, std::ostream& out, std::ostream&)
{
    if (words.empty()) {
        print_overview(out);
        return exit_status::done;
    }
    if (words[0] == "config") return run_help_config(words, out);
    if (words[0] == "figures") return run_help_figures(words, out);
    if (words[0] == "schema") return run_help_schema(words, out);
    if (words[0] == "--man" || words[0] == "--bash-completion") {
        const command_arguments arguments(words, help_options(), "WORD", 0);
        arguments.has("man") ? print_manual_page(out) : print_bash_completion(out);
        return exit_status::done;
    }
    std::vector<std::string> names(std::begin(help_topics), std::end(help_topics));
    for (const auto& command : commands()) {
        names.emplace_back(command.name);
        if (words[0] != command.name) continue;
        if (words.size() > 1)
            throw input_error({"command-line", 1, 3},
                              "'" + words[1] + "' is one argument too many, expected help " + words[0] + " alone");
        out << "isbesim " << command.usage << "\n  " << command.description << "\n\n" << command.options();
        return exit_status::done;
    }
    throw input_error({"command-line", 1, 2},
                      "no help on '" + words[0] + "', expected " + nearest_list(words[0], names, "'isbesim help'"));
}

int dispatch(const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    if (words.empty() || words[0] == "--help" || words[0] == "-h") return run_help({}, out, err);
    if (words[0] == "--version") {
        out << "isbesim " << version_text << "\n";
        return exit_status::done;
    }
    const std::vector<std::string> rest(words.begin() + 1, words.end());
    std::vector<std::string> names;
    for (const auto& command : commands()) {
        names.emplace_back(command.name);
        if (words[0] != command.name) continue;
        const auto own = std::find(rest.begin(), rest.end(), "--"); // the words after it are a program's
        if (std::any_of(rest.begin(), own, [](const auto& word) { return word == "--help" || word == "-h"; }))
            return run_help({words[0]}, out, err);
        return command.run(rest, out, err);
    }
    throw input_error({"command-line", 1, 1}, "unknown command '" + words[0] + "', expected " +
                                                  nearest_list(words[0], names, "'isbesim help'"));
}

/// On one line, with the process of the simulation in which it happened.
std::string internal_error_line(std::string text)
{
    if (!failed_process().empty()) text += " (" + failed_process() + ")";
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

} // namespace

const std::vector<command>& commands()
{
    static const std::vector<command> table = {
        {"run", "run SCENARIO|FOLDER|FILE.capture [options]", "a draw; writes the vertices that come out and a report",
         run_options, run_run},
        {"disasm", "disasm FILE --arch A [--sph]", "program or header (-: stdin) -> text on stdout", disasm_options,
         run_disasm},
        {"asm", "asm FILE.sass --arch A --out FILE.bin", "program text -> binary; - for stdin, stdout", asm_options,
         run_asm},
        {"layout", "layout --sph FILE [--vertices N]", "the ISBE of a stage as a table", layout_options, run_layout},
        {"replay", "replay TRACE [options]", "a recorded transaction trace, straight into the ISBE", replay_options,
         run_replay},
        {"crosscheck", "crosscheck [options]", "random transactions into the timed model and the RTL",
         crosscheck_options, run_crosscheck},
        {"serve", "serve [--jobs N]", "a line of JSON per run on stdin, a line per answer on stdout", serve_options,
         run_serve},
        {"traffic", "traffic --curve|--rate R|--outstanding N", "made traffic into the ISBE: load, latency, curves",
         load_options, run_load},
        {"calibrate", "calibrate TRACE|VCD|JSON [options]", "the ISBE that explains a block's cycles, or a card's",
         calibrate_options, run_calibrate},
        {"compare", "compare A B [C ...] [--fail-above PERCENT]",
         "results of one draw side by side: what moved, and why", compare_options, run_compare},
        {"pack", "pack DECLARATIONS [--emit ...]", "varying declarations (-: stdin) -> addresses, headers, programs",
         pack_options, run_pack},
        {"gl", "gl [options] -- PROGRAM ARGS...", "an OpenGL program on the model, without a GPU", gl_options, run_gl},
        {"compile", "compile a.vert [b.geom ...] [options]", "GLSL -> programs, headers and a scenario",
         compile_options, run_compile},
        {"capture-info", "capture-info FILE.capture", "what a capture holds: frames, draws, programs",
         capture_info_options, run_capture_info},
        {"help", "help [COMMAND|config|figures|schema] [WORD]",
         "what a command, keys or figures (about a word) or a file are", help_options, run_help},
    };
    return table;
}

namespace {

/// The mistake in an option and the expectation. Boost's own text takes for ever when the word holds `%option%`:
/// that is replaced by the word until it is gone.
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
        if (syntax == nullptr) return " is ambiguous"; // where two options of a name are joined
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
        check_values(parsed);
        po::store(parsed, values_);
        po::notify(values_);
    } catch (const po::error_with_option_name& error) {
        throw input_error(place_of(error.get_option_name()), wrong_option(error, allowed));
    } catch (const po::error& error) {
        throw input_error({"command-line", 1, 1}, std::string(error.what()) + ", expected as in 'isbesim help'");
    }
    if (has(positional_name) && get<std::vector<std::string>>(positional_name).size() > most) {
        const auto& extra = get<std::vector<std::string>>(positional_name)[most];
        throw input_error(place_of(extra), "'" + extra + "' is one argument too many, expected one " + positional_name);
    }
}

void command_arguments::check_values(const po::parsed_options& parsed) const
{
    for (const auto& option : parsed.options) {
        const auto name = option.position_key < 0 ? "--" + option.string_key : std::string(positional_name_);
        const auto* known = parsed.description->find_nothrow(option.string_key, false);
        for (const auto& value : option.value) {
            const auto place = option.position_key < 0 ? place_of_value(name, value) : place_of(value);
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

source_place command_arguments::place_of(const std::string& word) const
{
    for (std::size_t i = 0; i < words_.size(); ++i) {
        // The command itself is argument 1.
        if (words_[i] == word || words_[i].rfind(word + "=", 0) == 0) return {"command-line", 1, i + 2};
    }
    return {"command-line", 1, 1};
}

source_place command_arguments::place_of_value(const std::string& option, const std::string& value) const
{
    for (std::size_t i = 0; i < words_.size(); ++i) {
        if (words_[i] == option + "=" + value || (i > 0 && words_[i - 1] == option && words_[i] == value))
            return {"command-line", 1, i + 2};
    }
    return {"command-line", 1, 1};
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

int run_command_line(const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    return exit_status_of([&] { return dispatch(words, out, err); }, out, err);
}

int exit_status_of(const std::function<int()>& command, std::ostream& out, std::ostream& err)
{
    try {
        const int status = command();
        out.flush();
        if (out || status != exit_status::done) return status;
        err << "isbesim: error: the output could not be written completely" << std::endl;
        return exit_status::internal_error;
    } catch (const input_error& error) {
        err << "isbesim: error: " << error.what() << std::endl;
        return exit_status::wrong_input;
    } catch (const write_error& error) {
        err << "isbesim: error: " << error.what() << std::endl;
    } catch (const sc_core::sc_report& error) { // what() of these has several lines
        err << "isbesim: internal error: "
            << internal_error_line(std::string(error.get_msg_type()) + ": " + error.get_msg()) << std::endl;
    } catch (const std::exception& error) {
        err << "isbesim: internal error: " << internal_error_line(error.what()) << std::endl;
    } catch (...) {
        err << "isbesim: internal error: " << internal_error_line("an exception of unknown type") << std::endl;
    }
    return exit_status::internal_error;
}

} // namespace isbesim::testbench
