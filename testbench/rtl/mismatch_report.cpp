// SPDX-License-Identifier: Apache-2.0
#include "testbench/rtl/mismatch_report.h"

#include <iomanip>
#include <sstream>
#include <utility>

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

} // namespace

std::string describe_transaction(std::uint64_t id, unsigned port, const warp_op& op)
{
    std::ostringstream out;
    out << "  transaction " << id << " port " << port << ": " << name_of(op.op)
        << " space=" << static_cast<unsigned>(op.space) << " region=" << static_cast<unsigned>(op.region)
        << " form=" << static_cast<unsigned>(op.form) << " type=" << static_cast<unsigned>(op.type)
        << " size=" << static_cast<unsigned>(op.size) << " context=" << op.context << " immediate=" << op.immediate
        << " lanes=";
    hex(out, op.lanes) << '\n';
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
    for (const auto& [differs, part] : {std::pair{expected.data != got.data, "other data"},
                                        {expected.status != got.status, "other status"},
                                        {expected.error != got.error, "another error"},
                                        {expected.passes != got.passes, "other passes"}})
        if (differs) text += (text.empty() ? "" : " and ") + std::string(part);
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
