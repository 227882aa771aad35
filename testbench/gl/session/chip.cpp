#include "testbench/gl/session/chip.h"

namespace isbesim::gl {

const std::vector<chip>& chips()
{
    using isa::architecture;
    static const std::vector<chip> table = {
        {"gm107", 0x117, 0x1380, architecture::sm50, 80, false, 0x1f00},
        {"gm200", 0x120, 0x17c2, architecture::sm50, 80, false, 0x1f00},
        {"gp102", 0x132, 0x1b06, architecture::sm50, 80, false, 0x1f00},
        {"gv100", 0x140, 0x1d81, architecture::sm75, 80, true, 0x1f00},
        {"tu102", 0x162, 0x1e04, architecture::sm75, 128, true, 0x0600},
    };
    return table;
}

const chip* find_chip(const std::string& name)
{
    for (const auto& each : chips())
        if (name == each.name) return &each;
    return nullptr;
}

} // namespace isbesim::gl
