// SPDX-License-Identifier: Apache-2.0
// Writes instructions as text, with the same calls for every architecture.
#pragma once

#include <string>

#include "models/varying/lowering/lowering.h"

namespace isbesim::varying {

/// The space that an attribute instruction accesses.
struct attribute_form {
    bool output = false; ///< a load of outputs, .O
    bool patch = false;  ///< .P
};

/// Register numbers; RZ is isa::register_zero. A guard is "" or "@P0 ", "@!P6 ".
class instruction_writer {
public:
    explicit instruction_writer(isa::architecture arch) : old_(arch == isa::architecture::sm50) {}

    void comment(const std::string& text) { lines_.push_back({text, true}); }

    void move(unsigned d, unsigned a, const std::string& guard = "");
    void load_word(unsigned d, word value, const std::string& guard = "");
    void load_constant(unsigned d, unsigned bank, unsigned offset);
    void load_constant_at(unsigned d, unsigned bank, unsigned a, int offset);
    void special(unsigned d, const char* name);

    void add(unsigned d, unsigned a, int value);
    void add_registers(unsigned d, unsigned a, unsigned b, bool negate_b = false);
    void multiply(unsigned d, unsigned a, unsigned value);
    void multiply_registers(unsigned d, unsigned a, unsigned b);
    void shift_left(unsigned d, unsigned a, unsigned count);
    void shift_right(unsigned d, unsigned a, unsigned count);
    void shift_left_registers(unsigned d, unsigned a, unsigned b);
    void mask(unsigned d, unsigned a, word bits);
    void flip(unsigned d, unsigned a, word bits);
    enum class logic { and_bits, or_bits, xor_bits };
    void combine(logic how, unsigned d, unsigned a, unsigned b);
    /// P = (a CMP value) and `also`; CMP as in "EQ", "LT.U32".
    void compare(unsigned p, const char* comparison, unsigned a, int value, const std::string& also = "PT");

    void float_add(unsigned d, unsigned a, unsigned b, bool negate_b, bool saturate);
    void float_multiply(unsigned d, unsigned a, unsigned b, bool saturate);
    void float_fused(unsigned d, unsigned a, unsigned b, unsigned c, bool saturate);
    void float_select(unsigned d, unsigned a, unsigned b, bool smaller);
    /// Float to integer: mode "", ".FLOOR" or ".TRUNC"; and back.
    void to_integer(unsigned d, unsigned a, const char* mode, bool is_unsigned);
    void to_float(unsigned d, unsigned a, bool is_unsigned);

    /// `words` 1 to 4 at a fixed address; `handle` RZ: none.
    void load_attribute(unsigned words, unsigned d, unsigned address, unsigned handle, const std::string& guard = "",
                        attribute_form form = {});
    void store_attribute(unsigned words, unsigned address, unsigned a, unsigned state, const std::string& guard = "",
                         attribute_form form = {});
    void translate(unsigned d, unsigned a, int offset, bool output, const std::string& guard = "");
    void load_physical(unsigned d, unsigned a, unsigned handle, bool output, const std::string& guard = "");
    void store_physical(unsigned a, unsigned data, unsigned state, const std::string& guard = "");
    /// One word of the patch space at register + offset.
    void load_patch(unsigned d, unsigned a, int offset, bool output, const std::string& guard = "");
    void store_patch(unsigned a, int offset, unsigned data, const std::string& guard = "");

    /// Local memory: 1, 2 or 4 words; the address is register (RZ: none) + offset.
    void load_local(unsigned words, unsigned d, unsigned a, int offset, const std::string& guard = "");
    void store_local(unsigned words, unsigned a, int offset, unsigned data, const std::string& guard = "");

    void vertex_handle(unsigned d, unsigned a);
    void emit(unsigned state, unsigned stream);
    void cut(unsigned state);
    void finish(bool geometry, unsigned state);

    std::size_t size() const { return lines_.size(); }
    std::vector<code_line> take() { return std::move(lines_); }

private:
    void put(const std::string& text) { lines_.push_back({text + " ;", false}); }
    /// `old_name`: SM50's mnemonic up to the operation.
    void put_logic(logic how, unsigned d, unsigned a, const std::string& b, const char* old_name);

    bool old_; ///< SM50's mnemonics
    std::vector<code_line> lines_;
};

} // namespace isbesim::varying
