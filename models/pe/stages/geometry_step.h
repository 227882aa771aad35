// SPDX-License-Identifier: Apache-2.0
// The geometry stage with output state: a thread emits vertices and cuts strips with OUT, which leaves a token for each
// vertex in the output MAP.
//
// The primitives that these tokens make on all enabled streams, incomplete ones left out, are the count that the PE
// writes in front of them when it has collected the warp, over whatever a program has left there; the geometry stage
// is the last, so only debug reads of the storage see it. A token is a byte of the MAP like any other: one that a
// program stores with ISBEWR over that of a vertex which it emitted is what the PE collects.
#pragma once

#include "models/pe/stages/geometry_warp_step.h"
#include "models/pe/stream_out/emission_plan.h"

namespace isbesim {

class geometry_step final : public geometry_warp_step {
public:
    geometry_step(const step_parts& parts, unsigned level);

    bool read_back(warp_task& task, isbe_access& isbe) override;
    void finish(warp_task& task, isbe_access& isbe, stream_output& output, task_host& host) override;
    void add_to(pe_draw_counters& counters) const override;

private:
    struct left_behind {
        std::vector<word> tokens; ///< token bytes, four per word; empty when no vertex was emitted
    };

    void read_tokens(const warp_task& task, left_behind& left, isbe_access& isbe) const;
    /// False: there are no vertices.
    bool read_vertices(const warp_task& task, const left_behind& left, isbe_access& isbe);
    /// Valid until the next warp's.
    const emission_plan& plan_of(const warp_task& task, const left_behind& left);
    word vertex_number(const warp_task& task, unsigned lane, unsigned slot) const;

    per_task<left_behind> left_;
    emission_plan plan_; ///< of the warp that was looked at last
    std::uint64_t lost_threads_ = 0;
};

} // namespace isbesim
