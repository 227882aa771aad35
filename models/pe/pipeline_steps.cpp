#include "models/pe/pipeline_steps.h"

namespace isbesim {

pipeline_steps::pipeline_steps(const linked_pipeline& pipeline, const draw_call& draw, const isbe_config& config)
    : fetch_(draw, pipeline.stages.front().input_allocated), capture_(draw.capture, pipeline.last(), config)
{
    // From the last stage back.
    auto level = static_cast<unsigned>(pipeline.stages.size());
    later_step* next = nullptr;
    if (pipeline.has(stage::geometry)) {
        --level;
        if (pipeline.fast_geometry)
            geometry_ = std::make_unique<fast_geometry_step>(
                pipeline, capture_, capture_plan(draw.capture, pipeline.stages[level - 1], config), config, level);
        else
            geometry_ = std::make_unique<geometry_step>(pipeline, capture_, config, level);
        next = geometry_.get();
    }
    if (pipeline.has(stage::tess)) {
        tess_ = std::make_unique<tess_step>(pipeline, capture_, config, --level, next);
        next = tess_.get();
    }
    if (pipeline.has(stage::tess_init)) {
        tess_init_ = std::make_unique<tess_init_step>(pipeline, config, --level, *next);
        next = tess_init_.get();
    }
    vertex_ = std::make_unique<vertex_step>(pipeline, draw, fetch_, capture_, config, --level, next);
    first_ = vertex_.get();
    if (pipeline.has(stage::vertex_a)) {
        vertex_a_ = std::make_unique<vertex_step>(pipeline, draw, fetch_, capture_, config, --level, vertex_.get());
        first_ = vertex_a_.get();
    }
}

} // namespace isbesim
