// SPDX-License-Identifier: Apache-2.0
// The machine of all macros: their memory, a processor's interface and its host.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace isbesim::gl {

/// State that all macros of a channel share, whichever class calls them: code, start places, scratch registers, data
/// RAM. Places count instructions, which have one word up to Volta and three since Turing.
class macro_memory {
public:
    static constexpr std::uint32_t macros = 256;
    static constexpr std::uint32_t most_places = 0x4000; ///< a choice: drivers use less than 0xc00
    static constexpr std::uint32_t ram_words = 0xc00;

    /// `three_d_class`: of the chip; it selects the instruction format.
    explicit macro_memory(std::uint32_t three_d_class);

    /// True for Turing's instructions, false for Fermi's.
    bool is_wide() const { return instruction_words_ == 3; }
    void write_at(std::uint32_t place) { write_word_ = word_of(place); }
    /// Writes a word where the last one ended. Returns false if there is no room.
    bool append(std::uint32_t value);
    void select(std::uint32_t number) { number_ = number; }
    /// Sets the start of the selected macro and selects the next. Returns false if there is no such macro.
    bool set_start(std::uint32_t place);

    /// Number of words up to the last uploaded word; words between uploads are 0.
    std::uint32_t words() const { return static_cast<std::uint32_t>(code_.size()); }
    std::uint32_t code(std::uint32_t word) const { return code_[word]; }
    std::uint32_t instruction_words() const { return instruction_words_; }
    /// First word of a macro; words() if it has no start place.
    std::uint32_t start(std::uint32_t number) const;

    std::array<std::uint32_t, 256> scratch{};
    std::array<std::uint32_t, ram_words> ram{};

private:
    std::uint32_t word_of(std::uint32_t place) const { return std::min(place, most_places) * instruction_words_; }

    std::uint32_t instruction_words_;
    std::vector<std::uint32_t> code_;
    std::array<std::uint32_t, macros> starts_;
    std::uint32_t number_ = 0;
    std::uint32_t write_word_ = 0;
};

class macro_host {
public:
    virtual ~macro_host() = default;
    /// Sends a method, in bytes, to the class that called the macro.
    virtual void emit(std::uint32_t method, std::uint32_t value) = 0;
    /// Last value of a method; its number in bytes.
    virtual std::uint32_t state(std::uint32_t method) const = 0;
    virtual bool has_parameters(unsigned count) const = 0;
    virtual std::uint32_t take_parameter() = 0;
};

enum class macro_event : std::uint8_t {
    ran,
    waits, ///< for a parameter; the next step repeats the instruction
    ended,
    outside_code,    ///< no instruction at this position
    bad_instruction, ///< an unknown encoding
    no_method,       ///< a value was sent before any method was set
    outside_ram      ///< an address outside the data RAM
};

/// Destination of sent values: a method, and the step to the next method.
class macro_output {
public:
    /// In the encoding of macros: 11:0 method / 4; the step is above.
    void aim(std::uint32_t where, std::uint32_t step_mask)
    {
        aimed_ = true;
        method_ = where & 0xfff;
        step_ = (where >> 12) & step_mask;
    }
    /// False before the first aim().
    bool send(macro_host& host, std::uint32_t value)
    {
        if (!aimed_) return false;
        const auto method = method_;
        method_ = (method_ + step_) & 0xfff;
        host.emit(4 * method, value);
        return true;
    }

private:
    bool aimed_ = false;
    std::uint32_t method_ = 0;
    std::uint32_t step_ = 0;
};

/// Runs macros one instruction at a time.
class macro_machine {
public:
    virtual ~macro_machine() = default;
    /// Begins a macro at this word of the code.
    virtual void start(std::uint32_t position) = 0;
    virtual macro_event step() = 0;
    /// The word that step() executes next.
    virtual std::uint32_t position() const = 0;
};

} // namespace isbesim::gl
