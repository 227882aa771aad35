// SPDX-License-Identifier: Apache-2.0
// The keys of a scenario, object by object: the only list, for reader, writer, captures, digests and `isbesim help
// schema scenario`.
#pragma once

#include <map>
#include <string>

#include "models/pe/front_end/draw.h"
#include "testbench/files/object_form.h"

namespace isbesim::testbench {

/// Bound of indices and first vertices.
inline constexpr std::uint64_t most_word = 0xffffffffU;
/// The largest magnitude of tolerances and tessellation levels.
inline constexpr double most_real = 1e30;

const object_form& scenario_form();
const object_form& stages_form();
const object_form& stage_form();
using draw_part_form = described_form<draw_call>;
/// For all topologies but mesh, and for mesh.
const draw_part_form& draw_form();
const draw_part_form& mesh_draw_form();
const draw_part_form& tessellation_form();
const draw_part_form& task_form();
const draw_part_form& mesh_form();
/// The members of these, "first_vertex" or "mesh.threads": what a draw has besides programs and data.
const std::map<std::string, described_key<draw_call>>& draw_keys();
const object_form& mesh_methods_form();
const object_form& per_primitive_form();
const described_form<attribute_source>& attribute_form();
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
