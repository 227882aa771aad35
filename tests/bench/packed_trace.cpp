// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/packed_trace.h"

#include "models/isbe/execution/isbe_core.h"
#include "testbench/crosscheck/traces/trace_reader.h"
#include "testbench/system/config.h"

namespace isbesim::test {

void packed_port::add(const testbench::traffic_item& item, unsigned passes)
{
    const warp_op& op = item.op;
    request r{};
    r.earliest = item.earliest;
    r.first = words_.size();
    r.passes = static_cast<std::uint16_t>(passes);
#define ISBESIM_FIELD(name, ...) r.name = op.name;
#include "tlm/request_fields.inc"
    r.components = static_cast<std::uint8_t>(testbench::request_components(op));
    const auto put = [&](const per_lane<word>& lanes) { words_.insert(words_.end(), lanes.begin(), lanes.end()); };
    if (uses(op.op, request_field::address)) put(op.address);
    if (uses(op.op, request_field::handle)) put(op.handle);
    for (unsigned c = 0; c < r.components; ++c) put(op.data[c]);
    requests_.push_back(r);
}

std::uint64_t packed_trace::transactions() const
{
    std::uint64_t n = 0;
    for (const auto& port : ports) n += port.size();
    return n;
}

packed_trace read_packed_trace(const std::string& name, const std::string& path)
{
    const auto file = testbench::open_trace(path);
    machine_config machine;
    testbench::load_config_text(file.config_json, {path, 1, 1}, machine);
    packed_trace trace{name, machine.isbe, std::vector<packed_port>(file.ports)};
    testbench::trace_reader reader(file);
    testbench::traffic_item item;
    isbe_core core(machine.isbe); // a trace has its operations in the order in which they were carried out
    warp_result result;
    for (testbench::trace_record record; reader.next(record);) {
        item.earliest = record.request;
        item.op = record.op;
        core.execute(item.op, result);
        trace.ports[record.port].add(item, result.passes);
    }
    return trace;
}

} // namespace isbesim::test
