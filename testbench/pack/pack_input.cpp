// SPDX-License-Identifier: Apache-2.0
#include "testbench/pack/pack_input.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "models/varying/lowering/lowering.h"
#include "testbench/files/files.h"
#include "testbench/files/nearest.h"

namespace isbesim::testbench {

void rethrow(const std::string& file, const varying::shader_error& error)
{
    std::string text = error.what();
    if (!error.known.empty()) text += "; the nearest: " + name_list(nearest_names(error.unknown, error.known));
    throw input_error({file, error.at.line, error.at.column}, text);
}

namespace {

void append(const std::string& file, varying::mask_reading masks, std::vector<packed_program>& programs)
{
    auto text = read_input(file, "varying declarations");
    const auto first = programs.size();
    try {
        for (auto& each : varying::parse(text, masks)) {
            auto& added = programs.emplace_back();
            added.file = input_name(file);
            added.code = std::move(each);
        }
        programs[first].source = std::move(text); // a text without a program is an error
    } catch (const varying::shader_error& error) {
        rethrow(input_name(file), error);
    }
}

} // namespace

std::vector<packed_program> load_declarations(const std::string& file, const std::string& next,
                                              varying::mask_reading masks)
{
    std::vector<packed_program> programs;
    append(file, masks, programs);
    if (!next.empty()) {
        const auto own = programs.size();
        append(next, masks, programs);
        // A text of only input declarations is a fragment program, which follows any stage.
        if (programs.size() == own + 1 && programs[own].code.kind == varying::processor::unspecified &&
            programs[own].code.effective_kind() == varying::processor::vertex) {
            programs[own].code.kind = varying::processor::fragment;
        }
    }
    for (auto& each : programs) {
        try {
            each.placed = varying::allocate(each.code);
        } catch (const varying::shader_error& error) {
            rethrow(each.file, error);
        }
    }
    for (std::size_t i = 1; i < programs.size(); ++i) {
        if (programs[i].code.effective_kind() <= programs[i - 1].code.effective_kind()) {
            throw input_error({programs[i].file, programs[i].code.at.line, programs[i].code.at.column},
                              "this stage comes before the one above it, expected VERT, TESS_CTRL, TESS_EVAL, GEOM and "
                              "FRAG in this order");
        }
        try {
            varying::check_link(programs[i - 1].placed, programs[i].code, programs[i].placed);
        } catch (const varying::shader_error& error) {
            rethrow(programs[i].file, error);
        }
    }
    for (auto& each : programs) complete(each);
    return programs;
}

namespace {

using varying::declaration;
using varying::processor;
using varying::register_file;
using varying::semantic;

std::string letters_of(unsigned mask)
{
    std::string text = ".";
    for (unsigned c = 0; c < 4; ++c)
        if ((mask >> c & 1U) != 0) text += "xyzw"[c];
    return text;
}

/// A swizzle that only reads components of `mask`.
std::string swizzle_of(unsigned mask)
{
    std::vector<unsigned> has;
    for (unsigned c = 0; c < 4; ++c)
        if ((mask >> c & 1U) != 0) has.push_back(c);
    std::string text = ".";
    for (unsigned c = 0; c < 4; ++c) text += "xyzw"[has[c % has.size()]];
    return text;
}

/// Adds lines to a program, with instructions before the existing ones. Throws input_error if they do not fit, and
/// leaves the program unchanged.
void prepend_text(packed_program& program, const std::string& text)
{
    auto target = program.code;
    try {
        auto added = varying::parse(text);
        auto& more = added.front();
        for (auto& each : more.declarations) each.at = target.at;
        for (auto& each : more.instructions) {
            each.at = target.at;
            for (auto& access : each.operands) access.at = target.at;
        }
        target.declarations.insert(target.declarations.end(), more.declarations.begin(), more.declarations.end());
        target.immediates.insert(target.immediates.end(), more.immediates.begin(), more.immediates.end());
        target.instructions.insert(target.instructions.begin(), more.instructions.begin(), more.instructions.end());
        auto placed = varying::allocate(target);
        program.code = std::move(target); // `placed` points into the moved shader
        program.placed = std::move(placed);
    } catch (const varying::shader_error& error) {
        throw input_error({program.file, program.code.at.line, program.code.at.column},
                          std::string("this can't be made a whole program: ") + error.what());
    }
}

unsigned first_free(const varying::shader& code, register_file file)
{
    unsigned next = 0;
    for (const auto& each : code.declarations)
        if (each.file == file) next = std::max(next, each.last + 1);
    return next;
}

/// The system value that holds the primitive's number; a missing declaration is added to `text`.
std::string primitive_number(const varying::shader& code, std::string& text)
{
    for (const auto& each : code.declarations)
        if (each.file == register_file::system_value && each.meaning == semantic::primitive_id)
            return "SV[" + std::to_string(each.first) + "]";
    auto name = "SV[" + std::to_string(first_free(code, register_file::system_value)) + "]";
    text += "DCL " + name + ", PRIMID\n";
    return name;
}

/// Writes instructions that read every input, write every output and access nothing undeclared: indices are immediates.
class access_writer {
public:
    explicit access_writer(const packed_program& program)
        : program_(program),
          sum_("TEMP[" + std::to_string(first_free(program.code, register_file::temporary)) + "]"),
          number_("TEMP[" + std::to_string(first_free(program.code, register_file::temporary) + 1) + "]"),
          index_("ADDR[" + std::to_string(first_free(program.code, register_file::address)) + "]"),
          immediates_(program.code.immediates.size())
    {
    }

    std::string text()
    {
        const auto begin = immediate("FLT32 {1, 2, 3, 4}");
        step_ = immediate("FLT32 {1, 1, 1, 1}");
        body_ += "MOV " + sum_ + ", " + begin + "\n";
        for (const auto& each : program_.code.declarations)
            if (each.file == register_file::system_value) read_system_value(each);
        for (const auto& located : program_.placed.declarations)
            if (located.declared->file == register_file::input) read(located);
        const auto before = body_;
        body_.clear();
        for (const auto& located : program_.placed.declarations)
            if (located.declared->file == register_file::output) write(located);
        if (program_.code.effective_kind() == processor::geometry)
            body_ = body_ + "EMIT\n" + body_ + "EMIT\n" + body_ + "EMIT\nENDPRIM\n";
        return "DCL " + sum_ + "\nDCL " + number_ + "\nDCL " + index_ + "\n" + declared_ + before + body_ + "END\n";
    }

private:
    std::string immediate(const std::string& values)
    {
        const auto [known, added] = known_.try_emplace(values, immediates_);
        if (added) {
            declared_ += "IMM " + values + "\n";
            ++immediates_;
        }
        return "IMM[" + std::to_string(known->second) + "]";
    }

    void read_system_value(const declaration& each)
    {
        const auto& known = varying::system_values_of(program_.code.effective_kind());
        if (!each.meaning || std::find(known.begin(), known.end(), *each.meaning) == known.end()) return;
        auto name = "SV[" + std::to_string(each.first) + "]";
        if (*each.meaning == semantic::tess_coord) {
            body_ += "ADD " + sum_ + ", " + sum_ + ", " + name + swizzle_of(each.mask == 0 ? 3 : each.mask) + "\n";
            return;
        }
        body_ += "U2F " + number_ + ", " + name + ".xxxx\nADD " + sum_ + ", " + sum_ + ", " + number_ + "\n";
    }

    /// Calls `access` for elements (or components) of an array: for all of up to eight, otherwise for eight across the
    /// array.
    template <typename Access>
    void visit(const varying::located_declaration& located, Access&& access)
    {
        constexpr unsigned most = 8;
        const auto& each = *located.declared;
        const unsigned count = each.registers() * (each.by_component ? located.width() : 1);
        const unsigned visited = std::min(count, most);
        const auto element = [&](unsigned i) {
            return std::to_string(count <= most ? std::min(i, count - 1) : i * (count - 1) / (most - 1));
        };
        for (unsigned i = 0; i < visited; ++i) {
            if (i % 4 == 0)
                body_ += "UARL " + index_ + ", " +
                         immediate("UINT32 {" + element(i) + ", " + element(i + 1) + ", " + element(i + 2) + ", " +
                                   element(i + 3) + "}") +
                         "\n";
            access("(" + std::to_string(each.array) + ")" + vertex_of(each) + "[" + index_ + "." + "xyzw"[i % 4] + "]");
        }
    }

    static std::string vertex_of(const declaration& each)
    {
        return each.dimension != declaration::dimension_kind::none ? "[0]" : "";
    }

    void read(const varying::located_declaration& located)
    {
        const auto& each = *located.declared;
        const auto add = [&](const std::string& access, unsigned mask) {
            body_ += "ADD " + sum_ + ", " + sum_ + ", IN" + access + swizzle_of(mask) + "\n";
        };
        if (each.array != 0)
            return visit(located,
                         [&](const std::string& access) { add(access, each.by_component ? 1U : located.mask); });
        for (unsigned number = each.first; number <= each.last; ++number)
            add(vertex_of(each) + "[" + std::to_string(number) + "]", located.mask);
    }

    void write(const varying::located_declaration& located)
    {
        const auto& each = *located.declared;
        const auto move = [&](const std::string& access, unsigned mask) {
            body_ += "MOV OUT" + access + letters_of(mask) + ", " + sum_ + "\nADD " + sum_ + ", " + sum_ + ", " +
                     step_ + "\n";
        };
        if (each.array != 0)
            return visit(located,
                         [&](const std::string& access) { move(access, each.by_component ? 1U : located.mask); });
        for (unsigned number = each.first; number <= each.last; ++number)
            move(vertex_of(each) + "[" + std::to_string(number) + "]", located.mask);
    }

    const packed_program& program_;
    std::string sum_, number_, index_, step_;
    std::string declared_, body_;
    std::size_t immediates_;
    std::map<std::string, std::size_t> known_;
};

using register_name = std::pair<register_file, unsigned>;

/// TEMP and ADDR registers with a component that is read before it is written.
std::set<register_name> undefined_registers(const packed_program& program)
{
    const auto& code = program.code;
    std::set<register_name> result;
    std::map<register_name, unsigned> written; // components
    const auto read = [&](register_file file, unsigned number, unsigned component) {
        if (file != register_file::temporary && file != register_file::address) return;
        if ((written[{file, number}] >> component & 1U) == 0) result.emplace(file, number);
    };
    for (const auto& each : code.instructions) {
        if (each.opcode == "END") break;
        for (std::size_t i = 0; i < each.operands.size(); ++i) {
            const auto& access = each.operands[i];
            if (!access.word.empty()) continue;
            for (const auto* index : {&access.index, access.vertex ? &*access.vertex : nullptr})
                if (index != nullptr && index->indirect)
                    read(index->indirect->file, index->indirect->number, index->indirect->component);
            if (i < each.destinations || access.index.indirect) continue;
            for (unsigned c = 0; c < 4; ++c)
                if ((varying::source_components(program.placed, each) >> c & 1U) != 0)
                    read(access.file, static_cast<unsigned>(access.index.offset), access.swizzle(c));
        }
        for (unsigned d = 0; d < each.destinations; ++d)
            if (!each.operands[d].index.indirect)
                written[{each.operands[d].file, static_cast<unsigned>(each.operands[d].index.offset)}] |=
                    each.operands[d].write_mask();
    }
    // Array elements start as 0 in local memory.
    for (const auto& each : code.declarations)
        for (unsigned number = each.first;
             each.file == register_file::temporary && each.array != 0 && number <= each.last; ++number)
            result.erase({each.file, number});
    return result;
}

/// Sets registers that are read before they are written: in geometry programs from the primitive's number, in vertex
/// programs from an attribute each, from immediates if no attribute fits.
void define_registers(packed_program& program)
{
    const auto undefined = undefined_registers(program);
    if (undefined.empty()) return;
    const auto kind = program.code.effective_kind();
    const auto register_moves = [&](const std::function<std::string(register_file)>& source) {
        std::string moves;
        for (const auto& [file, number] : undefined)
            moves += std::string(file == register_file::address ? "UARL " : "MOV ") + varying::file_name(file) + "[" +
                     std::to_string(number) + "], " + source(file) + "\n";
        return moves;
    };
    std::string text;
    if (kind == processor::geometry) {
        const auto primitive = primitive_number(program.code, text);
        const auto moves = register_moves([&](register_file) -> const std::string& { return primitive; });
        return prepend_text(program, text + moves);
    }
    if (kind == processor::vertex) {
        unsigned next = first_free(program.code, register_file::input);
        const auto moves = register_moves([&](register_file) {
            auto name = "IN[" + std::to_string(next++) + "]";
            text += "DCL " + name + ", GENERIC[]\n";
            return name;
        });
        try {
            return prepend_text(program, text + moves);
        } catch (const input_error&) {
            // No room: the values are the same for all vertices.
        }
    }
    const auto first = program.code.immediates.size();
    const auto moves = register_moves([&](register_file file) {
        return "IMM[" + std::to_string(file == register_file::address ? first : first + 1) + "]";
    });
    prepend_text(program, "IMM UINT32 {0, 1, 2, 3}\nIMM FLT32 {1, 2, 3, 4}\n" + moves);
}

void define_immediates(packed_program& program)
{
    std::size_t needed = program.code.immediates.size();
    for (const auto& each : program.code.instructions)
        for (const auto& access : each.operands)
            if (access.word.empty() && access.file == register_file::immediate)
                needed = std::max(needed, static_cast<std::size_t>(access.index.offset) + 1);
    constexpr std::size_t most = 1024;
    std::string text;
    for (auto i = program.code.immediates.size(); i < std::min(needed, most); ++i) {
        text += "IMM FLT32 {";
        for (std::size_t c = 1; c <= 4; ++c) text += std::to_string(4 * i + c) + (c == 4 ? "}\n" : ", ");
    }
    if (!text.empty()) prepend_text(program, text);
}

} // namespace

void complete(packed_program& program)
{
    // A text with an instruction that has no lowering is for other tools: only its declarations are used.
    const auto& instructions = program.code.instructions;
    const bool has_lowering = std::all_of(instructions.begin(), instructions.end(),
                                          [](const varying::instruction& each) { return varying::is_lowered(each); });
    if (!has_lowering || program.code.effective_kind() == processor::fragment) return;
    if (instructions.empty()) prepend_text(program, access_writer(program).text());
    define_immediates(program);
    define_registers(program);
}

packed_program make_supplier(const packed_program& geometry)
{
    std::string text = "VERT\n", moves;
    unsigned scalar = 0, number = 0;
    for (const auto& located : geometry.placed.declarations) {
        const auto& each = *located.declared;
        if (each.file != register_file::input || located.meaning == semantic::primitive_id) continue;
        auto copy = each;
        copy.file = register_file::output;
        copy.dimension = declaration::dimension_kind::none;
        copy.first = number;
        copy.last = number + each.registers() - 1;
        copy.qualifiers.clear();
        if (!copy.meaning) { // these have the same places as vertex attributes
            copy.meaning = semantic::generic;
            copy.index = each.first;
        }
        if (copy.anywhere) {
            copy.anywhere = false;
            copy.index = (located.base - 0x80) / 16;
            copy.fraction = 1U << (located.base / 4 % 4);
        }
        text += varying::print(copy) + "\n";
        for (; number <= copy.last; ++number)
            for (unsigned c = 0; c < 4; ++c) {
                if ((located.mask >> c & 1U) == 0) continue;
                moves += "MOV OUT[" + std::to_string(number) + "]." + "xyzw"[c] + ", IN[" + std::to_string(scalar / 4) +
                         "]." + std::string(4, "xyzw"[scalar % 4]) + "\n";
                ++scalar;
            }
    }
    constexpr unsigned attribute_scalars = 128;
    if (scalar > attribute_scalars)
        throw input_error({geometry.file, geometry.code.at.line, geometry.code.at.column},
                          "the inputs are " + std::to_string(scalar) +
                              " components, expected at most 128 or a vertex program that writes them");
    if (scalar != 0) text += "DCL IN[0.." + std::to_string((scalar - 1) / 4) + "]\n";
    packed_program result;
    result.file = geometry.file;
    result.code = varying::parse(text + moves + "END\n").front();
    result.placed = varying::allocate(result.code);
    return result;
}

} // namespace isbesim::testbench
