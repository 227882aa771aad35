#include "testbench/file_commands.h"

#include <fstream>
#include <iomanip>
#include <ostream>

#include "models/attribute/attribute_map.h"
#include "models/attribute/layout.h"
#include "models/isa/binary.h"
#include "models/isa/text.h"
#include "testbench/command_line.h"
#include "testbench/config.h"
#include "testbench/header_fields.h"
#include "testbench/program_file.h"

namespace isbesim::testbench {

namespace po = boost::program_options;

namespace {

isa::architecture architecture_of(const command_arguments& arguments)
{
    if (!arguments.has("arch")) {
        throw input_error({"command-line", 1, 1}, "no --arch, expected --arch sm50, sm75 or sm86");
    }
    const auto& name = arguments.get<std::string>("arch");
    const auto arch = parse_architecture(name);
    if (!arch) {
        throw input_error(arguments.place_of("--arch"), "--arch is '" + name + "', expected sm50, sm75 or sm86");
    }
    return *arch;
}

bool ends_with(const std::string& text, const std::string& end)
{
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// One side of a stage: every line (skewed) or value (unskewed) of its ATTR region.
void print_side(std::ostream& out, const char* side, const attribute_set& attributes, std::uint64_t vertices, bool skew)
{
    const auto bytes = attribute_bytes(skew, attributes.count(), vertices);
    out << side << ": " << attributes.count() << " attributes, " << vertices << " vertices, 0x" << std::hex << bytes
        << std::dec << " bytes, " << (bytes + line_bytes - 1) / line_bytes << " lines\n";
    const auto flags = out.flags();
    const auto fill = out.fill();
    const auto hex = [&](std::uint64_t value) -> std::ostream& {
        return out << "0x" << std::right << std::setfill('0') << std::setw(3) << std::hex << value << std::dec
                   << std::setfill(' ');
    };
    for (const auto& row : layout_table(skew, attributes, vertices)) {
        hex(row.begin) << "-";
        hex(row.end) << "  ";
        hex(std::uint64_t{row.attribute} * 4)
            << "  " << std::left << std::setw(24) << attribute_name(row.attribute * 4) << "[" << row.first;
        if (row.last != row.first) out << ".." << row.last;
        out << "]\n";
    }
    out.flags(flags);
    out.fill(fill);
}

} // namespace

po::options_description disasm_options()
{
    po::options_description options("Options");
    auto add = options.add_options();
    add("arch", po::value<std::string>()->value_name("sm50|sm75|sm86"), "architecture of the program");
    add("sph", "FILE is a shader program header (names ending in .sph.bin are by themselves)");
    return options;
}

int run_disasm(const std::vector<std::string>& words, std::ostream& out, std::ostream&)
{
    const command_arguments arguments(words, disasm_options(), "FILE");
    const auto file = arguments.positional("a program or a header");
    if (arguments.has("sph") || ends_with(file, ".sph.bin")) {
        print_header(out, load_header(file));
        return exit_status::done;
    }
    out << isa::disassemble(load_program(file, architecture_of(arguments)));
    return exit_status::done;
}

po::options_description asm_options()
{
    po::options_description options("Options");
    auto add = options.add_options();
    add("arch", po::value<std::string>()->value_name("sm50|sm75|sm86"), "architecture of the program");
    add("out", po::value<std::string>()->value_name("FILE.bin"), "binary to write");
    add("auto-schedule", "fill in scheduling that waits for every result");
    return options;
}

int run_asm(const std::vector<std::string>& words, std::ostream&, std::ostream&)
{
    const command_arguments arguments(words, asm_options(), "FILE.sass");
    const auto file = arguments.positional("a program text (.sass)");
    const auto arch = architecture_of(arguments);
    if (!arguments.has("out")) throw input_error({"command-line", 1, 1}, "no --out, expected --out FILE.bin");
    if (!ends_with(file, ".sass")) {
        throw input_error(arguments.place_of(file), "'" + file + "' is no program text, expected FILE.sass");
    }
    const auto bytes = isa::encode_program(load_program(file, arch, arguments.has("auto-schedule")));
    const auto& target = arguments.get<std::string>("out");
    std::ofstream binary(target, std::ios::binary);
    binary.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    binary.close();
    if (!binary) {
        throw input_error(arguments.place_of("--out"), "'" + target +
                                                           "' can't be written, expected a file name in a "
                                                           "folder that can be written to");
    }
    return exit_status::done;
}

po::options_description layout_options()
{
    po::options_description options("Options");
    auto add = options.add_options();
    add("sph", po::value<std::string>()->value_name("FILE"), "shader program header of the stage");
    add("vertices", po::value<std::uint64_t>()->value_name("N"),
        "vertices of a warp's space (default 32; output of a geometry stage: its maximum)");
    add("set", po::value<std::vector<std::string>>()->composing()->value_name("KEY=VALUE"),
        "configuration key; isbe.skew matters here");
    return options;
}

int run_layout(const std::vector<std::string>& words, std::ostream& out, std::ostream&)
{
    const command_arguments arguments(words, layout_options(), "NOTHING");
    if (arguments.has("NOTHING")) {
        const auto extra = arguments.positional("");
        throw input_error(arguments.place_of(extra), "'" + extra + "' is one argument too many, expected --sph FILE");
    }
    if (!arguments.has("sph")) throw input_error({"command-line", 1, 1}, "no --sph, expected --sph FILE");
    machine_config config;
    if (arguments.has("set")) {
        for (const auto& assignment : arguments.get<std::vector<std::string>>("set")) {
            set_config(assignment, arguments.place_of(assignment), config);
        }
    }
    const auto header = load_header(arguments.get<std::string>("sph"));
    const bool geometry = header.shader_type == shader_type::geometry;
    std::uint64_t input = vertices_per_line;
    std::uint64_t output = geometry ? header.max_output_vertex_count : vertices_per_line;
    if (arguments.has("vertices")) {
        constexpr std::uint64_t most = 65535;
        input = output = arguments.get<std::uint64_t>("vertices");
        if (input == 0 || input > most) {
            throw input_error(arguments.place_of("--vertices"),
                              "--vertices is " + std::to_string(input) + ", expected 1 to " + std::to_string(most));
        }
    }
    print_side(out, "input", header.imap, input, config.isbe.skew);
    out << "\n";
    print_side(out, "output", header.omap, output, config.isbe.skew);
    return exit_status::done;
}

} // namespace isbesim::testbench
