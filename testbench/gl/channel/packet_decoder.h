// SPDX-License-Identifier: Apache-2.0
// Decodes push buffer words into methods. A packet is a header word and data words; it may continue in the next piece
// of a submission, or in the next submission.
#pragma once

#include <cstddef>
#include <cstdint>

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

} // namespace isbesim::gl
