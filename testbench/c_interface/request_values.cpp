// SPDX-License-Identifier: Apache-2.0
#include "testbench/c_interface/request_values.h"

#include <cstring>
#include <stdexcept>

#include "tlm/warp_fields.h"

namespace isbesim::testbench {

static_assert(ISBESIM_LANES == warp_lanes && ISBESIM_COMPONENTS == max_components);

namespace {

template <typename To, typename From>
void copy_words(To& to, const From& source)
{
    static_assert(sizeof to == sizeof source);
    std::memcpy(&to, &source, sizeof to);
}

} // namespace

void read_request(const isbesim_request& request, warp_op& op)
{
    if (const auto error = field_error(request); !error.empty()) throw std::invalid_argument(error);
#define ISBESIM_FIELD(name, ...) op.name = static_cast<decltype(op.name)>(request.name);
#define ISBESIM_LANE_FIELD(name, ...) copy_words(op.name, request.name);
#include "tlm/request_fields.inc"
}

void write_request(const warp_op& op, isbesim_request& to)
{
#define ISBESIM_FIELD(name, ...) to.name = static_cast<decltype(to.name)>(op.name);
#define ISBESIM_LANE_FIELD(name, ...) copy_words(to.name, op.name);
#include "tlm/request_fields.inc"
}

void write_response(const warp_result& result, isbesim_response& to)
{
#define ISBESIM_FIELD(name, ...) to.name = static_cast<decltype(to.name)>(result.name);
#define ISBESIM_LANE_FIELD(name, ...) copy_words(to.name, result.name);
#include "tlm/response_fields.inc"
}

void read_response(const isbesim_response& response, warp_result& result)
{
#define ISBESIM_FIELD(name, ...) result.name = static_cast<decltype(result.name)>(response.name);
#define ISBESIM_LANE_FIELD(name, ...) copy_words(result.name, response.name);
#include "tlm/response_fields.inc"
}

} // namespace isbesim::testbench
