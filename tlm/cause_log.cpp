// SPDX-License-Identifier: Apache-2.0
#include "tlm/cause_log.h"

#include <algorithm>

namespace isbesim {

namespace {

unsigned index_of(path_reason reason, path_place place)
{
    return (static_cast<unsigned>(reason) * stage_count + static_cast<unsigned>(place.stage)) * path_part_count +
           static_cast<unsigned>(place.of);
}

} // namespace

void cause::free(cause_node* node)
{
    node->log->give_back(node);
}

cause_log::cause_log(bool segments) : keep_(segments), stacks_(1)
{
    add_block();
}

cause cause_log::start(std::uint64_t cycle)
{
    cause_node* const node = take();
    node->before = nullptr;
    node->cycle = cycle;
    node->reason = path_reason::none;
    node->place = {};
    return cause(node);
}

/// And what only it referred to.
void cause_log::give_back(cause_node* node)
{
    for (;;) {
        cause_node* const before = node->before;
        if (node->folded != 0) {
            free_stacks_.push_back(node->folded);
            node->folded = 0;
        }
        node->before = free_;
        free_ = node;
        if (before == nullptr || --before->references != 0) return;
        node = before;
    }
}

void cause_log::add_block()
{
    blocks_.push_back(std::make_unique<std::array<cause_node, block_size>>());
    for (auto& node : *blocks_.back()) {
        node.log = this;
        node.before = free_;
        free_ = &node;
    }
}

// After folding, the size is proportional to the live events; at twice that, folding costs little for each event.
void cause_log::make_room()
{
    if (!keep_) fold();
    std::size_t free = 0;
    for (const auto* node = free_; node != nullptr; node = node->before) ++free;
    for (auto more = free < capacity() / 2 ? blocks_.size() : 0; more != 0; --more) add_block();
}

void cause_log::fold()
{
    const auto for_each_live = [&](auto&& function) {
        for (auto& block : blocks_)
            for (auto& node : *block)
                if (node.references != 0) function(node);
    };
    for_each_live([](cause_node& node) { node.is_cause = false; });
    for_each_live([](cause_node& node) {
        if (node.before != nullptr) node.before->is_cause = true;
    });
    // From where a handle or several events refer to.
    for_each_live([&](cause_node& node) {
        if (node.references > 1 || !node.is_cause) fold_history(node);
    });
}

namespace {

/// Whether nothing but the event after it refers to it. The start of a draw stays.
bool is_private(const cause_node* node)
{
    return node != nullptr && node->references == 1 && node->before != nullptr;
}

} // namespace

/// A short history is left as it is: it takes less than sums do, and mostly ends soon.
void cause_log::fold_history(cause_node& node)
{
    constexpr unsigned long_history = 32;
    unsigned length = 0, folded = node.folded != 0 ? 1 : 0;
    for (const auto* each = node.before; is_private(each); each = each->before) {
        ++length;
        if (each->folded != 0) ++folded;
    }
    if (length < long_history && folded < 2) return;
    while (is_private(node.before)) absorb(node);
}

/// Merges the previous event, to which nothing else refers.
void cause_log::absorb(cause_node& node)
{
    auto& before = *node.before;
    if (node.folded == 0) {
        if (before.folded != 0) {
            add(stacks_[before.folded], node);
            std::swap(node.folded, before.folded);
        } else {
            const auto number = take_stack();
            add(stacks_[number], node);
            add(stacks_[number], before);
            node.folded = number;
        }
    } else if (before.folded == 0) {
        add(stacks_[node.folded], before);
    } else {
        auto& sums = stacks_[node.folded];
        auto& others = stacks_[before.folded];
        if (sums.size() < others.size()) sums.swap(others);
        for (std::size_t i = 0; i < others.size(); ++i) {
            sums[i].cycles += others[i].cycles;
            sums[i].count += others[i].count;
        }
        free_stacks_.push_back(before.folded);
        before.folded = 0;
    }
    node.before = before.before;
    before.references = 0;
    before.before = free_;
    free_ = &before;
}

std::uint32_t cause_log::take_stack()
{
    if (free_stacks_.empty()) {
        stacks_.emplace_back();
        free_stacks_.push_back(static_cast<std::uint32_t>(stacks_.size() - 1));
    }
    const auto number = free_stacks_.back();
    free_stacks_.pop_back();
    stacks_[number].clear();
    return number;
}

unsigned cause_log::kind_of(const cause_node& node)
{
    auto& number = kinds_[index_of(node.reason, node.place)];
    if (number == 0) {
        known_kinds_.push_back({node.reason, node.place});
        number = static_cast<std::uint16_t>(known_kinds_.size());
    }
    return number - 1U;
}

void cause_log::add(stack& sums, const cause_node& node)
{
    const auto kind = kind_of(node);
    if (sums.size() <= kind) sums.resize(kind + std::size_t{1});
    sums[kind].cycles += node.cycle - node.before->cycle;
    sums[kind].count += node.count;
}

std::vector<path_part> cause_log::path_to(const cause& end) const
{
    std::vector<path_part> parts;
    const auto add_part = [&](const path_part& more) {
        if (more.count == 0 || more.reason == path_reason::none) return;
        const auto found = std::find_if(parts.begin(), parts.end(), [&](const path_part& part) {
            return index_of(part.reason, part.place) == index_of(more.reason, more.place);
        });
        if (found == parts.end()) {
            parts.push_back(more);
        } else {
            found->cycles += more.cycles;
            found->count += more.count;
        }
    };
    for (const auto* node = end.node(); node != nullptr && node->before != nullptr; node = node->before) {
        if (node->folded == 0) {
            add_part({node->reason, node->place, node->cycle - node->before->cycle, node->count});
            continue;
        }
        const auto& sums = stacks_[node->folded];
        for (std::size_t kind = 0; kind < sums.size(); ++kind)
            add_part({known_kinds_[kind].reason, known_kinds_[kind].place, sums[kind].cycles, sums[kind].count});
    }
    std::sort(parts.begin(), parts.end(), [](const path_part& a, const path_part& b) {
        return index_of(a.reason, a.place) < index_of(b.reason, b.place);
    });
    return parts;
}

std::vector<path_segment> cause_log::segments_to(const cause& end) const
{
    std::vector<path_segment> segments;
    if (!keep_) return segments;
    for (const auto* node = end.node(); node != nullptr && node->before != nullptr; node = node->before)
        segments.push_back({node->before->cycle, node->cycle, node->reason, node->place});
    std::reverse(segments.begin(), segments.end());
    return segments;
}

} // namespace isbesim
