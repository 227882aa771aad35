// SPDX-License-Identifier: Apache-2.0
// The causes of events: a graph in which each event refers to the event that it waited for last.
//
// Everything that other events may wait for keeps the event that caused its own state: a payload has the last event of
// its operation, a warp its last issue, a scoreboard its release, the pass engine its last pass. An event that waits
// for several others refers to the latest of them. Followed back from the end of a draw to its start, these references
// cover every cycle once: the critical path.
#pragma once

#include <cstdint>
#include <utility>

#include "tlm/path_reason.h"

namespace isbesim {

class cause_log;

/// An event. It lives as long as a handle or a later event refers to it.
struct cause_node {
    cause_log* log = nullptr;
    cause_node* before =
        nullptr; ///< the event that it waited for last; null at the start of a draw. In the pool: the next free
    std::uint64_t cycle = 0;
    std::uint32_t references = 0;
    std::uint32_t count = 1;  ///< number of equal steps in a row that it represents
    std::uint32_t folded = 0; ///< 0: the cycles since `before` are those of `reason`; otherwise a stack of the log
    path_reason reason = path_reason::none;
    path_place place;
    bool is_cause = false; ///< while the log folds: another event refers to it
};

/// A handle to an event, or to nothing: without recording, all are empty, and so are their results. All
/// handles must end before the log.
class cause {
public:
    cause() = default;
    cause(const cause& other) : node_(other.node_)
    {
        if (node_ != nullptr) ++node_->references;
    }
    cause(cause&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
    cause& operator=(const cause& other)
    {
        cause kept(other); // of itself too
        std::swap(node_, kept.node_);
        return *this;
    }
    cause& operator=(cause&& other) noexcept
    {
        std::swap(node_, other.node_);
        return *this;
    }
    ~cause() { drop(); }

    explicit operator bool() const { return node_ != nullptr; }
    /// Its cycle and owner; 0 and no owner if the handle is empty.
    std::uint64_t cycle() const { return node_ == nullptr ? 0 : node_->cycle; }
    path_place place() const { return node_ == nullptr ? path_place{} : node_->place; }
    const cause_node* node() const { return node_; }

    /// An event of `place` in `cycle` that waited for this event last; the cycles between them are due to `reason`.
    cause then(std::uint64_t cycle, path_reason reason, path_place place) const;
    cause then(std::uint64_t cycle, path_reason reason) const { return then(cycle, reason, place()); }

    /// Moves this event to `cycle`, as the next event of the same place for the same `reason`: cheaper than a new
    /// event. Returns false and does nothing unless the event has that reason and only `handles` handles refer to it.
    bool prolong(std::uint64_t cycle, path_reason reason, unsigned handles)
    {
        if (node_ == nullptr || node_->reason != reason || node_->references != handles || node_->folded != 0)
            return false;
        node_->cycle = cycle;
        ++node_->count;
        return true;
    }

private:
    friend class cause_log;
    explicit cause(cause_node* node) : node_(node) { ++node->references; }
    void drop()
    {
        if (node_ != nullptr && --node_->references == 0) free(node_);
    }
    static void free(cause_node* node);

    cause_node* node_ = nullptr;
};

/// The event in `cycle` that waited for `origin` last, when `origin` allows it in cycle `at`, delayed by `reason`. If
/// `at` differs from `cycle`, the difference is marked `unexplained`.
inline cause event_of(const cause& origin, std::uint64_t at, path_reason reason, std::uint64_t cycle, path_place place)
{
    return origin.then(cycle, at == cycle ? reason : path_reason::unexplained, place);
}

/// A condition of an event whose cycle is known in advance: it holds from cycle `at` on.
struct precondition {
    cause from;
    std::uint64_t at = 0;
    path_reason reason = path_reason::none;
};

} // namespace isbesim
