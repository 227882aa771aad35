// SPDX-License-Identifier: Apache-2.0
#include "models/varying/allocation/allocation.h"

#include <algorithm>
#include <array>

#include "models/attribute/attribute_map.h"
#include "models/attribute/bit_count.h"
#include "models/varying/allocation/placement.h"
#include "tlm/hex.h"

namespace isbesim::varying {

namespace {

std::string scalar_name(address_space space, unsigned address)
{
    return (space == address_space::patch ? patch_attribute_name(address) : attribute_name(address)) + " (" +
           hex(address) + ")";
}

bool is_varying(register_file file)
{
    return file == register_file::input || file == register_file::output || file == register_file::system_value;
}

/// True for x, xy, xyz and xyzw. Other masks select components of whole vectors of four.
bool is_vector(unsigned mask)
{
    return (mask & (mask + 1)) == 0;
}

unsigned lowest(unsigned mask)
{
    unsigned component = 0;
    while ((mask >> component & 1U) == 0) ++component;
    return component;
}

unsigned highest(unsigned mask)
{
    unsigned component = 0;
    while (mask >> (component + 1) != 0) ++component;
    return component;
}

/// The declaration that occupies each scalar of one direction, by byte address / 4.
using occupancy = std::array<const located_declaration*, attribute_ids>;

class allocator {
public:
    explicit allocator(const shader& program) : program_(program), kind_(program.effective_kind()) {}

    allocation run()
    {
        result_.declarations.reserve(program_.declarations.size()); // occupancies point into it
        for (const auto& each : program_.declarations)
            if (is_varying(each.file) && has_place(each)) locate(each);
        pack();
        for (const auto& each : result_.declarations) note(each);
        for (const auto& each : program_.instructions)
            for (const auto& access : each.operands)
                if (access.word.empty() && is_varying(access.file)) check_access(access);
        return std::move(result_);
    }

private:
    [[noreturn]] static void fail(const declaration& declared, const std::string& text)
    {
        throw shader_error(declared.at, text);
    }

    bool has_place(const declaration& each) const
    {
        if (kind_ == processor::fragment && each.file == register_file::output) return false; // colour registers
        if (!each.meaning) {
            if (each.file == register_file::system_value)
                fail(each, "SV[" + std::to_string(each.first) + "] has no semantic, expected one like INSTANCEID");
            return true;
        }
        const auto& row = row_of(*each.meaning);
        if (each.file == register_file::system_value && row.id == semantic::invocation_id) return false;
        if (row.space == address_space::none)
            fail(each, std::string(row.name) + " has no attribute address: " + row.reason +
                           ", expected a semantic that has one");
        if (row.id == semantic::face && !(kind_ == processor::fragment && each.file != register_file::output))
            fail(each, "FACE has no attribute address here: it is an input of fragment programs, expected a semantic "
                       "that has one");
        const bool tess =
            kind_ == processor::tess_control || (kind_ == processor::tess_eval && each.file != register_file::output);
        if (row.space == address_space::patch && !tess)
            fail(each, std::string(row.name) +
                           " lives in the patch space, which only TESS_CTRL and inputs of TESS_EVAL "
                           "reach, expected another semantic");
        return true;
    }

    void check_dimension(const declaration& each) const
    {
        if (each.dimension == declaration::dimension_kind::none) return;
        const bool input =
            each.file == register_file::input &&
            (kind_ == processor::geometry || kind_ == processor::tess_control || kind_ == processor::tess_eval);
        const bool output = each.file == register_file::output && kind_ == processor::tess_control;
        if (!input && !output)
            fail(each, describe(each) + " has a vertex dimension, expected one only for inputs of GEOM, TESS_CTRL and "
                                        "TESS_EVAL and outputs of TESS_CTRL");
    }

    void locate(const declaration& each)
    {
        check_dimension(each);
        check_registers(each);
        located_declaration located;
        located.declared = &each;
        located.meaning = each.meaning.value_or(semantic::generic);
        const auto& row = row_of(located.meaning);
        located.space = row.space;
        located.mask = each.mask != 0 ? each.mask : (1U << std::min(4U, row.capacity)) - 1;
        located.stride = is_vector(located.mask) && !each.last_index ? 4 * bit_count(located.mask) : 16;
        if (each.by_component && located.stride != 4 * bit_count(located.mask))
            fail(each, describe(each) + " has gaps between its components, which COMPONENT_INDEX counts, expected "
                                        "whole vectors, or .x, .xy or .xyz after one semantic index");
        if (each.anywhere) {
            if (!is_vector(located.mask))
                fail(each, describe(each) + " picks components, expected .x, .xy, .xyz or all");
            if (waiting_.size() > std::size_t{2} * row.capacity)
                fail(each, describe(each) + ": more declarations than GENERIC has components, expected fewer");
            waiting_.push_back(result_.declarations.size());
            result_.declarations.push_back(located);
            return;
        }
        // Vertex attributes carry no semantic: register i is generic attribute i.
        const unsigned index = each.meaning ? each.index : each.first;
        const int first = first_component(each, located.mask);
        if (each.last_index && first + static_cast<int>(highest(located.mask)) > 3)
            fail(each, describe(each) + " has an index for every register, which these components go beyond, expected "
                                        "at most 4 from the first one on");
        // The scalar of component x, even if the mask lacks it.
        const auto begin = static_cast<std::int64_t>(std::uint64_t{4} * index) + first;
        const auto end = begin + static_cast<std::int64_t>(std::uint64_t{each.registers() - 1} * (located.stride / 4) +
                                                           highest(located.mask) + 1);
        if (end > row.capacity) too_many(each, row, begin + lowest(located.mask), end);
        const auto base = row.address + begin * 4;
        if (base < 0)
            fail(each,
                 describe(each) + " leaves no room for the components before its mask, expected a mask from .x on");
        located.base = static_cast<unsigned>(base);
        result_.declarations.push_back(located);
        occupy(result_.declarations.back());
    }

    /// Component of the semantic index in which component x of register `first` lies: before the index if the first
    /// component of the mask is named at an earlier one.
    static int first_component(const declaration& each, unsigned mask)
    {
        if (each.fraction == 0) return 0;
        const unsigned low = lowest(each.fraction);
        const unsigned named = bit_count(each.fraction);
        const bool run = is_vector(each.fraction >> low);
        if (!is_vector(mask >> lowest(mask)) || !run || (named != 1 && named != bit_count(mask)))
            fail(each, describe(each) + ": the components after the semantic index don't fit those of the register, "
                                        "expected the first one or as many in a row");
        return static_cast<int>(low) - static_cast<int>(lowest(mask));
    }

    void check_registers(const declaration& each) const
    {
        for (const auto& other : result_.declarations) {
            const auto& before = *other.declared;
            const unsigned mask = each.mask == 0 ? 0xfU : each.mask;
            if (before.file == each.file && before.first <= each.last && each.first <= before.last &&
                (other.mask & mask) != 0)
                fail(each, describe(each) + " declares registers of " + describe(before) + " again, expected others");
        }
    }

    [[noreturn]] void too_many(const declaration& each, const semantic_row& row, std::int64_t begin,
                               std::int64_t end) const
    {
        auto text = describe(each) + " needs " + std::to_string(end - begin) + " components from number " +
                    std::to_string(begin) + " on, " + row.name + " has " + std::to_string(row.capacity);
        const located_declaration* last = nullptr;
        for (const auto& other : result_.declarations)
            if (other.meaning == row.id && other.declared->file == each.file &&
                (last == nullptr || other.base > last->base))
                last = &other;
        if (last != nullptr) text += " (" + describe(*last->declared) + " is there, too)";
        fail(each, text + ": " + std::to_string(end - row.capacity) + " too many, expected fewer");
    }

    occupancy& taken(const located_declaration& each)
    {
        const bool output = each.declared->file == register_file::output;
        return taken_[(output ? 1U : 0U) + (each.space == address_space::patch ? 2U : 0U)];
    }

    void occupy(const located_declaration& each)
    {
        auto& places = taken(each);
        for (unsigned number = each.declared->first; number <= each.declared->last; ++number)
            for (unsigned c = 0; c < 4; ++c) {
                if (!each.has(number, c)) continue;
                const unsigned address = each.address(number, c);
                auto*& owner = places[address / 4];
                if (owner != nullptr)
                    fail(*each.declared, describe(*each.declared) + " overlaps " + describe(*owner->declared) + " at " +
                                             scalar_name(each.space, address) + ", expected places of their own");
                owner = &each;
            }
    }

    /// Places the GENERIC[] declarations in the holes between the others, per direction.
    void pack()
    {
        for (const auto file : {register_file::input, register_file::output}) {
            std::vector<located_declaration*> runs;
            std::vector<unsigned> sizes;
            for (const auto i : waiting_) {
                auto& each = result_.declarations[i];
                if ((each.declared->file == register_file::output) != (file == register_file::output)) continue;
                runs.push_back(&each);
                sizes.push_back(each.declared->registers() * (each.stride / 4));
            }
            if (!runs.empty()) pack(runs, sizes);
        }
    }

    void pack(const std::vector<located_declaration*>& runs, const std::vector<unsigned>& sizes)
    {
        const auto& row = row_of(semantic::generic);
        const auto& places = taken(*runs.front());
        std::vector<hole> holes;
        std::uint64_t room = 0;
        const declaration* other = nullptr;
        for (unsigned i = 0; i < row.capacity; ++i) {
            if (const auto* owner = places[row.address / 4 + i]) {
                other = owner->declared;
                continue;
            }
            ++room;
            if (holes.empty() || holes.back().end != i) holes.push_back({i, i});
            holes.back().end = i + 1;
        }
        std::uint64_t needed = 0;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            needed += sizes[i];
            if (needed <= room) continue;
            for (std::size_t k = i + 1; k < runs.size(); ++k) needed += sizes[k];
            if (i > 0) other = runs[i - 1]->declared;
            const auto& each = *runs[i]->declared;
            fail(each, describe(each) + (other != nullptr ? " and " + describe(*other) + " are" : " is") +
                           " too large together with the other GENERIC declarations: " +
                           std::to_string(needed + row.capacity - room) + " components, GENERIC has " +
                           std::to_string(row.capacity) + ": " + std::to_string(needed - room) +
                           " too many, expected fewer");
        }
        const auto begins = place_runs(holes, sizes);
        if (!begins) {
            const auto largest = static_cast<std::size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
            const auto& each = *runs[largest]->declared;
            fail(each, describe(each) + " finds no hole of " + std::to_string(sizes[largest]) + " components between " +
                           describe(*other) + " and the others, though " + std::to_string(room) +
                           " are free, expected " + "fixed places that leave longer holes");
        }
        for (std::size_t i = 0; i < runs.size(); ++i) {
            runs[i]->base = row.address + 4 * (*begins)[i];
            occupy(*runs[i]);
        }
    }

    void note(const located_declaration& each)
    {
        // A TESS_EVAL thread finds its coordinate among its own outputs (HARDWARE.md A.2).
        const bool own = kind_ == processor::tess_eval && each.meaning == semantic::tess_coord && is_system_value(each);
        auto& set = own || each.declared->file == register_file::output ? result_.outputs : result_.inputs;
        for (unsigned number = each.declared->first; number <= each.declared->last; ++number)
            for (unsigned c = 0; c < 4; ++c) {
                if (!each.has(number, c)) continue;
                const unsigned id = each.address(number, c) / 4;
                if (each.space == address_space::attribute)
                    set.insert(id);
                else
                    result_.patch_words = std::max({result_.patch_words, id + 1, 6U}); // the levels are always present
            }
    }

    static bool is_system_value(const located_declaration& each)
    {
        return each.declared->file == register_file::system_value;
    }

    void check_access(const operand& access) const
    {
        const auto& file = access.file;
        if (file == register_file::output && kind_ == processor::fragment) return;
        if (file == register_file::system_value &&
            result_.find(file, static_cast<unsigned>(access.index.offset)) == nullptr) {
            const auto found =
                std::any_of(program_.declarations.begin(), program_.declarations.end(), [&](const auto& each) {
                    return each.file == file && each.first <= static_cast<unsigned>(access.index.offset) &&
                           static_cast<unsigned>(access.index.offset) <= each.last;
                });
            if (found) return; // a system register
        }
        declaration_of(access, result_);
    }

    const shader& program_;
    processor kind_;
    allocation result_;
    std::array<occupancy, 4> taken_{};
    std::vector<std::size_t> waiting_;
};

[[noreturn]] void refuse_ambiguous(const operand& access, const allocation& placed)
{
    std::string bases;
    for (const auto& each : placed.declarations) {
        if (each.declared->file != access.file) continue;
        bases += (bases.empty() ? "" : " or ") + hex(each.base) + " of " + describe(*each.declared);
    }
    auto resolved = access;
    resolved.array = 1;
    resolved.counts_from_array = true;
    throw shader_error(access.at, print(access) + " is ambiguous: its base may be " +
                                      (bases.empty() ? std::string("anything") : bases) +
                                      ", expected an array that is declared with ARRAY(n), as in " + print(resolved));
}

} // namespace

allocation allocate(const shader& program)
{
    return allocator(program).run();
}

const located_declaration* allocation::find(register_file file, unsigned number, unsigned component) const
{
    for (const auto& each : declarations)
        if (each.declared->file == file && each.has(number, component)) return &each;
    return nullptr;
}

const located_declaration* allocation::find(register_file file, unsigned number) const
{
    for (const auto& each : declarations)
        if (each.declared->file == file && number >= each.declared->first && number <= each.declared->last)
            return &each;
    return nullptr;
}

const located_declaration* allocation::find_array(register_file file, unsigned array) const
{
    for (const auto& each : declarations)
        if (each.declared->file == file && each.declared->array == array) return &each;
    return nullptr;
}

std::vector<component_place> allocation::components() const
{
    std::vector<component_place> result;
    for (const auto& each : declarations) {
        const auto& row = row_of(each.meaning);
        for (unsigned number = each.declared->first; number <= each.declared->last; ++number)
            for (unsigned c = 0; c < 4; ++c) {
                if (!each.has(number, c)) continue;
                const unsigned address = each.address(number, c);
                result.push_back({&each, number, c, address, (address - row.address) / 16});
            }
    }
    return result;
}

const located_declaration& declaration_of(const operand& access, const allocation& placed)
{
    if (access.array != 0) {
        const auto* array = placed.find_array(access.file, access.array);
        if (array == nullptr)
            throw shader_error(access.at, print(access) + ": no " + file_name(access.file) + " declaration has ARRAY(" +
                                              std::to_string(access.array) + "), expected one");
        if (access.index.indirect) return *array;
        const int last = static_cast<int>(array->declared->last);
        const int number =
            access.index.offset + (access.counts_from_array ? static_cast<int>(array->declared->first) : 0);
        if (number < static_cast<int>(array->declared->first) || number > last)
            throw shader_error(access.at, print(access) + " lies outside " + describe(*array->declared) +
                                              ", expected a register of the array");
        return *array;
    }
    if (access.index.indirect) refuse_ambiguous(access, placed);
    const auto* found = placed.find(access.file, static_cast<unsigned>(access.index.offset));
    if (found == nullptr)
        throw shader_error(access.at, print(access) + " is not declared, expected DCL " + file_name(access.file) + "[" +
                                          std::to_string(access.index.offset) + "], … before");
    return *found;
}

} // namespace isbesim::varying
