// SPDX-License-Identifier: Apache-2.0
// A channel: decodes push buffers in order and passes their methods to the class bound to each subchannel.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>

#include "testbench/gl/channel/engine.h"
#include "testbench/gl/channel/macro_memory.h"
#include "testbench/gl/channel/packet_decoder.h"

namespace isbesim::gl {

class command_processor : private method_sink {
public:
    explicit command_processor(const channel_parts& parts);
    ~command_processor() override;

    /// Executes a piece of a submission: words of GPU memory, read now.
    void words(const std::uint32_t* first, std::size_t count) { decoder_.words(first, count); }
    /// Ends a submission: everything that it requested is done.
    void finish();

private:
    void method(unsigned subchannel, std::uint32_t number, std::uint32_t value) override;
    void packet_end(unsigned subchannel) override;
    void bad_header(std::uint32_t word) override;

    void bind(unsigned subchannel, std::uint32_t class_number);
    void host_method(std::uint32_t number, std::uint32_t value);

    channel_parts parts_;
    packet_decoder decoder_;
    macro_memory macros_;
    std::map<std::uint32_t, std::unique_ptr<engine>> engines_; ///< by kind of class
    std::array<engine*, 8> bound_{};
    unsigned last_ = 0;                        ///< subchannel of the previous method
    std::array<std::uint32_t, 4> semaphore_{}; ///< of the host interface: address, sequence, trigger
};

} // namespace isbesim::gl
