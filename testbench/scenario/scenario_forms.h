// SPDX-License-Identifier: Apache-2.0
// The keys of a scenario, object by object: the only list, for the reader and `isbesim help schema scenario`.
#pragma once

#include "testbench/files/object_form.h"

namespace isbesim::testbench {

/// Range of indices and first vertices.
inline constexpr integer_range any_word{0, 0xffffffffU};
/// The largest magnitude of tolerances and tessellation levels.
inline constexpr double most_real = 1e30;

const object_form& scenario_form();
const object_form& stages_form();
const object_form& stage_form();
/// For all topologies but mesh, and for mesh.
const object_form& draw_form();
const object_form& mesh_draw_form();
const object_form& tessellation_form();
const object_form& task_form();
const object_form& mesh_form();
const object_form& mesh_methods_form();
const object_form& per_primitive_form();
const object_form& attribute_form();
const object_form& capture_form();
const object_form& memory_form();
const object_form& expect_memory_form();
const object_form& library_form();
const object_form& textures_form();
const object_form& texture_table_form();
const object_form& uniform_form();
const object_form& uniform_place_form();
const object_form& windows_form();

/// The schema of the whole file.
boost::json::object scenario_schema();

} // namespace isbesim::testbench
