// What the two kinds of geometry stages share: one thread per (input primitive, instance) pair, in that order, so that
// collecting the threads in lane order gives API order (conformance OUT-12).
//
// The output MAP (hardware.md D.4). Without output state the PE knows before the warp starts what it leaves: as many
// primitives as there are threads, thread i's vertex is vertex i. With it the count is 0 at first, and the PE writes
// the true one when it has collected the warp (geometry_step.h).
#pragma once

#include "models/pe/capture_plan.h"
#include "models/pe/stage_step.h"

namespace isbesim {

class geometry_warp_step : public later_step {
public:
    /// `level`: position in the pipeline. Everything passed must outlive the step.
    geometry_warp_step(const linked_pipeline& pipeline, const capture_plan& capture, const isbe_config& config,
                       unsigned level);

    void start(warp_task& parent, task_host& host) override;
    task_lines lines(const warp_task& task) const override;
    void prepare(warp_task& task, isbe_access& isbe, task_host& host) override;

    /// Threads whose final state was invalid: their output is lost (conformance OUT-07).
    std::uint64_t lost_threads() const { return lost_threads_; }

protected:
    /// The primitive count at the start of the output MAP.
    void write_count(const warp_task& task, word count, isbe_access& isbe) const;

    const linked_pipeline& pipeline_;
    const linked_stage& linked_;
    const capture_plan& capture_;
    isbe_config config_;
    std::uint64_t lost_threads_ = 0;

private:
    space_needs output_needs(const warp_task& task) const;
    void write_vertices(const warp_task& task, isbe_access& isbe) const;
};

} // namespace isbesim
