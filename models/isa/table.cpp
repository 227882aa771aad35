#include "models/isa/table.h"

#include <algorithm>

#include "models/isa/sm50_rows.h"

namespace isbesim::isa {

namespace {

std::vector<opcode_row> sm50_table()
{
    std::vector<opcode_row> rows;
    sm50::add_attribute_rows(rows);
    sm50::add_move_rows(rows);
    sm50::add_float_rows(rows);
    sm50::add_integer_rows(rows);
    sm50::add_bit_rows(rows);
    sm50::add_memory_rows(rows);
    sm50::add_conversion_rows(rows);
    sm50::add_double_rows(rows);
    sm50::add_flow_rows(rows);
    return rows;
}

} // namespace

const std::vector<opcode_row>& instruction_table(architecture arch)
{
    static const std::vector<opcode_row> sm50 = sm50_table();
    static const std::vector<opcode_row> none;
    return arch == architecture::sm50 ? sm50 : none;
}

bool choices::contains(std::uint64_t value) const
{
    for (const auto& candidate : *this)
        if (candidate.value == value) return true;
    return false;
}

const opcode_row* find_row(architecture arch, const encoding& word)
{
    const auto legal = [&](const modifier_spec& modifier) {
        return modifier.values.contains(get_field(word, modifier.bits));
    };
    for (const auto& row : instruction_table(arch))
        if ((word[0] & row.mask[0]) == (row.match[0] & row.mask[0]) &&
            (word[1] & row.mask[1]) == (row.match[1] & row.mask[1]) &&
            std::all_of(row.modifiers.begin(), row.modifiers.end(), legal))
            return &row;
    return nullptr;
}

field guard_field(architecture arch)
{
    return arch == architecture::sm50 ? field{16, 3} : field{12, 3};
}

unsigned guard_not_bit(architecture arch)
{
    return arch == architecture::sm50 ? 19 : 15;
}

} // namespace isbesim::isa
