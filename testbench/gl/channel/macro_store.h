// SPDX-License-Identifier: Apache-2.0
// The macros that a driver uploads: recognised by their code, whatever their number.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isbesim::gl {

enum class macro_kind : std::uint8_t {
    unknown,
    per_instance_bits,     ///< count, bits -> per_instance[0 ..]
    vertex_array_select,   ///< array, limit, address
    state_only,            ///< blending, polygon modes, rasterisation: nothing for these stages
    geometry_select,       ///< program select of the geometry stage
    evaluation_select,     ///< ... of the evaluation stage
    draw_arrays,           ///< indirect draws
    draw_elements,         ///<
    draw_arrays_count,     ///< ... whose number is in memory too
    draw_elements_count,   ///<
    query_to_buffer,       ///< difference of two reports, clamped
    launch_indirect,       ///< a compute launch
    compute_counter,       ///< compute invocations
    compute_counter_report ///<
};

struct known_macro {
    std::uint64_t fingerprint; ///< FNV-1a of the code
    std::uint32_t words;
    macro_kind kind;
};

/// Of the nouveau driver of Mesa 22.3 and 25.0. A driver that changes its code needs its rows.
const std::vector<known_macro>& known_macros();
std::uint64_t macro_fingerprint(const std::vector<std::uint32_t>& code);

class macro_store {
public:
    /// `known` must outlive the store.
    explicit macro_store(const std::vector<known_macro>& known = known_macros()) : known_(known) {}

    void write_at(std::uint32_t position) { write_position_ = position; }
    void word(std::uint32_t value);
    /// The packet of code words has ended: that was one macro.
    void packet_end();
    void select(std::uint32_t number) { number_ = number; }
    void begins_at(std::uint32_t position);

    /// FNV-1a of the code at a macro's start; 0 where nothing was uploaded.
    std::uint64_t fingerprint(std::uint32_t number) const;
    std::uint32_t length(std::uint32_t number) const;
    macro_kind kind(std::uint32_t number) const;

private:
    static constexpr unsigned macros = 256;
    struct code {
        std::uint32_t position = 0;
        std::uint32_t words = 0;
        std::uint64_t fingerprint = 0;
    };
    const code* code_of(std::uint32_t number) const;

    const std::vector<known_macro>& known_;
    std::vector<code> codes_;
    std::vector<std::uint32_t> starts_ = std::vector<std::uint32_t>(macros, 0xffffffffU);
    std::uint32_t number_ = 0;
    std::uint32_t write_position_ = 0;
    std::vector<std::uint32_t> uploading_;
    std::uint32_t upload_begin_ = 0;
};

} // namespace isbesim::gl
