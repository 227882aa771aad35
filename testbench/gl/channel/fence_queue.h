// SPDX-License-Identifier: Apache-2.0
// Fences of a channel: words that the GPU writes and a driver polls. A submission is carried out before its call
// returns, but Mesa's driver counts on a GPU that is later: it gives a fence that it put between commands to queries
// that end afterwards, and reads their counts when it has passed. Programs see such a fence late. With one at the end
// of a submission the driver is done, so that passes at once, and all before it.
#pragma once

#include <cstdint>
#include <vector>

#include "testbench/gl/chip/gpu_memory.h"

namespace isbesim::gl {

class fence_queue {
public:
    /// `late`: programs see fences late. Not Vulkan's driver, which looks at no word before its submission is over.
    explicit fence_queue(gpu_memory& memory, bool late = true) : memory_(memory), late_(late) {}

    void begin_submission(std::uint64_t number)
    {
        submission_ = number;
        fence_is_last_ = false;
    }
    void command() { fence_is_last_ = false; }
    /// Additions from now on are data for other commands, no fence.
    void write_at_once(bool on) { at_once_ = on; }
    /// The command that was just begun writes a fence.
    void add(std::uint64_t address, std::uint32_t value);
    void end_submission()
    {
        if (fence_is_last_) pass(submission_);
    }

    bool empty() const { return held_.empty(); }
    /// Programs see the fences of submissions up to this one.
    void pass(std::uint64_t submission);
    /// What these bytes held is overwritten or gone.
    void forget(std::uint64_t address, std::uint64_t bytes);
    /// Words of memory as the GPU sees them: with all fences.
    std::vector<std::uint32_t> words(std::uint64_t address, std::uint64_t bytes) const;

private:
    struct fence {
        std::uint64_t submission, address;
        std::uint32_t value;
        bool inside(std::uint64_t from, std::uint64_t bytes) const { return address >= from && address - from < bytes; }
    };

    gpu_memory& memory_;
    std::uint64_t submission_ = 0;
    bool fence_is_last_ = false;
    bool late_ = true;
    bool at_once_ = false;
    std::vector<fence> held_; ///< oldest first
};

} // namespace isbesim::gl
