#include "models/isa/table.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

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

struct special_name {
    unsigned id;
    const char* name;
};

constexpr special_name special_names[] = {
    {0x00, "SR_LANEID"},        {0x02, "SR_VIRTCFG"},         {0x03, "SR_VIRTID"},          {0x10, "SR_PRIM_TYPE"},
    {0x11, "SR_INVOCATION_ID"}, {0x12, "SR_Y_DIRECTION"},     {0x13, "SR_THREAD_KILL"},     {0x14, "SR_SHADER_TYPE"},
    {0x18, "SR_MACHINE_ID_0"},  {0x19, "SR_MACHINE_ID_1"},    {0x1a, "SR_MACHINE_ID_2"},    {0x1b, "SR_MACHINE_ID_3"},
    {0x1c, "SR_AFFINITY"},      {0x1d, "SR_INVOCATION_INFO"}, {0x1e, "SR_WSCALEFACTOR_XY"}, {0x1f, "SR_WSCALEFACTOR_Z"},
    {0x20, "SR_TID"},           {0x21, "SR_TID.X"},           {0x22, "SR_TID.Y"},           {0x23, "SR_TID.Z"},
    {0x24, "SR_CTA_PARAM"},     {0x25, "SR_CTAID.X"},         {0x26, "SR_CTAID.Y"},         {0x27, "SR_CTAID.Z"},
    {0x28, "SR_NTID"},          {0x38, "SR_EQMASK"},          {0x39, "SR_LTMASK"},          {0x3a, "SR_LEMASK"},
    {0x3b, "SR_GTMASK"},        {0x3c, "SR_GEMASK"},          {0x50, "SR_CLOCKLO"},         {0x51, "SR_CLOCKHI"},
};

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

std::string special_register_name(unsigned id)
{
    for (const auto& entry : special_names)
        if (entry.id == id) return entry.name;
    char text[16];
    std::snprintf(text, sizeof text, "SR_0x%02x", id);
    return text;
}

int special_register_id(const std::string& name)
{
    for (const auto& entry : special_names)
        if (name == entry.name) return static_cast<int>(entry.id);
    if (name.rfind("SR_0x", 0) == 0) {
        const unsigned long id = std::strtoul(name.c_str() + 3, nullptr, 16);
        if (id < 256) return static_cast<int>(id);
    }
    return -1;
}

} // namespace isbesim::isa
