// SPDX-License-Identifier: Apache-2.0
#include "models/pe/stages/draw_counters.h"

#include "models/statistics/statistic.h"

namespace isbesim {

std::vector<statistic<pe_draw_counters>> pe_draw_statistics()
{
    using draw = pe_draw_counters;
    std::vector<statistic<draw>> all;
    const auto whole_run = merge_rule::whole_run;
    all.push_back(
        counted({"output", "primitives_in", "primitives", "assembled from the draw"}, &draw::primitives_in, whole_run)
            .preferred(preference::none)
            .in_database("batches.primitives"));
    all.push_back(stated<draw>({"output", "vertices_captured", "vertices", "streamed out, all streams"})
                      .preferred(preference::none)
                      .in_database("outputs.vertices"));
    all.push_back(
        stated<draw>({"output", "vertices_written", "", "whether they are in vertices.csv (not with --no-vertices)"})
            .preferred(preference::none));
    const auto stream = [&](figure_name name, const char* column, std::array<std::uint64_t, 4> draw::*member) {
        all.push_back(counted(std::move(name), member, whole_run)
                          .preferred(preference::none)
                          .of_each(figure_range::stream)
                          .in_database(column));
        all.back().shown = [](const draw& c, unsigned i) { return i == 0 || c.vertices_out[i] != 0; };
    };
    stream({"output", "primitives_out_stream_<stream>", "primitives", "what left the last stage, captured or not"},
           "outputs.primitives", &draw::primitives_out);
    stream({"output", "vertices_out_stream_<stream>", "vertices", "their vertices"}, "outputs.vertices",
           &draw::vertices_out);
    all.push_back(counted({"output", "geometry_threads_lost", "threads",
                           "geometry threads that ended with an invalid state, which lose all their output, or with "
                           "one older than their last OUT, which lose what came after"},
                          &draw::lost_threads, whole_run)
                      .in_database("warps.lost_threads"));
    for (const auto& row : draw_loss_rows) {
        const auto loss = row.loss;
        all.push_back(derived<draw>({"output", row.name, row.unit, row.text}, whole_run,
                                    [loss](const draw& c, const figure_scope&) { return c.losses[loss]; })
                          .in_database("warnings.count"));
        all.back().shown = [loss](const draw& c, unsigned) { return c.losses[loss] != 0; };
    }
    all.push_back(
        counted({"output", "fetched_bytes", "bytes", "vertex data read for the draw"}, &draw::fetched_bytes, whole_run)
            .in_database("batches.bytes"));
    return all;
}

} // namespace isbesim
