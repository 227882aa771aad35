// SPDX-License-Identifier: Apache-2.0
// The events of cause.h: a pool of them, and the critical path.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "tlm/cause.h"

namespace isbesim {

/// Part of a path: all its cycles of one reason and place.
struct path_part {
    path_reason reason = path_reason::none;
    path_place place;
    std::uint64_t cycles = 0;
    std::uint64_t count = 0; ///< how often the path contains it
};

/// One step of a path, from an event to the next.
struct path_segment {
    std::uint64_t from = 0; ///< cycle of the earlier event,
    std::uint64_t to = 0;   ///< and of the later event
    path_reason reason = path_reason::none;
    path_place place;
};

/// Memory is bounded by the number of handles, however long a run is: when the pool is used up, the history that leads
/// to only one live event is folded into sums.
class cause_log {
public:
    /// `segments`: keeps every step that may become part of the path, for segments(); memory then grows with the run.
    explicit cause_log(bool segments = false);
    cause_log(const cause_log&) = delete;
    cause_log& operator=(const cause_log&) = delete;

    /// The start of a draw.
    cause start(std::uint64_t cycle);
    /// The cycles from the start to `end` by reason and place, each once; in the order of the reasons.
    std::vector<path_part> path_to(const cause& end) const;
    /// ... step by step from the start on; empty unless segments are kept.
    std::vector<path_segment> segments_to(const cause& end) const;

    /// Number of events that the pool has room for.
    std::size_t capacity() const { return blocks_.size() * block_size; }

private:
    friend class cause;
    static constexpr std::size_t block_size = 2048;
    static constexpr unsigned places = stage_count * path_part_count;

    struct amount {
        std::uint64_t cycles = 0;
        std::uint64_t count = 0;
    };
    using stack = std::vector<amount>; ///< by number of a kind

    cause_node* take()
    {
        if (free_ == nullptr) make_room();
        cause_node* const node = free_;
        free_ = node->before;
        return node;
    }
    void give_back(cause_node* node);
    void make_room();
    void add_block();
    void fold();
    void fold_history(cause_node& node);
    void absorb(cause_node& node);
    std::uint32_t take_stack();
    void add(stack& sums, const cause_node& node);
    unsigned kind_of(const cause_node& node);

    bool keep_;
    std::vector<std::unique_ptr<std::array<cause_node, block_size>>> blocks_;
    cause_node* free_ = nullptr;
    std::vector<stack> stacks_; ///< the first means none
    std::vector<std::uint32_t> free_stacks_;
    std::array<std::uint16_t, path_reason_count * places> kinds_{}; ///< numbers + 1 of reason and place; 0: none yet
    std::vector<path_part> known_kinds_;                            ///< by number, without amounts
};

inline cause cause::then(std::uint64_t cycle, path_reason reason, path_place place) const
{
    if (node_ == nullptr) return {};
    cause_node* const node = node_->log->take();
    node->before = node_;
    ++node_->references;
    node->cycle = cycle;
    node->count = 1;
    node->reason = reason;
    node->place = place;
    return cause(node);
}

} // namespace isbesim
