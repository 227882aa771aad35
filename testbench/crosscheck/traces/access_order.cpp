// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traces/access_order.h"

#include <algorithm>

#include "models/attribute/layout.h"

namespace isbesim::testbench {

access_order::access_order(const isbe_config& config)
    : config_(config),
      touched_(config),
      contexts_(config.contexts),
      places_(std::size_t{config.lines} * line_bytes / 4 + config.contexts),
      notes_(1), // note 0 ends a list
      clocks_(trace_window)
{
}

void access_order::next(unsigned stream, const warp_op& op, dependency_list& after, bool any_slot)
{
    const auto number = number_of(current_) + 1;
    current_ = number << stream_bits | stream;
    const auto before = last_[stream];
    clock& now = clocks_[number % trace_window];
    if (before != 0 && before + trace_window > number)
        now = clocks_[before % trace_window];
    else
        now = {};
    now[stream] = before;
    now_ = &now;
    last_conflict_ = 0;

    const bool flat = is_raw(op.op) && op.region == region::physical;
    const std::size_t slots = places_.size() - contexts_.size();
    static const context no_context;
    if (!flat && op.context < contexts_.size()) {
        place& slot = places_[slots + op.context];
        if (op.op == opcode::bind) {
            if (any_slot) forget(slot);
            write(slot);
            contexts_[op.context] = unpack_context(op);
        } else {
            read(slot);
        }
    }
    if (flat || op.context < contexts_.size()) {
        touched_.find(op, flat ? no_context : contexts_[op.context]);
        if (touched_.store())
            touched_.for_each([&](word index) { write(places_[index]); });
        else
            touched_.for_each([&](word index) { read(places_[index]); });
    }
    collect(after);
    last_[stream] = number;
}

/// True if other rules already keep `id` before the current operation.
bool access_order::known(operation_id id) const
{
    const auto number = number_of(id);
    return number + trace_window <= number_of(current_) || number <= (*now_)[stream_of(id)];
}

inline void access_order::conflict(operation_id id)
{
    if (id == 0 || id == last_conflict_ || id == current_) return;
    last_conflict_ = id;
    auto& newest = wanted_[stream_of(id)];
    if (newest == 0) wanted_streams_[wanted_count_++] = static_cast<std::uint8_t>(stream_of(id));
    newest = std::max(newest, number_of(id));
}

// A wait for this reader includes all earlier readers: known readers need not be kept.
inline void access_order::read(place& accessed)
{
    if (accessed.reader == current_) return;
    conflict(accessed.writer);
    if (accessed.reader == 0 || known(accessed.reader)) {
        accessed.reader = current_;
        return;
    }
    for (auto note = accessed.more; note != 0; note = notes_[note].next) {
        if (notes_[note].reader != current_ && !known(notes_[note].reader)) continue;
        notes_[note].reader = current_;
        return;
    }
    auto note = free_note_;
    if (note != 0) {
        free_note_ = notes_[note].next;
    } else {
        note = static_cast<std::uint32_t>(notes_.size());
        notes_.emplace_back();
    }
    notes_[note] = {current_, accessed.more};
    accessed.more = note;
}

inline void access_order::write(place& accessed)
{
    if (accessed.writer == current_) return;
    conflict(accessed.writer);
    conflict(accessed.reader);
    while (accessed.more != 0) {
        const auto note = accessed.more;
        conflict(notes_[note].reader);
        accessed.more = notes_[note].next;
        notes_[note].next = free_note_;
        free_note_ = note;
    }
    accessed.reader = 0;
    accessed.writer = current_;
}

void access_order::forget(place& accessed)
{
    while (accessed.more != 0) {
        const auto note = accessed.more;
        accessed.more = notes_[note].next;
        notes_[note].next = free_note_;
        free_note_ = note;
    }
    accessed = {};
}

// The newest first: its own dependencies need no further wait.
void access_order::collect(dependency_list& after)
{
    after.count = 0;
    const auto number = number_of(current_);
    clock& now = *now_;
    while (wanted_count_ != 0) {
        unsigned latest = 0;
        for (unsigned i = 1; i < wanted_count_; ++i)
            if (wanted_[wanted_streams_[i]] > wanted_[wanted_streams_[latest]]) latest = i;
        const unsigned source = wanted_streams_[latest];
        const auto newest = wanted_[source];
        wanted_streams_[latest] = wanted_streams_[--wanted_count_];
        wanted_[source] = 0;
        if (known(newest << stream_bits | source)) continue;
        after.distance[after.count++] = static_cast<std::uint16_t>(number - newest);
        const clock& theirs = clocks_[newest % trace_window];
        for (unsigned stream = 0; stream < max_streams; ++stream) now[stream] = std::max(now[stream], theirs[stream]);
        now[source] = std::max(now[source], newest);
    }
}

} // namespace isbesim::testbench
