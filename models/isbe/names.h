// Names of opcodes, stages, spaces, regions and address forms as reports, scenarios and coverage bins spell them: one
// list, indexed by the enum's value.
#pragma once

#include <array>

#include "models/isbe/context.h"
#include "tlm/warp_op.h"

namespace isbesim {

inline constexpr std::array<const char*, opcode_count> opcode_names{"ald",    "ast",    "al2p", "out",
                                                                    "isberd", "isbewr", "bind"};
inline constexpr std::array<const char*, stage_count> stage_names{"none", "vertex_a", "vertex", "tess_init",
                                                                  "tess", "geometry", "task",   "mesh"};
inline constexpr std::array space_names{"input", "output"};
inline constexpr std::array region_names{"map", "patch", "prim", "attr", "physical"};
inline constexpr std::array form_names{"logical", "patch", "phys"};

constexpr const char* name_of(opcode op)
{
    return opcode_names[static_cast<unsigned>(op)];
}
constexpr const char* name_of(stage s)
{
    return stage_names[static_cast<unsigned>(s)];
}

} // namespace isbesim
