// SPDX-License-Identifier: Apache-2.0
#include "models/isa/tables/table.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/isa/latency.h"
#include "models/isa/tables/sm50_rows.h"
#include "models/isa/tables/sm75_rows.h"

namespace isbesim::isa {
namespace {

constexpr std::size_t row_room = 640; ///< so that no rows move while a table is built

std::vector<opcode_row> sm50_table()
{
    std::vector<opcode_row> rows;
    rows.reserve(row_room);
    sm50::add_attribute_rows(rows);
    sm50::add_move_rows(rows);
    sm50::add_float_rows(rows);
    sm50::add_integer_rows(rows);
    sm50::add_bit_rows(rows);
    sm50::add_memory_rows(rows);
    sm50::add_conversion_rows(rows);
    sm50::add_double_rows(rows);
    sm50::add_flow_rows(rows);
    sm50::add_call_rows(rows);
    sm50::add_global_rows(rows);
    sm50::add_texture_rows(rows);
    return rows;
}

std::vector<opcode_row> sm75_table(architecture arch)
{
    std::vector<opcode_row> rows;
    rows.reserve(row_room);
    sm75::add_attribute_rows(rows, arch);
    sm75::add_move_rows(rows);
    sm75::add_float_rows(rows);
    sm75::add_integer_rows(rows, arch);
    sm75::add_bit_rows(rows);
    sm75::add_half_rows(rows);
    sm75::add_memory_rows(rows, arch);
    sm75::add_conversion_rows(rows);
    sm75::add_flow_rows(rows, arch);
    sm75::add_call_rows(rows);
    sm75::add_global_rows(rows, arch);
    sm75::add_texture_rows(rows, arch);
    sm75::add_uniform_rows(rows, arch);
    if (arch != architecture::sm75) sm75::add_ampere_rows(rows, arch);
    if (arch == architecture::sm120) sm75::remove_constant_forms(rows);
    assign_pipes(arch, rows);
    return rows;
}

/// The bits of a row's fields; two fields that share a bit are an error in the row.
class coverage {
public:
    explicit coverage(const opcode_row& row) : row_(row) {}
    void add(field bits)
    {
        if (bits.width() == 0) return;
        encoding these{};
        set_field(these, bits, ~std::uint64_t{0});
        if ((taken_[0] & these[0]) != 0 || (taken_[1] & these[1]) != 0)
            throw std::logic_error(std::string(row_.mnemonic) + ": two fields overlap");
        taken_ = {taken_[0] | these[0], taken_[1] | these[1]};
    }
    void add(std::uint8_t bit)
    {
        if (bit != no_bit) add(field{bit, 1});
    }
    const encoding& taken() const { return taken_; }

private:
    const opcode_row& row_;
    encoding taken_{};
};

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

/// Whether all modifiers of the row have a value that their lists name.
bool modifiers_are_known(const opcode_row& row, const encoding& word)
{
    return std::all_of(row.modifiers.begin(), row.modifiers.end(), [&](const modifier_spec& modifier) {
        return modifier.values.contains(get_field(word, modifier.bits));
    });
}

/// The row that a word matches apart from reserved bits, or null.
const opcode_row* find_row_ignoring_reserved(architecture arch, const encoding& word)
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

} // namespace

const std::vector<opcode_row>& instruction_table(architecture arch)
{
    if (arch == architecture::sm50) {
        static const auto sm50 = sm50_table();
        return sm50;
    }
    if (arch == architecture::sm75) {
        static const auto sm75 = sm75_table(arch);
        return sm75;
    }
    if (arch == architecture::sm120) {
        static const auto sm120 = sm75_table(arch);
        return sm120;
    }
    static const auto later = sm75_table(architecture::sm86); // and SM89, equal in everything that is modelled
    return later;
}

void append_row(std::vector<opcode_row>& out, architecture arch, const encoding& opcode, opcode_row row)
{
    coverage covered(row);
    for (const auto& modifier : row.modifiers) covered.add(modifier.bits);
    for (const auto& spec : row.operands) {
        if (!spec.same_register) covered.add(spec.bits);
        for (const field bits : {spec.base, spec.uniform, spec.bank, spec.part}) covered.add(bits);
        for (const std::uint8_t bit : {spec.negate, spec.absolute, spec.invert, spec.cc}) covered.add(bit);
    }
    if (row.guarded) {
        covered.add(guard_field(arch));
        covered.add(static_cast<std::uint8_t>(guard_not_bit(arch)));
    }
    const encoding used = instruction_mask(arch);
    for (std::size_t i = 0; i < 2; ++i) {
        row.mask[i] = used[i] & ~(covered.taken()[i] | row.ignored[i]);
        row.match[i] = opcode[i];
        if ((opcode[i] & covered.taken()[i]) != 0)
            throw std::logic_error(std::string(row.mnemonic) + ": an opcode bit lies inside a field");
    }
    out.push_back(std::move(row));
}

const opcode_row* find_row(architecture arch, const encoding& word)
{
    for (const auto& row : instruction_table(arch))
        if ((word[0] & row.mask[0]) == (row.match[0] & row.mask[0]) &&
            (word[1] & row.mask[1]) == (row.match[1] & row.mask[1]) && modifiers_are_known(row, word))
            return &row;
    return find_row_ignoring_reserved(arch, word);
}

field guard_field(architecture arch)
{
    return arch == architecture::sm50 ? field{16, 3} : field{12, 3};
}

unsigned guard_not_bit(architecture arch)
{
    return arch == architecture::sm50 ? 19 : 15;
}

encoding reserved_bits(architecture arch, const opcode_row& row)
{
    return reserved_bits(arch)[static_cast<std::size_t>(&row - instruction_table(arch).data())];
}

} // namespace isbesim::isa
