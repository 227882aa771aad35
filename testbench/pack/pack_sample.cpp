// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "models/pe/stream_out/collection.h"
#include "models/varying/allocation/evaluation.h"
#include "testbench/pack/pack_input.h"
#include "testbench/pack/pack_output.h"
#include "tlm/float_bits.h"
#include "tlm/hex.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

namespace {

using varying::register_file;
using varying::semantic;

/// An input or constant scalar of a program's text.
struct text_scalar {
    register_file file;
    unsigned buffer = 0; ///< constant buffer
    unsigned number = 0;
    unsigned component = 0;
    bool operator<(const text_scalar& other) const
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

/// The scalars from which indices are computed.
using index_ranges = std::map<text_scalar, index_range>;

/// Finds values of a program's inputs and constants with which every array access stays inside its array.
class index_search {
public:
    explicit index_search(const packed_program& program) : program_(program)
    {
        for (const auto& each : program.code.instructions) step(each);
    }
    index_ranges ranges;

private:
    using origins = std::map<text_scalar, bool>; ///< true: converted from float on the way
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
            if (each.by_component) {
                const int width = static_cast<int>(program_.placed.find_array(each.file, each.array)->width());
                const int base = width * (first - access.index.offset);
                const auto& letters = access.letters.empty()
                                          ? std::string("xyzw").substr(0, static_cast<std::size_t>(width))
                                          : access.letters;
                const auto [low, high] = std::minmax_element(letters.begin(), letters.end(), [](char a, char b) {
                    return std::string_view("xyzw").find(a) < std::string_view("xyzw").find(b);
                });
                const auto index_of = [](char c) { return static_cast<int>(std::string_view("xyzw").find(c)); };
                return {base - index_of(*low), base + width * static_cast<int>(each.registers()) - index_of(*high)};
            }
            return {first - access.index.offset, first - access.index.offset + static_cast<int>(each.registers())};
        }
        return {0, 4}; // CONST and similar
    }

    void note(const varying::indirect_part& part, index_range bounds)
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

/// Traces indices back to inputs and constants through straight-line code.
index_ranges index_ranges_of(const packed_program& program)
{
    return index_search(program).ranges;
}

/// The value of a scalar in the sample: inside its range, or distinct if it has no range. `position` distinguishes
/// vertices or constant registers, `number` attributes.
word sample_word(const index_ranges& ranges, const text_scalar& which, unsigned position, unsigned number)
{
    const auto found = ranges.find(which);
    if (found == ranges.end()) // distinct, and exact in float arithmetic
        return to_bits(static_cast<float>(position + 1 + 128 * number) + 0.25F * static_cast<float>(which.component));
    const auto& range = found->second;
    const int value =
        range.low + static_cast<int>(position * (1 + which.component) % static_cast<unsigned>(range.high - range.low));
    return range.is_float ? to_bits(static_cast<float>(value)) : static_cast<word>(value);
}

constexpr unsigned draw_vertices = 96; ///< three warps, and whole primitives of every kind

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
        for (const auto address : sorted_) result_.expected += "," + hex(address, 2);
        result_.expected += "\n";
        for (const auto& [stream, text] : rows_) result_.expected += text;
        for (const auto& [stream, text] : rows_) result_.capture[stream] = sorted_;
        if (result_.capture.empty()) result_.capture[0] = sorted_;
        return std::move(result_);
    }

private:
    using record = std::map<unsigned, word>; ///< by address

    void fill_attributes()
    {
        const auto ranges = index_ranges_of(vertex_);
        for (const auto& place : vertex_.placed.components()) {
            if (place.owner->declared->file != register_file::input) continue;
            const bool generated =
                place.owner->meaning == semantic::vertex_id || place.owner->meaning == semantic::instance_id;
            if (generated) continue;
            const text_scalar which{register_file::input, 0, place.number, place.component};
            auto& words = result_.attributes[place.address & ~15U];
            words.resize(4 * draw_vertices);
            for (unsigned v = 0; v < draw_vertices; ++v)
                words[4 * v + place.address / 4 % 4] = sample_word(ranges, which, v, place.address / 16);
        }
    }

    void fill_constants()
    {
        for (const auto* program : {&vertex_, geometry_}) {
            if (program == nullptr) continue;
            const auto ranges = index_ranges_of(*program);
            for (const auto& each : program->code.declarations) {
                if (each.file != register_file::constant) continue;
                if (each.last > 1023)
                    throw input_error({program->file, each.at.line, each.at.column},
                                      "CONST[" + std::to_string(each.last) +
                                          "] is too many for a sample, expected registers up to 1023");
                for (unsigned number = each.first; number <= each.last; ++number)
                    for (unsigned c = 0; c < 4; ++c)
                        result_.constants[each.dimension_number][16 * number + 4 * c] =
                            sample_word(ranges, {register_file::constant, each.dimension_number, number, c}, number, 1);
            }
        }
    }

    /// Reads of one thread, from records of the previous stage.
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
        record outputs;
        std::size_t i = 0;
        for (const auto& place : program.placed.components())
            if (place.owner->declared->file == register_file::output) outputs[place.address] = values[i++];
        return outputs;
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
            output_primitive primitive;
            if (!strips.add(token, static_cast<unsigned>(emitted.size() - 1), primitive)) continue;
            const unsigned number = primitives[primitive.stream]++;
            for (unsigned v = 0; v < primitive.count; ++v)
                add_row(primitive.stream, number, v, emitted[primitive.vertex[v]]);
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

} // namespace

sample_draw make_sample(const std::vector<packed_program>& programs)
{
    return sampler(programs).run();
}

} // namespace isbesim::testbench
