// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/channel/report.h"

#include <cstring>
#include <map>

#include "testbench/gl/channel/three_d_methods.h"

namespace isbesim::gl {

void write_report(const channel_parts& parts, const three_d_state& state, std::uint32_t what)
{
    constexpr std::uint32_t one_word = 1U << 28;
    enum operation : std::uint32_t { release, acquire, report_only, trap };
    parts.target.separate();
    if ((what & 3) == acquire || (what & 3) == trap) return; // all earlier work is done
    const auto sequence = state.at(three_d::report_payload);
    const auto short_form = (what & one_word) != 0;
    const auto address = state.address_at(three_d::report_address);
    auto* target = parts.memory.at(address, short_form ? 4 : 16);
    if (target == nullptr) {
        ++parts.counts.refused["report to an address outside the GPU's memory"];
        return;
    }
    const auto kind = static_cast<report_kind>((what >> 23) & 0x1f);
    if (short_form && kind == report_kind::none) {
        parts.fences.add(address, sequence);
        return;
    }
    parts.fences.forget(address, short_form ? 4 : 16);
    const auto value = kind == report_kind::none ? 0 : parts.target.report(kind, (what >> 5) & 7);
    if (short_form) {
        std::memcpy(target, &value, 4);
        return;
    }
    const auto narrow =
        kind == report_kind::none || kind == report_kind::samples || kind == report_kind::stream_out_offset;
    const auto first = narrow ? (value << 32) | sequence : value;
    const auto now = parts.target.nanoseconds();
    std::memcpy(target, &first, 8);
    std::memcpy(target + 8, &now, 8);
}

void clear_report(const channel_parts& parts, std::uint32_t which)
{
    // Different numbers from those of reports: NV9097_CLEAR_REPORT_VALUE of open-gpu-doc's classes.
    static const std::map<std::uint32_t, report_kind> kinds = {{0x01, report_kind::samples},
                                                               {0x10, report_kind::stream_out_written},
                                                               {0x11, report_kind::stream_out_needed},
                                                               {0x12, report_kind::vertices},
                                                               {0x13, report_kind::primitives},
                                                               {0x15, report_kind::vertex_invocations},
                                                               {0x16, report_kind::control_invocations},
                                                               {0x17, report_kind::evaluation_invocations},
                                                               {0x1a, report_kind::geometry_invocations},
                                                               {0x1b, report_kind::geometry_primitives},
                                                               {0x1c, report_kind::clipper_in},
                                                               {0x1d, report_kind::clipper_out},
                                                               {0x1e, report_kind::fragment_invocations},
                                                               {0x1f, report_kind::primitives_generated}};
    const auto found = kinds.find(which & 0x1f);
    if (found != kinds.end()) parts.target.clear(found->second);
}

namespace {

bool holds(const gpu_memory& memory, const render_condition& condition)
{
    enum mode : std::uint32_t { never, always, nonzero, equal, not_equal };
    if (condition.mode == never || condition.mode == always) return condition.mode == always;
    const auto* report = memory.at(condition.address, 32);
    if (report == nullptr) return true;
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    std::memcpy(&first, report, 8);
    std::memcpy(&second, report + 16, 8);
    if (condition.mode == nonzero) return first >> 32 != 0; // a 32-bit report: sequence, then value
    return (first == second) == (condition.mode == equal);
}

} // namespace

bool rendering_enabled(const channel_parts& parts, const three_d_state& state)
{
    return holds(parts.memory, parts.target.condition) &&
           holds(parts.memory, {state.address_at(three_d::condition_address), state.at(three_d::condition_mode)});
}

} // namespace isbesim::gl
