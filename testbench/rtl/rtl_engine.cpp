// SPDX-License-Identifier: Apache-2.0
#include "testbench/rtl/rtl_engine.h"

#include <utility>

namespace isbesim::testbench {

std::string failure_line(std::uint64_t cycle, const std::string& text)
{
    const bool assertion = text.find("Assertion failed") != std::string::npos; // as Verilator says
    return std::string(assertion ? "the RTL violates an assertion" : "the RTL stops") + " in cycle " +
           std::to_string(cycle) + ": " + text + "\n";
}

rtl_engine::rtl_engine(const isbe_config& config, std::unique_ptr<rtl_block> block)
    : port_count_(config.ports), clock_(std::move(block), config.ports, *this), account_(config)
{
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
    account_.accept(port, operation);
}

port_operation* rtl_engine::response(unsigned port, std::uint64_t now)
{
    channel& c = channels_[port];
    if (c.operations.empty() || c.handed_out || c.response_free > now || !clock_.response_valid(port)) return nullptr;
    port_operation& operation = c.operations.front();
    clock_.read_response(port, *operation.result);
    account_.respond(port, operation, c.response_free, now);
    c.handed_out = true;
    c.valid_since = now;
    return &operation;
}

void rtl_engine::block_failed(std::uint64_t cycle, const std::string& text)
{
    throw rtl_failure(failure_line(cycle, text));
}

port_operation rtl_engine::transfer(unsigned port, std::uint64_t now)
{
    channel& c = channels_[port];
    const port_operation operation = c.operations.front();
    c.operations.pop();
    c.handed_out = false;
    c.response_free = now + 1;
    account_.transfer(port, now - c.valid_since, now);
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
