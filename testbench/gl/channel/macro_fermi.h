// SPDX-License-Identifier: Apache-2.0
// Macros of Fermi to Volta: one-word instructions, seven registers, delay slots (HARDWARE.md J.6).
#pragma once

#include <array>
#include <optional>

#include "testbench/gl/channel/macro_memory.h"

namespace isbesim::gl {

class macro_fermi : public macro_machine {
public:
    /// Both must outlive the machine.
    macro_fermi(macro_host& host, const macro_memory& memory) : host_(host), memory_(memory) {}

    void start(std::uint32_t position) override;
    macro_event step() override;
    std::uint32_t position() const override { return position_; }

private:
    /// None for an unknown encoding.
    std::optional<std::uint32_t> compute(std::uint32_t word);
    std::optional<std::uint32_t> compute_by_registers(std::uint32_t function, std::uint32_t a, std::uint32_t b);
    /// Stores or sends a result. Returns false if it has no destination.
    bool assign(std::uint32_t word, std::uint32_t result);
    macro_event advance(bool taken, std::uint32_t word);

    macro_host& host_;
    const macro_memory& memory_;
    std::array<std::uint32_t, 8> registers_{};
    std::uint32_t carry_ = 0; ///< or borrow
    macro_output output_;
    std::uint32_t position_ = 0;
    std::uint32_t next_ = 0;
    bool is_new_ = false;  ///< the first parameter is not yet in its register
    bool is_last_ = false; ///< the previous instruction was marked as the end
};

} // namespace isbesim::gl
