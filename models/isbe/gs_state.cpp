#include "models/isbe/gs_state.h"

#include <algorithm>

#include "models/isbe/faults.h"

namespace isbesim {

namespace {

constexpr word strip_limit = 15;

} // namespace

std::uint8_t encode_gs_token(const gs_token& token)
{
    return static_cast<std::uint8_t>((token.vertex ? 0x80U : 0U) | (token.cut ? 0x40U : 0U) |
                                     (token.enabled ? 0x20U : 0U) | (token.stream & 3U));
}

gs_token decode_gs_token(std::uint8_t value)
{
    return {(value & 0x80U) != 0, (value & 0x40U) != 0, (value & 0x20U) != 0, static_cast<std::uint8_t>(value & 3U)};
}

gs_step step_gs(word state, out_type type, unsigned stream, unsigned lane, const context& context, gs_slot_order order)
{
    const auto& geometry = context.geometry;
    gs_step out;
    out.state = state;
    const auto refuse = [&](std::uint16_t status) {
        out = gs_step{};
        out.state = state;
        out.status = status;
        return out;
    };

    if (context.fast_geometry) return out;
    if (!gs_state_valid(state, geometry.max_vertices)) return refuse(lane_status::gs_state);
    if (lane >= geometry.thread_count && !ISBESIM_FAULT(22)) return refuse(lane_status::gs_overflow);
    if (type == out_type::final) return out;

    auto s = decode_gs_state(state);
    if (s.slot == geometry.max_vertices) return refuse(lane_status::gs_overflow);

    gs_token token{true, type != out_type::emit, false, 0};
    word slot = s.slot;
    if (type == out_type::cut) {
        // A forged state can claim a strip in slot 0; there is no vertex of this thread to mark then.
        if ((s.strip == 0 && !ISBESIM_FAULT(19)) || s.slot == 0) return out;
        slot = s.slot - 1;
        token.stream = static_cast<std::uint8_t>(s.last_stream);
        s.strip = 0;
    } else {
        token.stream = static_cast<std::uint8_t>(stream & 3U);
        if (s.stream_valid && s.last_stream != token.stream && !ISBESIM_FAULT(20)) s.strip = 0;
        s.strip = type == out_type::emit_then_cut ? 0 : std::min(s.strip + 1, strip_limit);
        s.last_stream = token.stream;
        s.stream_valid = true;
        ++s.slot;
    }
    token.enabled = ((geometry.stream_mask >> token.stream) & 1U) != 0;

    if (ISBESIM_FAULT(21))
        order = order == gs_slot_order::blocked ? gs_slot_order::interleaved : gs_slot_order::blocked;
    out.token_offset = gs_token_offset(gs_slot_index(order, slot, lane, geometry));
    if (out.token_offset + 1 > context.output.map_bytes) return refuse(lane_status::gs_overflow);
    out.writes_token = true;
    out.token = encode_gs_token(token);
    out.state = encode_gs_state(s);
    return out;
}

} // namespace isbesim
