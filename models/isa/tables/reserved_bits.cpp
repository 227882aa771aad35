#include "models/isa/tables/reserved_bits.h"

#include <algorithm>

namespace isbesim::isa {

namespace {

constexpr encoding opcode_field(architecture arch)
{
    constexpr unsigned uniform = 91;
    if (arch == architecture::sm50) return {~std::uint64_t{0} << 51, 0};
    return {0xfff, std::uint64_t{1} << (uniform - 64)};
}

/// Whether no opcode bit that both rows fix tells them apart.
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

} // namespace

void find_reserved_bits(architecture arch, std::vector<opcode_row>& rows)
{
    const encoding opcode = opcode_field(arch);
    for (auto& row : rows)
        for (std::size_t i = 0; i < 2; ++i)
            row.reserved[i] = row.mask[i] & ~row.match[i] & ~row.meaning[i] & ~opcode[i];
    for (auto& row : rows)
        for (const auto& other : rows) {
            if (!share_opcode(row, other, opcode)) continue;
            for (std::size_t i = 0; i < 2; ++i) row.reserved[i] &= (other.mask[i] | other.ignored[i]) & ~other.match[i];
        }
}

const opcode_row* find_row_beside_reserved(const std::vector<opcode_row>& rows, const encoding& word)
{
    const opcode_row* best = nullptr;
    unsigned fewest = ~0U;
    for (const auto& row : rows) {
        encoding extra{};
        bool fits = true;
        for (std::size_t i = 0; i < 2; ++i) {
            extra[i] = (word[i] ^ row.match[i]) & row.mask[i];
            fits = fits && (extra[i] & ~row.reserved[i]) == 0;
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
