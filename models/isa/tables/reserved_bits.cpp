// SPDX-License-Identifier: Apache-2.0
#include "models/isa/tables/reserved_bits.h"

#include <algorithm>
#include <vector>

namespace isbesim::isa {

namespace {

constexpr encoding opcode_field(architecture arch)
{
    constexpr unsigned uniform = 91;
    if (arch == architecture::sm50) return {~std::uint64_t{0} << 51, 0};
    return {0xfff, std::uint64_t{1} << (uniform - 64)};
}

/// Whether the rows agree in all opcode bits that both fix.
bool share_opcode(const opcode_row& a, const opcode_row& b, const encoding& opcode)
{
    for (std::size_t i = 0; i < 2; ++i)
        if (((a.match[i] ^ b.match[i]) & opcode[i] & a.mask[i] & b.mask[i]) != 0) return false;
    return true;
}

unsigned count(const encoding& bits)
{
    return static_cast<unsigned>(__builtin_popcountll(bits[0]) + __builtin_popcountll(bits[1]));
}

std::vector<encoding> find_reserved_bits(architecture arch)
{
    const auto& rows = instruction_table(arch);
    const encoding opcode = opcode_field(arch);
    std::vector<encoding> reserved;
    reserved.reserve(rows.size());
    for (const auto& row : rows) {
        auto& bits = reserved.emplace_back();
        for (std::size_t i = 0; i < 2; ++i) bits[i] = row.mask[i] & ~row.match[i] & ~row.meaning[i] & ~opcode[i];
        for (const auto& other : rows) {
            if (!share_opcode(row, other, opcode)) continue;
            for (std::size_t i = 0; i < 2; ++i) bits[i] &= (other.mask[i] | other.ignored[i]) & ~other.match[i];
        }
    }
    return reserved;
}

template <architecture arch>
const std::vector<encoding>& bits_of_rows()
{
    static const auto found = find_reserved_bits(arch);
    return found;
}

/// For all rows, in their order. Computed for the first word that needs it: few programs have such a word.
const std::vector<encoding>& reserved_bits(architecture arch)
{
    return arch == architecture::sm50    ? bits_of_rows<architecture::sm50>()
           : arch == architecture::sm75  ? bits_of_rows<architecture::sm75>()
           : arch == architecture::sm120 ? bits_of_rows<architecture::sm120>()
                                         : bits_of_rows<architecture::sm86>();
}

} // namespace

encoding reserved_bits(architecture arch, const opcode_row& row)
{
    return reserved_bits(arch)[static_cast<std::size_t>(&row - instruction_table(arch).data())];
}

const opcode_row* find_row_beside_reserved(architecture arch, const encoding& word)
{
    const auto& rows = instruction_table(arch);
    const auto& reserved = reserved_bits(arch);
    const opcode_row* best = nullptr;
    unsigned fewest = ~0U;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const auto& row = rows[k];
        encoding extra{};
        bool fits = true;
        for (std::size_t i = 0; i < 2; ++i) {
            extra[i] = (word[i] ^ row.match[i]) & row.mask[i];
            fits = fits && (extra[i] & ~reserved[k][i]) == 0;
        }
        if (!fits || !modifiers_are_known(row, word) || count(extra) >= fewest) continue;
        best = &row;
        fewest = count(extra);
    }
    return best;
}

bool modifiers_are_known(const opcode_row& row, const encoding& word)
{
    return std::all_of(row.modifiers.begin(), row.modifiers.end(), [&](const modifier_spec& modifier) {
        return modifier.values.contains(get_field(word, modifier.bits));
    });
}

} // namespace isbesim::isa
