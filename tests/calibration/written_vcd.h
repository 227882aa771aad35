// SPDX-License-Identifier: Apache-2.0
// Waveforms for tests, as simulators declare and write them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/machine_config.h"
#include "testbench/calibration/vcd_observation.h"
#include "tests/calibration/observations.h"

namespace isbesim::testbench {

/// Bits of a vector, the highest first.
class bit_vector {
public:
    explicit bit_vector(std::size_t bits = 0) : text_(bits, '0') {}
    void put(std::size_t first, std::size_t bits, std::uint32_t value)
    {
        for (std::size_t i = 0; i < bits; ++i)
            text_[text_.size() - 1 - first - i] = i < 32 && (value >> i & 1U) != 0 ? '1' : '0';
    }
    /// Something else than 0 and 1.
    void mark(std::size_t first, std::size_t bits, char digit)
    {
        for (std::size_t i = 0; i < bits; ++i) text_[text_.size() - 1 - first - i] = digit;
    }
    /// `bits` of it from `first` on.
    std::string text(std::size_t first, std::size_t bits) const
    {
        return text_.substr(text_.size() - first - bits, bits);
    }
    std::size_t size() const { return text_.size(); }

private:
    std::string text_;
};

using pin_values = std::map<std::string, bit_vector>;

/// A declaration: the text after the name, and the bits.
struct written_part {
    std::string index;
    std::size_t first, bits;
};

/// How simulators declare a pin of `bits` for each of `ports`.
enum class layout { vector, elements, elements_in_brackets, elements_upwards, bits, bits_of_elements, slices, scope };

std::vector<written_part> parts_of(layout how, std::size_t bits, std::size_t ports);

/// Pins of each port apart: texts around their names, with # for the port's number.
struct apart {
    std::string before, after;
    unsigned first = 0;   ///< number of port 0
    bool escaped = false; ///< the dots are part of the names
};

struct written_vcd {
    std::string scope = "tb.dut";
    std::optional<apart> ports;
    std::string prefix; ///< of all names
    bool reset_first = true;
    bool sleeps = false; ///< the clock stops while nothing is in flight
    bool passes = true;
    layout declared = layout::vector;
    bool letters = false;                                        ///< of VHDL
    std::function<void(pin_values&)> touch = [](pin_values&) {}; ///< before each edge
};

/// Drives the pins of both ports cycle by cycle as in `seen`, with rising edges at 10 c + 5.
std::string write_vcd(const kept_observation& seen, unsigned ports, const written_vcd& how);

/// The file from a time on, as a simulator dumps a part of a run: all values first.
std::string cut(const std::string& text, std::uint64_t time);

/// What the machine of the model does with random traffic; `pause`: cycles after each dozen operations of a port.
kept_observation traffic_of(const isbe_config& machine, unsigned operations = 160, unsigned pause = 0);
isbe_config small_isbe();

void expect_same(const vcd_observation& read, kept_observation written);

} // namespace isbesim::testbench
