// SPDX-License-Identifier: Apache-2.0
// Attributes that a draw's programs, headers, data and capture list do not agree on. Legal, and mostly a mistake.
#pragma once

#include "models/attribute/attribute_set.h"
#include "models/pe/front_end/draw.h"

namespace isbesim::testbench {

/// What the first vertex program loads and neither the draw's data nor the hardware supplies: it reads the default
/// values. A vector of which the draw has some components counts as supplied, the others are filled up by intent.
attribute_set missing_inputs(const draw_call& draw);

/// Attributes with a fixed address that a program loads from its input, or stores, though the header's map lacks them:
/// the load gives the default value, the store is dropped.
attribute_set loads_beside_map(const stage_program& program);
attribute_set stores_beside_map(const stage_program& program, const attribute_set& per_primitive);

/// Captured attributes of a stream that the last stage's header does not say it writes: the column has the default
/// value in every row.
attribute_set unwritten_captures(const draw_call& draw, unsigned stream);

} // namespace isbesim::testbench
