// SPDX-License-Identifier: Apache-2.0
// Precedes a class that has macros: keeps the last value of each method, runs macros when they are called, and passes
// on all other methods and those that macros send.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "testbench/gl/channel/engine.h"
#include "testbench/gl/channel/macro_memory.h"

namespace isbesim::gl {

class macro_front : public engine, private macro_host {
public:
    /// A macro is stopped after this many instructions, since it would never end.
    static constexpr std::uint32_t most_steps = 1U << 26;

    /// `memory` must outlive the front.
    macro_front(const channel_parts& parts, macro_memory& memory, std::unique_ptr<engine> next,
                std::uint32_t limit = most_steps);

    void method(std::uint32_t number, std::uint32_t value) override;
    void packet_end() override;
    void finish() override { next_->finish(); }

private:
    void emit(std::uint32_t number, std::uint32_t value) override;
    std::uint32_t state(std::uint32_t number) const override;
    bool has_parameters(unsigned count) const override { return fetch_words_ + parameters_.size() >= count; }
    std::uint32_t take_parameter() override;

    void pass_on(std::uint32_t number, std::uint32_t value);
    bool effect(std::uint32_t number, std::uint32_t value);
    std::uint64_t address_of_transfer() const;
    void transfer(std::uint32_t words, bool to_memory);
    std::uint32_t fetch(std::uint64_t address);
    void call(std::uint32_t number);
    void run();
    void tell(const std::string& what);

    channel_parts parts_;
    macro_memory& memory_;
    std::unique_ptr<engine> next_;
    std::unique_ptr<macro_machine> machine_;
    const std::uint32_t limit_;
    std::array<std::uint32_t, 0x3800 / 4> shadow_{};
    std::uint32_t called_ = 0; ///< number of the last macro
    std::uint64_t calls_ = 0;
    bool running_ = false;
    std::uint32_t steps_ = 0;
    std::uint32_t given_ = 0; ///< parameters; a single parameter is only the call itself
    std::deque<std::uint32_t> parameters_;
    std::uint64_t fetch_address_ = 0; ///< of words in memory, which are taken before the other parameters
    std::uint64_t fetch_words_ = 0;
};

} // namespace isbesim::gl
