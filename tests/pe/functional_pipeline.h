// SPDX-License-Identifier: Apache-2.0
// Runs a draw through the stage steps and the functional ISBE, one warp after the other and without time. The shader
// programs are C++ functions that issue warp operations.
#pragma once

#include <deque>
#include <map>

#include "models/isbe/execution/isbe_core.h"
#include "models/pe/stages/pipeline_steps.h"
#include "tests/pe/shaders.h"

namespace isbesim::test {

class functional_pipeline final : private task_host, private isbe_access {
public:
    functional_pipeline(const draw_call& draw, const machine_config& config, std::map<stage, shader> shaders)
        : config_(config),
          shaders_(std::move(shaders)),
          pipeline_(link_pipeline(draw, config)),
          steps_(pipeline_, draw, config.isbe),
          former_(draw, pipeline_.assembly.limits),
          order_(sink, draw.capture),
          core_(config.isbe),
          allocator_(one_area(config.isbe.lines))
    {
        batch_work work;
        while (former_.next(work.vertices)) {
            tasks_.clear();
            results_.clear();
            auto& first = add(steps_.first(), work);
            first.result = &work;
            first.ticket = order_.append();
            for (std::size_t i = 0; i < tasks_.size(); ++i) run_task(tasks_[i]);
            for (auto& each : results_) allocator_.release(each.space.lines);
            allocator_.release(work.space.lines);
            work.space.lines = {};
        }
    }

    functional_pipeline(draw_call&&, const machine_config&, std::map<stage, shader>) = delete; // the draw must live on

    row_sink sink;
    std::map<stage, unsigned> warps;
    std::uint64_t pe_accesses = 0; ///< BIND included
    const linked_pipeline& pipeline() const { return pipeline_; }
    const line_allocator& allocator() const { return allocator_; }
    /// The counters of the stage steps.
    pe_draw_counters counters() const
    {
        pe_draw_counters counted;
        steps_.add_to(counted);
        return counted;
    }
    std::uint64_t own_lines(stage which) const { return counters().own_lines[static_cast<std::size_t>(which)]; }
    isbe_core& core() { return core_; }

private:
    /// Nothing is reserved: without time the outputs of all warps of a batch are there at once.
    static buffer_plan one_area(unsigned lines)
    {
        buffer_plan plan;
        plan.lines = lines;
        plan.stages.resize(stage_count);
        return plan;
    }
    warp_task& add(stage_step& step, batch_work& work)
    {
        auto& task = tasks_.emplace_back();
        task.index = static_cast<std::uint32_t>(tasks_.size() - 1);
        task.step = &step;
        task.work = &work;
        return task;
    }
    warp_task& spawn(warp_task& parent, stage_step& step) override
    {
        auto& task = add(step, *parent.result);
        task.ticket = order_.insert_before(parent.ticket);
        return task;
    }
    warp_task& respawn(warp_task& task) override
    {
        auto& another = add(*task.step, *task.work);
        another.ticket = order_.insert_after(task.ticket);
        return another;
    }
    batch_work& make_result(warp_task& task) override
    {
        task.result = &results_.emplace_back();
        return *task.result;
    }

    void run_task(warp_task& task)
    {
        auto& step = *task.step;
        const auto lines = step.lines(task);
        const auto got = allocator_.allocate(lines, step.level()).value();
        task.input_lines = got.input;
        task.output_lines = got.output;
        step.prepare(task, *this, *this);
        task.launch.context = static_cast<std::uint16_t>(warps[step.stage()]++ % config_.isbe.contexts);
        warp_op bind;
        bind.op = opcode::bind;
        bind.context = task.launch.context;
        pack_context(task.context, bind);
        warp_result ignored;
        core_.execute(bind, ignored);
        ++pe_accesses;
        shader_warp warp(task.launch, [&](const warp_op& op, warp_result& result) { core_.execute(op, result); });
        task.completion = shaders_.at(step.stage())(warp);
        allocator_.release(task.input_lines);
        while (step.read_back(task, *this)) {}
        if (step.hands_over()) hand_over_lines(task);
        step.finish(task, *this, order_.output(task.ticket), *this);
        order_.complete(task.ticket);
        allocator_.release(task.output_lines);
    }

    void write(const component_run& run, lane_mask lanes, const per_lane<word>& values) override
    {
        physical(opcode::isbewr, run, lanes, values);
    }
    void read(const component_run& run, lane_mask lanes, word* destination) override
    {
        const auto result = physical(opcode::isberd, run, lanes, {});
        for (unsigned i = 0; i < warp_lanes; ++i)
            if ((lanes >> i & 1U) != 0) destination[i] = result.data[0][i];
    }
    warp_result physical(opcode op, const component_run& run, lane_mask lanes, const per_lane<word>& values)
    {
        ++pe_accesses;
        warp_op request;
        request.op = op;
        request.region = region::physical;
        request.size = 4;
        request.lanes = lanes;
        request.data[0] = values;
        for (unsigned i = 0; i < warp_lanes; ++i) request.address[i] = run.base + i * run.stride;
        warp_result result;
        core_.execute(request, result);
        for (const auto status : result.status)
            if (status != 0) throw std::logic_error("the PE reached outside the ISBE");
        return result;
    }

    machine_config config_;
    std::map<stage, shader> shaders_;
    linked_pipeline pipeline_;
    pipeline_steps steps_;
    batch_former former_;
    output_order order_;
    isbe_core core_;
    line_allocator allocator_;
    std::deque<warp_task> tasks_;
    std::deque<batch_work> results_;
};

/// The output of a draw without time.
inline std::vector<row> rows_without_time(const draw_call& draw, const std::map<stage, shader>& shaders)
{
    return functional_pipeline(draw, {}, shaders).sink.rows;
}

} // namespace isbesim::test
