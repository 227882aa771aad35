#include "models/isa/row_parts.h"

#include <stdexcept>
#include <string>

namespace isbesim::isa {

operand_spec register_source(slot where, field bits, extent wide, bool optional)
{
    operand_spec spec;
    spec.where = where;
    spec.bits = bits;
    spec.extent = wide;
    spec.optional = optional;
    return spec;
}

operand_spec register_result(field bits, extent wide)
{
    operand_spec spec = register_source(slot::d, bits, wide);
    spec.writes = true;
    return spec;
}

operand_spec predicate_result(slot where, unsigned low, bool optional)
{
    operand_spec spec = small(where, {static_cast<std::uint8_t>(low), 3}, form::predicate);
    spec.writes = true;
    spec.optional = optional;
    return spec;
}

operand_spec predicate_source(slot where, unsigned low, unsigned not_bit)
{
    operand_spec spec = small(where, {static_cast<std::uint8_t>(low), 3}, form::predicate);
    spec.invert = static_cast<std::uint8_t>(not_bit);
    return spec;
}

operand_spec small(slot where, field bits, form kind)
{
    operand_spec spec;
    spec.where = where;
    spec.form = kind;
    spec.bits = bits;
    return spec;
}

operand_spec literal(const char* text)
{
    operand_spec spec = small(slot::extra, {}, form::literal);
    spec.text = text;
    return spec;
}

operand_spec address(form kind, field base, field offset)
{
    operand_spec spec = small(slot::address, offset, kind);
    spec.base = base;
    return spec;
}

operand_spec& operand_at(opcode_row& row, slot where)
{
    for (auto& spec : row.operands)
        if (spec.where == where) return spec;
    throw std::logic_error(std::string(row.mnemonic) + ": no such operand");
}

} // namespace isbesim::isa
