// SPDX-License-Identifier: Apache-2.0
#include "models/varying/lowering/instruction_writer.h"

#include "tlm/hex.h"

namespace isbesim::varying {

namespace {

std::string r(unsigned number)
{
    return number == isa::register_zero ? "RZ" : "R" + std::to_string(number);
}

const char* words_suffix(unsigned words)
{
    static constexpr const char* suffixes[] = {"", "", ".64", ".96", ".128"};
    return suffixes[words];
}

std::string also_register(unsigned number)
{
    return number == isa::register_zero ? "" : ", " + r(number);
}

std::string local_address(unsigned base, int offset)
{
    if (base == isa::register_zero) return "[" + signed_hex(offset) + "]";
    return "[" + r(base) + "+" + signed_hex(offset) + "]";
}

} // namespace

void instruction_writer::move(unsigned d, unsigned a, const std::string& guard)
{
    put(guard + "MOV " + r(d) + ", " + r(a));
}

void instruction_writer::load_word(unsigned d, word value, const std::string& guard)
{
    if (value == 0) return move(d, isa::register_zero, guard);
    put(guard + (old_ ? "MOV32I " : "MOV ") + r(d) + ", " + signed_hex(value));
}

void instruction_writer::load_constant(unsigned d, unsigned bank, unsigned offset)
{
    put("MOV " + r(d) + ", c[" + signed_hex(bank) + "][" + signed_hex(offset) + "]");
}

void instruction_writer::load_constant_at(unsigned d, unsigned bank, unsigned a, int offset)
{
    put("LDC " + r(d) + ", c[" + signed_hex(bank) + "][" + r(a) + "+" + signed_hex(offset) + "]");
}

void instruction_writer::special(unsigned d, const char* name)
{
    put("S2R " + r(d) + ", " + name);
}

void instruction_writer::add(unsigned d, unsigned a, int value)
{
    if (old_)
        put("IADD32I " + r(d) + ", " + r(a) + ", " + signed_hex(value));
    else
        put("IADD3 " + r(d) + ", " + r(a) + ", " + signed_hex(value) + ", RZ");
}

void instruction_writer::add_registers(unsigned d, unsigned a, unsigned b, bool negate_b)
{
    const auto second = (negate_b ? "-" : "") + r(b);
    put((old_ ? "IADD " : "IADD3 ") + r(d) + ", " + r(a) + ", " + second + (old_ ? "" : ", RZ"));
}

void instruction_writer::multiply(unsigned d, unsigned a, unsigned value)
{
    if ((value & (value - 1)) == 0) {
        unsigned count = 0;
        while (value >> count != 1) ++count;
        return shift_left(d, a, count);
    }
    put((old_ ? "IMUL32I " : "IMAD ") + r(d) + ", " + r(a) + ", " + signed_hex(value) + (old_ ? "" : ", RZ"));
}

void instruction_writer::multiply_registers(unsigned d, unsigned a, unsigned b)
{
    put((old_ ? "IMUL " : "IMAD ") + r(d) + ", " + r(a) + ", " + r(b) + (old_ ? "" : ", RZ"));
}

void instruction_writer::shift_left(unsigned d, unsigned a, unsigned count)
{
    put((old_ ? "SHL " : "SHF.L.U32 ") + r(d) + ", " + r(a) + ", " + signed_hex(count) + (old_ ? "" : ", RZ"));
}

void instruction_writer::shift_right(unsigned d, unsigned a, unsigned count)
{
    if (old_)
        put("SHR.U32 " + r(d) + ", " + r(a) + ", " + signed_hex(count));
    else
        put("SHF.R.U32.HI " + r(d) + ", RZ, " + signed_hex(count) + ", " + r(a));
}

void instruction_writer::shift_left_registers(unsigned d, unsigned a, unsigned b)
{
    put((old_ ? "SHL " : "SHF.L.U32 ") + r(d) + ", " + r(a) + ", " + r(b) + (old_ ? "" : ", RZ"));
}

void instruction_writer::mask(unsigned d, unsigned a, word bits)
{
    put_logic(logic::and_bits, d, a, signed_hex(bits), "LOP32I.");
}

void instruction_writer::flip(unsigned d, unsigned a, word bits)
{
    put_logic(logic::xor_bits, d, a, signed_hex(bits), "LOP32I.");
}

void instruction_writer::combine(logic how, unsigned d, unsigned a, unsigned b)
{
    put_logic(how, d, a, r(b), "LOP.");
}

void instruction_writer::put_logic(logic how, unsigned d, unsigned a, const std::string& b, const char* old_name)
{
    static constexpr const char* names[] = {"AND", "OR", "XOR"};
    static constexpr const char* tables[] = {"0xc0", "0xfc", "0x3c"};
    const auto i = static_cast<std::size_t>(how);
    if (old_)
        put(std::string(old_name) + names[i] + " " + r(d) + ", " + r(a) + ", " + b);
    else
        put("LOP3.LUT " + r(d) + ", " + r(a) + ", " + b + ", RZ, " + tables[i] + ", !PT");
}

void instruction_writer::compare(unsigned p, const char* comparison, unsigned a, int value, const std::string& also)
{
    put(std::string("ISETP.") + comparison + ".AND P" + std::to_string(p) + ", PT, " + r(a) + ", " + signed_hex(value) +
        ", " + also);
}

void instruction_writer::float_add(unsigned d, unsigned a, unsigned b, bool negate_b, bool saturate)
{
    put(std::string("FADD") + (saturate ? ".SAT " : " ") + r(d) + ", " + r(a) + ", " + (negate_b ? "-" : "") + r(b));
}

void instruction_writer::float_multiply(unsigned d, unsigned a, unsigned b, bool saturate)
{
    put(std::string("FMUL") + (saturate ? ".SAT " : " ") + r(d) + ", " + r(a) + ", " + r(b));
}

void instruction_writer::float_fused(unsigned d, unsigned a, unsigned b, unsigned c, bool saturate)
{
    put(std::string("FFMA") + (saturate ? ".SAT " : " ") + r(d) + ", " + r(a) + ", " + r(b) + ", " + r(c));
}

void instruction_writer::float_select(unsigned d, unsigned a, unsigned b, bool smaller)
{
    put("FMNMX " + r(d) + ", " + r(a) + ", " + r(b) + (smaller ? ", PT" : ", !PT"));
}

void instruction_writer::to_integer(unsigned d, unsigned a, const char* mode, bool is_unsigned)
{
    if (old_)
        put(std::string("F2I.") + (is_unsigned ? "U32" : "S32") + ".F32" + mode + " " + r(d) + ", " + r(a));
    else
        put(std::string("F2I") + (is_unsigned ? ".U32" : "") + mode + " " + r(d) + ", " + r(a));
}

void instruction_writer::to_float(unsigned d, unsigned a, bool is_unsigned)
{
    if (old_)
        put(std::string("I2F.F32.") + (is_unsigned ? "U32 " : "S32 ") + r(d) + ", " + r(a));
    else
        put(std::string("I2F") + (is_unsigned ? ".U32 " : " ") + r(d) + ", " + r(a));
}

void instruction_writer::load_attribute(unsigned words, unsigned d, unsigned address, unsigned handle,
                                        const std::string& guard, attribute_form form)
{
    put(guard + "ALD" + (form.output ? ".O" : "") + (form.patch ? ".P" : "") + words_suffix(words) + " " + r(d) +
        ", a[" + signed_hex(address) + "]" + also_register(handle));
}

void instruction_writer::store_attribute(unsigned words, unsigned address, unsigned a, unsigned state,
                                         const std::string& guard, attribute_form form)
{
    put(guard + "AST" + (form.patch ? ".P" : "") + words_suffix(words) + " a[" + signed_hex(address) + "], " + r(a) +
        also_register(state));
}

void instruction_writer::translate(unsigned d, unsigned a, int offset, bool output, const std::string& guard)
{
    put(guard + (output ? "AL2P.O " : "AL2P ") + r(d) + ", " + r(a) + ", " + signed_hex(offset));
}

void instruction_writer::load_physical(unsigned d, unsigned a, unsigned handle, bool output, const std::string& guard)
{
    put(guard + (output ? "ALD.O.PHYS " : "ALD.PHYS ") + r(d) + ", a[" + r(a) + "]" + also_register(handle));
}

void instruction_writer::store_physical(unsigned a, unsigned data, unsigned state, const std::string& guard)
{
    put(guard + "AST.PHYS a[" + r(a) + "], " + r(data) + also_register(state));
}

void instruction_writer::load_patch(unsigned d, unsigned a, int offset, bool output, const std::string& guard)
{
    put(guard + (output ? "ALD.O.P " : "ALD.P ") + r(d) + ", a[" + r(a) + "+" + signed_hex(offset) + "]");
}

void instruction_writer::store_patch(unsigned a, int offset, unsigned data, const std::string& guard)
{
    put(guard + "AST.P a[" + r(a) + "+" + signed_hex(offset) + "], " + r(data));
}

void instruction_writer::load_local(unsigned words, unsigned d, unsigned a, int offset, const std::string& guard)
{
    put(guard + "LDL" + words_suffix(words) + " " + r(d) + ", " + local_address(a, offset));
}

void instruction_writer::store_local(unsigned words, unsigned a, int offset, unsigned data, const std::string& guard)
{
    put(guard + "STL" + words_suffix(words) + " " + local_address(a, offset) + ", " + r(data));
}

void instruction_writer::vertex_handle(unsigned d, unsigned a)
{
    put("ISBERD " + r(d) + ", [" + r(a) + "]");
}

void instruction_writer::emit(unsigned state, unsigned stream)
{
    put("OUT.EMIT " + r(state) + ", " + r(state) + ", " + signed_hex(stream));
}

void instruction_writer::cut(unsigned state)
{
    put("OUT.CUT " + r(state) + ", " + r(state) + ", RZ");
}

void instruction_writer::finish(bool geometry, unsigned state)
{
    if (geometry && !old_) put("OUT.FINAL " + r(state));
    put("EXIT");
}

} // namespace isbesim::varying
