// SPDX-License-Identifier: Apache-2.0
#include "models/pe/stream_out/output_order.h"

namespace isbesim {

output_order::output_order(vertex_sink& sink, const capture_list& capture) : sink_(sink), capture_(capture) {}

// Places are reused with the storage of their rows: in the steady state no memory is allocated.
output_order::ticket output_order::insert(ticket position, std::uint64_t batch)
{
    if (spare_.empty()) spare_.emplace_back();
    const auto spare = spare_.begin();
    places_.splice(position, spare_, spare);
    spare->batch = batch;
    return spare;
}

void output_order::complete(ticket position)
{
    position->done = true;
    if (!held_) pass_on_done();
}

void output_order::let_go()
{
    held_ = false;
    pass_on_done();
}

void output_order::pass_on_done()
{
    while (!places_.empty() && places_.front().done) {
        auto& first = places_.front();
        pass_on(first.output);
        first.done = false;
        for (auto& stream : first.output.streams) stream.vertices = 0;
        const auto batch = first.batch;
        spare_.splice(spare_.begin(), places_, places_.begin());
        if (batch_listener_ && (places_.empty() || places_.front().batch != batch)) batch_listener_();
    }
}

void output_order::pass_on(const stream_output& output)
{
    for (unsigned s = 0; s < output.streams.size(); ++s) {
        const auto& rows = output.streams[s];
        if (rows.vertices == 0) continue;
        const auto columns = capture_[s].size();
        if (columns != 0)
            sink_.primitives(s, primitives_[s], rows.primitive_vertices, rows.words.data(), columns, rows.vertices);
        const auto primitives = rows.vertices / rows.primitive_vertices;
        if (listener_) listener_({s, primitives_[s], primitives, rows.vertices, columns != 0, output.warp_cycles});
        primitives_[s] += primitives;
        vertices_[s] += rows.vertices;
    }
}

} // namespace isbesim
