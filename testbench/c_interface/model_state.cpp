// SPDX-License-Identifier: Apache-2.0
#include "testbench/c_interface/model_state.h"

#include <boost/json/array.hpp>

#include "models/isbe/functional/names.h"
#include "tlm/hex.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

json::object space_json(const space_layout& s)
{
    return {{"attr_base", s.attr_base},     {"attr_bytes", s.attr_bytes},       {"vertex_count", s.vertex_count},
            {"map_base", s.map_base},       {"map_bytes", s.map_bytes},         {"prim_base", s.prim_base},
            {"prim_bytes", s.prim_bytes},   {"patch_base", s.patch_base},       {"patch_words", s.patch_words},
            {"patch_count", s.patch_count}, {"allocated", s.allocated.count()}, {"enabled", s.enabled.count()}};
}

json::object port_json(const clocked_isbe& block, unsigned port)
{
    json::array queued, in_flight;
    const auto& operations = block.scheduler().operations(port);
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const auto& each = operations[i];
        auto text = operation_json(*each.op);
        text["number"] = each.id;
        text["accepted"] = each.accept;
        if (i < block.scheduler().granted(port)) {
            text["response_from"] = each.ready;
            in_flight.push_back(std::move(text));
        } else {
            queued.push_back(std::move(text));
        }
    }
    return {{"request_ready", block.request_ready(port)},
            {"response_valid", block.response(port) != nullptr},
            {"queued", std::move(queued)},
            {"in_flight", std::move(in_flight)}};
}

} // namespace

json::object context_json(unsigned slot, const context& c)
{
    return {{"slot", slot},
            {"stage", name_of(c.stage)},
            {"fast_geometry", c.fast_geometry},
            {"shared_spaces", c.shared_spaces},
            {"max_vertices", c.geometry.max_vertices},
            {"threads", c.geometry.thread_count},
            {"stream_mask", c.geometry.stream_mask},
            {"input", space_json(c.input)},
            {"output", space_json(c.output)}};
}

json::object operation_json(const warp_op& op)
{
    json::object text{{"op", name_of(op.op)}, {"context", op.context}, {"lanes", hex(op.lanes, 8)}};
    if (op.op == opcode::bind) return text;
    if (op.op == opcode::out) {
        text["type"] = static_cast<unsigned>(op.type);
        return text;
    }
    text["space"] = space_names[static_cast<unsigned>(op.space)];
    text["size"] = op.size;
    text["immediate"] = op.immediate;
    if (is_raw(op.op)) text["region"] = region_names[static_cast<unsigned>(op.region)];
    if (is_attribute(op.op)) text["form"] = form_names[static_cast<unsigned>(op.form)];
    return text;
}

json::object state_json(const clocked_isbe& block)
{
    json::array ports, contexts;
    for (unsigned port = 0; port < block.ports(); ++port) ports.push_back(port_json(block, port));
    for (unsigned slot = 0; slot < block.core().config().contexts; ++slot) {
        const auto& each = block.core().context_at(slot);
        if (each.stage != stage::none) contexts.push_back(context_json(slot, each));
    }
    return {{"cycle", block.cycle()},
            {"pass_engine", {{"free_from", block.scheduler().engine_free()}}},
            {"ports", std::move(ports)},
            {"contexts", std::move(contexts)}};
}

} // namespace isbesim::testbench
