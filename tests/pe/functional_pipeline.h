// Runs a draw through the stage steps and the functional ISBE, one warp after the other and without time. The shader
// programs are C++ functions that issue warp operations.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/isbe/isbe_core.h"
#include "models/pe/geometry_step.h"
#include "models/pe/vertex_step.h"

namespace isbesim::test {

/// Rows as they arrive.
struct row {
    unsigned stream;
    std::uint64_t primitive;
    unsigned vertex;
    std::vector<word> values;
};

inline bool operator==(const row& a, const row& b)
{
    return a.stream == b.stream && a.primitive == b.primitive && a.vertex == b.vertex && a.values == b.values;
}

struct row_sink : vertex_sink {
    std::vector<row> rows;
    void vertex(unsigned stream, std::uint64_t primitive, unsigned vertex, const word* values,
                std::size_t count) override
    {
        rows.push_back({stream, primitive, vertex, {values, values + count}});
    }
    std::vector<word> column(std::size_t index) const
    {
        std::vector<word> result;
        for (const auto& r : rows) result.push_back(r.values[index]);
        return result;
    }
};

/// What a shader function works with.
class shader_warp {
public:
    shader_warp(isbe_core& core, const warp_launch& warp) : launch(warp), core_(core) {}

    const warp_launch& launch;

    warp_op operation(opcode op, unsigned size, int address = 0) const
    {
        warp_op result;
        result.op = op;
        result.size = static_cast<std::uint8_t>(size);
        result.immediate = address;
        result.context = launch.context;
        result.lanes = launch.lanes;
        return result;
    }
    warp_result run(const warp_op& op)
    {
        warp_result result;
        core_.execute(op, result);
        return result;
    }
    /// The three steps of hardware.md D.5: INVOCATION_INFO, MAP, handle.
    per_lane<word> handles(unsigned index)
    {
        auto op = operation(opcode::isberd, 1);
        op.region = region::map;
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const auto info = launch.special.invocation_info[i];
            op.address[i] = (info & 0xffU) * (info >> 16 & 0xffU) + index;
        }
        return run(op).data[0];
    }
    per_lane<word> out(out_type type, unsigned stream, const per_lane<word>& state)
    {
        auto op = operation(opcode::out, 1);
        op.type = type;
        op.handle = state;
        op.address.fill(stream);
        return run(op).data[0];
    }

private:
    isbe_core& core_;
};

using shader = std::function<warp_completion(shader_warp&)>;

class functional_pipeline : private task_host, private isbe_access {
public:
    functional_pipeline(const draw_call& draw, const machine_config& config, std::map<stage, shader> shaders)
        : config_(config),
          shaders_(std::move(shaders)),
          pipeline_(link_pipeline(draw, config)),
          fetch_(draw, pipeline_.stages[0].input_allocated),
          capture_(draw.capture, pipeline_.last(), config.isbe),
          former_(draw, config.pe),
          order_(sink, draw.capture),
          core_(config.isbe),
          allocator_(config.isbe.lines, config.pe.allocation_policy, pipeline_.stage_lines)
    {
        if (pipeline_.has(stage::geometry))
            geometry_ = std::make_unique<geometry_step>(pipeline_, capture_, config_.isbe, 1);
        vertex_ = std::make_unique<vertex_step>(pipeline_, fetch_, capture_, config_.isbe, geometry_.get());
    }

    void run()
    {
        batch_work work;
        while (former_.next(work.vertices)) {
            tasks_.clear();
            auto& first = add(*vertex_, work);
            first.ticket = order_.append();
            for (std::size_t i = 0; i < tasks_.size(); ++i) run_task(tasks_[i]);
            allocator_.release(work.space.lines);
            work.space.lines = {};
        }
    }

    row_sink sink;
    std::map<stage, unsigned> warps;
    const linked_pipeline& pipeline() const { return pipeline_; }
    const line_allocator& allocator() const { return allocator_; }
    const geometry_step& geometry() const { return *geometry_; }
    isbe_core& core() { return core_; }

private:
    warp_task& add(stage_step& step, batch_work& work)
    {
        auto& task = tasks_.emplace_back();
        task.step = &step;
        task.work = &work;
        return task;
    }
    warp_task& follow(warp_task& parent, stage_step& step) override
    {
        auto& task = add(step, *parent.work);
        task.ticket = order_.insert_before(parent.ticket);
        return task;
    }

    void run_task(warp_task& task)
    {
        auto& step = *task.step;
        const auto lines = step.lines(task);
        task.input_lines = allocator_.allocate(lines.input, step.level()).value();
        task.output_lines = allocator_.allocate(lines.output, step.level()).value();
        step.prepare(task, *this);
        task.launch.context = static_cast<std::uint16_t>(warps[step.stage()]++ % config_.isbe.contexts);
        warp_op bind;
        bind.op = opcode::bind;
        bind.context = task.launch.context;
        pack_context(task.context, bind);
        warp_result ignored;
        core_.execute(bind, ignored);
        shader_warp warp(core_, task.launch);
        task.completion = shaders_.at(step.stage())(warp);
        allocator_.release(task.input_lines);
        while (step.read_back(task, *this)) {}
        if (step.hands_over()) {
            task.work->space.lines = task.output_lines;
            task.output_lines = {};
        }
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
    vertex_fetch fetch_;
    capture_plan capture_;
    batch_former former_;
    output_order order_;
    isbe_core core_;
    line_allocator allocator_;
    std::unique_ptr<geometry_step> geometry_;
    std::unique_ptr<vertex_step> vertex_;
    std::deque<warp_task> tasks_;
};

/// a[0x70..0x7c] = a[0x80..0x8c].
inline warp_completion copy_vertex(shader_warp& warp)
{
    auto store = warp.operation(opcode::ast, 4, 0x70);
    store.data = warp.run(warp.operation(opcode::ald, 4, 0x80)).data;
    warp.run(store);
    return {};
}

/// Emits the vertices of the input primitive as one strip, then cuts.
inline warp_completion copy_primitive(shader_warp& warp, unsigned vertices)
{
    per_lane<word> state{};
    for (unsigned v = 0; v < vertices; ++v) {
        auto load = warp.operation(opcode::ald, 4, 0x70);
        load.handle = warp.handles(v);
        auto store = warp.operation(opcode::ast, 4, 0x70);
        store.data = warp.run(load).data;
        store.handle = state;
        warp.run(store);
        state = warp.out(v + 1 == vertices ? out_type::emit_then_cut : out_type::emit, 0, state);
    }
    warp_completion done;
    for (unsigned i = 0; i < warp_lanes; ++i) done.vertex_count[i] = static_cast<std::uint16_t>(state[i] & 0xffffU);
    return done;
}

} // namespace isbesim::test
