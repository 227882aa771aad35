// SPDX-License-Identifier: Apache-2.0
#include "models/varying/lowering/lowering.h"

#include <algorithm>
#include <set>

#include "models/varying/allocation/scratch_pool.h"
#include "models/varying/lowering/operand_access.h"
#include "models/varying/lowering/operations.h"

namespace isbesim::varying {

namespace {

using registers = component_registers;

/// Our choice: 1.6 MB of SM75 code.
constexpr std::size_t most_lines = 100000;

/// Writes a whole program: the frame, and its instructions in order.
class lowerer {
public:
    explicit lowerer(const lowered_stage& stage)
        : stage_(stage),
          storage_(stage),
          write_(stage.options.arch),
          scratch_(storage_.first_scratch()),
          operands_(stage, storage_, write_, scratch_)
    {
    }

    lowered_program run()
    {
        begin();
        bool open = false; // inside a segment, which ends at the next EMIT or at the end
        for (std::size_t i = 0; i < stage_.program.instructions.size(); ++i) {
            const auto& each = stage_.program.instructions[i];
            const auto what = operation_of(each).what;
            if (what == operation::end) break;
            if (!open && (each.destinations != 0 || what == operation::emit)) {
                begin_segment(i);
                open = true;
            }
            write_.comment(std::to_string(i) + ": " + print(each));
            lower_instruction(each, what);
            if (write_.size() > most_lines)
                throw shader_error(each.at, "the program becomes longer than " + std::to_string(most_lines) +
                                                " instructions, expected fewer accesses or another strategy");
            if (what == operation::emit) open = false;
        }
        if (!stage_.geometry) {
            if (!open) begin_segment(stage_.program.instructions.size());
            copy_out();
        }
        write_.comment("END");
        write_.finish(stage_.geometry, state_register);
        return {write_.take(), storage_.local_bytes()};
    }

private:
    bool reads_vertex(register_file file) const
    {
        for (const auto& each : stage_.program.instructions)
            for (std::size_t i = each.destinations; i < each.operands.size(); ++i)
                if (each.operands[i].word.empty() && each.operands[i].file == file && each.operands[i].vertex)
                    return true;
        return false;
    }

    void begin()
    {
        if (stage_.patches && reads_vertex(register_file::output)) begin_outputs();
        if ((stage_.geometry || stage_.patches) && (!storage_.handles().empty() || reads_vertex(register_file::input)))
            begin_handles();
        for (const auto& home : storage_.homes())
            if (home.file == register_file::input) copy_in(home);
    }

    /// Output handles are lane - invocation + vertex (HARDWARE.md D.5).
    void begin_outputs()
    {
        write_.comment("output handles");
        const unsigned lane = scratch_.take(), invocation = scratch_.take();
        write_.special(lane, "SR_LANEID");
        write_.special(invocation, "SR_INVOCATION_ID");
        write_.add_registers(own_base, lane, invocation, true);
    }

    void begin_handles()
    {
        write_.comment("vertex handles");
        const unsigned info = scratch_.take(), primitive = scratch_.take(), vertices = scratch_.take();
        write_.special(info, "SR_INVOCATION_INFO"); // HARDWARE.md D.5
        write_.mask(primitive, info, 0xff);
        write_.shift_right(vertices, info, 16);
        write_.mask(vertices, vertices, 0xff);
        write_.multiply_registers(vertex_base, primitive, vertices);
        for (const auto& [vertex, number] : storage_.handles()) {
            const unsigned handle = vertex == 0 ? vertex_base : scratch_.take();
            if (vertex != 0) write_.add(handle, vertex_base, static_cast<int>(vertex));
            write_.vertex_handle(number, handle);
        }
    }

    void copy_in(const local_home& home)
    {
        write_.comment("copy in " + describe(*home.located->declared));
        const bool per_vertex =
            stage_.geometry && home.located->declared->dimension != declaration::dimension_kind::none;
        for (unsigned v = 0; v < (per_vertex ? stage_.input_vertices() : 1); ++v)
            for (const auto& [address, local, words] : chunks_of(home)) {
                const unsigned data = scratch_.take(words, words);
                write_.load_attribute(words, data, address, per_vertex ? storage_.handles().at(v) : zero_register);
                write_.store_local(words, zero_register, static_cast<int>(local + v * home.vertex_stride), data);
            }
    }

    void copy_out()
    {
        for (const auto& home : storage_.homes()) {
            if (home.file != register_file::output) continue;
            write_.comment("copy out " + describe(*home.located->declared));
            for (const auto& [address, local, words] : chunks_of(home)) {
                const unsigned data = scratch_.take(words, words);
                write_.load_local(words, data, zero_register, static_cast<int>(local));
                write_.store_attribute(words, address, data, stage_.state());
            }
        }
    }

    /// Output registers and components that are certainly stored between instruction `first` and the next EMIT.
    std::set<std::pair<unsigned, unsigned>> stored_from(std::size_t first) const
    {
        std::set<std::pair<unsigned, unsigned>> stored;
        for (std::size_t i = first; i < stage_.program.instructions.size(); ++i) {
            const auto& each = stage_.program.instructions[i];
            if (each.opcode == "EMIT" || each.opcode == "END") break;
            for (unsigned d = 0; d < each.destinations; ++d) {
                const auto& access = each.operands[d];
                if (access.file != register_file::output || is_indirect(access)) continue;
                for (unsigned c = 0; c < 4; ++c)
                    if ((access.write_mask() >> c & 1U) != 0) stored.emplace(stage_.register_number(access), c);
            }
        }
        return stored;
    }

    /// Clears the outputs that stored_from() does not contain.
    void begin_segment(std::size_t first)
    {
        // The threads of a patch share outputs, so none of them may clear these.
        if (!stage_.options.defined || stage_.kind == processor::tess_control) return;
        const auto stored = stored_from(first);
        std::set<unsigned> open; // scalars
        for (const auto& place : stage_.placed.components())
            if (place.owner->declared->file == register_file::output &&
                storage_.home_of(register_file::output, place.number) == nullptr &&
                stored.count({place.number, place.component}) == 0)
                open.insert(place.address / 4);
        const auto is_output = [](const local_home& home) { return home.file == register_file::output; };
        const auto& homes = storage_.homes();
        if (open.empty() && std::none_of(homes.begin(), homes.end(), is_output)) return;
        write_.comment("outputs begin as 0");
        for (const auto& home : homes)
            if (is_output(home))
                for (const auto& chunk : chunks_of(home))
                    write_.store_local(chunk.words, zero_register, static_cast<int>(chunk.local), zero_register);
        clear(open);
    }

    void clear(std::set<unsigned>& scalars)
    {
        while (!scalars.empty()) {
            const unsigned scalar = *scalars.begin();
            unsigned words = 4;
            const auto fits = [&] {
                if (!is_aligned(words, scalar)) return false;
                for (unsigned i = 0; i < words; ++i)
                    if (scalars.count(scalar + i) == 0) return false;
                return true;
            };
            while (words > 1 && !fits()) --words;
            write_.store_attribute(words, scalar * 4, zero_register, stage_.state());
            for (unsigned i = 0; i < words; ++i) scalars.erase(scalar + i);
        }
    }

    // ---- instructions

    unsigned stream_of(const instruction& each) const
    {
        if (each.operands.empty()) return 0;
        const auto& access = each.operands.front();
        if (access.file != register_file::immediate)
            throw shader_error(access.at, "the stream is no immediate, expected IMM[n].x");
        const auto stream = operands_.immediate_of(access).words[access.swizzle(0)];
        if (stream > 3) throw shader_error(access.at, "the stream is " + std::to_string(stream) + ", expected 0 to 3");
        return stream;
    }

    void lower_instruction(const instruction& each, operation what)
    {
        const auto& row = operation_of(each);
        if (what == operation::nothing) return;
        if (what == operation::emit || what == operation::end_primitive) {
            if (!stage_.geometry)
                throw shader_error(each.at, each.opcode + " outside a geometry program, expected GEOM");
            const unsigned stream = stream_of(each);
            if (what == operation::emit) {
                copy_out();
                write_.emit(state_register, stream);
            } else {
                write_.cut(state_register);
            }
            return;
        }
        if (each.operands.size() != each.destinations + row.sources)
            throw shader_error(each.at, each.opcode + " has " + std::to_string(each.operands.size()) +
                                            " operands, expected " + std::to_string(each.destinations + row.sources));
        for (const auto& access : each.operands)
            if (!access.word.empty())
                throw shader_error(access.at, quoted(access.word) + " is no register, expected one");
        compute(each, row);
    }

    /// Multiplies x first, then uses fused operations, in the same order as evaluate().
    unsigned dot(const registers& a, const registers& b, unsigned components, bool saturate)
    {
        unsigned sum = scratch_.take();
        write_.float_multiply(sum, a[0], b[0], false);
        for (unsigned c = 1; c < components; ++c) {
            const unsigned next = scratch_.take();
            write_.float_fused(next, a[c], b[c], sum, saturate && c + 1 == components);
            sum = next;
        }
        return sum;
    }

    void compute(const instruction& each, const operation_row& row)
    {
        const auto& destination = each.operands.front();
        const unsigned mask = operands_.written_components(destination);
        const auto where = operands_.result_registers(each);
        const bool plain = row.what == operation::move && !each.saturate;
        const unsigned summands = dot_components(row.what);
        const unsigned source_mask = summands != 0 ? (1U << summands) - 1 : mask;
        std::array<registers, 3> sources{};
        for (unsigned s = 0; s < row.sources; ++s) {
            const auto& access = each.operands[1 + s];
            const bool direct = plain && !access.negate && !access.absolute;
            sources[s] = operands_.fetch(access, source_mask, row.integer, direct ? &where : nullptr);
        }
        auto values = where;
        if (plain) {
            values = sources[0];
        } else if (summands != 0) {
            values.fill(dot(sources[0], sources[1], summands, each.saturate));
        } else {
            for (unsigned c = 0; c < 4; ++c)
                if ((mask >> c & 1U) != 0)
                    write_operation(write_, scratch_, each, row, where[c], sources[0][c], sources[1][c], sources[2][c]);
        }
        operands_.store(destination, mask, values);
    }

    const lowered_stage& stage_;
    program_storage storage_;
    instruction_writer write_;
    scratch_pool scratch_;
    operand_access operands_;
};

} // namespace

std::string lowered_program::text() const
{
    std::string result;
    for (const auto& line : lines) result += (line.comment ? "// " : "") + line.text + "\n";
    return result;
}

bool is_lowered(const instruction& each)
{
    try {
        operation_of(each);
    } catch (const shader_error&) {
        return false;
    }
    return true;
}

unsigned source_components(const allocation& placed, const instruction& each)
{
    if (each.destinations == 0) return 1; // the stream of EMIT
    if (const auto summands = dot_components(operation_of(each).what)) return (1U << summands) - 1;
    const auto& to = each.operands.front();
    const auto mask = to.write_mask();
    return to.file == register_file::output ? mask & declaration_of(to, placed).mask : mask;
}

lowered_program lower(const shader& program, const allocation& placed, const lowering_options& options)
{
    const lowered_stage stage(program, placed, options);
    if (stage.kind == processor::fragment)
        throw shader_error(program.at, "a fragment program has no attribute instructions, expected VERT, TESS_CTRL, "
                                       "TESS_EVAL or GEOM");
    return lowerer(stage).run();
}

} // namespace isbesim::varying
