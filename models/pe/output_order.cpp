#include "models/pe/output_order.h"

namespace isbesim {

output_order::output_order(vertex_sink& sink, const capture_list& capture) : sink_(sink), capture_(capture) {}

output_order::ticket output_order::append()
{
    return places_.emplace(places_.end());
}

output_order::ticket output_order::insert_before(ticket position)
{
    return places_.emplace(position);
}

void output_order::complete(ticket position)
{
    position->done = true;
    while (!places_.empty() && places_.front().done) {
        pass_on(places_.front().output);
        places_.pop_front();
    }
}

void output_order::pass_on(const stream_output& output)
{
    for (unsigned s = 0; s < output.streams.size(); ++s) {
        const auto& from = output.streams[s];
        if (from.vertices == 0) continue;
        const auto columns = capture_[s].size();
        if (columns != 0)
            for (std::uint64_t v = 0; v < from.vertices; ++v)
                sink_.vertex(s, primitives_[s] + v / from.primitive_vertices,
                             static_cast<unsigned>(v % from.primitive_vertices), from.words.data() + v * columns,
                             columns);
        primitives_[s] += from.vertices / from.primitive_vertices;
        vertices_[s] += from.vertices;
    }
}

} // namespace isbesim
