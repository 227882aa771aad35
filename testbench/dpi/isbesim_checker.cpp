// SPDX-License-Identifier: Apache-2.0
#include "testbench/dpi/isbesim_checker.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "testbench/c_interface/model_handle.h"
#include "testbench/c_interface/request_values.h"
#include "testbench/crosscheck/traffic/random_traffic.h"
#include "testbench/dpi/block_checker.h"

using namespace isbesim;
using namespace isbesim::testbench;

struct isbesim_checker {
    isbesim_checker(const machine_config& machine, const char* mode)
        : ports(machine.isbe.ports), checker(make_block_checker(mode == nullptr ? "" : mode, machine.isbe))
    {
    }

    std::vector<seen_port> ports; ///< of the cycle
    std::vector<std::pair<unsigned, std::string>> refused;
    std::unique_ptr<block_checker> checker;
    std::string text;
};

struct isbesim_traffic {
    isbesim_traffic(const machine_config& machine, std::uint64_t seed, std::uint64_t transactions)
        : ports(machine.isbe.ports), source(machine.isbe, seed, transactions)
    {
    }
    unsigned ports;
    random_traffic source;
};

namespace {

std::string& last_error()
{
    thread_local std::string text;
    return text;
}

template <typename T, typename... Arguments>
T* create(const char* machine, Arguments... arguments)
{
    T* created = nullptr;
    if (guarded(last_error(), [&] { created = new T(machine_of(machine), arguments...); }) == ISBESIM_INTERNAL &&
        last_error().empty())
        last_error() = "no memory";
    return created;
}

/// Does `what` for a checker; reports a defect of this library in the checker's text.
template <typename Function>
void attempt(isbesim_checker& checker, Function&& what)
{
    std::string error;
    if (guarded(error, what) != ISBESIM_OK) checker.text += "isbesim: " + error + "\n";
}

} // namespace

extern "C" {

const char* isbesim_checker_error(void)
{
    return last_error().c_str();
}

isbesim_checker* isbesim_checker_create(const char* machine, const char* mode)
{
    return create<isbesim_checker>(machine, mode);
}

void isbesim_checker_destroy(isbesim_checker* checker)
{
    delete checker;
}

uint32_t isbesim_checker_ports(const isbesim_checker* checker)
{
    return static_cast<uint32_t>(checker->ports.size());
}

void isbesim_checker_request(isbesim_checker* checker, uint32_t port
#define ISBESIM_FIELD(name, ...) , uint32_t name
#define ISBESIM_LANE_FIELD(name, ...) , const uint32_t* name
#include "tlm/request_fields.inc"
)
{
    if (port >= checker->ports.size()) return;
    isbesim_request request;
#define ISBESIM_FIELD(name, ...) request.name = static_cast<decltype(request.name)>(name);
#define ISBESIM_LANE_FIELD(name, ...) std::copy_n(name, std::size(request.name), request.name);
#include "tlm/request_fields.inc"
    auto& seen = checker->ports[port];
    std::string error;
    seen.request_valid = guarded(error, [&] { read_request(request, seen.request); }) == ISBESIM_OK;
    if (!seen.request_valid) checker->refused.emplace_back(port, error);
}

void isbesim_checker_response(isbesim_checker* checker, uint32_t port, const uint32_t* data, const uint32_t* status,
                              uint32_t error, uint32_t passes)
{
    if (port >= checker->ports.size()) return;
    auto& seen = checker->ports[port];
    seen.response_valid = true;
    auto& result = seen.response;
    for (unsigned c = 0; c < max_components; ++c)
        std::copy_n(data + c * warp_lanes, warp_lanes, result.data[c].begin());
    for (unsigned lane = 0; lane < warp_lanes; ++lane)
        result.status[lane] = static_cast<std::uint16_t>(status[lane / 2] >> (lane % 2 * 16));
    result.error = static_cast<op_error>(error);
    result.passes = passes == 0xffffffffU ? unreported_passes : static_cast<std::uint16_t>(std::min(passes, 0xfffeU));
}

uint32_t isbesim_checker_clock(isbesim_checker* checker, uint32_t reset, uint32_t req_ready, uint32_t resp_ready)
{
    const auto before = checker->checker->differences();
    checker->text.clear();
    attempt(*checker, [&] {
        for (unsigned port = 0; port < checker->ports.size(); ++port) {
            checker->ports[port].request_ready = (req_ready >> port & 1U) != 0;
            checker->ports[port].response_ready = (resp_ready >> port & 1U) != 0;
        }
        if (reset == 0)
            for (const auto& [port, error] : checker->refused) checker->checker->client_error(port, error);
        checker->checker->cycle(reset != 0, checker->ports);
        checker->text = checker->checker->take_report();
    });
    checker->refused.clear();
    for (auto& port : checker->ports) port.request_valid = port.response_valid = false;
    return static_cast<uint32_t>(checker->checker->differences() - before);
}

uint32_t isbesim_checker_finish(isbesim_checker* checker, uint32_t idle)
{
    checker->text.clear();
    attempt(*checker, [&] {
        checker->checker->finish(idle != 0);
        checker->text = checker->checker->take_report();
    });
    return static_cast<uint32_t>(checker->checker->differences());
}

const char* isbesim_checker_text(const isbesim_checker* checker)
{
    return checker->text.c_str();
}

isbesim_traffic* isbesim_traffic_create(const char* machine, uint32_t seed, uint32_t transactions)
{
    return create<isbesim_traffic>(machine, seed, transactions);
}

void isbesim_traffic_destroy(isbesim_traffic* traffic)
{
    delete traffic;
}

uint32_t isbesim_traffic_next(isbesim_traffic* traffic, uint32_t port, uint32_t* earliest, uint32_t* hold
#define ISBESIM_FIELD(name, ...) , uint32_t* name
#define ISBESIM_LANE_FIELD ISBESIM_FIELD
#include "tlm/request_fields.inc"
)
{
    traffic_item item;
    if (port >= traffic->ports || !traffic->source.next(port, item)) return 0;
    isbesim_request request;
    write_request(item.op, request);
    *earliest = static_cast<uint32_t>(item.earliest);
    *hold = item.response_hold;
#define ISBESIM_FIELD(name, ...) *name = static_cast<std::uint32_t>(request.name);
#define ISBESIM_LANE_FIELD(name, ...) std::copy_n(request.name, std::size(request.name), name);
#include "tlm/request_fields.inc"
    return 1;
}

} // extern "C"
