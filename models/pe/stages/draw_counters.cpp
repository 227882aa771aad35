// SPDX-License-Identifier: Apache-2.0
#include "models/pe/stages/draw_counters.h"

#include "models/pe/stream_out/culling.h"
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
        all.push_back(counted_in<draw>(
                          {"output", row.name, row.unit, row.text}, [loss](auto& c) -> auto& { return c.losses[loss]; },
                          whole_run)
                          .in_database("warnings.count"));
        all.back().shown = [loss](const draw& c, unsigned) { return c.losses[loss] != 0; };
    }
    all.push_back(
        counted({"output", "fetched_bytes", "bytes", "vertex data read for the draw"}, &draw::fetched_bytes, whole_run)
            .in_database("batches.bytes"));
    static constexpr auto cull_names = enum_names<last_cull_reason>("outside", "no_area", "facing");
    static constexpr auto cull_texts =
        enum_names<last_cull_reason>("beyond a plane of the view volume, or given up by the mesh program",
                                     "triangles without area", "triangles of a side that the draw culls");
    for (std::size_t r = 0; r < cull_names.size(); ++r) {
        all.push_back(counted_in<draw>(
            {"output", std::string("culled_") + cull_names[r], "primitives",
             std::string("dropped by the rasteriser (pe.consumer): ") + cull_texts[r]},
            [r](auto& c) -> auto& { return c.culled.values[r]; }, whole_run));
        all.back().shown = [](const draw& c, unsigned) { return sum_of(c.culled) != 0; };
    }
    const auto add_memory_figure = [&](figure_name name, std::uint64_t memory_counters::*member) {
        all.push_back(counted_in<draw>(
            std::move(name), [member](auto& c) -> auto& { return c.memory.*member; }, whole_run));
        all.back().shown = [](const draw& c, unsigned) { return c.memory.l1_sectors + c.memory.l2_sectors != 0; };
    };
    add_memory_figure(
        {"output", "l1_sectors", "sectors of 32 bytes", "that loads asked L1 for (memory.model hierarchy)"},
        &memory_counters::l1_sectors);
    add_memory_figure({"output", "l1_hits", "sectors of 32 bytes", "those that were there"}, &memory_counters::l1_hits);
    add_memory_figure(
        {"output", "l2_sectors", "sectors of 32 bytes", "that vertex fetch, and loads that missed, asked L2 for"},
        &memory_counters::l2_sectors);
    add_memory_figure({"output", "l2_hits", "sectors of 32 bytes", "those that were there"}, &memory_counters::l2_hits);
    add_memory_figure({"output", "dram_bytes", "bytes", "read from DRAM"}, &memory_counters::dram_bytes);
    return all;
}

} // namespace isbesim
