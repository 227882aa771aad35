// SPDX-License-Identifier: Apache-2.0
// A processor of macros, one instruction at a time, and what it works on.
#pragma once

#include <cstdint>

namespace isbesim::gl {

class macro_host {
public:
    virtual ~macro_host() = default;
    /// A method of the class that called the macro, in bytes.
    virtual void emit(std::uint32_t method, std::uint32_t value) = 0;
    /// What a method was last written with, in bytes.
    virtual std::uint32_t state(std::uint32_t method) const = 0;
    virtual bool has_parameters(unsigned count) const = 0;
    virtual std::uint32_t take_parameter() = 0;
};

enum class macro_event : std::uint8_t {
    ran,
    waits, ///< for a parameter: the same instruction comes again
    ended,
    outside_code,    ///< there is no instruction
    bad_instruction, ///< an encoding that has no known meaning
    no_method,       ///< a value is sent, and nothing said where to
    outside_ram      ///< an address that the data RAM does not have
};

/// Where values are sent: a method, and the step to the next one.
class macro_output {
public:
    /// As macros give it: 11:0 method / 4, and the step above.
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
    /// The word that step() is at.
    virtual std::uint32_t position() const = 0;
};

} // namespace isbesim::gl
