// SPDX-License-Identifier: Apache-2.0
#include "tests/sm/sm_bench.h"

#include "models/isa/text/text.h"
#include "tlm/process_guard.h"

namespace isbesim {

sm_bench::sm_bench(backend which, const sm_config& sm_settings, const isbe_config& isbe_settings,
                   const std::function<void(sm&)>& connect)
{
    const bool loose = which == backend::lt;
    isbe_module* module = nullptr;
    if (loose) {
        lt = std::make_unique<isbe_lt>("isbe", isbe_settings, clock);
        module = lt.get();
    } else {
        at = std::make_unique<isbe_at>("isbe", isbe_settings, clock);
        module = at.get();
    }
    unit =
        std::make_unique<sm>("sm", sm_settings, clock,
                             loose ? warp_initiator::style::loosely_timed : warp_initiator::style::approximately_timed);
    launch_initiator::client& self = *this;
    launcher = std::make_unique<launch_initiator>("launcher", clock, self);
    launcher->socket.bind(unit->launch);
    unit->isbe.bind(module->ports[0]);
    module->attach(*this);
    if (connect) connect(*unit);
    sc_core::sc_start(sc_core::SC_ZERO_TIME); // elaborates
}

const isa::program& sm_bench::program(const std::string& text, isa::architecture arch)
{
    programs_.push_back(std::make_unique<isa::program>(isa::assemble(text, arch)));
    return *programs_.back();
}

const isa::program& sm_bench::scheduled_program(const std::string& text, isa::architecture arch)
{
    programs_.push_back(std::make_unique<isa::program>(isa::assemble(text, arch, {true})));
    return *programs_.back();
}

void sm_bench::bind(unsigned slot, const context& value)
{
    warp_op op;
    op.op = opcode::bind;
    op.context = static_cast<std::uint16_t>(slot);
    pack_context(value, op);
    warp_result result;
    core().execute(op, result);
}

void sm_bench::launch(const isa::program& program, isbesim::stage stage, unsigned slot, lane_mask lanes,
                      std::uint64_t tag, bool fast_geometry)
{
    warp_launch value;
    value.program = &program;
    value.constants = &constants_;
    value.stage = stage;
    value.context = static_cast<std::uint16_t>(slot);
    value.lanes = lanes;
    value.fast_geometry = fast_geometry;
    ++launched;
    launcher->launch(value, tag);
}

void sm_bench::run(std::uint64_t limit)
{
    const std::uint64_t end = clock.now() + limit;
    while (completions.size() < launched && clock.now() < end) {
        if (sc_core::sc_get_status() == sc_core::SC_STOPPED) break;
        start_simulation(clock.period());
    }
}

isbe_core& sm_bench::core()
{
    return lt ? lt->core() : at->core();
}

void sm_bench::completed(std::uint64_t tag, const warp_completion& completion)
{
    completions.push_back({tag, clock.now(), completion});
}

void sm_bench::response(std::uint64_t, unsigned, const warp_op& op, const warp_result& result,
                        const transaction_times& times)
{
    transactions.push_back({op, result, times});
}

context vertex_context(const std::vector<unsigned>& addresses)
{
    context value;
    value.stage = stage::vertex;
    for (space_layout* space : {&value.input, &value.output}) {
        for (const unsigned address : addresses) space->allocated.insert(address / 4);
        space->enabled = space->allocated;
        space->attr_bytes = static_cast<word>(addresses.size() * 128);
        space->vertex_count = 32;
    }
    value.output.attr_base = 16384;
    return value;
}

context geometry_context(const std::vector<unsigned>& addresses, unsigned maximum)
{
    context value = vertex_context(addresses);
    value.stage = stage::geometry;
    value.output.vertex_count = 32 * maximum;
    value.output.attr_bytes = static_cast<word>(addresses.size()) * 128 * maximum;
    value.output.map_base = 49152;
    value.output.map_bytes = 4 + 32 * maximum;
    value.geometry = {maximum, 32, 1};
    return value;
}

unsigned port_latency(const isbe_config& config, opcode op, unsigned passes)
{
    switch (op) {
    case opcode::ald:
    case opcode::isberd:
        return 1 + passes + config.pipeline_latency;
    case opcode::al2p:
        return 1 + passes + config.al2p_latency;
    case opcode::out:
        return 1 + passes + config.out_latency;
    default:
        return 1 + passes + config.write_latency;
    }
}

} // namespace isbesim
