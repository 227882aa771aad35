// SPDX-License-Identifier: Apache-2.0
// One draw on its way through a PE: linked, with the steps of its stages and its places in the output order.
#pragma once

#include "models/pe/front_end/dealing.h"
#include "models/pe/linking/linking.h"
#include "models/pe/stages/pipeline_steps.h"

namespace isbesim {

class draw_run : private dealing_listener {
public:
    /// Links the draw for the batches of TPC `tpc` (or undealt); `call`, `sink` and `config` must outlive this. Throws
    /// draw_error and batch_too_large.
    draw_run(const draw_call& call, vertex_sink& sink, const machine_config& config, unsigned tpc = 0)
        : draw(call),
          pipeline(link_pipeline(call, config)),
          steps(pipeline, call, config.isbe),
          dealer(call, pipeline.assembly.limits, config.chip, tpc),
          order(sink, call.capture)
    {
    }
    draw_run(const draw_run&) = delete;
    draw_run& operator=(const draw_run&) = delete;

    /// Its vertex fetch goes this way to memory.
    void attach(memory_path& path)
    {
        memory_ = &path;
        dealer.report_to(*this);
    }
    /// The counts so far.
    pe_draw_counters counted() const;

    const draw_call& draw;
    linked_pipeline pipeline;
    pipeline_steps steps;
    batch_dealer dealer;
    output_order order;
    pe_draw_counters counters; ///< sums over its batches
    bool formed = false;       ///< all its batches are formed
    std::uint64_t begin = 0;   ///< cycle in which it began
    std::uint64_t walked = 0;  ///< when the front end began with it, in ticks (models/rate.h)
    std::uint64_t end = 0;     ///< cycle in which it ended

private:
    void dealt(batch& dealt, bool own) override
    {
        steps.fetch().touch(dealt, touched_);
        dealt.fetched = memory_->tag(touched_, own);
    }

    memory_path* memory_ = nullptr;
    sector_list touched_;
};

/// True if the next draw may be fetched while `before` is still running (pe.draws = overlap). Otherwise it waits until
/// `before` has ended: a new division of the lines needs an empty ISBE, and a draw that accesses memory must see all
/// writes of earlier draws, as later draws must see its own. *Choice*: the hardware's rule is not public.
bool may_follow_at_once(const draw_run& before, const draw_run& next);

} // namespace isbesim
