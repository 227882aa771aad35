// SPDX-License-Identifier: Apache-2.0
// Why something happened when it did: a graph of events, each with the one that it waited for last.
//
// Whatever may decide when something else happens keeps the cause of its own state: a payload the last event of its
// operation, a warp its last issue, a scoreboard what released it, the pass engine its last pass. What needs several
// things takes the one that came true last. From the end of a draw that leads back to its start, over every cycle once:
// the critical path.
#pragma once

#include <cstdint>
#include <utility>

#include "tlm/path_reason.h"

namespace isbesim {

class cause_log;

/// An event. It lives as long as a handle or a later event refers to it.
struct cause_node {
    cause_log* log = nullptr;
    cause_node* before = nullptr; ///< what it waited for last; of the start of a draw null. In the pool: the next free
    std::uint64_t cycle = 0;
    std::uint32_t references = 0;
    std::uint32_t count = 1;  ///< equal steps in a row that it stands for
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
    /// Its cycle and owner; of nothing 0 and no owner.
    std::uint64_t cycle() const { return node_ == nullptr ? 0 : node_->cycle; }
    path_place place() const { return node_ == nullptr ? path_place{} : node_->place; }
    const cause_node* node() const { return node_; }

    /// An event of `place` in `cycle` that waited for this one last and came so much later because of `reason`.
    cause then(std::uint64_t cycle, path_reason reason, path_place place) const;
    cause then(std::uint64_t cycle, path_reason reason) const { return then(cycle, reason, place()); }

    /// Makes this event the one in `cycle` that follows it for the same `reason`, of the same place: cheaper than
    /// another one. False, and nothing done, unless it came for that reason and only `handles` handles refer to it.
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

/// The event in `cycle` that waited for `from` last: what comes true in cycle `at`, so much later because of `reason`.
/// If those cycles differ, the mismatch is marked `unexplained`.
inline cause event_of(const cause& from, std::uint64_t at, path_reason reason, std::uint64_t cycle, path_place place)
{
    return from.then(cycle, at == cycle ? reason : path_reason::unexplained, place);
}

/// Something that has to hold before an event and is known before it: it comes true in cycle `at`.
struct precondition {
    cause from;
    std::uint64_t at = 0;
    path_reason reason = path_reason::none;
};

} // namespace isbesim
