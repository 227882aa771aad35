// SPDX-License-Identifier: Apache-2.0
// What a subchannel talks to: a class of the chip.
#pragma once

#include <cstdint>

#include "testbench/gl/channel/draw_target.h"
#include "testbench/gl/channel/fence_queue.h"
#include "testbench/gl/channel/tally.h"
#include "testbench/gl/channel/upload_journal.h"
#include "testbench/gl/chip/chip.h"
#include "testbench/gl/chip/gpu_memory.h"

namespace isbesim::gl {

/// What every class works on. All of it outlives the channel.
struct channel_parts {
    const gl::chip& chip;
    gpu_memory& memory;
    upload_journal& journal;
    fence_queue& fences;
    draw_target& target;
    tally& counts;
};

class engine {
public:
    virtual ~engine() = default;
    virtual void method(std::uint32_t number, std::uint32_t value) = 0;
    virtual void packet_end() {}
    /// Everything that was begun is to be done now: another class, or the program, looks at memory next.
    virtual void finish() {}
};

} // namespace isbesim::gl
