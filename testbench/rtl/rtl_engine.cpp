#include "testbench/rtl/rtl_engine.h"

#include <utility>

namespace isbesim::testbench {

std::string violation_line(std::uint64_t cycle, const std::string& text)
{
    return "the RTL violates an assertion in cycle " + std::to_string(cycle) + ": " + text + "\n";
}

rtl_engine::rtl_engine(const isbe_config& config, std::unique_ptr<rtl_block> block)
    : port_count_(config.ports), clock_(std::move(block), config.ports, *this), shadow_(config)
{
    for (unsigned op = 0; op < opcode_count; ++op) latency_[op] = response_latency(config, static_cast<opcode>(op));
}

void rtl_engine::offer(unsigned port, const port_operation& operation, std::uint64_t now)
{
    clock_.advance_to(now);
    clock_.offer(port, *operation.op);
}

bool rtl_engine::can_accept(unsigned port, std::uint64_t now) const
{
    return clock_.offering(port) && clock_.request_ready(port) && channels_[port].accept_free <= now;
}

void rtl_engine::accept(unsigned port, const port_operation& operation)
{
    channel& c = channels_[port];
    c.operations.push(operation);
    c.accept_free = operation.accept + 1;
    c.counters.stalls[stall_reason::queue_full] += operation.accept - operation.begin;
}

port_operation* rtl_engine::response(unsigned port, std::uint64_t now)
{
    channel& c = channels_[port];
    if (c.operations.empty() || c.handed_out || c.response_free > now || !clock_.response_valid(port)) return nullptr;
    port_operation& operation = c.operations.front();
    clock_.read_response(port, *operation.result);
    const std::uint64_t conflicts = shadow_.counters().passes - shadow_.counters().ideal_passes;
    shadow(port, operation, now);
    c.counters.stalls[stall_reason::bank_conflict] +=
        shadow_.counters().passes - shadow_.counters().ideal_passes - conflicts;
    c.counters.busy_cycles += operation.result->passes;
    ++c.counters.operations;
    c.handed_out = true;
    c.valid_since = now;
    return &operation;
}

void rtl_engine::shadow(unsigned port, const port_operation& operation, std::uint64_t now)
{
    if (observers_ == nullptr || observers_->empty()) {
        shadow_.execute(*operation.op, scratch_);
        return;
    }
    access_footprint footprint;
    shadow_.execute(*operation.op, scratch_, footprint);
    const auto grant = now - latency_[static_cast<unsigned>(operation.op->op)] - operation.result->passes;
    for (transaction_observer* observer : *observers_)
        observer->granted(operation.id, port, *operation.op, *operation.result, grant, footprint);
}

void rtl_engine::assertion_failed(std::uint64_t cycle, const std::string& text)
{
    throw rtl_assertion_error(violation_line(cycle, text));
}

port_operation rtl_engine::transfer(unsigned port, std::uint64_t now)
{
    channel& c = channels_[port];
    const port_operation operation = c.operations.front();
    c.operations.pop();
    c.handed_out = false;
    c.response_free = now + 1;
    c.counters.stalls[stall_reason::response] += now - c.valid_since;
    clock_.take_response(port);
    return operation;
}

std::uint64_t rtl_engine::next_response(unsigned port) const
{
    const channel& c = channels_[port];
    return c.operations.empty() || c.handed_out || clock_.hung() ? never : clock_.cycle() + 1;
}

std::uint64_t rtl_engine::next_accept(unsigned) const
{
    return clock_.hung() ? never : clock_.cycle() + 1;
}

} // namespace isbesim::testbench
