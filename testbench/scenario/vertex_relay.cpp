// SPDX-License-Identifier: Apache-2.0
#include "testbench/scenario/vertex_relay.h"

namespace isbesim::testbench {

vertex_relay::vertex_relay(std::unique_ptr<vertex_output> target)
    : target_(std::move(target)), relay_([this](const block& full) { deliver(full); })
{
}

void vertex_relay::keep(const call& made, const word* values)
{
    rows_ += made.rows;
    block& to = relay_.filling();
    to.calls.push_back(made);
    to.values.insert(to.values.end(), values, values + made.rows * made.count);
    if (to.values.size() >= block_values || to.calls.size() == block_calls) relay_.hand_over();
}

void vertex_relay::deliver(const block& from)
{
    const word* values = from.values.data();
    for (const call& made : from.calls) {
        if (made.vertices == 0)
            target_->vertex(made.stream, made.primitive, made.vertex, values, made.count);
        else
            target_->primitives(made.stream, made.primitive, made.vertices, values, made.count, made.rows);
        values += made.rows * made.count;
    }
}

void vertex_relay::finish()
{
    relay_.finish();
    target_->finish();
}

} // namespace isbesim::testbench
