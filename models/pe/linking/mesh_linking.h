// SPDX-License-Identifier: Apache-2.0
// Linking of draws with task and mesh stages. Called by link_pipeline() (linking.h).
#pragma once

#include "models/pe/linking/linking.h"

namespace isbesim {

/// `draw` must have passed validate_draw(). Throws batch_too_large.
linked_pipeline link_mesh_pipeline(const draw_call& draw, const machine_config& config);

} // namespace isbesim
