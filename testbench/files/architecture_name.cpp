// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/architecture_name.h"

#include <array>
#include <iterator>

#include "testbench/files/nearest.h"
#include "tlm/enum_table.h"

namespace isbesim::testbench {

namespace {

constexpr std::array<architecture_row, 5> rows{{{"sm50", isa::architecture::sm50},
                                                {"sm75", isa::architecture::sm75},
                                                {"sm86", isa::architecture::sm86},
                                                {"sm89", isa::architecture::sm89},
                                                {"sm120", isa::architecture::sm120}}};
static_assert(covers_enum<isa::architecture::sm120>(rows, &architecture_row::arch));

} // namespace

const std::vector<architecture_row>& architectures()
{
    static const std::vector<architecture_row> all(rows.begin(), rows.end());
    return all;
}

std::vector<std::string> architecture_names()
{
    std::vector<std::string> names;
    names.reserve(std::size(rows));
    for (const auto& row : rows) names.emplace_back(row.name);
    return names;
}

std::string architecture_expected(std::string_view name)
{
    const bool blackwell = name == "sm100" || name == "sm103" || name == "sm120" || name == "sm121";
    return std::string(blackwell ? ", whose branches, constants and textures have encodings that the model does not "
                                   "have (models/HARDWARE.md, B.2)"
                                 : "") +
           ", expected " + name_list(architecture_names());
}

std::optional<isa::architecture> parse_architecture(std::string_view name)
{
    for (const auto& row : rows) {
        if (name == row.name) return row.arch;
    }
    return std::nullopt;
}

const char* architecture_name(isa::architecture arch)
{
    return rows[static_cast<std::size_t>(arch)].name;
}

} // namespace isbesim::testbench
