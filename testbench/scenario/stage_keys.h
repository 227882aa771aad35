// SPDX-License-Identifier: Apache-2.0
// The keys of "stages", with the shader types of the stages' headers.
#pragma once

#include "models/isbe/functional/names.h"
#include "models/pe/front_end/draw.h"

namespace isbesim::testbench {

struct stage_key {
    const char* name;
    isbesim::stage stage;
    isbesim::shader_type type;
};
inline constexpr stage_key stage_keys[] = {
    {name_of(stage::vertex_a), stage::vertex_a, shader_type::vertex},
    {name_of(stage::vertex), stage::vertex, shader_type::vertex},
    {name_of(stage::geometry), stage::geometry, shader_type::geometry},
    {name_of(stage::tess_init), stage::tess_init, shader_type::tess_init},
    {name_of(stage::tess), stage::tess, shader_type::tess},
    {name_of(stage::task), stage::task, shader_type::vertex},
    {name_of(stage::mesh), stage::mesh, shader_type::vertex},
};

} // namespace isbesim::testbench
