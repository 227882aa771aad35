// SPDX-License-Identifier: Apache-2.0
// A processor that runs macros one instruction at a time, and its host interface.
#pragma once

#include <cstdint>

namespace isbesim::gl {

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
