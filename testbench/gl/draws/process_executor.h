// Runs each draw on a machine of its own, in a process that ends with it: SystemC builds one machine in a process.
#pragma once

#include "models/machine_config.h"
#include "testbench/gl/draws/draw_executor.h"
#include "testbench/rtl/isbe_backend.h"

namespace isbesim::gl {

class process_executor : public draw_executor {
public:
    process_executor(const machine_config& config, const testbench::isbe_backend& backend)
        : config_(config), backend_(backend)
    {
    }

    draw_result run(const draw_call& draw, const gpu_memory& memory, const stream_out_layout& layout,
                    stream_out_position& position) override;

private:
    draw_result simulate(const draw_call& draw, vertex_sink& sink) const;

    machine_config config_;
    const testbench::isbe_backend& backend_;
};

} // namespace isbesim::gl
