// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traces/trace_check.h"

#include <algorithm>

#include "models/attribute/layout.h"
#include "models/isbe/access/map_lookup.h"
#include "models/isbe/functional/context.h"
#include "models/isbe/functional/lanes.h"
#include "tlm/byte_sum.h"

namespace isbesim::testbench {

namespace {

std::uint64_t end_of(const space_layout& space)
{
    const auto end = [](std::uint64_t base, std::uint64_t bytes) { return bytes == 0 ? 0 : base + bytes; };
    return std::max({end(space.attr_base, space.attr_bytes), end(space.map_base, space.map_bytes),
                     end(space.prim_base, space.prim_bytes),
                     end(space.patch_base, std::uint64_t{4} * space.patch_words * space.patch_count)});
}

class needs_finder {
public:
    explicit needs_finder(const isbe_config& recorded)
        : contexts_(recorded.contexts), bytes_(std::uint64_t{recorded.lines} * line_bytes)
    {
    }

    /// Throws std::invalid_argument.
    void add(const encoded_operation& encoded)
    {
        const bool bind = encoded.op() == opcode::bind;
        if (!bind && !(is_raw(encoded.op()) && encoded.region() == region::physical)) return;
        warp_op op;
        decode(encoded.bytes, op);
        if (bind)
            add_context(op);
        else
            add_access(op);
    }
    const trace_needs& needs() const { return needs_; }

private:
    void add_context(const warp_op& op)
    {
        if (op.context >= contexts_) {
            needs_.contexts_below = std::min<unsigned>(needs_.contexts_below, op.context + 1U);
            return;
        }
        needs_.contexts = std::max<unsigned>(needs_.contexts, op.context + 1U);
        const auto context = unpack_context(op);
        check_context(context, bytes_);
        needs_.storage_bytes = std::max(needs_.storage_bytes, storage_end(context));
    }

    // ISBERD and ISBEWR of the physical region (micro-architecture section 4.5).
    void add_access(const warp_op& op)
    {
        const auto bytes = std::clamp<std::int64_t>(op.size, 1, 4);
        for_each_lane(op.lanes, [&](unsigned lane) {
            const auto first = byte_sum(op, lane);
            if (first < 0) return; // outside any storage
            const auto end = static_cast<std::uint64_t>(first + bytes);
            if (end <= bytes_)
                needs_.storage_bytes = std::max(needs_.storage_bytes, end);
            else
                needs_.storage_below = std::min(needs_.storage_below, end);
        });
    }

    unsigned contexts_;
    std::uint64_t bytes_;
    trace_needs needs_;
};

} // namespace

std::uint64_t storage_end(const context& context)
{
    return context.stage == stage::none ? 0 : std::max(end_of(context.input), end_of(context.output));
}

trace_needs check_trace(const trace_file& trace, const isbe_config& recorded)
{
    trace_reader reader(trace);
    needs_finder finder(recorded);
    record_facts record;
    for (encoded_operation op; reader.next(record, op);) {
        try {
            finder.add(op);
        } catch (const std::invalid_argument& error) {
            throw trace_error("operation " + std::to_string(reader.operations() - 1) + " binds a " + error.what() +
                                  ", expected one that the recorded machine takes",
                              reader.record_offset());
        }
    }
    return finder.needs();
}

} // namespace isbesim::testbench
