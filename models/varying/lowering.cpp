#include "models/varying/lowering.h"

#include <algorithm>
#include <map>
#include <set>

#include "models/varying/instruction_writer.h"

namespace isbesim::varying {

namespace {

constexpr unsigned zero = isa::register_zero;
constexpr unsigned state_register = 0; ///< geometry state; a final OUT of SM50 takes it from R0
constexpr unsigned vertex_base = 1;    ///< geometry: MAP address of the primitive's first vertex
constexpr unsigned scratch_registers = 64;
constexpr unsigned range_predicate = 6; ///< the index is inside its array
constexpr unsigned far_away = 0x1000;   ///< an address that no offset brings back below 0x400
/// AL2P offsets are signed, 11 bits (hardware.md B.1).
constexpr int lowest_offset = -1024, highest_offset = 1023;

using registers = std::array<unsigned, 4>; ///< by component

std::string when(unsigned predicate)
{
    return "@P" + std::to_string(predicate) + " ";
}

/// Registers of an array (or of TEMPs) that live in local memory.
struct local_home {
    register_file file = register_file::output;
    unsigned first = 0;
    unsigned last = 0;
    unsigned stride = 16;
    unsigned mask = 0xf;
    unsigned array = 0;
    unsigned offset = 0;        ///< of the first register's component x
    unsigned vertex_stride = 0; ///< geometry inputs: bytes from one vertex's copy to the next
    const located_declaration* located = nullptr;
};

/// An operand's register(s), as an access needs them.
struct target {
    const located_declaration* located = nullptr; ///< null for TEMP arrays
    const local_home* home = nullptr;
    unsigned mask = 0xf; ///< components that the register has
    unsigned stride = 16;
    unsigned base = 0; ///< attribute address of element 0
    bool output = false;
    unsigned handle = zero;          ///< vertex handle of a geometry input
    std::optional<unsigned> vertex;  ///< its number, when fixed
    unsigned vertex_register = zero; ///< or the register that holds it
    unsigned count = 1;              ///< elements
    unsigned element = 0;            ///< when direct
    bool indirect = false;
    unsigned index = zero; ///< register; the element is index + shift
    int shift = 0;
};

struct access_run {
    unsigned component;
    unsigned words;
};

bool aligned(unsigned words, unsigned scalar)
{
    return words >= 3 ? scalar % 4 == 0 : scalar % words == 0;
}

/// Divides the components of `mask` into accesses: as wide as the alignment of the address (in scalars) and of the
/// registers allows. Vectors are split at boundaries of four scalars (hardware.md B.4: low address bits are dropped).
std::vector<access_run> runs_of(unsigned mask, unsigned scalar, const registers& where)
{
    std::vector<access_run> result;
    for (unsigned c = 0; c < 4;) {
        if ((mask >> c & 1U) == 0) {
            ++c;
            continue;
        }
        unsigned words = 4 - c;
        const auto fits = [&] {
            if (!aligned(words, scalar + c) || (words > 1 && !aligned(words, where[c]))) return false;
            for (unsigned i = 0; i < words; ++i)
                if ((mask >> (c + i) & 1U) == 0 || where[c + i] != where[c] + i) return false;
            return true;
        };
        while (words > 1 && !fits()) --words;
        result.push_back({c, words});
        c += words;
    }
    return result;
}

enum class operation {
    move,
    add,
    subtract,
    multiply,
    fused,
    smaller,
    larger,
    dot2,
    dot3,
    dot4,
    floor_index,
    round_index,
    int_add,
    int_multiply,
    int_fused,
    bit_and,
    bit_or,
    bit_xor,
    shift_left,
    negate,
    from_int,
    from_uint,
    to_int,
    to_uint,
    emit,
    end_primitive,
    end,
    nothing,
};
struct operation_row {
    const char* name;
    operation what;
    unsigned sources;
    bool integer; ///< operands are integers: `-` is two's complement, `|…|` does not exist
};
constexpr operation_row operations[] = {
    {"MOV", operation::move, 1, false},
    {"ADD", operation::add, 2, false},
    {"SUB", operation::subtract, 2, false},
    {"MUL", operation::multiply, 2, false},
    {"MAD", operation::fused, 3, false},
    {"FMA", operation::fused, 3, false},
    {"MIN", operation::smaller, 2, false},
    {"MAX", operation::larger, 2, false},
    {"DP2", operation::dot2, 2, false},
    {"DP3", operation::dot3, 2, false},
    {"DP4", operation::dot4, 2, false},
    {"ARL", operation::floor_index, 1, false},
    {"UARL", operation::move, 1, true},
    {"UADD", operation::int_add, 2, true},
    {"UMUL", operation::int_multiply, 2, true},
    {"UMAD", operation::int_fused, 3, true},
    {"AND", operation::bit_and, 2, true},
    {"OR", operation::bit_or, 2, true},
    {"XOR", operation::bit_xor, 2, true},
    {"SHL", operation::shift_left, 2, true},
    {"INEG", operation::negate, 1, true},
    {"I2F", operation::from_int, 1, true},
    {"U2F", operation::from_uint, 1, true},
    {"F2I", operation::to_int, 1, false},
    {"F2U", operation::to_uint, 1, false},
    {"EMIT", operation::emit, 0, true},
    {"ENDPRIM", operation::end_primitive, 0, true},
    {"END", operation::end, 0, true},
    {"NOP", operation::nothing, 0, true},
};

const operation_row& row_of(const instruction& each)
{
    for (const auto& row : operations)
        if (each.opcode == row.name) return row;
    std::string names;
    for (const auto& row : operations) names += (names.empty() ? "" : ", ") + std::string(row.name);
    throw shader_error(each.at, "there is no lowering for " + each.opcode + ", expected one of " + names);
}

class lowerer {
public:
    lowerer(const shader& program, const allocation& placed, const lowering_options& options)
        : program_(program),
          placed_(placed),
          options_(options),
          write_(options.arch),
          geometry_(program.effective_kind() == processor::geometry)
    {
    }

    lowered_program run()
    {
        const auto kind = program_.effective_kind();
        if (kind != processor::vertex && !geometry_)
            throw shader_error(program_.at, "only vertex and geometry programs are lowered, expected VERT or GEOM");
        find_homes();
        assign_registers();
        begin();
        bool open = false; // a segment is open: from here to the next EMIT or the end
        for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
            const auto& each = program_.instructions[i];
            const auto what = row_of(each).what;
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
                else if (options_.how == strategy::local && access.file != register_file::constant)
                    add_home(declaration_of(access, placed_));
            }
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
        unsigned next = geometry_ ? 4 : 0;
        if (geometry_)
            for (const auto& each : program_.instructions)
                for (const auto& access : each.operands)
                    if (access.vertex && !access.vertex->indirect)
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
        if (next + scratch_registers > available)
            throw shader_error(program_.at, "the program needs " + std::to_string(used.size()) +
                                                " TEMP and ADDR registers, expected at most " +
                                                std::to_string((available - scratch_registers) / 4 - 2));
        scratch_first_ = scratch_next_ = next;
    }

    /// Consecutive scratch registers; the oldest ones are used again.
    unsigned scratch(unsigned count, unsigned alignment = 1)
    {
        scratch_next_ = (scratch_next_ + alignment - 1) / alignment * alignment;
        if (scratch_next_ + count > scratch_first_ + scratch_registers) scratch_next_ = scratch_first_;
        const unsigned first = scratch_next_;
        scratch_next_ += count;
        return first;
    }

    // ---- the frame around the instructions

    void begin()
    {
        const bool dynamic_vertex =
            std::any_of(program_.instructions.begin(), program_.instructions.end(), [](const instruction& each) {
                return std::any_of(each.operands.begin(), each.operands.end(),
                                   [](const operand& access) { return access.vertex && access.vertex->indirect; });
            });
        if (geometry_ && (!handles_.empty() || dynamic_vertex)) {
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

    /// Runs of consecutive scalars of an array, as wide as local memory and attributes both allow: 4, 2 or 1.
    template <typename Function>
    static void for_each_chunk(const local_home& home, Function&& function)
    {
        const unsigned first = home.located->base / 4;
        const unsigned end = first + (home.last - home.first + 1) * home.stride / 4;
        const auto has = [&](unsigned scalar) {
            return scalar < end && (home.mask >> ((scalar - first) % (home.stride / 4)) & 1U) != 0;
        };
        for (unsigned scalar = first; scalar < end;) {
            if (!has(scalar)) {
                ++scalar;
                continue;
            }
            unsigned words = 4;
            const auto fits = [&] {
                if (scalar % words != 0) return false;
                for (unsigned i = 0; i < words; ++i)
                    if (!has(scalar + i)) return false;
                return true;
            };
            while (!fits()) words /= 2;
            function(scalar * 4, home.offset + (scalar - first) * 4, words);
            scalar += words;
        }
    }

    void copy_in(const local_home& home)
    {
        write_.comment("copy in " + describe(*home.located->declared));
        const bool per_vertex = geometry_ && home.located->declared->dimension != declaration::dimension_kind::none;
        for (unsigned v = 0; v < (per_vertex ? input_vertices() : 1); ++v)
            for_each_chunk(home, [&](unsigned address, unsigned local, unsigned words) {
                const unsigned data = scratch(words, words);
                write_.load_attribute(words, data, address, per_vertex ? handles_.at(v) : zero);
                write_.store_local(words, zero, static_cast<int>(local + v * home.vertex_stride), data);
            });
    }

    void copy_out()
    {
        for (const auto& home : homes_) {
            if (home.file != register_file::output) continue;
            write_.comment("copy out " + describe(*home.located->declared));
            for_each_chunk(home, [&](unsigned address, unsigned local, unsigned words) {
                const unsigned data = scratch(words, words);
                write_.load_local(words, data, zero, static_cast<int>(local));
                write_.store_attribute(words, address, data, state());
            });
        }
    }

    unsigned state() const { return geometry_ ? state_register : zero; }

    /// Gives 0 to outputs that nothing between here and the next EMIT is sure to store.
    void begin_segment(std::size_t first)
    {
        if (!options_.defined) return;
        std::set<std::pair<unsigned, unsigned>> stored; // register, component
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
            for_each_chunk(home, [&](unsigned, unsigned local, unsigned words) {
                write_.store_local(words, zero, static_cast<int>(local), zero);
            });
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
                if (!aligned(words, scalar)) return false;
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

    target resolve(const operand& access)
    {
        target result;
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
            result.home = home_of(access.file, first);
        }
        if (result.indirect) {
            result.index = index_register(*access.index.indirect, access.at);
            result.shift = access.index.offset - (access.counts_from_array ? 0 : static_cast<int>(first));
        }
        if (geometry_ && access.file == register_file::input) resolve_vertex(access, result);
        return result;
    }

    void resolve_vertex(const operand& access, target& result)
    {
        const bool per_vertex = result.located->declared->dimension != declaration::dimension_kind::none;
        if (per_vertex != access.vertex.has_value())
            throw shader_error(access.at,
                               print(access) + (per_vertex ? " lacks its vertex, expected IN[vertex][register]"
                                                           : " has a vertex, expected IN[register]"));
        if (!access.vertex) return;
        if (!access.vertex->indirect) {
            result.vertex = static_cast<unsigned>(access.vertex->offset);
            if (*result.vertex >= input_vertices())
                throw shader_error(access.at, "vertex " + std::to_string(*result.vertex) +
                                                  " does not exist, expected one below " +
                                                  std::to_string(input_vertices()));
            result.handle = handles_.at(*result.vertex);
            return;
        }
        result.vertex_register = index_register(*access.vertex->indirect, access.at);
        if (access.vertex->offset != 0) {
            const unsigned sum = scratch(1);
            write_.add(sum, result.vertex_register, access.vertex->offset);
            result.vertex_register = sum;
        }
        if (result.home != nullptr && result.indirect) return; // the copy is read
        const unsigned at = scratch(1);
        result.handle = scratch(1);
        write_.add_registers(at, vertex_base, result.vertex_register);
        write_.vertex_handle(result.handle, at);
    }

    // ---- direct accesses

    /// Registers that have the alignment of the address: every run is as wide as it can be.
    registers block_like(unsigned address)
    {
        const unsigned first = scratch(8, 4) + address / 4 % 4;
        return {first, first + 1, first + 2, first + 3};
    }

    registers load_direct(const target& from, unsigned mask)
    {
        const unsigned address = from.base + from.element * from.stride;
        const auto where = block_like(address);
        for (const auto& each : runs_of(mask, address / 4, where))
            write_.load_attribute(each.words, where[each.component], address + 4 * each.component, from.handle);
        return where;
    }

    void store_direct(const target& to, unsigned mask, registers values, const std::string& guard = "",
                      unsigned element_number = ~0U)
    {
        const unsigned address = to.base + (element_number == ~0U ? to.element : element_number) * to.stride;
        for (const auto& each : runs_of(mask, address / 4, values))
            write_.store_attribute(each.words, address + 4 * each.component, values[each.component], state(), guard);
    }

    /// The same values in registers from which they can be stored in the fewest instructions.
    registers gathered(const registers& values, unsigned mask, unsigned address)
    {
        const registers ideal = {address / 4 % 4, address / 4 % 4 + 1, address / 4 % 4 + 2, address / 4 % 4 + 3};
        if (runs_of(mask, address / 4, values).size() == runs_of(mask, address / 4, ideal).size()) return values;
        const auto where = block_like(address);
        for (unsigned c = 0; c < 4; ++c)
            if ((mask >> c & 1U) != 0) write_.move(where[c], values[c]);
        return where;
    }

    // ---- indirect accesses

    /// The element's number in a register, and P6 = inside the array.
    unsigned checked_element(const target& which)
    {
        unsigned element = which.index;
        if (which.shift != 0) {
            element = scratch(1);
            write_.add(element, which.index, which.shift);
        }
        write_.compare(range_predicate, "LT.U32", element, static_cast<int>(which.count));
        return element;
    }

    struct address_part {
        unsigned number; ///< register
        int offset;
    };

    /// Byte address of an element relative to nothing: register + offset. `base` is that of element 0.
    address_part element_address(const target& which, unsigned stride, int base, bool harmless_outside)
    {
        address_part result{scratch(1), base};
        if (options_.defined) {
            const unsigned element = checked_element(which);
            write_.multiply(result.number, element, stride);
            if (harmless_outside)
                write_.load_word(result.number, far_away, "@!P" + std::to_string(range_predicate) + " ");
        } else {
            write_.multiply(result.number, which.index, stride);
            result.offset += which.shift * static_cast<int>(stride);
        }
        return result;
    }

    void keep_offset_short(address_part& part, int last)
    {
        if (part.offset >= lowest_offset && part.offset + last <= highest_offset) return;
        write_.add(part.number, part.number, part.offset);
        part.offset = 0;
    }

    template <typename Function>
    static void for_each_component(unsigned mask, Function&& function)
    {
        for (unsigned c = 0; c < 4; ++c)
            if ((mask >> c & 1U) != 0) function(c);
    }

    std::string store_guard() const { return options_.defined ? when(range_predicate) : ""; }

    registers scratch_block()
    {
        const unsigned first = scratch(4, 4);
        return {first, first + 1, first + 2, first + 3};
    }

    registers load_indirect(const target& from, unsigned mask)
    {
        const auto where = scratch_block();
        auto part = element_address(from, from.stride, static_cast<int>(from.base), true);
        keep_offset_short(part, 12);
        // All translations first: none waits for another one's access.
        for_each_component(mask, [&](unsigned c) {
            write_.translate(where[c], part.number, part.offset + static_cast<int>(4 * c), from.output);
        });
        for_each_component(mask, [&](unsigned c) { write_.load_physical(where[c], where[c], from.handle); });
        return where;
    }

    void store_indirect(const target& to, unsigned mask, const registers& values)
    {
        auto part = element_address(to, to.stride, static_cast<int>(to.base), false);
        keep_offset_short(part, 12);
        const auto physical = scratch_block();
        for_each_component(mask, [&](unsigned c) {
            write_.translate(physical[c], part.number, part.offset + static_cast<int>(4 * c), true, store_guard());
        });
        for_each_component(mask,
                           [&](unsigned c) { write_.store_physical(physical[c], values[c], state(), store_guard()); });
    }

    /// Components (of the vector of four) that elements can begin at.
    static std::set<unsigned> phases_of(const target& which)
    {
        std::set<unsigned> phases;
        for (unsigned i = 0; i < which.count; ++i) phases.insert((which.base + i * which.stride) / 4 % 4);
        return phases;
    }

    /// For every component an element can begin at: `access(vector register, offset of component x, guard)`.
    template <typename Access>
    void by_vector(const target& which, Access&& access)
    {
        const int vector = static_cast<int>(which.base & ~15U);
        const unsigned element = options_.defined ? checked_element(which) : which.index;
        const int shift = options_.defined ? 0 : which.shift;
        const unsigned bytes = scratch(1), first_byte = scratch(1), begins = scratch(1);
        // Byte position from the start of the vector that element 0 begins in.
        write_.multiply(bytes, element, which.stride);
        const int start = static_cast<int>(which.base % 16) + shift * static_cast<int>(which.stride);
        if (start != 0) write_.add(bytes, bytes, start);
        write_.mask(first_byte, bytes, ~15U);
        write_.mask(begins, bytes, 12);
        const auto phases = phases_of(which);
        unsigned predicate = 0;
        for (const auto phase : phases)
            write_.compare(predicate++, "EQ", begins, static_cast<int>(4 * phase), options_.defined ? "P6" : "PT");
        predicate = 0;
        for (const auto phase : phases) {
            const auto guard = when(predicate++);
            access(first_byte, vector + static_cast<int>(4 * phase), guard);
        }
    }

    registers load_split(const target& from, unsigned mask)
    {
        if (phases_of(from).size() == 1) return load_indirect(from, mask); // whole vectors, always cut alike
        const auto where = scratch_block();
        for (unsigned c = 0; c < 4; ++c)
            if ((mask >> c & 1U) != 0) write_.move(where[c], zero);
        by_vector(from, [&](unsigned vector, int offset, const std::string& guard) {
            for_each_component(mask, [&](unsigned c) {
                write_.translate(where[c], vector, offset + static_cast<int>(4 * c), from.output, guard);
            });
            for_each_component(mask, [&](unsigned c) { write_.load_physical(where[c], where[c], from.handle, guard); });
        });
        return where;
    }

    void store_split(const target& to, unsigned mask, const registers& values)
    {
        if (phases_of(to).size() == 1) return store_indirect(to, mask, values);
        const auto physical = scratch_block();
        by_vector(to, [&](unsigned vector, int offset, const std::string& guard) {
            for_each_component(mask, [&](unsigned c) {
                write_.translate(physical[c], vector, offset + static_cast<int>(4 * c), true, guard);
            });
            for_each_component(mask,
                               [&](unsigned c) { write_.store_physical(physical[c], values[c], state(), guard); });
        });
    }

    /// Compares the index with every element's number; predicates take turns so that comparisons overlap.
    template <typename Access>
    void by_comparison(const target& which, Access&& access)
    {
        constexpr unsigned at_once = 6;
        for (unsigned first = 0; first < which.count; first += at_once) {
            const unsigned end = std::min(which.count, first + at_once);
            for (unsigned i = first; i < end; ++i)
                write_.compare(i - first, "EQ", which.index, static_cast<int>(i) - which.shift);
            for (unsigned i = first; i < end; ++i) access(i, when(i - first));
        }
    }

    registers load_chain(const target& from, unsigned mask)
    {
        const auto where = scratch_block();
        for (unsigned c = 0; c < 4; ++c)
            if ((mask >> c & 1U) != 0) write_.move(where[c], zero);
        by_comparison(from, [&](unsigned element, const std::string& guard) {
            const unsigned address = from.base + element * from.stride;
            for (const auto& each : runs_of(mask, address / 4, where))
                write_.load_attribute(each.words, where[each.component], address + 4 * each.component, from.handle,
                                      guard);
        });
        return where;
    }

    void store_chain(const target& to, unsigned mask, const registers& values)
    {
        by_comparison(
            to, [&](unsigned element, const std::string& guard) { store_direct(to, mask, values, guard, element); });
    }

    // ---- local memory

    /// Address of the element's component x, and how many words wide accesses to it may be.
    address_part local_address(const target& which)
    {
        const auto& home = *which.home;
        address_part part{zero, static_cast<int>(home.offset)};
        if (which.indirect)
            part = element_address(which, home.stride, static_cast<int>(home.offset), false);
        else
            part.offset += static_cast<int>(which.element * home.stride);
        if (which.vertex) part.offset += static_cast<int>(*which.vertex * home.vertex_stride);
        if (which.vertex_register != zero) {
            const unsigned vertex = scratch(1), sum = scratch(1);
            write_.multiply(vertex, which.vertex_register, home.vertex_stride);
            write_.add_registers(sum, part.number, vertex);
            part.number = sum;
        }
        return part;
    }

    /// Local accesses of 1, 2 or 4 words. An index moves them by multiples of the stride only.
    static std::vector<access_run> local_runs(const target& which, unsigned mask, const registers& where)
    {
        const auto& home = *which.home;
        const unsigned scalar = (home.offset + which.element * home.stride) / 4;
        std::vector<access_run> result;
        for (const auto& each : runs_of(mask, scalar, where)) {
            const bool fits = each.words != 3 && (!which.indirect || home.stride / 4 % each.words == 0);
            if (fits) {
                result.push_back(each);
                continue;
            }
            for (unsigned i = 0; i < each.words; ++i) result.push_back({each.component + i, 1});
        }
        return result;
    }

    registers load_local(const target& from, unsigned mask)
    {
        const auto where = scratch_block();
        const auto part = local_address(from);
        const bool guarded = from.indirect && options_.defined;
        for (unsigned c = 0; guarded && c < 4; ++c)
            if ((mask >> c & 1U) != 0) write_.move(where[c], zero);
        for (const auto& each : local_runs(from, mask, where))
            write_.load_local(each.words, where[each.component], part.number,
                              part.offset + static_cast<int>(4 * each.component), guarded ? when(range_predicate) : "");
        return where;
    }

    void store_local(const target& to, unsigned mask, const registers& values)
    {
        const auto part = local_address(to);
        for (const auto& each : local_runs(to, mask, values))
            write_.store_local(each.words, part.number, part.offset + static_cast<int>(4 * each.component),
                               values[each.component], to.indirect ? store_guard() : "");
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
        // Inputs do not change: only a run-time index needs the copy.
        const bool copy = from.home != nullptr && (from.indirect || access.file != register_file::input);
        if (copy) return load_local(from, mask);
        if (!from.indirect) return load_direct(from, mask);
        switch (options_.how) {
        case strategy::chain:
            return load_chain(from, mask);
        case strategy::split:
            return load_split(from, mask);
        default:
            return load_indirect(from, mask);
        }
    }

    registers load_system_value(const operand& access)
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
        const bool known = geometry_ ? meaning == semantic::primitive_id || meaning == semantic::invocation_id
                                     : meaning == semantic::vertex_id || meaning == semantic::instance_id;
        if (!known)
            throw shader_error(access.at, std::string(varying::row_of(meaning).name) +
                                              " has no value in this stage, expected " +
                                              (geometry_ ? "PRIMID or INVOCATIONID" : "VERTEXID or INSTANCEID"));
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
            if (access.file == register_file::output)
                throw shader_error(access.at, print(access) + " is read, expected outputs to be written only");
            from = load(access, read);
            break;
        case register_file::system_value:
            from = load_system_value(access);
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
                from = load_local(resolve(access), read);
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
        const auto& row = row_of(each);
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
            return block_like(located.address(register_number(destination), 0));
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
                if ((mask >> c & 1U) != 0) component(each, row, where[c], sources[0][c], sources[1][c], sources[2][c]);
        }
        store(destination, mask, values);
    }

    void component(const instruction& each, const operation_row& row, unsigned d, unsigned a, unsigned b, unsigned c)
    {
        using logic = instruction_writer::logic;
        const bool saturate = each.saturate;
        switch (row.what) {
        case operation::move: // saturated
            return write_.float_add(d, a, zero, true, true);
        case operation::add:
            return write_.float_add(d, a, b, false, saturate);
        case operation::subtract:
            return write_.float_add(d, a, b, true, saturate);
        case operation::multiply:
            return write_.float_multiply(d, a, b, saturate);
        case operation::fused:
            return write_.float_fused(d, a, b, c, saturate);
        default:
            break;
        }
        if (saturate) throw shader_error(each.at, each.opcode + " has no saturation here, expected it without _SAT");
        switch (row.what) {
        case operation::smaller:
            return write_.float_select(d, a, b, true);
        case operation::larger:
            return write_.float_select(d, a, b, false);
        case operation::floor_index:
            return write_.to_integer(d, a, ".FLOOR", false);
        case operation::int_add:
            return write_.add_registers(d, a, b);
        case operation::int_multiply:
            return write_.multiply_registers(d, a, b);
        case operation::int_fused: {
            const unsigned product = scratch(1);
            write_.multiply_registers(product, a, b);
            return write_.add_registers(d, product, c);
        }
        case operation::bit_and:
            return write_.combine(logic::and_bits, d, a, b);
        case operation::bit_or:
            return write_.combine(logic::or_bits, d, a, b);
        case operation::bit_xor:
            return write_.combine(logic::xor_bits, d, a, b);
        case operation::shift_left: {
            const unsigned count = scratch(1);
            write_.mask(count, b, 31); // TGSI counts modulo 32
            return write_.shift_left_registers(d, a, count);
        }
        case operation::negate:
            return write_.add_registers(d, zero, a, true);
        case operation::from_int:
            return write_.to_float(d, a, false);
        case operation::from_uint:
            return write_.to_float(d, a, true);
        case operation::to_int:
            return write_.to_integer(d, a, ".TRUNC", false);
        default:
            return write_.to_integer(d, a, ".TRUNC", true);
        }
    }

    void store(const operand& destination, unsigned mask, const registers& values)
    {
        if (destination.file == register_file::output) return store_output(destination, mask, values);
        if (destination.file != register_file::temporary && destination.file != register_file::address)
            throw shader_error(destination.at, print(destination) + " can't be written, expected OUT, TEMP or ADDR");
        const auto number = static_cast<unsigned>(destination.index.offset);
        if (is_indirect(destination) || home_of(destination.file, number) != nullptr) {
            if (destination.file == register_file::address)
                throw shader_error(destination.at, "ADDR has no array, expected a fixed register");
            return store_local(resolve(destination), mask, values);
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

    void store_output(const operand& destination, unsigned mask, const registers& values)
    {
        const auto to = resolve(destination);
        if (to.home != nullptr) return store_local(to, mask, values);
        if (!to.indirect) return store_direct(to, mask, gathered(values, mask, to.base + to.element * to.stride));
        switch (options_.how) {
        case strategy::chain:
            return store_chain(to, mask, values);
        case strategy::split:
            return store_split(to, mask, values);
        default:
            return store_indirect(to, mask, values);
        }
    }

    const shader& program_;
    const allocation& placed_;
    lowering_options options_;
    instruction_writer write_;
    bool geometry_;
    std::vector<local_home> homes_;
    unsigned local_bytes_ = 0;
    std::map<unsigned, unsigned> handles_; ///< register by vertex
    std::map<std::pair<register_file, unsigned>, unsigned> fixed_;
    unsigned scratch_first_ = 0;
    unsigned scratch_next_ = 0;
};

} // namespace

std::string lowered_program::text() const
{
    std::string result;
    for (const auto& line : lines) result += (line.comment ? "// " : "") + line.text + "\n";
    return result;
}

const std::vector<std::string>& lowered_opcodes()
{
    static const auto names = [] {
        std::vector<std::string> result;
        for (const auto& row : operations) result.emplace_back(row.name);
        return result;
    }();
    return names;
}

lowered_program lower(const shader& program, const allocation& placed, const lowering_options& options)
{
    return lowerer(program, placed, options).run();
}

} // namespace isbesim::varying
