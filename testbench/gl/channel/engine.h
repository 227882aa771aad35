// SPDX-License-Identifier: Apache-2.0
// A class of the chip, which receives the methods of a subchannel.
#pragma once

#include <cstdint>
#include <memory>

#include "testbench/gl/channel/draw_target.h"
#include "testbench/gl/channel/fence_queue.h"
#include "testbench/gl/channel/tally.h"
#include "testbench/gl/channel/upload_journal.h"
#include "testbench/gl/chip/chip.h"
#include "testbench/gl/chip/gpu_memory.h"
#include "testbench/gl/chip/surface.h"

namespace isbesim::gl {

/// Objects that all classes use. All of them outlive the channel.
struct channel_parts {
    const gl::chip& chip;
    gpu_memory& memory;
    upload_journal& journal;
    fence_queue& fences;
    draw_target& target;
    tally& counts;
};

/// Copies the mark "not drawn" of pixels from a copy's source to its target, and counts copies to linear images for the
/// summary: the program reads them.
void note_copied_pixels(const channel_parts& parts, const surface& target, std::uint32_t target_layer,
                        const surface& source, std::uint32_t source_layer);

class engine {
public:
    virtual ~engine() = default;
    virtual void method(std::uint32_t number, std::uint32_t value) = 0;
    virtual void packet_end() {}
    /// Completes all work that was begun: another class or the program accesses memory next.
    virtual void finish() {}
};

/// Each is in the source file of its name, upload in compute_engine.cpp.
std::unique_ptr<engine> make_compute_engine(const channel_parts& parts);
std::unique_ptr<engine> make_upload_engine(const channel_parts& parts);
std::unique_ptr<engine> make_blit_engine(const channel_parts& parts);
std::unique_ptr<engine> make_copy_engine(const channel_parts& parts);

} // namespace isbesim::gl
