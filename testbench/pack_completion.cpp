#include "testbench/pack_completion.h"

#include <algorithm>
#include <map>
#include <set>

#include "models/varying/parser.h"

namespace isbesim::testbench {

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

/// A swizzle that reads components of `mask` only.
std::string swizzle_of(unsigned mask)
{
    std::vector<unsigned> has;
    for (unsigned c = 0; c < 4; ++c)
        if ((mask >> c & 1U) != 0) has.push_back(c);
    std::string text = ".";
    for (unsigned c = 0; c < 4; ++c) text += "xyzw"[has[c % has.size()]];
    return text;
}

/// Adds lines to a program that has been read, instructions before those that are there.
void prepend_text(packed_program& program, const std::string& text)
{
    auto added = varying::parse(text);
    auto& target = program.code;
    const auto& more = added.front();
    target.declarations.insert(target.declarations.end(), more.declarations.begin(), more.declarations.end());
    target.immediates.insert(target.immediates.end(), more.immediates.begin(), more.immediates.end());
    target.instructions.insert(target.instructions.begin(), more.instructions.begin(), more.instructions.end());
    try {
        program.placed = varying::allocate(target);
    } catch (const varying::shader_error& error) {
        throw input_error({program.file, target.at.line, target.at.column},
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

std::string indexed(const char* file, const declaration& each)
{
    return std::string(file) + "(" + std::to_string(each.array) + ")";
}

/// The system value that holds the primitive's number; its declaration goes to `text` where there is none.
std::string primitive_number(const varying::shader& code, std::string& text)
{
    for (const auto& each : code.declarations)
        if (each.file == register_file::system_value && each.meaning == semantic::primitive_id)
            return "SV[" + std::to_string(each.first) + "]";
    const auto name = "SV[" + std::to_string(first_free(code, register_file::system_value)) + "]";
    text += "DCL " + name + ", PRIMID\n";
    return name;
}

/// Instructions that reach every output and every input array.
void add_instructions(packed_program& program)
{
    const bool geometry = program.code.effective_kind() == processor::geometry;
    const unsigned temporary = first_free(program.code, register_file::temporary),
                   address = first_free(program.code, register_file::address);
    const auto sum = "TEMP[" + std::to_string(temporary) + "]", index = "ADDR[" + std::to_string(address) + "]";
    const auto immediate = "IMM[" + std::to_string(program.code.immediates.size()) + "]";
    std::string text = "DCL " + sum + "\nDCL " + index + "\nIMM UINT32 {3, 0, 0, 0}\n";
    if (geometry) {
        const auto value = primitive_number(program.code, text);
        text += "AND " + sum + ".x, " + value + ".xxxx, " + immediate + ".xxxx\nUARL " + index + ".x, " + sum +
                ".xxxx\nU2F " + sum + ", " + value + ".xxxx\n";
    } else {
        const auto input = "IN[" + std::to_string(first_free(program.code, register_file::input)) + "]";
        text += "DCL " + input + ".xy, GENERIC[]\nUARL " + index + ".x, " + input + ".xxxx\nMOV " + sum + ", " + input +
                ".yyyy\n";
    }
    std::string body;
    std::string last_vertex = geometry ? "[0]" : "";
    for (const auto& located : program.placed.declarations) {
        const auto& each = *located.declared;
        if (each.file != register_file::input) continue;
        const auto vertex = each.dimension != declaration::dimension_kind::none ? last_vertex : "";
        const auto swizzle = swizzle_of(located.mask);
        if (each.array != 0)
            body +=
                "ADD " + sum + ", " + sum + ", " + indexed("IN", each) + vertex + "[" + index + ".x]" + swizzle + "\n";
        else
            body +=
                "ADD " + sum + ", " + sum + ", IN" + vertex + "[" + std::to_string(each.last) + "]" + swizzle + "\n";
    }
    for (const auto& located : program.placed.declarations) {
        const auto& each = *located.declared;
        if (each.file != register_file::output) continue;
        if (each.array != 0) {
            body += "MOV " + indexed("OUT", each) + "[" + index + ".x]" + letters_of(located.mask) + ", " + sum + "\n";
            continue;
        }
        for (unsigned number = each.first; number <= each.last; ++number)
            body += "MOV OUT[" + std::to_string(number) + "]" + letters_of(located.mask) + ", " + sum + "\n";
    }
    text += body;
    if (geometry) text += "EMIT\n" + body + "EMIT\n" + body + "EMIT\nENDPRIM\n";
    prepend_text(program, text + "END\n");
}

using register_name = std::pair<register_file, unsigned>;

/// TEMP and ADDR registers of which a component is read before it is written.
std::set<register_name> undefined_registers(const varying::shader& code)
{
    std::set<register_name> result;
    std::map<register_name, unsigned> written; // components
    const auto read = [&](register_file file, unsigned number, unsigned component) {
        if (file != register_file::temporary && file != register_file::address) return;
        if ((written[{file, number}] >> component & 1U) == 0) result.emplace(file, number);
    };
    for (const auto& each : code.instructions) {
        for (std::size_t i = 0; i < each.operands.size(); ++i) {
            const auto& access = each.operands[i];
            if (!access.word.empty()) continue;
            for (const auto* index : {&access.index, access.vertex ? &*access.vertex : nullptr})
                if (index != nullptr && index->indirect)
                    read(index->indirect->file, index->indirect->number, index->indirect->component);
            if (i < each.destinations || access.index.indirect) continue;
            const unsigned mask = each.destinations == 0 ? 1U : each.operands.front().write_mask();
            for (unsigned c = 0; c < 4; ++c)
                if ((mask >> c & 1U) != 0)
                    read(access.file, static_cast<unsigned>(access.index.offset), access.swizzle(c));
        }
        for (unsigned d = 0; d < each.destinations; ++d)
            written[{each.operands[d].file, static_cast<unsigned>(each.operands[d].index.offset)}] |=
                each.operands[d].write_mask();
    }
    // Elements of arrays begin as 0 in local memory.
    for (const auto& each : code.declarations)
        for (unsigned number = each.first;
             each.file == register_file::temporary && each.array != 0 && number <= each.last; ++number)
            result.erase({each.file, number});
    return result;
}

void define_registers(packed_program& program)
{
    const bool geometry = program.code.effective_kind() == processor::geometry;
    std::string text, moves;
    unsigned next = first_free(program.code, register_file::input);
    const auto undefined = undefined_registers(program.code);
    if (undefined.empty()) return;
    const auto primitive = geometry ? primitive_number(program.code, text) : "";
    for (const auto& [file, number] : undefined) {
        const auto name = std::string(varying::file_name(file)) + "[" + std::to_string(number) + "]";
        const bool index = file == register_file::address;
        if (geometry) {
            moves += (index ? "UARL " : "MOV ") + name + ", " + primitive + "\n";
            continue;
        }
        text += "DCL IN[" + std::to_string(next) + "], GENERIC[]\n";
        moves += (index ? "UARL " : "MOV ") + name + ", IN[" + std::to_string(next++) + "]\n";
    }
    prepend_text(program, text + moves);
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
    const auto kind = program.code.effective_kind();
    if (kind != processor::vertex && kind != processor::geometry) return define_immediates(program);
    if (program.code.instructions.empty()) add_instructions(program);
    define_registers(program);
    define_immediates(program);
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
        if (!copy.meaning) { // vertex attributes and these have the same places
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
    packed_program result{geometry.file, varying::parse(text + moves + "END\n").front(), {}};
    result.placed = varying::allocate(result.code);
    return result;
}

} // namespace isbesim::testbench
