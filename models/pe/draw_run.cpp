// SPDX-License-Identifier: Apache-2.0
#include "models/pe/draw_run.h"

namespace isbesim {

pe_draw_counters draw_run::counted() const
{
    auto result = counters;
    for (unsigned s = 0; s < result.primitives_out.size(); ++s) {
        result.primitives_out[s] = order.primitives(s);
        result.vertices_out[s] = order.vertices(s);
    }
    steps.add_to(result);
    return result;
}

bool may_follow_at_once(const draw_run& before, const draw_run& next)
{
    return before.draw.memory == nullptr && next.draw.memory == nullptr &&
           before.pipeline.buffers == next.pipeline.buffers;
}

} // namespace isbesim
