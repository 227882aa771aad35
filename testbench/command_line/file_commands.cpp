// SPDX-License-Identifier: Apache-2.0
// The subcommands that only process files: disasm, asm, layout.
#include <iomanip>
#include <optional>
#include <ostream>
#include <string_view>

#include "models/attribute/attribute_map.h"
#include "models/attribute/layout.h"
#include "models/isa/encoding/binary.h"
#include "models/isa/text/text.h"
#include "models/pe/front_end/mesh.h"
#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/commands.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/files/files.h"
#include "testbench/files/header_fields.h"
#include "testbench/files/hex_text.h"
#include "testbench/files/input_warning.h"
#include "testbench/files/nearest.h"
#include "testbench/files/program_file.h"
#include "testbench/processes/exit_status.h"
#include "tlm/count_text.h"
#include "tlm/hex.h"

namespace isbesim::testbench {

namespace po = boost::program_options;

namespace {

bool ends_with(const std::string& text, const std::string& end)
{
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Text and rows of a table of regions, "0x000-0x080  0x070  POSITION_X  [0..31]".
void print_rows(std::ostream& out, const std::vector<layout_row>& rows)
{
    const auto flags = out.flags();
    for (const auto& row : rows) {
        out << hex(row.begin, 3) << "-" << hex(row.end, 3) << "  " << hex(row.attribute * 4, 3) << "  " << std::left
            << std::setw(24) << attribute_name(row.attribute * 4) << (row.per_primitive ? "primitive[" : "[")
            << row.first;
        if (row.last != row.first) out << ".." << row.last;
        out << "]\n";
    }
    out.flags(flags);
}

/// One side of a stage: every line (skewed) or value (unskewed) of its ATTR region.
void print_side(std::ostream& out, const char* side, const attribute_set& attributes, std::uint64_t vertices, bool skew)
{
    const auto bytes = attribute_bytes(skew, attributes.count(), vertices);
    out << side << ": " << count_text(attributes.count(), "attribute") << ", "
        << count_text(vertices, "vertex", "vertices") << ", " << hex(bytes) << " bytes, "
        << count_text((bytes + line_bytes - 1) / line_bytes, "line") << "\n";
    print_rows(out, layout_table(skew, attributes, vertices));
}

/// The output of a mesh stage: vertices, primitives, shared lines (HARDWARE.md D.2).
void print_mesh(std::ostream& out, const mesh_layout& mesh, std::uint64_t shared_lines)
{
    const auto bytes = mesh.shared_base() + shared_lines * line_bytes;
    out << "output: " << count_text(mesh.vertex_attributes.count(), "attribute") << ", "
        << count_text(mesh.max_vertices, "vertex", "vertices") << ", "
        << count_text(mesh.primitive_attributes.count(), "attribute") << ", "
        << count_text(mesh.max_primitives, "primitive") << ", " << hex(bytes) << " bytes, "
        << count_text(bytes / line_bytes, "line") << "\n";
    print_rows(out, mesh.table());
    if (shared_lines == 0) return;
    out << hex(mesh.shared_base()) << "-" << hex(bytes) << "  shared lines\n";
}

void print_warning(std::ostream& err, const std::string& file, const isa::program_warning& warning)
{
    // In a binary the place is the byte, as in errors; a warning about a whole text has no line.
    const bool in_text = warning.line != 0;
    const source_place place = {input_name(file), in_text ? warning.line : 1,
                                in_text ? warning.column : warning.address + std::size_t{1}};
    err << "isbesim: warning: " << input_warning(warning.kind, place, warning.text).text << "\n";
}

} // namespace

po::options_description disasm_options()
{
    po::options_description options("Options");
    auto add = options.add_options();
    add("arch", po::value<std::string>()->value_name("sm50|sm75|sm86|sm89|sm120"), "architecture of the program");
    add("sph", "FILE is a shader program header (names ending in .sph.bin are by themselves)");
    return options;
}

int run_disasm(const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    const command_arguments arguments(words, disasm_options(), "FILE");
    const auto file = arguments.positional("a program or a header");
    if (arguments.has("sph") || ends_with(file, ".sph.bin")) {
        print_header(out, parse_header(input_name(file), read_input(file, "a shader program header")));
        return exit_status::done;
    }
    const auto arch = architecture_of(arguments);
    const auto program = file == "-" ? parse_program(input_name(file), read_input(file, "a program"), false, arch)
                                     : load_program(file, arch);
    for (const auto& each : program.warnings)
        if (std::string_view(each.kind) == isa::ignored_bits_kind) print_warning(err, file, each);
    out << isa::disassemble(program);
    return exit_status::done;
}

po::options_description asm_options()
{
    po::options_description options("Options");
    auto add = options.add_options();
    add("arch", po::value<std::string>()->value_name("sm50|sm75|sm86|sm89|sm120"), "architecture of the program");
    add("out", po::value<std::string>()->value_name("FILE.bin"), "binary to write; -: to standard output");
    add("auto-schedule", "fill in scheduling that waits for every result");
    return options;
}

int run_asm(const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    const command_arguments arguments(words, asm_options(), "FILE.sass");
    const auto file = arguments.positional("a program text (.sass)");
    const auto arch = architecture_of(arguments);
    if (!arguments.has("out")) throw input_error({"command-line", 1, 1}, "no --out, expected --out FILE.bin or -");
    if (file != "-" && !ends_with(file, ".sass")) {
        throw input_error(arguments.place_of_positional(),
                          "'" + file + "' is no program text, expected FILE.sass or -");
    }
    const auto program = parse_program(input_name(file), read_input(file, "a program text (.sass)"), true, arch,
                                       arguments.has("auto-schedule"));
    for (const auto& each : program.warnings) print_warning(err, file, each);
    const auto bytes = isa::encode_program(program);
    write_output(arguments.get<std::string>("out"), {reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                 arguments.place_of("--out"), out, true);
    return exit_status::done;
}

namespace {

/// The values of the options of layout.
struct layout_choices {
    std::string sph;
    std::optional<std::uint64_t> vertices, primitives, shared_lines;
    std::vector<std::string> per_primitive;

    po::options_description options()
    {
        po::options_description options("Options");
        auto add = options.add_options();
        add("sph", bound(sph, "FILE"), "shader program header of the stage");
        add("vertices", bound(vertices, "N"),
            "vertices of a warp's space (default 32; output of a geometry stage: its maximum)");
        add("primitives", bound(primitives, "N", {1, most_mesh_primitives}),
            "output of a mesh stage with N primitives, the vertices' attributes without the primitives'");
        add("per-primitive", bound(per_primitive, "ADDRESS"),
            "mesh: an attribute that belongs to primitives; repeatable");
        add("shared-lines", bound(shared_lines, "N", {0, most_workgroup_lines}),
            "mesh: lines of shared memory (default 0)");
        add_set_option(options, "configuration key; isbe.skew matters here");
        return options;
    }
};

mesh_layout mesh_layout_of(const command_arguments& arguments, const layout_choices& choices,
                           const program_header& header)
{
    mesh_layout mesh;
    mesh.vertex_attributes = header.omap;
    mesh.max_primitives = static_cast<unsigned>(*choices.primitives);
    const auto vertices = choices.vertices.value_or(vertices_per_line);
    arguments.check("vertices", vertices, {1, most_mesh_vertices});
    mesh.max_vertices = static_cast<unsigned>(vertices);
    std::size_t use = 0;
    for (const auto& text : choices.per_primitive) {
        const auto place = arguments.place_of_value("--per-primitive", use++);
        word address = 0;
        if (!parse_hex_word(text, address) || address % 4 != 0 || address >= mapped_attribute_ids * 4) {
            throw input_error(place, "'" + text +
                                         "' is no attribute of a primitive, expected 0x and a "
                                         "hexadecimal multiple of 4 below 0x3c0");
        }
        mesh.primitive_attributes.insert(address / 4);
        mesh.vertex_attributes.erase(address / 4);
    }
    return mesh;
}

} // namespace

po::options_description layout_options()
{
    return lasting_options<layout_choices>();
}

int run_layout(const std::vector<std::string>& words, std::ostream& out, std::ostream&)
{
    layout_choices choices;
    const command_arguments arguments(words, choices.options(), "NOTHING");
    if (arguments.has("NOTHING")) {
        const auto extra = arguments.positional("");
        throw input_error(arguments.place_of_positional(),
                          "'" + extra + "' is an argument too many, expected --sph FILE");
    }
    if (choices.sph.empty()) throw input_error({"command-line", 1, 1}, "no --sph, expected --sph FILE");
    machine_config config;
    read_machine(arguments, config);
    const auto header = load_header(choices.sph);
    if (choices.primitives) {
        print_mesh(out, mesh_layout_of(arguments, choices, header), choices.shared_lines.value_or(0));
        return exit_status::done;
    }
    for (const auto* option : {"per-primitive", "shared-lines"})
        if (arguments.has(option)) arguments.fail(option, " without --primitives, expected both");
    const bool geometry = header.shader_type == shader_type::geometry;
    const auto input = choices.vertices.value_or(vertices_per_line);
    const auto output = choices.vertices.value_or(geometry ? header.max_output_vertex_count : vertices_per_line);
    arguments.check("vertices", input, {1, 65535});
    print_side(out, "input", header.imap, input, config.isbe.skew);
    out << "\n";
    print_side(out, "output", header.omap, output, config.isbe.skew);
    return exit_status::done;
}

} // namespace isbesim::testbench
