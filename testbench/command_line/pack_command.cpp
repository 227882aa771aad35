// SPDX-License-Identifier: Apache-2.0
#include <ostream>
#include <sstream>

#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/commands.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/files/files.h"
#include "testbench/files/header_fields.h"
#include "testbench/files/input_warning.h"
#include "testbench/files/nearest.h"
#include "testbench/pack/pack_input.h"
#include "testbench/pack/pack_output.h"
#include "testbench/processes/exit_status.h"
#include "tlm/hex.h"

namespace isbesim::testbench {

namespace po = boost::program_options;

namespace {

void print_words(std::ostream& out, const program_header& header)
{
    const auto words = encode_header(header);
    for (std::size_t i = 0; i < words.size(); ++i) out << hex(words[i], 8) << (i % 4 == 3 ? "\n" : " ");
    if (words.size() % 4 != 0) out << "\n";
}

template <typename T>
T choice_of(const command_arguments& arguments, const char* option, const std::string& name,
            const std::vector<std::pair<std::string, T>>& choices)
{
    std::vector<std::string> names;
    for (const auto& [known, value] : choices) {
        if (name == known) return value;
        names.push_back(known);
    }
    arguments.refuse(option, name, name_list(names));
}

enum class emission { addresses, sph, text, completed, sass, scenario };

/// The values of its options.
struct pack_choices {
    std::string emit = "addresses", strategy = "indirect", masks, next, arch = "sm50", out;
    bool raw = false;

    po::options_description options()
    {
        po::options_description options("Options");
        auto add = options.add_options();
        add("emit", bound(emit, "WHAT"),
            "addresses: JSON with every component's address and the map words of the header; sph: the header's words "
            "and fields; text: the text as it was written; completed: with what a whole program needs beside it, which "
            "all other forms are made of; sass: program text; scenario: a draw for 'isbesim run'");
        add("strategy", bound(strategy, "HOW"),
            "array elements by a run-time index: chain of comparisons, indirect (AL2P and .PHYS by byte address), "
            "split (by vectors of four), select (every component by comparing index & 3), local (copies in local "
            "memory)");
        add("masks", bound(masks, "packed|usage"),
            ".x, .xy or .xyz behind a range of registers: packed registers of so many components, as without this "
            "option, or the used components of whole vectors, as in a driver's dump");
        add("raw", bound(raw),
            "what drivers emit: no check that an index is inside its array, no 0 for outputs that nothing stores");
        add("next", bound(next, "FILE"),
            "declarations of the stage after, or -: its inputs are checked against these outputs");
        add("arch", bound(arch, "sm50|sm75|sm86|sm89|sm120"), "architecture");
        add("out", bound(out, "PATH"),
            "write there instead of to stdout; sph: the binary header (- for stdout); scenario: the folder (default "
            "out/)");
        return options;
    }
};

varying::lowering_options lowering_of(const command_arguments& arguments, const pack_choices& choices)
{
    using varying::strategy;
    varying::lowering_options options;
    options.arch = architecture_of(arguments);
    options.how = choice_of<strategy>(arguments, "strategy", choices.strategy,
                                      {{"chain", strategy::chain},
                                       {"indirect", strategy::indirect},
                                       {"split", strategy::split},
                                       {"select", strategy::select},
                                       {"local", strategy::local}});
    options.defined = !choices.raw;
    return options;
}

/// Local memory of the program's instruction sequences; 0 if it has none.
unsigned local_bytes(const packed_program& program, const varying::lowering_options& options)
{
    try {
        return varying::lower(program.code, program.placed, options).local_bytes;
    } catch (const varying::shader_error&) {
        return 0; // only declarations, or instructions that only other tools know
    }
}

/// The text for stdout or a file.
std::string emitted(emission what, const std::vector<packed_program>& programs,
                    const varying::lowering_options& options, bool binary)
{
    std::ostringstream content;
    switch (what) {
    case emission::sph: {
        auto header = packed_header(programs.front(), options.arch);
        header.local_memory_low_size = local_bytes(programs.front(), options);
        if (binary) return header_bytes(header);
        print_words(content, header);
        print_header(content, header);
        break;
    }
    case emission::text:
        for (const auto& each : programs) content << each.source;
        break;
    case emission::completed:
        for (const auto& each : programs) content << varying::print(each.code);
        break;
    case emission::sass:
        for (const auto& each : programs) {
            if (each.code.effective_kind() == varying::processor::fragment && &each != &programs.front()) continue;
            content << lowered_text(each, options);
        }
        break;
    default:
        return addresses_text(programs);
    }
    return content.str();
}

} // namespace

po::options_description pack_options()
{
    return lasting_options<pack_choices>();
}

int run_pack(const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    pack_choices choices;
    const command_arguments arguments(words, choices.options(), "DECLARATIONS");
    const auto file = arguments.positional("a file of varying declarations");
    const auto emit = choice_of<emission>(arguments, "emit", choices.emit,
                                          {{"addresses", emission::addresses},
                                           {"sph", emission::sph},
                                           {"text", emission::text},
                                           {"completed", emission::completed},
                                           {"sass", emission::sass},
                                           {"scenario", emission::scenario}});
    const auto options = lowering_of(arguments, choices);
    if (file == "-" && choices.next == "-")
        arguments.fail("next", " is -, as the declarations are, expected another file");
    const bool to_file = !choices.out.empty();
    if (emit == emission::scenario && choices.out == "-")
        arguments.fail("out", " is -, expected a folder for a scenario");
    auto masks = varying::mask_reading::not_stated;
    if (!choices.masks.empty())
        masks = choice_of<varying::mask_reading>(
            arguments, "masks", choices.masks,
            {{"packed", varying::mask_reading::packed}, {"usage", varying::mask_reading::usage}});
    auto programs = load_declarations(file, choices.next, masks);
    for (const auto& program : programs)
        for (const auto& each : program.code.warnings)
            err << "isbesim: warning: "
                << input_warning("", {program.file, each.at.line, each.at.column}, each.text).text << "\n";
    if (emit == emission::scenario) {
        write_packed_scenario(
            std::move(programs), options,
            {to_file ? choices.out : "out", arguments.place_of("--out"), "pack", !to_file, arguments.read_files()});
        return exit_status::done;
    }
    const auto content = emitted(emit, programs, options, to_file);
    if (to_file)
        write_output(choices.out, content, arguments.place_of("--out"), out, emit == emission::sph);
    else
        out << content;
    return exit_status::done;
}

} // namespace isbesim::testbench
