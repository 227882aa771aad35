// SPDX-License-Identifier: Apache-2.0
#include "models/isa/special_register.h"

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <system_error>

namespace isbesim::isa {

namespace {

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
    {0x3b, "SR_GTMASK"},        {0x3c, "SR_GEMASK"},          {0x43, "SR_VIRTUALSMID"},     {0x50, "SR_CLOCKLO"},
    {0x51, "SR_CLOCKHI"},       {0x52, "SR_GLOBALTIMERLO"},   {0x53, "SR_GLOBALTIMERHI"},   {0xff, "SRZ"},
};

} // namespace

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
    if (name.rfind("SR_0x", 0) != 0) return -1;
    std::uint8_t id = 0;
    const char* const end = name.data() + name.size();
    const auto read = std::from_chars(name.data() + 5, end, id, 16);
    return read.ec == std::errc() && read.ptr == end ? id : -1;
}

} // namespace isbesim::isa
