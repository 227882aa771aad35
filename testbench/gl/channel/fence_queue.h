// SPDX-License-Identifier: Apache-2.0
// Fences of a channel: words that the GPU writes and a driver polls. A submission is executed before its call returns,
// but Mesa's driver expects a GPU that runs later: it assigns a fence between commands to queries that end afterwards,
// and reads their counts after the fence has passed. So programs see such fences late. A fence at the end of a
// submission has no later commands, so it passes at once, with all earlier fences.
#pragma once

#include <cstdint>
#include <vector>

#include "testbench/gl/chip/gpu_memory.h"

namespace isbesim::gl {

class fence_queue {
public:
    /// `late`: programs see fences late. Vulkan's driver needs no delay: it reads no word during a submission.
    explicit fence_queue(gpu_memory& memory, bool late = true) : memory_(memory), late_(late) {}

    void begin_submission(std::uint64_t number)
    {
        submission_ = number;
        fence_is_last_ = false;
    }
    void command() { fence_is_last_ = false; }
    /// `on`: words added from now on are data for other commands, not fences.
    void write_at_once(bool on) { at_once_ = on; }
    /// The current command writes a fence.
    void add(std::uint64_t address, std::uint32_t value);
    void end_submission()
    {
        if (fence_is_last_) pass(submission_);
    }

    bool empty() const { return held_.empty(); }
    /// Shows programs the fences of all submissions up to this one.
    void pass(std::uint64_t submission);
    /// Drops fences in these bytes, which were overwritten or freed.
    void forget(std::uint64_t address, std::uint64_t bytes);
    /// Words of memory as the GPU sees them, including all fences.
    std::vector<std::uint32_t> words(std::uint64_t address, std::uint64_t bytes) const;

private:
    struct fence {
        std::uint64_t submission, address;
        std::uint32_t value;
        bool inside(std::uint64_t first, std::uint64_t bytes) const
        {
            return address >= first && address - first < bytes;
        }
    };

    gpu_memory& memory_;
    std::uint64_t submission_ = 0;
    bool fence_is_last_ = false;
    bool late_ = true;
    bool at_once_ = false;
    std::vector<fence> held_; ///< oldest first
};

} // namespace isbesim::gl
