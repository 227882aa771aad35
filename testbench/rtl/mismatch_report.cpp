// SPDX-License-Identifier: Apache-2.0
#include "testbench/rtl/mismatch_report.h"

#include <iomanip>
#include <sstream>

#include "models/isbe/functional/names.h"

namespace isbesim::testbench {

namespace {

std::ostream& hex(std::ostream& out, word value)
{
    const auto flags = out.flags();
    out << "0x" << std::hex << std::setfill('0') << std::setw(8) << value;
    out.flags(flags);
    return out;
}

template <typename T>
void put(std::ostream& out, const char* field, T value)
{
    out << " " << field << "=" << static_cast<std::int64_t>(value);
}
void put(std::ostream& out, const char*, opcode op)
{
    out << " " << name_of(op);
}
void put(std::ostream& out, const char* field, lane_mask lanes)
{
    hex(out << " " << field << "=", lanes);
}

} // namespace

std::string describe_transaction(std::uint64_t id, unsigned port, const warp_op& op)
{
    std::ostringstream out;
    out << "  transaction " << id << " port " << port << ":";
#define ISBESIM_FIELD(name, ...) put(out, #name, op.name);
#include "tlm/request_fields.inc"
    out << '\n';
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        if (((op.lanes >> lane) & 1U) == 0) continue;
        out << "    lane " << std::setw(2) << lane << " address=";
        hex(out, op.address[lane]) << " handle=";
        hex(out, op.handle[lane]) << " data=";
        for (unsigned c = 0; c < max_components; ++c)
            hex(out, op.data[c][lane]) << (c + 1 < max_components ? "," : "\n");
    }
    return out.str();
}

std::string different_parts(const warp_result& expected, const warp_result& got)
{
    std::string text;
#define ISBESIM_FIELD(name, pins, part)                                                                                \
    if (expected.name != got.name) text += (text.empty() ? "" : " and ") + std::string(part);
#define ISBESIM_LANE_FIELD ISBESIM_FIELD
#include "tlm/response_fields.inc"
    return text;
}

std::string describe_difference(const warp_op& op, const warp_result& expected, const warp_result& got)
{
    std::ostringstream out;
    if (expected.error != got.error)
        out << "  error: expected " << static_cast<unsigned>(expected.error) << ", got "
            << static_cast<unsigned>(got.error) << '\n';
    if (expected.passes != got.passes)
        out << "  passes: expected " << expected.passes << ", got " << got.passes << '\n';
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        const char* inactive = ((op.lanes >> lane) & 1U) != 0 ? "" : " (inactive)";
        if (expected.status[lane] != got.status[lane]) {
            out << "  lane " << lane << inactive << " status: expected ";
            hex(out, expected.status[lane]) << ", got ";
            hex(out, got.status[lane]) << '\n';
        }
        for (unsigned c = 0; c < max_components; ++c) {
            if (expected.data[c][lane] == got.data[c][lane]) continue;
            out << "  lane " << lane << inactive << " component " << c << ": expected ";
            hex(out, expected.data[c][lane]) << ", got ";
            hex(out, got.data[c][lane]) << '\n';
        }
    }
    return out.str();
}

} // namespace isbesim::testbench
