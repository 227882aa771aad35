#include "testbench/pack_sample.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <set>

#include "models/pe/collection.h"
#include "models/varying/evaluation.h"
#include "models/varying/parser.h"

namespace isbesim::testbench {

namespace {

using varying::declaration;
using varying::processor;
using varying::register_file;
using varying::semantic;

constexpr unsigned draw_vertices = 96; ///< three warps, and whole primitives of every kind

word bits_of(float value)
{
    word bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

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

// ---- which values an input must have

/// An input or constant scalar of the text.
struct scalar {
    register_file file;
    unsigned buffer = 0;
    unsigned number = 0;
    unsigned component = 0;
    bool operator<(const scalar& other) const
    {
        return std::tie(file, buffer, number, component) <
               std::tie(other.file, other.buffer, other.number, other.component);
    }
};

/// Values [low, high) that keep every array access inside its array.
struct index_range {
    int low = -65536;
    int high = 65536;
    bool is_float = false;
};

/// Follows indices back to the inputs and constants they come from, through straight-line code.
class index_search {
public:
    explicit index_search(const packed_program& program) : program_(program)
    {
        for (const auto& each : program.code.instructions) step(each);
    }
    std::map<scalar, index_range> ranges;

private:
    using origins = std::map<scalar, bool>; ///< -> went through a conversion from float
    using key = std::tuple<register_file, unsigned, unsigned>;

    void step(const varying::instruction& each)
    {
        for (const auto& access : each.operands) {
            if (!access.word.empty()) continue;
            if (access.index.indirect) note(*access.index.indirect, bounds_of(access));
            if (access.vertex && access.vertex->indirect) note(*access.vertex->indirect, {0, 1});
        }
        if (each.destinations == 0) return;
        const auto& to = each.operands.front();
        const bool converts = each.opcode == "ARL" || each.opcode == "F2I" || each.opcode == "F2U";
        std::array<origins, 4> result;
        for (unsigned c = 0; c < 4; ++c)
            for (std::size_t s = 1; s < each.operands.size(); ++s)
                for (auto [origin, converted] : read(each.operands[s], c)) result[c][origin] = converted || converts;
        if (to.index.indirect) return;
        for (unsigned c = 0; c < 4; ++c)
            if ((to.write_mask() >> c & 1U) != 0)
                known_[{to.file, static_cast<unsigned>(to.index.offset), c}] = result[c];
    }

    origins read(const varying::operand& access, unsigned c) const
    {
        if (!access.word.empty() || access.index.indirect) return {};
        const auto number = static_cast<unsigned>(access.index.offset);
        const unsigned component = access.swizzle(c);
        if ((access.file == register_file::input && !access.vertex) || access.file == register_file::constant)
            return {{{access.file, access.vertex ? static_cast<unsigned>(access.vertex->offset) : 0, number, component},
                     false}};
        const auto found = known_.find({access.file, number, component});
        return found == known_.end() ? origins{} : found->second;
    }

    index_range bounds_of(const varying::operand& access) const
    {
        for (const auto& each : program_.code.declarations) {
            if (each.file != access.file || each.array != access.array) continue;
            const int first = access.counts_from_array ? 0 : static_cast<int>(each.first);
            return {first - access.index.offset, first - access.index.offset + static_cast<int>(each.registers())};
        }
        return {0, 4}; // CONST and the like
    }

    void note(const varying::register_index::indirect_part& part, index_range bounds)
    {
        const auto found = known_.find({part.file, part.number, part.component});
        if (found == known_.end()) return;
        for (const auto& [origin, converted] : found->second) {
            auto& range = ranges[origin];
            const index_range both = {std::max(range.low, bounds.low), std::min(range.high, bounds.high), converted};
            range = both.low < both.high
                        ? both
                        : index_range{std::min(range.low, bounds.low), std::max(range.high, bounds.high), converted};
        }
    }

    const packed_program& program_;
    std::map<key, origins> known_;
};

word sample_word(const index_range* range, unsigned position, unsigned number, unsigned component)
{
    if (range == nullptr) // distinct, and exact in float arithmetic
        return bits_of(static_cast<float>(position + 1 + 128 * number) + 0.25F * static_cast<float>(component));
    const int value =
        range->low + static_cast<int>(position * (1 + component) % static_cast<unsigned>(range->high - range->low));
    return range->is_float ? bits_of(static_cast<float>(value)) : static_cast<word>(value);
}

// ---- the draw

class sampler {
public:
    explicit sampler(const std::vector<packed_program>& programs)
        : vertex_(programs[0]), geometry_(programs.size() > 1 ? &programs[1] : nullptr)
    {
    }

    sample_draw run()
    {
        result_.vertex_count = draw_vertices;
        fill_attributes();
        fill_constants();
        const auto& last = geometry_ != nullptr ? *geometry_ : vertex_;
        std::set<unsigned> addresses;
        for (const auto& place : last.placed.components()) {
            if (place.owner->declared->file != register_file::output) continue;
            addresses.insert(place.address);
        }
        if (addresses.empty())
            throw input_error({last.file, last.code.at.line, last.code.at.column},
                              "the last stage writes nothing, expected OUT declarations");
        sorted_.assign(addresses.begin(), addresses.end());
        for (unsigned v = 0; v < draw_vertices; ++v) vertices_.push_back(run_vertex(v));
        if (geometry_ == nullptr) {
            for (unsigned v = 0; v < draw_vertices; ++v) add_row(0, v, 0, vertices_[v]);
        } else {
            run_geometry();
        }
        result_.expected = "stream,primitive,vertex";
        for (const auto address : sorted_) result_.expected += "," + hex(address);
        result_.expected += "\n";
        for (const auto& [stream, text] : rows_) result_.expected += text;
        for (const auto& [stream, text] : rows_) result_.capture[stream] = sorted_;
        if (result_.capture.empty()) result_.capture[0] = sorted_;
        return std::move(result_);
    }

private:
    using record = std::map<unsigned, word>; ///< by address

    static std::string hex(unsigned value, int digits = 2)
    {
        char text[16];
        std::snprintf(text, sizeof text, "0x%0*x", digits, value);
        return text;
    }

    void fill_attributes()
    {
        const index_search search(vertex_);
        for (const auto& place : vertex_.placed.components()) {
            if (place.owner->declared->file != register_file::input) continue;
            const bool generated =
                place.owner->meaning == semantic::vertex_id || place.owner->meaning == semantic::instance_id;
            if (generated) continue;
            const auto found = search.ranges.find({register_file::input, 0, place.number, place.component});
            auto& words = result_.attributes[place.address & ~15U];
            words.resize(4 * draw_vertices);
            for (unsigned v = 0; v < draw_vertices; ++v)
                words[4 * v + place.address / 4 % 4] = sample_word(
                    found == search.ranges.end() ? nullptr : &found->second, v, place.address / 16, place.component);
        }
    }

    void fill_constants()
    {
        for (const auto* program : {&vertex_, geometry_}) {
            if (program == nullptr) continue;
            const index_search search(*program);
            for (const auto& each : program->code.declarations) {
                if (each.file != register_file::constant) continue;
                if (each.last > 1023)
                    throw input_error({program->file, each.at.line, each.at.column},
                                      "CONST[" + std::to_string(each.last) +
                                          "] is too many for a sample, expected registers up to 1023");
                for (unsigned number = each.first; number <= each.last; ++number)
                    for (unsigned c = 0; c < 4; ++c) {
                        const auto found =
                            search.ranges.find({register_file::constant, each.dimension_number, number, c});
                        result_.constants[each.dimension_number][16 * number + 4 * c] =
                            sample_word(found == search.ranges.end() ? nullptr : &found->second, number, 1, c);
                    }
            }
        }
    }

    /// Reads of one thread, from records of the stage before.
    class inputs : public varying::thread_inputs {
    public:
        inputs(const sampler& draw, const packed_program& program) : draw_(draw), program_(program) {}
        std::vector<const record*> vertices;
        std::map<semantic, word> values;

        word input(unsigned vertex, unsigned number, unsigned component) const override
        {
            const auto* located = program_.placed.find(register_file::input, number, component);
            const auto generated = values.find(located->meaning);
            if (generated != values.end()) return generated->second;
            if (vertex >= vertices.size()) return 0;
            const auto found = vertices[vertex]->find(located->address(number, component));
            return found == vertices[vertex]->end() ? 0 : found->second;
        }
        word system_value(semantic meaning) const override { return values.at(meaning); }
        word constant(unsigned buffer, unsigned number, unsigned component) const override
        {
            const auto bank = draw_.result_.constants.find(buffer);
            if (bank == draw_.result_.constants.end()) return 0;
            const auto found = bank->second.find(16 * number + 4 * component);
            return found == bank->second.end() ? 0 : found->second;
        }

    private:
        const sampler& draw_;
        const packed_program& program_;
    };

    std::vector<varying::evaluated_event> evaluate(const packed_program& program, const inputs& thread) const
    {
        try {
            return varying::evaluate(program.code, program.placed, thread);
        } catch (const varying::shader_error& error) {
            rethrow(program.file, error);
        }
    }

    static record record_of(const packed_program& program, const std::vector<word>& values)
    {
        record made;
        std::size_t i = 0;
        for (const auto& place : program.placed.components())
            if (place.owner->declared->file == register_file::output) made[place.address] = values[i++];
        return made;
    }

    record run_vertex(unsigned v) const
    {
        record attributes;
        for (const auto& [address, words] : result_.attributes)
            for (unsigned c = 0; c < 4; ++c) attributes[address + 4 * c] = words[4 * v + c];
        inputs thread(*this, vertex_);
        thread.vertices = {&attributes};
        thread.values = {{semantic::vertex_id, v}, {semantic::instance_id, 0}};
        return record_of(vertex_, evaluate(vertex_, thread).front().values);
    }

    void run_geometry()
    {
        unsigned corners = 0;
        program_header header;
        try {
            const auto& primitive = varying::input_primitive_of(geometry_->code);
            result_.topology = primitive.topology;
            corners = primitive.vertices;
            header = varying::make_header(geometry_->code, geometry_->placed, 3);
        } catch (const varying::shader_error& error) {
            rethrow(geometry_->file, error);
        }
        std::map<unsigned, unsigned> primitives;
        for (unsigned p = 0; p < draw_vertices / corners; ++p)
            for (unsigned invocation = 0; invocation < header.threads_per_input_primitive; ++invocation) {
                inputs thread(*this, *geometry_);
                for (unsigned i = 0; i < corners; ++i) thread.vertices.push_back(&vertices_[p * corners + i]);
                thread.values = {{semantic::primitive_id, p}, {semantic::invocation_id, invocation}};
                collect(evaluate(*geometry_, thread), header, primitives);
            }
    }

    void collect(const std::vector<varying::evaluated_event>& events, const program_header& header,
                 std::map<unsigned, unsigned>& primitives)
    {
        strip_collector strips(header.output_topology);
        std::vector<record> emitted;
        for (std::size_t i = 0; i < events.size() && emitted.size() < header.max_output_vertex_count; ++i) {
            if (events[i].cut) continue;
            gs_token token{};
            token.stream = static_cast<std::uint8_t>(events[i].stream);
            token.enabled = (header.stream_out_mask >> events[i].stream & 1U) != 0;
            token.cut = i + 1 < events.size() && events[i + 1].cut;
            emitted.push_back(record_of(*geometry_, events[i].values));
            output_primitive made;
            if (!strips.add(token, static_cast<unsigned>(emitted.size() - 1), made)) continue;
            const unsigned number = primitives[made.stream]++;
            for (unsigned v = 0; v < made.count; ++v) add_row(made.stream, number, v, emitted[made.vertex[v]]);
        }
    }

    void add_row(unsigned stream, unsigned primitive, unsigned vertex, const record& values)
    {
        auto& text = rows_[stream];
        text += std::to_string(stream) + "," + std::to_string(primitive) + "," + std::to_string(vertex);
        for (const auto address : sorted_) text += "," + hex(values.at(address), 8);
        text += "\n";
    }

    const packed_program& vertex_;
    const packed_program* geometry_;
    sample_draw result_;
    std::vector<unsigned> sorted_; ///< captured addresses
    std::vector<record> vertices_;
    std::map<unsigned, std::string> rows_;
};

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

sample_draw make_sample(const std::vector<packed_program>& programs)
{
    return sampler(programs).run();
}

} // namespace isbesim::testbench
