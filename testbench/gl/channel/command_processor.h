// SPDX-License-Identifier: Apache-2.0
// A channel: decodes push buffers in order and passes their methods to the class bound to each subchannel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "testbench/gl/channel/engine.h"
#include "testbench/gl/channel/macro_memory.h"

namespace isbesim::gl {

class method_sink {
public:
    virtual ~method_sink() = default;
    /// `number` in bytes, as the class headers give it.
    virtual void method(unsigned subchannel, std::uint32_t number, std::uint32_t value) = 0;
    /// The previous word was the packet's last.
    virtual void packet_end(unsigned subchannel) = 0;
    /// An invalid header word.
    virtual void bad_header(std::uint32_t word) = 0;
};

/// Decodes push buffer words into methods. A packet is a header word and data words; it may continue in the next piece
/// of a submission, or in the next submission.
class packet_decoder {
public:
    explicit packet_decoder(method_sink& sink) : sink_(sink) {}

    void words(const std::uint32_t* first, std::size_t count);
    bool inside_packet() const { return left_ != 0; }

private:
    enum class step : std::uint8_t { every_word, never, once };

    void header(std::uint32_t word);

    method_sink& sink_;
    unsigned subchannel_ = 0;
    std::uint32_t number_ = 0;
    std::uint32_t left_ = 0; ///< data words to come
    step step_ = step::never;
};

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
