// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/command_line.h"

#include <algorithm>
#include <iomanip>

#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/commands.h"
#include "testbench/command_line/help_texts.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/figures/figures.h"
#include "testbench/files/json_text.h"
#include "testbench/files/nearest.h"
#include "testbench/files/write_error.h"
#include "testbench/processes/exit_status.h"
#include "testbench/report/page_text.h"
#include "testbench/rtl/plugin_block.h"
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

/// Error for a WORD without an entry in a table.
[[noreturn]] void fail_word(const command_arguments& arguments, const std::string& word, const char* what,
                            const std::vector<std::string>& names, const std::string& all)
{
    throw input_error(arguments.place_of_positional(1), std::string("no ") + what + " has '" + word +
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
        if (!json && arguments.has(option)) arguments.fail(option, " needs --json, expected 'help config --json'");
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
    if (figures_about(word).empty() && facts_about(word).empty()) {
        std::vector<std::string> keys;
        for (const auto& f : figures()) keys.push_back(f.key());
        fail_word(arguments, word, "figure", keys, "isbesim help figures");
    }
    if (arguments.has("json"))
        out << json_text(figures_table_json(word));
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
    if (words == std::vector<std::string>{"page"}) {
        out << page_text(boost::json::object());
        return exit_status::done;
    }
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
                              "'" + words[1] + "' is an argument too many, expected help " + words[0] + " alone");
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
        const auto own = std::find(rest.begin(), rest.end(), "--"); // the words after it belong to a program
        if (std::any_of(rest.begin(), own, [](const auto& word) { return word == "--help" || word == "-h"; }))
            return run_help({words[0]}, out, err);
        return command.run(rest, out, err);
    }
    throw input_error({"command-line", 1, 1}, "unknown command '" + words[0] + "', expected " +
                                                  nearest_list(words[0], names, "'isbesim help'"));
}

/// The text on one line, with the SystemC process of the error.
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
        {"run", "run SCENARIO|NAME|FILE.capture [options]", "a draw; writes the vertices that come out and a report",
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
        {"traffic", "traffic --curve|--rate R|--outstanding N",
         "synthetic traffic into the ISBE: load, latency, curves", traffic_options, run_traffic},
        {"calibrate", "calibrate TRACE|VCD|JSON [options]", "the ISBE that explains a block's cycles, or a card's",
         calibrate_options, run_calibrate},
        {"compare", "compare A B [C ...] [--fail-above PERCENT]",
         "results of one draw side by side: what moved, and why", compare_options, run_compare},
        {"pack", "pack DECLARATIONS [--emit ...]", "varying declarations (-: stdin) -> addresses, headers, programs",
         pack_options, run_pack},
        {"gl", "gl [options] -- PROGRAM ARGS...", "an OpenGL program on the model, without a GPU", gl_options, run_gl},
        {"vk", "vk [options] -- PROGRAM ARGS...", "a Vulkan program on the model, without a GPU", gl_options, run_vk},
        {"compile", "compile SHADER [...] [options] [-- COMMAND]",
         "GLSL (.vert, .mesh ...) or .spv -> programs, headers, a scenario", compile_options, run_compile},
        {"capture-info", "capture-info FILE.capture", "what a capture holds: frames, draws, programs",
         capture_info_options, run_capture_info},
        {"help", "help [COMMAND|config|figures|schema] [WORD]",
         "what a command, keys or figures (about a word) or a file are", help_options, run_help},
    };
    return table;
}

int run_command_line(const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    return exit_status_of([&] { return dispatch(words, out, err); }, out, err);
}

int exit_status_of(const std::function<int()>& command, std::ostream& out, std::ostream& err)
{
    try {
        int status = command();
        if (status == exit_status::done && !plugin_block::final_failure().empty()) status = exit_status::check_failed;
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
