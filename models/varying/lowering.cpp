#include "models/varying/lowering.h"

#include <algorithm>
#include <map>
#include <set>

#include "models/varying/access_runs.h"
#include "models/varying/element_access.h"
#include "models/varying/operations.h"

namespace isbesim::varying {

namespace {

constexpr unsigned zero = isa::register_zero;
constexpr unsigned state_register = 0; ///< geometry state; a final OUT of SM50 takes it from R0
constexpr unsigned vertex_base = 1;    ///< MAP address of the primitive's or patch's first vertex
constexpr unsigned own_base = 2;       ///< TESS_CTRL: output handle of the patch's first vertex

using registers = component_registers;

class lowerer {
public:
    lowerer(const shader& program, const allocation& placed, const lowering_options& options)
        : program_(program),
          placed_(placed),
          options_(options),
          write_(options.arch),
          kind_(program.effective_kind()),
          geometry_(kind_ == processor::geometry),
          patches_(kind_ == processor::tess_control || kind_ == processor::tess_eval)
    {
    }

    lowered_program run()
    {
        if (kind_ == processor::fragment)
            throw shader_error(program_.at,
                               "a fragment program has no attribute instructions, expected VERT, TESS_CTRL, "
                               "TESS_EVAL or GEOM");
        find_homes();
        assign_registers();
        begin();
        bool open = false; // a segment is open: from here to the next EMIT or the end
        for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
            const auto& each = program_.instructions[i];
            const auto what = operation_of(each).what;
            if (what == operation::end) break;
            if (!open && (each.destinations != 0 || what == operation::emit)) {
                begin_segment(i);
                open = true;
            }
            write_.comment(std::to_string(i) + ": " + print(each));
            lower_instruction(each, what);
            if (what == operation::emit) open = false;
        }
        if (!geometry_) {
            if (!open) begin_segment(program_.instructions.size());
            copy_out();
        }
        write_.comment("END");
        write_.finish(geometry_, state_register);
        return {write_.take(), (local_bytes_ + 15) / 16 * 16};
    }

private:
    // ---- what lives where

    bool is_indirect(const operand& each) const { return each.word.empty() && each.index.indirect.has_value(); }

    unsigned input_vertices() const
    {
        const auto* primitive = program_.find_property("GS_INPUT_PRIMITIVE");
        const std::string name = primitive == nullptr ? "TRIANGLES" : primitive->values.front();
        if (name == "POINTS") return 1;
        if (name == "LINES") return 2;
        if (name == "TRIANGLES") return 3;
        if (name == "LINES_ADJACENCY") return 4;
        if (name == "TRIANGLES_ADJACENCY") return 6;
        throw shader_error(primitive->at,
                           "GS_INPUT_PRIMITIVE is '" + name +
                               "', expected POINTS, LINES, TRIANGLES, LINES_ADJACENCY or TRIANGLES_ADJACENCY");
    }

    /// Arrays that go to local memory: TEMP arrays with a run-time index always, inputs and outputs by strategy.
    void find_homes()
    {
        for (const auto& each : program_.instructions)
            for (const auto& access : each.operands) {
                if (!is_indirect(access)) continue;
                if (access.file == register_file::temporary)
                    add_temporary_home(access);
                else if (options_.how == strategy::local && access.file != register_file::constant &&
                         may_be_local(access))
                    add_home(declaration_of(access, placed_));
            }
    }

    bool may_be_local(const operand& access) const
    {
        return !patches_ || (kind_ == processor::tess_eval && access.file == register_file::output);
    }

    void add_temporary_home(const operand& access)
    {
        for (const auto& each : program_.declarations) {
            if (each.file != register_file::temporary || access.array == 0 || each.array != access.array) continue;
            for (const auto& home : homes_)
                if (home.file == each.file && home.array == each.array) return;
            local_home home{each.file, each.first, each.last, 16, 0xf, each.array, 0, 0, nullptr};
            place_home(home, 0, each.registers() * 16, 1);
            return;
        }
        throw shader_error(access.at,
                           print(access) + " has no declared array, expected DCL TEMP[…], ARRAY(n) and TEMP[…](n)");
    }

    void add_home(const located_declaration& located)
    {
        for (const auto& home : homes_)
            if (home.located == &located) return;
        const auto& each = *located.declared;
        local_home home{each.file, each.first, each.last, located.stride, located.mask, each.array, 0, 0, &located};
        // The same position in a vector of four as in the attribute space: copies are as wide here as there.
        const bool per_vertex =
            geometry_ && each.file == register_file::input && each.dimension != declaration::dimension_kind::none;
        place_home(home, located.base % 16, each.registers() * located.stride, per_vertex ? input_vertices() : 1);
    }

    void place_home(local_home& home, unsigned phase, unsigned bytes, unsigned vertices)
    {
        local_bytes_ = (local_bytes_ + 15) / 16 * 16;
        home.offset = local_bytes_ + phase;
        home.vertex_stride = (phase + bytes + 15) / 16 * 16;
        local_bytes_ += home.vertex_stride * vertices;
        homes_.push_back(home);
    }

    const local_home* home_of(register_file file, unsigned number) const
    {
        for (const auto& home : homes_)
            if (home.file == file && number >= home.first && number <= home.last) return &home;
        return nullptr;
    }

    void assign_registers()
    {
        unsigned next = geometry_ || patches_ ? 4 : 0;
        if (geometry_ || patches_)
            for (const auto& each : program_.instructions)
                for (const auto& access : each.operands)
                    if (access.file == register_file::input && access.vertex && !access.vertex->indirect)
                        handles_.emplace(static_cast<unsigned>(access.vertex->offset), 0);
        if (geometry_ && std::any_of(homes_.begin(), homes_.end(),
                                     [](const local_home& h) { return h.file == register_file::input; }))
            for (unsigned v = 0; v < input_vertices(); ++v) handles_.emplace(v, 0);
        for (auto& [vertex, number] : handles_) number = next++;
        next = (next + 3) / 4 * 4;
        std::set<std::pair<register_file, unsigned>> used;
        const auto note = [&](register_file file, unsigned number) {
            if (file == register_file::temporary && home_of(file, number) != nullptr) return;
            if (file == register_file::temporary || file == register_file::address) used.emplace(file, number);
        };
        for (const auto& each : program_.instructions)
            for (const auto& access : each.operands) {
                if (!access.word.empty()) continue;
                if (!is_indirect(access)) note(access.file, static_cast<unsigned>(access.index.offset));
                if (is_indirect(access)) note(access.index.indirect->file, access.index.indirect->number);
                if (access.vertex && access.vertex->indirect)
                    note(access.vertex->indirect->file, access.vertex->indirect->number);
            }
        for (const auto& key : used) {
            fixed_[key] = next;
            next += 4;
        }
        constexpr unsigned available = 255;
        if (next + scratch_pool::size > available)
            throw shader_error(program_.at, "the program needs " + std::to_string(used.size()) +
                                                " TEMP and ADDR registers, expected at most " +
                                                std::to_string((available - scratch_pool::size) / 4 - 2));
        scratch_.emplace(next);
    }

    unsigned scratch(unsigned count, unsigned alignment = 1) { return scratch_->take(count, alignment); }
    registers scratch_block() { return scratch_->block(); }

    access_context context() { return {write_, *scratch_, options_, state()}; }

    // ---- the frame around the instructions

    void begin()
    {
        const auto reads_vertex = [&](register_file file) {
            for (const auto& each : program_.instructions)
                for (std::size_t i = each.destinations; i < each.operands.size(); ++i)
                    if (each.operands[i].word.empty() && each.operands[i].file == file && each.operands[i].vertex)
                        return true;
            return false;
        };
        if (patches_ && reads_vertex(register_file::output)) {
            write_.comment("output handles"); // hardware.md D.5: lane - invocation + vertex
            const unsigned lane = scratch(1), invocation = scratch(1);
            write_.special(lane, "SR_LANEID");
            write_.special(invocation, "SR_INVOCATION_ID");
            write_.add_registers(own_base, lane, invocation, true);
        }
        if ((geometry_ || patches_) && (!handles_.empty() || reads_vertex(register_file::input))) {
            write_.comment("vertex handles");
            const unsigned info = scratch(1), primitive = scratch(1), vertices = scratch(1);
            write_.special(info, "SR_INVOCATION_INFO"); // hardware.md D.5
            write_.mask(primitive, info, 0xff);
            write_.shift_right(vertices, info, 16);
            write_.mask(vertices, vertices, 0xff);
            write_.multiply_registers(vertex_base, primitive, vertices);
            for (const auto& [vertex, number] : handles_) {
                const unsigned at = vertex == 0 ? vertex_base : scratch(1);
                if (vertex != 0) write_.add(at, vertex_base, static_cast<int>(vertex));
                write_.vertex_handle(number, at);
            }
        }
        for (const auto& home : homes_)
            if (home.file == register_file::input) copy_in(home);
    }

    void copy_in(const local_home& home)
    {
        write_.comment("copy in " + describe(*home.located->declared));
        const bool per_vertex = geometry_ && home.located->declared->dimension != declaration::dimension_kind::none;
        for (unsigned v = 0; v < (per_vertex ? input_vertices() : 1); ++v)
            for (const auto& [address, local, words] : chunks_of(home)) {
                const unsigned data = scratch(words, words);
                write_.load_attribute(words, data, address, per_vertex ? handles_.at(v) : zero);
                write_.store_local(words, zero, static_cast<int>(local + v * home.vertex_stride), data);
            }
    }

    void copy_out()
    {
        for (const auto& home : homes_) {
            if (home.file != register_file::output) continue;
            write_.comment("copy out " + describe(*home.located->declared));
            for (const auto& [address, local, words] : chunks_of(home)) {
                const unsigned data = scratch(words, words);
                write_.load_local(words, data, zero, static_cast<int>(local));
                write_.store_attribute(words, address, data, state());
            }
        }
    }

    unsigned state() const { return geometry_ ? state_register : zero; }

    /// Gives 0 to outputs that nothing between here and the next EMIT is sure to store.
    void begin_segment(std::size_t first)
    {
        if (!options_.defined || kind_ == processor::tess_control) return; // the patch's threads share outputs
        std::set<std::pair<unsigned, unsigned>> stored;                    // register, component
        for (std::size_t i = first; i < program_.instructions.size(); ++i) {
            const auto& each = program_.instructions[i];
            if (each.opcode == "EMIT" || each.opcode == "END") break;
            for (unsigned d = 0; d < each.destinations; ++d) {
                const auto& access = each.operands[d];
                if (access.file != register_file::output || is_indirect(access)) continue;
                for (unsigned c = 0; c < 4; ++c)
                    if ((access.write_mask() >> c & 1U) != 0) stored.emplace(register_number(access), c);
            }
        }
        bool commented = false;
        const auto comment = [&] {
            if (!commented) write_.comment("outputs begin as 0");
            commented = true;
        };
        for (const auto& home : homes_) {
            if (home.file != register_file::output) continue;
            comment();
            for (const auto& chunk : chunks_of(home))
                write_.store_local(chunk.words, zero, static_cast<int>(chunk.local), zero);
        }
        std::set<unsigned> open; // scalars
        for (const auto& place : placed_.components())
            if (place.owner->declared->file == register_file::output &&
                home_of(register_file::output, place.number) == nullptr &&
                stored.count({place.number, place.component}) == 0)
                open.insert(place.address / 4);
        while (!open.empty()) {
            const unsigned scalar = *open.begin();
            unsigned words = 4;
            const auto fits = [&] {
                if (!is_aligned(words, scalar)) return false;
                for (unsigned i = 0; i < words; ++i)
                    if (open.count(scalar + i) == 0) return false;
                return true;
            };
            while (words > 1 && !fits()) --words;
            comment();
            write_.store_attribute(words, scalar * 4, zero, state());
            for (unsigned i = 0; i < words; ++i) open.erase(scalar + i);
        }
    }

    // ---- operands

    unsigned register_number(const operand& access) const
    {
        const auto offset = static_cast<unsigned>(access.index.offset);
        if (access.counts_from_array) return declaration_of(access, placed_).declared->first + offset;
        return offset;
    }

    unsigned index_register(const register_index::indirect_part& part, place at) const
    {
        if (part.file != register_file::address && part.file != register_file::temporary)
            throw shader_error(at, std::string("the index is in ") + file_name(part.file) + ", expected ADDR or TEMP");
        const auto found = fixed_.find({part.file, part.number});
        if (found == fixed_.end())
            throw shader_error(at, "the index is an element of an array, expected a TEMP or ADDR of its own");
        return found->second + part.component;
    }

    access_target resolve(const operand& access, bool written = false)
    {
        access_target result;
        result.output = access.file == register_file::output;
        result.indirect = is_indirect(access);
        unsigned first = 0;
        if (access.file == register_file::temporary) {
            for (const auto& home : homes_)
                if (home.file == access.file &&
                    (result.indirect ? home.array == access.array
                                     : home_of(access.file, static_cast<unsigned>(access.index.offset)) == &home))
                    result.home = &home;
            first = result.home->first;
            result.count = result.home->last - first + 1;
            result.element = static_cast<unsigned>(access.index.offset) - first;
        } else {
            const auto& located = declaration_of(access, placed_);
            result.located = &located;
            result.mask = located.mask;
            result.stride = located.stride;
            result.base = located.base;
            first = located.declared->first;
            result.count = located.declared->registers();
            result.element = result.indirect ? 0 : register_number(access) - first;
            // Inputs do not change: only a run-time index needs the copy.
            if (result.indirect || access.file != register_file::input) result.home = home_of(access.file, first);
        }
        if (result.indirect) {
            result.index = index_register(*access.index.indirect, access.at);
            result.shift = access.index.offset - (access.counts_from_array ? 0 : static_cast<int>(first));
        }
        result.patch = result.located != nullptr && result.located->space == address_space::patch;
        // A thread stores to its own vertex, whichever the text names.
        if ((geometry_ || patches_) && result.located != nullptr && !written) resolve_vertex(access, result);
        return result;
    }

    void resolve_vertex(const operand& access, access_target& result)
    {
        const bool per_vertex = result.located->declared->dimension != declaration::dimension_kind::none;
        const auto file = std::string(file_name(access.file));
        if (per_vertex != access.vertex.has_value())
            throw shader_error(access.at, print(access) +
                                              (per_vertex ? " lacks its vertex, expected " + file + "[vertex][register]"
                                                          : " has a vertex, expected " + file + "[register]"));
        if (!access.vertex) return;
        const bool fixed = !access.vertex->indirect;
        if (fixed && geometry_ && static_cast<unsigned>(access.vertex->offset) >= input_vertices())
            throw shader_error(access.at, "vertex " + std::to_string(access.vertex->offset) +
                                              " does not exist, expected one below " +
                                              std::to_string(input_vertices()));
        if (fixed && !result.output) {
            result.vertex = static_cast<unsigned>(access.vertex->offset);
            result.handle = handles_.at(*result.vertex);
            return;
        }
        unsigned vertex = zero;
        if (!fixed) vertex = index_register(*access.vertex->indirect, access.at);
        if (access.vertex->offset != 0) {
            const unsigned sum = scratch(1);
            write_.add(sum, vertex, access.vertex->offset);
            vertex = sum;
        }
        result.vertex_register = vertex;
        const bool checked = options_.defined && geometry_; // how many vertices a patch has only the draw knows
        const auto check = [&] {
            write_.compare(range_predicate, "LT.U32", vertex, static_cast<int>(input_vertices()));
        };
        if (result.home != nullptr) { // the copy is read
            if (checked) check();
            result.vertex_checked = checked;
            return;
        }
        const unsigned at = scratch(1);
        if (result.output) { // another thread's vertex, by its lane
            write_.add_registers(at, own_base, vertex);
            result.handle = at;
            return;
        }
        result.handle = scratch(1);
        write_.add_registers(at, vertex_base, vertex);
        write_.vertex_handle(result.handle, at);
        if (!checked) return;
        check();
        // A handle that no vertex has: the load returns 0 (hardware.md D.5).
        constexpr word no_vertex = 0x80000000;
        write_.load_word(result.handle, no_vertex, "@!P" + std::to_string(range_predicate) + " ");
    }

    // ---- sources

    void check_components(const operand& access, unsigned mask, unsigned has) const
    {
        for (unsigned c = 0; c < 4; ++c)
            if ((mask & ~has) >> c & 1U)
                throw shader_error(access.at, print(access) + " has no component " + "xyzw"[c] +
                                                  ", expected those of its declaration");
    }

    registers load(const operand& access, unsigned mask)
    {
        const auto from = resolve(access);
        check_components(access, mask, from.mask);
        return load_element(context(), from, mask);
    }

    registers load_system_value(const operand& access, unsigned read)
    {
        registers where = scratch_block();
        const auto meaning = [&] {
            for (const auto& each : program_.declarations)
                if (each.file == access.file && !is_indirect(access) && each.meaning &&
                    static_cast<unsigned>(access.index.offset) >= each.first &&
                    static_cast<unsigned>(access.index.offset) <= each.last)
                    return *each.meaning;
            throw shader_error(access.at, print(access) + " is not declared, expected DCL SV[…] before");
        }();
        static constexpr semantic of_vertices[] = {semantic::vertex_id, semantic::instance_id};
        static constexpr semantic of_primitives[] = {semantic::primitive_id, semantic::invocation_id};
        static constexpr semantic of_points[] = {semantic::primitive_id, semantic::tess_coord};
        const auto& known = kind_ == processor::vertex      ? of_vertices
                            : kind_ == processor::tess_eval ? of_points
                                                            : of_primitives;
        if (std::find(std::begin(known), std::end(known), meaning) == std::end(known))
            throw shader_error(access.at, std::string(row_of(meaning).name) + " has no value in this stage, expected " +
                                              row_of(known[0]).name + " or " + row_of(known[1]).name);
        if (meaning == semantic::tess_coord) {
            const auto& located = declaration_of(access, placed_);
            check_components(access, read, located.mask);
            const unsigned lane = scratch(1);
            write_.special(lane, "SR_LANEID"); // hardware.md A.2: in the output space, by lane
            for (const auto& each : runs_of(read, located.base / 4, where))
                write_.load_attribute(each.words, where[each.component], located.base + 4 * each.component, lane, "",
                                      {true, false});
            return where;
        }
        if (placed_.find(access.file, static_cast<unsigned>(access.index.offset)) != nullptr) {
            const auto& located = declaration_of(access, placed_);
            check_components(access, 1U, located.mask);
            write_.load_attribute(1, where[0], located.base, zero);
        } else {
            write_.special(where[0], "SR_INVOCATION_ID");
        }
        where.fill(where[0]);
        return where;
    }

    registers load_constant(const operand& access, unsigned mask)
    {
        const auto where = scratch_block();
        unsigned bank = 0;
        if (access.vertex) {
            if (access.vertex->indirect || access.vertex->offset > 17)
                throw shader_error(access.at,
                                   print(access) + " has no fixed constant buffer, expected CONST[0..17][…]");
            bank = static_cast<unsigned>(access.vertex->offset);
        }
        unsigned scaled = zero;
        if (is_indirect(access)) {
            scaled = scratch(1);
            write_.multiply(scaled, index_register(*access.index.indirect, access.at), 16);
        }
        for (unsigned c = 0; c < 4; ++c) {
            if ((mask >> c & 1U) == 0) continue;
            const int offset = access.index.offset * 16 + static_cast<int>(4 * c);
            if (offset >= 0x10000)
                throw shader_error(access.at,
                                   print(access) + " is beyond the constant buffer, expected a register below 4096");
            if (scaled == zero)
                write_.load_constant(where[c], bank, static_cast<unsigned>(offset));
            else
                write_.load_constant_at(where[c], bank, scaled, offset);
        }
        return where;
    }

    const immediate& immediate_of(const operand& access) const
    {
        const auto number = static_cast<std::size_t>(access.index.offset);
        if (is_indirect(access) || number >= program_.immediates.size())
            throw shader_error(access.at, print(access) + " is no declared immediate, expected one below " +
                                              std::to_string(program_.immediates.size()));
        return program_.immediates[number];
    }

    /// Registers with the source's value for every component of `mask`, modifiers applied. `into` are registers that
    /// immediates may be loaded to.
    registers fetch(const operand& access, unsigned mask, bool integer, const registers* into)
    {
        unsigned read = 0;
        for (unsigned c = 0; c < 4; ++c)
            if ((mask >> c & 1U) != 0) read |= 1U << access.swizzle(c);
        registers from{};
        switch (access.file) {
        case register_file::input:
        case register_file::output:
            if (access.file == register_file::output && kind_ != processor::tess_control)
                throw shader_error(access.at, print(access) + " is read, expected outputs to be written only");
            from = load(access, read);
            break;
        case register_file::system_value:
            from = load_system_value(access, read);
            break;
        case register_file::constant:
            from = load_constant(access, read);
            break;
        case register_file::immediate: {
            const auto& value = immediate_of(access);
            registers result{};
            std::map<unsigned, unsigned> known;
            const auto block = into == nullptr ? scratch_block() : *into;
            for (unsigned c = 0; c < 4; ++c) {
                if ((mask >> c & 1U) == 0) continue;
                const unsigned component = access.swizzle(c);
                if (into == nullptr && known.count(component) != 0) {
                    result[c] = known[component];
                    continue;
                }
                write_.load_word(block[c], value.words[component]);
                known[component] = result[c] = block[c];
            }
            return modified(access, mask, integer, result);
        }
        case register_file::temporary:
        case register_file::address: {
            const auto number = static_cast<unsigned>(access.index.offset);
            if (is_indirect(access) ||
                (access.file == register_file::temporary && home_of(access.file, number) != nullptr)) {
                if (access.file == register_file::address)
                    throw shader_error(access.at, "ADDR has no array, expected a fixed register");
                from = load_element(context(), resolve(access), read);
                break;
            }
            const unsigned first = fixed_.at({access.file, number});
            from = {first, first + 1, first + 2, first + 3};
            break;
        }
        default:
            throw shader_error(access.at,
                               print(access) + " can't be read here, expected IN, TEMP, CONST, IMM, SV or ADDR");
        }
        registers result{};
        for (unsigned c = 0; c < 4; ++c)
            if ((mask >> c & 1U) != 0) result[c] = from[access.swizzle(c)];
        return modified(access, mask, integer, result);
    }

    registers modified(const operand& access, unsigned mask, bool integer, registers values)
    {
        if (!access.negate && !access.absolute) return values;
        if (integer && access.absolute)
            throw shader_error(access.at, "an integer has no absolute value here, expected a plain register");
        const auto where = scratch_block();
        for (unsigned c = 0; c < 4; ++c) {
            if ((mask >> c & 1U) == 0) continue;
            if (integer) {
                write_.add_registers(where[c], zero, values[c], true);
                continue;
            }
            constexpr word sign = 0x80000000;
            if (access.absolute) write_.mask(where[c], values[c], ~sign);
            if (access.negate) write_.flip(where[c], access.absolute ? where[c] : values[c], sign);
        }
        return where;
    }

    // ---- instructions

    unsigned stream_of(const instruction& each) const
    {
        if (each.operands.empty()) return 0;
        const auto& access = each.operands.front();
        if (access.file != register_file::immediate)
            throw shader_error(access.at, "the stream is no immediate, expected IMM[n].x");
        const auto stream = immediate_of(access).words[access.swizzle(0)];
        if (stream > 3) throw shader_error(access.at, "the stream is " + std::to_string(stream) + ", expected 0 to 3");
        return stream;
    }

    void lower_instruction(const instruction& each, operation what)
    {
        const auto& row = operation_of(each);
        if (what == operation::nothing) return;
        if (what == operation::emit || what == operation::end_primitive) {
            if (!geometry_) throw shader_error(each.at, each.opcode + " outside a geometry program, expected GEOM");
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
                throw shader_error(access.at, "'" + access.word + "' is no register, expected one");
        const auto& destination = each.operands.front();
        unsigned mask = destination.write_mask();
        if (destination.file == register_file::output) {
            const auto& located = declaration_of(destination, placed_);
            // Without a mask: all that the register has.
            if (destination.letters.empty()) mask = located.mask;
            check_components(destination, mask, located.mask);
        }
        compute(each, row, destination, mask);
    }

    /// Where an instruction may leave its results: in a TEMP itself when it does not read it.
    registers result_registers(const instruction& each, const operand& destination)
    {
        const bool fixed = destination.file == register_file::temporary || destination.file == register_file::address;
        const auto number = static_cast<unsigned>(destination.index.offset);
        if (fixed && !is_indirect(destination) && home_of(destination.file, number) == nullptr) {
            const auto reads = [&](const operand& source) {
                if (source.file == destination.file) return true;
                const auto same = [&](const std::optional<register_index::indirect_part>& part) {
                    return part && part->file == destination.file;
                };
                return same(source.index.indirect) || (source.vertex && same(source.vertex->indirect));
            };
            if (std::none_of(each.operands.begin() + 1, each.operands.end(), reads)) {
                const unsigned first = fixed_.at({destination.file, number});
                return {first, first + 1, first + 2, first + 3};
            }
        }
        if (destination.file == register_file::output && !is_indirect(destination)) {
            const auto& located = declaration_of(destination, placed_);
            return scratch_->block_like(located.address(register_number(destination), 0));
        }
        return scratch_block();
    }

    void compute(const instruction& each, const operation_row& row, const operand& destination, unsigned mask)
    {
        const auto where = result_registers(each, destination);
        const bool plain = row.what == operation::move && !each.saturate;
        const bool dot = row.what == operation::dot2 || row.what == operation::dot3 || row.what == operation::dot4;
        const unsigned dot_components = row.what == operation::dot2 ? 2 : row.what == operation::dot3 ? 3 : 4;
        const unsigned source_mask = dot ? (1U << dot_components) - 1 : mask;
        std::array<registers, 3> sources{};
        for (unsigned s = 0; s < row.sources; ++s) {
            const auto& access = each.operands[1 + s];
            const bool direct = plain && !access.negate && !access.absolute;
            sources[s] = fetch(access, source_mask, row.integer, direct ? &where : nullptr);
        }
        auto values = where;
        if (plain) {
            values = sources[0];
        } else if (dot) {
            // x first, then fused: the order that the evaluation has, too.
            unsigned sum = scratch(1);
            write_.float_multiply(sum, sources[0][0], sources[1][0], false);
            for (unsigned c = 1; c < dot_components; ++c) {
                const unsigned next = scratch(1);
                write_.float_fused(next, sources[0][c], sources[1][c], sum, each.saturate && c + 1 == dot_components);
                sum = next;
            }
            values.fill(sum);
        } else {
            for (unsigned c = 0; c < 4; ++c)
                if ((mask >> c & 1U) != 0)
                    write_operation(write_, *scratch_, each, row, where[c], sources[0][c], sources[1][c],
                                    sources[2][c]);
        }
        store(destination, mask, values);
    }

    void store(const operand& destination, unsigned mask, const registers& values)
    {
        if (destination.file == register_file::output)
            return store_element(context(), resolve(destination, true), mask, values);
        if (destination.file != register_file::temporary && destination.file != register_file::address)
            throw shader_error(destination.at, print(destination) + " can't be written, expected OUT, TEMP or ADDR");
        const auto number = static_cast<unsigned>(destination.index.offset);
        if (is_indirect(destination) || home_of(destination.file, number) != nullptr) {
            if (destination.file == register_file::address)
                throw shader_error(destination.at, "ADDR has no array, expected a fixed register");
            return store_element(context(), resolve(destination, true), mask, values);
        }
        const unsigned first = fixed_.at({destination.file, number});
        auto from = values;
        // A swizzle of the register itself: read everything before writing anything.
        for (unsigned c = 0; c < 4; ++c)
            for (unsigned other = 0; other < c; ++other)
                if ((mask >> c & mask >> other & 1U) != 0 && values[c] == first + other && values[other] != values[c] &&
                    from == values) {
                    from = scratch_block();
                    for (unsigned k = 0; k < 4; ++k)
                        if ((mask >> k & 1U) != 0) write_.move(from[k], values[k]);
                }
        for (unsigned c = 0; c < 4; ++c)
            if ((mask >> c & 1U) != 0 && from[c] != first + c) write_.move(first + c, from[c]);
    }

    const shader& program_;
    const allocation& placed_;
    lowering_options options_;
    instruction_writer write_;
    processor kind_;
    bool geometry_;
    bool patches_; ///< a tessellation program
    std::vector<local_home> homes_;
    unsigned local_bytes_ = 0;
    std::map<unsigned, unsigned> handles_; ///< register by vertex
    std::map<std::pair<register_file, unsigned>, unsigned> fixed_;
    std::optional<scratch_pool> scratch_;
};

} // namespace

std::string lowered_program::text() const
{
    std::string result;
    for (const auto& line : lines) result += (line.comment ? "// " : "") + line.text + "\n";
    return result;
}

lowered_program lower(const shader& program, const allocation& placed, const lowering_options& options)
{
    return lowerer(program, placed, options).run();
}

} // namespace isbesim::varying
