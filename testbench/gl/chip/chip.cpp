// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/chip/chip.h"

#include <algorithm>

#include "testbench/system/known_chips.h"

namespace isbesim::gl {

const std::vector<chip>& chips()
{
    using isa::architecture;
    static const std::vector<chip> own = {
        {"gm107", 0x117, 0x1380, architecture::sm50, 80, false, 0x1f00, {0xb097, 0xb0c0, 0xa0b5, 0xb0b5}},
        {"gm200", 0x120, 0x17c2, architecture::sm50, 80, false, 0x1f00, {0xb197, 0xb1c0, 0xb0b5}},
        {"gp102", 0x132, 0x1b06, architecture::sm50, 80, false, 0x1f00, {0xc197, 0xc1c0, 0xc0b5, 0xc1b5}},
        {"gv100", 0x140, 0x1d81, architecture::sm75, 80, true, 0x1f00, {0xc397, 0xc3c0, 0xc3b5}},
        {"tu102", 0x162, 0x1e04, architecture::sm75, 128, true, 0x0600, {0xc597, 0xc5c0, 0xc5b5}},
        {"tu106", 0x166, 0x1f36, architecture::sm75, 128, true, 0x0600, {0xc597, 0xc5c0, 0xc5b5}},
        {"ga102", 0x172, 0x2204, architecture::sm86, 128, true, 0x0600, {0xc797, 0xc7c0, 0xc6b5, 0xc7b5}},
        {"ad102", 0x192, 0x2684, architecture::sm89, 128, true, 0x0600, {0xc997, 0xc9c0, 0xc7b5}},
        {"gb202", 0x1b2, 0x2b85, architecture::sm120, 128, true, 0x0600, {0xce97, 0xcec0, 0xcab5}},
    };
    static const std::vector<chip> all = [] {
        auto result = own;
        for (const auto& each : testbench::known_chips()) {
            auto like = *std::find_if(own.begin(), own.end(),
                                      [&](const chip& one) { return std::string(each.base) == one.name; });
            like.name = each.name;
            like.chipset = each.chipset;
            like.device_id = each.device_id;
            result.push_back(like);
        }
        return result;
    }();
    return all;
}

std::vector<std::uint32_t> classes_of(const chip& chip)
{
    auto result = chip.classes;
    result.insert(result.end(), {0xa140, 0x902d}); // uploads and 2D, since Kepler
    return result;
}

const chip* find_chip(const std::string& name)
{
    for (const auto& each : chips())
        if (name == each.name) return &each;
    return nullptr;
}

} // namespace isbesim::gl
