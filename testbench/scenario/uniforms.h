// SPDX-License-Identifier: Apache-2.0
// "uniforms" of a scenario: what a shader reads by name, with type and place, and values for it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "tlm/stage.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// The shape of a value, from its type's name in GLSL.
struct uniform_shape {
    char kind = 0; ///< f, d, i, u, b; 0: a texture, an image, or unknown
    unsigned columns = 1, rows = 1;

    unsigned numbers() const { return columns * rows; }
    unsigned number_bytes() const { return kind == 'd' ? 8 : 4; }
};
uniform_shape shape_of(std::string_view type);

/// The first byte of a value.
struct uniform_place {
    std::optional<stage> reader; ///< none: an address in memory
    unsigned bank = 0;
    std::uint64_t offset = 0; ///< in the bank, or the address
};

struct uniform {
    std::string type;
    std::uint64_t count = 1; ///< elements
    std::uint64_t array_stride = 0, matrix_stride = 0;
    bool by_rows = false; ///< matrix_stride is between rows
    std::vector<uniform_place> places;
    boost::json::array value; ///< numbers as GLSL orders them, columns first; may end after any element

    /// Bytes from the first byte of the value to that of number `i`.
    std::uint64_t offset_of(const uniform_shape& shape, std::uint64_t i) const;
    std::uint64_t bytes() const; ///< from the first byte to past the last
};

/// The words of a number, or none if the number is not of this kind, such as 1.5 for an int.
std::vector<word> words_of(char kind, const boost::json::value& number);
/// The inverse; `high`: the second word of a double.
boost::json::value number_of(char kind, word low, word high);

/// The problem with a value, "has 3 numbers, expected 16 (mat4)"; empty without one.
std::string problem_of(const uniform& with);

boost::json::object uniforms_json(const std::map<std::string, uniform>& uniforms);

} // namespace isbesim::testbench
