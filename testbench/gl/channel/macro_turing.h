// SPDX-License-Identifier: Apache-2.0
// Macros since Turing: three-word instructions with a predicate, two ALUs and two outputs (HARDWARE.md J.6).
#pragma once

#include <array>

#include "testbench/gl/channel/macro_memory.h"

namespace isbesim::gl {

class macro_turing : public macro_machine {
public:
    /// Both must outlive the machine.
    macro_turing(macro_host& host, macro_memory& memory) : host_(host), memory_(memory) {}

    void start(std::uint32_t position) override;
    macro_event step() override;
    std::uint32_t position() const override { return position_; }

private:
    static constexpr std::uint32_t words = 3; ///< of an instruction

    struct instruction;

    static instruction decode(std::uint32_t high, std::uint32_t middle, std::uint32_t low);
    std::uint32_t source(const instruction& step, unsigned alu, std::uint32_t name);
    std::uint32_t compute(const instruction& step, unsigned alu);
    void execute(const instruction& step, unsigned alu);
    std::uint32_t jump(std::uint32_t where) const;
    void loop(std::uint32_t count, std::uint32_t length);
    std::uint32_t data(const instruction& step, std::uint32_t name);
    void output(const instruction& step, unsigned which);

    macro_host& host_;
    macro_memory& memory_;
    std::array<std::uint32_t, 24> registers_{};
    std::array<std::uint32_t, 2> results_{}, loads_{};
    std::uint32_t beyond_ = 0; ///< carry, borrow or upper half of a product
    macro_output output_;
    std::uint32_t position_ = 0, next_ = 0;
    std::uint32_t loops_left_ = 0, loop_begin_ = 0, loop_end_ = 0;
    bool taken_ = false, stopped_ = false, is_last_ = false;
    macro_event trouble_ = macro_event::ran;
};

} // namespace isbesim::gl
