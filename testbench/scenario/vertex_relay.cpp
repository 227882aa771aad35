// SPDX-License-Identifier: Apache-2.0
#include "testbench/scenario/vertex_relay.h"

namespace isbesim::testbench {

vertex_relay::vertex_relay(std::unique_ptr<vertex_output> target)
    : target_(std::move(target)), relay_([this](const block& full) { deliver(full); })
{
}

void vertex_relay::keep(const call& delivery, const word* values)
{
    rows_ += delivery.rows;
    block& target = relay_.filling();
    target.calls.push_back(delivery);
    target.values.insert(target.values.end(), values, values + delivery.rows * delivery.count);
    if (target.values.size() >= block_values || target.calls.size() == block_calls) relay_.hand_over();
}

void vertex_relay::deliver(const block& full)
{
    const word* values = full.values.data();
    for (const call& delivery : full.calls) {
        if (delivery.vertices == 0)
            target_->vertex(delivery.stream, delivery.primitive, delivery.vertex, values, delivery.count);
        else
            target_->primitives(delivery.stream, delivery.primitive, delivery.vertices, values, delivery.count,
                                delivery.rows);
        values += delivery.rows * delivery.count;
    }
}

void vertex_relay::finish()
{
    relay_.finish();
    target_->finish();
}

} // namespace isbesim::testbench
