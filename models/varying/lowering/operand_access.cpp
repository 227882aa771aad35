// SPDX-License-Identifier: Apache-2.0
#include "models/varying/lowering/operand_access.h"

#include <algorithm>

namespace isbesim::varying {

namespace {

using registers = component_registers;

registers from_register(unsigned first)
{
    return {first, first + 1, first + 2, first + 3};
}

} // namespace

const std::vector<semantic>& system_values_of(processor kind)
{
    static const std::vector<semantic> vertex_values = {semantic::vertex_id, semantic::instance_id};
    static const std::vector<semantic> primitive_values = {semantic::primitive_id, semantic::invocation_id};
    static const std::vector<semantic> point_values = {semantic::primitive_id, semantic::tess_coord};
    return kind == processor::vertex ? vertex_values : kind == processor::tess_eval ? point_values : primitive_values;
}

unsigned operand_access::index_register(const indirect_part& part, place address) const
{
    if (part.file != register_file::address && part.file != register_file::temporary)
        throw shader_error(address, std::string("the index is in ") + file_name(part.file) + ", expected ADDR or TEMP");
    const auto found = storage_.register_of(part.file, part.number);
    if (!found) throw shader_error(address, "the index is an element of an array, expected a TEMP or ADDR of its own");
    return *found + part.component;
}

/// The registers of a TEMP or ADDR that is not in local memory.
registers operand_access::registers_of(const operand& access) const
{
    return from_register(storage_.register_of(access.file, static_cast<unsigned>(access.index.offset)).value());
}

/// Whether a TEMP or ADDR is in local memory. Throws shader_error for an ADDR with a run-time index.
bool operand_access::in_local_memory(const operand& access) const
{
    const auto number = static_cast<unsigned>(access.index.offset);
    if (!is_indirect(access) && storage_.home_of(access.file, number) == nullptr) return false;
    if (access.file == register_file::address)
        throw shader_error(access.at, "ADDR has no array, expected a fixed register");
    return true;
}

void operand_access::check_components(const operand& access, unsigned mask, unsigned has)
{
    for (unsigned c = 0; c < 4; ++c)
        if ((mask & ~has) >> c & 1U)
            throw shader_error(access.at, print(access) + " has no component " + "xyzw"[c] +
                                              ", expected those of its declaration");
}

access_target operand_access::resolve(const operand& access, bool written)
{
    access_target result;
    result.output = access.file == register_file::output;
    result.indirect = is_indirect(access);
    unsigned first = 0;
    if (access.file == register_file::temporary) {
        result.home = result.indirect ? storage_.home_of_array(access.file, access.array)
                                      : storage_.home_of(access.file, static_cast<unsigned>(access.index.offset));
        first = result.home->first;
        result.count = result.home->last - first + 1;
        result.element = static_cast<unsigned>(access.index.offset) - first;
    } else {
        const auto& located = declaration_of(access, stage_.placed);
        result.located = &located;
        result.mask = located.mask;
        result.stride = located.stride;
        result.base = located.base;
        result.patch = located.space == address_space::patch;
        result.by_component = located.declared->by_component;
        first = located.declared->first;
        result.count = located.declared->registers();
        result.element = result.indirect ? 0 : stage_.register_number(access) - first;
        // Inputs do not change, so only a run-time index needs the copy.
        if (result.indirect || access.file != register_file::input) result.home = storage_.home_of(access.file, first);
    }
    if (result.indirect) {
        result.index = index_register(*access.index.indirect, access.at);
        result.shift = access.index.offset - (access.counts_from_array ? 0 : static_cast<int>(first));
    }
    // A thread stores to its own vertex, regardless of the vertex in the text.
    if ((stage_.geometry || stage_.patches) && result.located != nullptr && !written) resolve_vertex(access, result);
    return result;
}

void operand_access::resolve_vertex(const operand& access, access_target& result)
{
    const bool per_vertex = result.located->declared->dimension != declaration::dimension_kind::none;
    const auto file = std::string(file_name(access.file));
    if (per_vertex != access.vertex.has_value())
        throw shader_error(access.at,
                           print(access) + (per_vertex ? " lacks its vertex, expected " + file + "[vertex][register]"
                                                       : " has a vertex, expected " + file + "[register]"));
    if (!access.vertex) return;
    const bool fixed = !access.vertex->indirect;
    if (fixed && stage_.geometry && static_cast<unsigned>(access.vertex->offset) >= stage_.input_vertices())
        throw shader_error(access.at, "vertex " + std::to_string(access.vertex->offset) +
                                          " does not exist, expected one below " +
                                          std::to_string(stage_.input_vertices()));
    if (fixed && !result.output) {
        result.vertex = static_cast<unsigned>(access.vertex->offset);
        result.handle = storage_.handles().at(*result.vertex);
        return;
    }
    unsigned vertex = zero_register;
    if (!fixed) vertex = index_register(*access.vertex->indirect, access.at);
    if (access.vertex->offset != 0) {
        const unsigned sum = scratch_.take();
        write_.add(sum, vertex, access.vertex->offset);
        vertex = sum;
    }
    result.vertex_register = vertex;
    const bool checked = stage_.options.defined && stage_.geometry; // only the draw knows a patch's number of vertices
    const auto check = [&](unsigned predicate) {
        write_.compare(predicate, "LT.U32", vertex, static_cast<int>(stage_.input_vertices()));
    };
    if (result.home != nullptr) { // the copy is read
        if (checked) check(vertex_predicate);
        result.vertex_checked = checked;
        return;
    }
    const unsigned address = scratch_.take();
    if (result.output) { // another thread's vertex, by its lane
        write_.add_registers(address, own_base, vertex);
        result.handle = address;
        return;
    }
    result.handle = scratch_.take();
    write_.add_registers(address, vertex_base, vertex);
    write_.vertex_handle(result.handle, address);
    if (!checked) return;
    check(range_predicate);
    // A handle without a vertex, for which the load returns 0 (HARDWARE.md D.5).
    constexpr word no_vertex = 0x80000000;
    write_.load_word(result.handle, no_vertex, "@!P" + std::to_string(range_predicate) + " ");
}

registers operand_access::load(const operand& access, unsigned mask)
{
    const auto source = resolve(access);
    check_components(access, mask, source.mask);
    return load_element(context(), source, mask);
}

registers operand_access::load_system_value(const operand& access, unsigned mask)
{
    if (is_indirect(access))
        throw shader_error(access.at, print(access) + " is chosen by a register, expected one number, as in SV[0]");
    // allocate() refuses undeclared registers and those without a semantic; only INVOCATIONID has no place.
    const auto* located = access.array != 0
                              ? stage_.placed.find_array(access.file, access.array)
                              : stage_.placed.find(access.file, static_cast<unsigned>(access.index.offset));
    const auto meaning = located != nullptr ? located->meaning : semantic::invocation_id;
    registers where = scratch_.block();
    const auto& known = system_values_of(stage_.kind);
    if (std::find(std::begin(known), std::end(known), meaning) == std::end(known))
        throw shader_error(access.at, std::string(row_of(meaning).name) + " has no value in this stage, expected " +
                                          row_of(known[0]).name + " or " + row_of(known[1]).name);
    if (meaning == semantic::tess_coord) {
        check_components(access, mask, located->mask);
        const unsigned lane = scratch_.take();
        write_.special(lane, "SR_LANEID"); // HARDWARE.md A.2: in the output space, by lane
        for (const auto& each : runs_of(mask, located->base / 4, where))
            write_.load_attribute(each.words, where[each.component], located->base + 4 * each.component, lane, "",
                                  {true, false});
        return where;
    }
    if (located != nullptr) {
        check_components(access, 1U, located->mask);
        write_.load_attribute(1, where[0], located->base, zero_register);
    } else {
        write_.special(where[0], "SR_INVOCATION_ID");
    }
    where.fill(where[0]);
    return where;
}

registers operand_access::load_constant(const operand& access, unsigned mask)
{
    const auto where = scratch_.block();
    unsigned bank = 0;
    if (access.vertex) {
        if (access.vertex->indirect || access.vertex->offset > 17)
            throw shader_error(access.at, print(access) + " has no fixed constant buffer, expected CONST[0..17][…]");
        bank = static_cast<unsigned>(access.vertex->offset);
    }
    unsigned scaled = zero_register;
    if (is_indirect(access)) {
        scaled = scratch_.take();
        write_.multiply(scaled, index_register(*access.index.indirect, access.at), 16);
    }
    for (unsigned c = 0; c < 4; ++c) {
        if ((mask >> c & 1U) == 0) continue;
        const int offset = access.index.offset * 16 + static_cast<int>(4 * c);
        if (offset >= 0x10000)
            throw shader_error(access.at,
                               print(access) + " is beyond the constant buffer, expected a register below 4096");
        if (scaled == zero_register)
            write_.load_constant(where[c], bank, static_cast<unsigned>(offset));
        else
            write_.load_constant_at(where[c], bank, scaled, offset);
    }
    return where;
}

const immediate& operand_access::immediate_of(const operand& access) const
{
    const auto number = static_cast<std::size_t>(access.index.offset);
    if (is_indirect(access) || number >= stage_.program.immediates.size())
        throw shader_error(access.at, print(access) + " is no declared immediate, expected one below " +
                                          std::to_string(stage_.program.immediates.size()));
    return stage_.program.immediates[number];
}

registers operand_access::load_immediate(const operand& access, unsigned mask, const registers* into)
{
    const auto& value = immediate_of(access);
    registers result{};
    std::map<unsigned, unsigned> known;
    const auto block = into == nullptr ? scratch_.block() : *into;
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
    return result;
}

registers operand_access::load_register(const operand& access, unsigned mask)
{
    switch (access.file) {
    case register_file::output:
        if (stage_.kind != processor::tess_control)
            throw shader_error(access.at, print(access) + " is read, expected outputs to be written only");
        return load(access, mask);
    case register_file::input:
        return load(access, mask);
    case register_file::system_value:
        return load_system_value(access, mask);
    case register_file::constant:
        return load_constant(access, mask);
    case register_file::temporary:
    case register_file::address:
        return in_local_memory(access) ? load_element(context(), resolve(access), mask) : registers_of(access);
    default:
        throw shader_error(access.at, print(access) + " can't be read here, expected IN, TEMP, CONST, IMM, SV or ADDR");
    }
}

registers operand_access::fetch(const operand& access, unsigned mask, bool integer, const registers* into)
{
    if (access.file == register_file::immediate)
        return modified(access, mask, integer, load_immediate(access, mask, into));
    unsigned read = 0;
    for (unsigned c = 0; c < 4; ++c)
        if ((mask >> c & 1U) != 0) read |= 1U << access.swizzle(c);
    const auto loaded = load_register(access, read);
    registers result{};
    for (unsigned c = 0; c < 4; ++c)
        if ((mask >> c & 1U) != 0) result[c] = loaded[access.swizzle(c)];
    return modified(access, mask, integer, result);
}

registers operand_access::modified(const operand& access, unsigned mask, bool integer, registers values)
{
    if (!access.negate && !access.absolute) return values;
    if (integer && access.absolute)
        throw shader_error(access.at, "an integer has no absolute value here, expected a plain register");
    const auto where = scratch_.block();
    for (unsigned c = 0; c < 4; ++c) {
        if ((mask >> c & 1U) == 0) continue;
        if (integer) {
            write_.add_registers(where[c], zero_register, values[c], true);
            continue;
        }
        constexpr word sign = 0x80000000;
        if (access.absolute) write_.mask(where[c], values[c], ~sign);
        if (access.negate) write_.flip(where[c], access.absolute ? where[c] : values[c], sign);
    }
    return where;
}

unsigned operand_access::written_components(const operand& destination) const
{
    const unsigned mask = destination.write_mask();
    if (destination.file != register_file::output) return mask;
    const auto& located = declaration_of(destination, stage_.placed);
    if (destination.letters.empty()) return located.mask;
    check_components(destination, mask, located.mask);
    return mask;
}

registers operand_access::result_registers(const instruction& each)
{
    const auto& destination = each.operands.front();
    const bool fixed = destination.file == register_file::temporary || destination.file == register_file::address;
    const auto number = static_cast<unsigned>(destination.index.offset);
    if (fixed && !is_indirect(destination) && storage_.home_of(destination.file, number) == nullptr) {
        const auto reads = [&](const operand& source) {
            if (source.file == destination.file) return true;
            const auto same = [&](const std::optional<indirect_part>& part) {
                return part && part->file == destination.file;
            };
            return same(source.index.indirect) || (source.vertex && same(source.vertex->indirect));
        };
        if (std::none_of(each.operands.begin() + 1, each.operands.end(), reads)) return registers_of(destination);
    }
    if (destination.file == register_file::output && !is_indirect(destination)) {
        const auto& located = declaration_of(destination, stage_.placed);
        return scratch_.block_like(located.address(stage_.register_number(destination), 0));
    }
    return scratch_.block();
}

void operand_access::store(const operand& destination, unsigned mask, const registers& values)
{
    const bool output = destination.file == register_file::output;
    if (!output && destination.file != register_file::temporary && destination.file != register_file::address)
        throw shader_error(destination.at, print(destination) + " can't be written, expected OUT, TEMP or ADDR");
    if (output || in_local_memory(destination))
        return store_element(context(), resolve(destination, true), mask, values);
    move(mask, values, registers_of(destination));
}

void operand_access::move(unsigned mask, const registers& values, const registers& to)
{
    auto sources = values;
    // For a swizzle of the register itself, all components are read before any is written.
    for (unsigned c = 0; c < 4; ++c)
        for (unsigned other = 0; other < c; ++other)
            if ((mask >> c & mask >> other & 1U) != 0 && values[c] == to[other] && values[other] != values[c] &&
                sources == values) {
                sources = scratch_.block();
                for (unsigned k = 0; k < 4; ++k)
                    if ((mask >> k & 1U) != 0) write_.move(sources[k], values[k]);
            }
    for (unsigned c = 0; c < 4; ++c)
        if ((mask >> c & 1U) != 0 && sources[c] != to[c]) write_.move(to[c], sources[c]);
}

} // namespace isbesim::varying
