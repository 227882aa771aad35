// SPDX-License-Identifier: Apache-2.0
#include "testbench/c_interface/request_values.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

namespace isbesim::testbench {

namespace {

static_assert(ISBESIM_LANES == warp_lanes && ISBESIM_COMPONENTS == max_components);
static_assert(sizeof(isbesim_request::data) == sizeof(warp_op::data));
static_assert(sizeof(isbesim_response::data) == sizeof(warp_result::data));
static_assert(sizeof(isbesim_response::status) == sizeof(warp_result::status));

void require(bool holds, const char* field, std::uint32_t value, const char* expected)
{
    if (!holds)
        throw std::invalid_argument(std::string(field) + " = " + std::to_string(value) + " is not possible, expected " +
                                    expected);
}

/// Section 2: checks that the fields that the operation uses have a defined value.
void check_meaning(const isbesim_request& r)
{
    const auto op = static_cast<opcode>(r.op);
    if (is_attribute(op)) require(r.form < form_count, "form", r.form, "0 logical, 1 .P or 2 .PHYS");
    if (is_raw(op)) {
        require(r.region < region_count, "region", r.region, "0 MAP, 1 PATCH, 2 PRIM, 3 ATTR or 4 physical");
        require(r.size == 1 || r.size == 2 || r.size == 4, "size", r.size, "1, 2 or 4 bytes");
    } else if (is_attribute(op) || op == opcode::al2p) {
        require(r.size >= 1 && r.size <= max_components, "size", r.size, "1 to 4 words");
    }
}

} // namespace

void read_request(const isbesim_request& r, warp_op& op)
{
    require(r.op < opcode_count, "op", r.op, "0 (ALD) to 6 (BIND)");
    require(r.space < space_count, "space", r.space, "0 input or 1 output");
    require(r.region < 8, "region", r.region, "3 bits");
    require(r.form < 4, "form", r.form, "2 bits");
    require(r.type < 4, "type", r.type, "0 final, 1 EMIT, 2 CUT or 3 EMIT_THEN_CUT");
    require(r.size < 8, "size", r.size, "3 bits");
    require(r.skew < 2, "skew", r.skew, "0 or 1");
    require(r.context <= 0xffff, "context", r.context, "16 bits");
    check_meaning(r);
    op.op = static_cast<opcode>(r.op);
    op.space = static_cast<space>(r.space);
    op.region = static_cast<region>(r.region);
    op.form = static_cast<address_form>(r.form);
    op.type = static_cast<out_type>(r.type);
    op.size = static_cast<std::uint8_t>(r.size);
    op.skew = r.skew != 0;
    op.context = static_cast<std::uint16_t>(r.context);
    op.immediate = r.immediate;
    op.lanes = r.lanes;
    std::copy_n(r.address, warp_lanes, op.address.begin());
    std::copy_n(r.handle, warp_lanes, op.handle.begin());
    std::memcpy(op.data.data(), r.data, sizeof r.data);
}

void write_request(const warp_op& op, isbesim_request& to)
{
    to.op = static_cast<std::uint32_t>(op.op);
    to.space = static_cast<std::uint32_t>(op.space);
    to.region = static_cast<std::uint32_t>(op.region);
    to.form = static_cast<std::uint32_t>(op.form);
    to.type = static_cast<std::uint32_t>(op.type);
    to.size = op.size;
    to.skew = op.skew ? 1 : 0;
    to.context = op.context;
    to.immediate = op.immediate;
    to.lanes = op.lanes;
    std::copy(op.address.begin(), op.address.end(), to.address);
    std::copy(op.handle.begin(), op.handle.end(), to.handle);
    std::memcpy(to.data, op.data.data(), sizeof to.data);
}

void write_response(const warp_result& result, isbesim_response& to)
{
    std::memcpy(to.data, result.data.data(), sizeof to.data);
    std::copy(result.status.begin(), result.status.end(), to.status);
    to.error = static_cast<std::uint32_t>(result.error);
    to.passes = result.passes;
}

void read_response(const isbesim_response& from, warp_result& result)
{
    std::memcpy(result.data.data(), from.data, sizeof from.data);
    std::copy_n(from.status, warp_lanes, result.status.begin());
    result.error = static_cast<op_error>(from.error);
    result.passes = static_cast<std::uint16_t>(from.passes);
}

} // namespace isbesim::testbench
