// SPDX-License-Identifier: Apache-2.0
// The geometry stage with output state: a thread emits vertices and cuts strips with OUT, which writes a token for each
// vertex into the output MAP.
//
// After collecting the warp, the PE writes a count in front of the tokens, over anything that a program wrote there:
// the number of complete primitives that the tokens make on all enabled streams. The geometry stage is the last, so
// only debug reads of the storage see this count. A token is an ordinary byte of the MAP: if a program overwrites the
// token of an emitted vertex with ISBEWR, the PE collects the new value.
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
        std::vector<word> tokens; ///< token bytes, four per word; empty if no vertex was emitted
    };

    void read_tokens(const warp_task& task, left_behind& left, isbe_access& isbe) const;
    /// Returns false if there is nothing to read.
    bool read_vertices(const warp_task& task, const left_behind& left, isbe_access& isbe);
    /// Valid until the next call.
    const emission_plan& plan_of(const warp_task& task, const left_behind& left);
    word vertex_number(const warp_task& task, unsigned lane, unsigned slot) const;

    per_task<left_behind> left_;
    emission_plan plan_; ///< of the last plan_of()
    std::uint64_t lost_threads_ = 0;
};

} // namespace isbesim
