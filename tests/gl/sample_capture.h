// SPDX-License-Identifier: Apache-2.0
// A capture file with one draw, several times.
#pragma once

#include <string>
#include <vector>

#include "testbench/gl/capture/capture_writer.h"
#include "testbench/gl/draws/draw_builder.h"
#include "tests/gl/sample_draw.h"

namespace isbesim::gl {

class sample_capture {
public:
    /// Two instances of four vertices as triangle strip; `components` of the position are streamed out.
    explicit sample_capture(unsigned components = 2)
    {
        drawn_vertices what;
        what.primitive = 5;
        what.instances = 2;
        what.runs.push_back({vertex_run::source::inline_indices, 0, 4, {1, 0, 2, 3}});
        sample.state.constants[0][1] = {sample_draw::vertices, 16, true};
        sample.state.at(0x744) = 1;
        sample.state.at(0x380) = 1;
        sample.state.at(0x704) = components;
        sample.state.at(0x708) = 4 * components;
        sample.state.at(0x2800) = 0x1f1e1d1c;
        draw = builder.build(sample.state, what);
    }
    /// Two draws a frame.
    void write(const std::string& file, unsigned draws, bool finished = true) const
    {
        capture_writer writer(file, *find_chip("gm107"));
        writer.begin();
        for (unsigned i = 0; i < draws; ++i) {
            writer.draw({draw, builder.programs(), memory});
            if (i % 2 == 1) writer.end_frame();
        }
        if (finished) writer.finish();
    }

    sample_draw sample{true};
    draw_builder builder{*find_chip("gm107"), sample.memory, sample.journal};
    draw_call draw;
    std::vector<memory_extent> memory; ///< what its programs may read
};

} // namespace isbesim::gl
