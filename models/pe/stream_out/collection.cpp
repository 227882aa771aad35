// SPDX-License-Identifier: Apache-2.0
#include "models/pe/stream_out/collection.h"

namespace isbesim {

namespace {

gs_token token_of(const std::vector<word>& tokens, unsigned number)
{
    return decode_gs_token(static_cast<std::uint8_t>(tokens[number / 4] >> (number % 4 * 8)));
}

} // namespace

void emission_plan::find(const warp_tokens& left)
{
    if (known(left)) return;
    found_ = true;
    max_vertices_ = left.geometry.max_vertices;
    threads_ = left.geometry.thread_count;
    counts_ = left.counts;
    tokens_ = *left.tokens;
    collect(left);
}

bool emission_plan::known(const warp_tokens& left) const
{
    return found_ && threads_ == left.geometry.thread_count && max_vertices_ == left.geometry.max_vertices &&
           emitted_.size() == left.groups && counts_ == left.counts && tokens_ == *left.tokens;
}

void emission_plan::collect(const warp_tokens& left)
{
    emitted_.assign(left.groups, 0);
    any_emitted_ = false;
    for (auto& rows : rows_) rows.clear();
    primitives_ = off_stream_ = short_strips_ = 0;
    output_primitive found;
    for (unsigned lane = 0; lane < threads_; ++lane) {
        strip_collector strip(kind_, first_provokes_);
        for (unsigned slot = 0; slot < counts_[lane]; ++slot) {
            const auto number = gs_slot_index(order_, slot, lane, left.geometry);
            const auto token = token_of(tokens_, number);
            if (token.enabled) {
                emitted_[number / warp_lanes] |= lane_mask{1} << number % warp_lanes;
                any_emitted_ = true;
            } else {
                ++off_stream_;
            }
            if (!token.vertex || !strip.add(token, number, found)) continue;
            ++primitives_;
            auto& rows = rows_[found.stream];
            rows.insert(rows.end(), found.vertex.begin(), found.vertex.begin() + found.count);
        }
        strip.end();
        short_strips_ += strip.dropped();
    }
}

} // namespace isbesim
