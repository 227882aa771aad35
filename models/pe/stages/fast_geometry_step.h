// SPDX-License-Identifier: Apache-2.0
// The geometry stage without output state (fast GS, HARDWARE.md E.4): every thread outputs one vertex, OUT does
// nothing, and a thread can neither drop its vertex nor name a stream.
//
// With a passthrough header (SPH bit 24), that vertex holds per-primitive attributes: the output primitive is the input
// primitive, the attributes in the program's OMAP are the same in all its vertices, and the other attributes are those
// of each vertex from the previous stage (the model's choice, after GL_NV_geometry_shader_passthrough; the public text
// only names the bit).
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

    capture_plan inherited_; ///< the same list for the previous stage; for passthrough
    std::vector<unsigned> lanes_;
};

} // namespace isbesim
