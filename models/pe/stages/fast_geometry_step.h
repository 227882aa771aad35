// SPDX-License-Identifier: Apache-2.0
// The geometry stage without output state (fast GS, HARDWARE.md E.4): every thread leaves one vertex, OUT does nothing,
// a thread can neither drop its vertex nor name a stream.
//
// With a passthrough header (SPH bit 24) that vertex is what the primitive has to itself: the primitive that comes out
// is the input primitive, and what the program's OMAP has is the same in all its vertices; everything else is theirs
// as the stage before left it (the model's choice, after GL_NV_geometry_shader_passthrough; the public text names the
// bit only).
#pragma once

#include "models/pe/stages/geometry_warp_step.h"

namespace isbesim {

class fast_geometry_step final : public geometry_warp_step {
public:
    fast_geometry_step(const step_parts& parts, unsigned level);

    bool read_back(warp_task& task, isbe_access& isbe) override;
    void finish(warp_task& task, isbe_access& isbe, stream_output& output, task_host& host) override;

private:
    void pass_on(const warp_task& task, unsigned lane, const word* captured, stream_output::stream& rows) const;

    capture_plan inherited_; ///< of the same list, of the stage before; for passthrough
    std::vector<unsigned> lanes_;
};

} // namespace isbesim
