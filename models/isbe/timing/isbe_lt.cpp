// SPDX-License-Identifier: Apache-2.0
#include "models/isbe/timing/isbe_lt.h"

#include <algorithm>

#include "models/isbe/timing/raw_access.h"
#include "tlm/payload_extension.h"

namespace isbesim {

isbe_lt::isbe_lt(const sc_core::sc_module_name& name, const isbe_config& config, const cycle_clock& clock)
    : isbe_module(name, config), core_(config), clock_(clock), counters_(config.ports), states_(config.ports)
{
    for (auto& state : states_) {
        for (unsigned i = 0; i < config.request_queue_depth; ++i) state.grants.push(0);
        for (unsigned i = 0; i < config.response_queue_depth; ++i) state.responses.push(0);
    }
    for (unsigned op = 0; op < opcode_count; ++op) latency_[op] = unloaded_latency(config, static_cast<opcode>(op), 0);
    const unsigned longest = *std::max_element(latency_.begin(), latency_.end()) + max_components * warp_lanes;
    for (unsigned cycles = 0; cycles <= longest; ++cycles) durations_.push_back(clock.time(cycles));
}

unsigned isbe_lt::execute(unsigned port, const warp_op& op, warp_result& result)
{
    const std::uint64_t conflicts = core_.counters().passes - core_.counters().ideal_passes;
    if (observers().empty()) {
        core_.execute(op, result);
    } else {
        footprint_ = {};
        core_.execute(op, result, footprint_);
    }
    isbe_timing_counters& counters = counters_[port];
    ++counters.operations;
    counters.busy_cycles += result.passes;
    counters.stalls[stall_reason::bank_conflict] += core_.counters().passes - core_.counters().ideal_passes - conflicts;
    return result.passes;
}

void isbe_lt::block(unsigned port, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    isbe_extension* const extension = payload.get_extension<isbe_extension>();
    if (extension == nullptr) {
        access_raw(port, payload, delay);
        return;
    }
    const warp_op& op = extension->op;
    if (direct_ && op.op == opcode::bind && op.context < core_.config().contexts) {
        const auto bound = unpack_context(op);
        if (bound.stage != stage::none && bound.shared_spaces) end_direct_memory();
    }
    block_read* const reads = payload.get_extension<block_read>();
    const bool many = reads != nullptr && read_block(port, *reads);
    const std::uint64_t passes = many ? reads->passes : execute(port, op, extension->result);
    const unsigned unloaded = latency_[static_cast<unsigned>(op.op)];
    const auto now = clock_.now();
    auto& state = states_[port];
    const auto places = state.responses.size();
    engine_until_ = std::max(engine_until_, now) + passes;
    const auto held = passes + (many ? reads->runs.size() : 1) * unloaded;
    state.places = std::max(state.places, now * places) + held;
    extension->busy_until = std::max(engine_until_, state.places / places);
    extension->interval = std::max(passes, (held + places - 1) / places);
    std::uint64_t latency = unloaded + passes, grant = clock_.cycles(sc_core::sc_time_stamp() + delay);
    if (delay == sc_core::SC_ZERO_TIME) {
        grant = std::max({turn_until_, state.engine_until, now + 1, state.responses.front() + 1});
        state.engine_until = grant + passes;
        turn_until_ = std::max(turn_until_, now + 1) + passes;
        latency = respond(state, grant, latency - 1) - now;
        extension->next_request = std::max(state.grants.front(), now) + 1;
    }
    latency = std::max(latency, extension->interval);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (!observers().empty())
        observe(port, op, extension->result, clock_.cycles(sc_core::sc_time_stamp() + delay), grant, latency);
    delay += latency < durations_.size() ? durations_[latency] : clock_.time(latency);
}

std::uint64_t isbe_lt::respond(port_state& state, std::uint64_t grant, std::uint64_t latency)
{
    const auto response = std::max(grant + latency, state.responses.back() + 1);
    state.grants.pop();
    state.grants.push(grant);
    state.responses.pop();
    state.responses.push(response);
    return response;
}

bool isbe_lt::read_block(unsigned port, block_read& block)
{
    if (!observers().empty()) return false;
    const auto& runs = block.runs;
    if (!std::all_of(runs.begin(), runs.end(), [this](const run_read& run) { return core_.can_read(run); }))
        return false;
    const std::uint64_t conflicts = core_.counters().passes - core_.counters().ideal_passes;
    block.passes = 0;
    for (const auto& run : runs) block.passes += core_.read(run);
    isbe_timing_counters& counters = counters_[port];
    counters.operations += runs.size();
    counters.busy_cycles += block.passes;
    counters.stalls[stall_reason::bank_conflict] += core_.counters().passes - core_.counters().ideal_passes - conflicts;
    return true;
}

void isbe_lt::access_raw(unsigned port, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    const tlm::tlm_response_status status = check_raw_access(payload, core_.storage().bytes());
    payload.set_response_status(status);
    if (status != tlm::TLM_OK_RESPONSE) return;
    raw_access access = split_raw_access(payload);
    const std::uint64_t begin = clock_.cycles(sc_core::sc_time_stamp() + delay);
    std::uint64_t latency = latency_[static_cast<unsigned>(access.ops.front().op)];
    for (std::size_t i = 0; i < access.ops.size(); ++i) {
        latency += execute(port, access.ops[i], access.results[i]);
        if (!observers().empty()) observe(port, access.ops[i], access.results[i], begin, begin, latency);
    }
    finish_raw_access(payload, access);
    payload.set_dmi_allowed(direct_);
    delay += clock_.time(latency);
}

void isbe_lt::observe(unsigned port, const warp_op& op, const warp_result& result, std::uint64_t begin,
                      std::uint64_t grant, std::uint64_t latency)
{
    const std::uint64_t id = next_id_++;
    const transaction_times times{begin, begin, begin + latency};
    for (transaction_observer* observer : observers()) {
        observer->begin_request(id, port, op, begin);
        observer->accept(id, port, begin);
        observer->granted(id, port, op, result, grant, footprint_);
        observer->response(id, port, op, result, times);
    }
}

tlm::tlm_sync_enum isbe_lt::forward(unsigned port, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                    sc_core::sc_time& delay)
{
    // Only requests matter: they complete in the call, so no END_RESP follows them. Other phases are ignorable.
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    block(port, payload, delay);
    return tlm::TLM_COMPLETED;
}

unsigned isbe_lt::debug(tlm::tlm_generic_payload& payload)
{
    return debug_access(core_.storage(), payload);
}

void isbe_lt::end_direct_memory()
{
    direct_ = false;
    for (auto& port : ports)
        if (port.get_base_port().size() != 0) port->invalidate_direct_mem_ptr(0, storage_bytes() - 1);
}

bool isbe_lt::direct_memory(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi)
{
    dmi.init();
    if (!direct_) return false;
    if (payload.get_address() >= storage_bytes()) { // denied from the end on
        dmi.set_start_address(storage_bytes());
        return false;
    }
    dmi.set_end_address(storage_bytes() - 1);
    dmi.set_dmi_ptr(core_.storage().data());
    dmi.set_read_latency(clock_.time(unloaded_latency(core_.config(), opcode::isberd, 1)));
    dmi.set_write_latency(clock_.time(unloaded_latency(core_.config(), opcode::isbewr, 1)));
    dmi.allow_read_write();
    return true;
}

} // namespace isbesim
