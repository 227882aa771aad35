// SPDX-License-Identifier: Apache-2.0
// What distinguishes operations of an opcode: the form of ALD and AST, the region of ISBERD and ISBEWR, the type of
// OUT.
#pragma once

#include <string>

#include "models/isbe/functional/names.h"
#include "tlm/warp_fields.h"

namespace isbesim {

inline constexpr auto out_type_names = enum_names<out_type::emit_then_cut>("final", "emit", "cut", "emit_then_cut");

constexpr unsigned variant_count(opcode op)
{
    return uses(op, request_field::form)     ? form_count
           : uses(op, request_field::region) ? region_count
           : uses(op, request_field::type)   ? static_cast<unsigned>(out_type_names.size())
                                             : 1;
}

constexpr unsigned variant_of(const warp_op& op)
{
    return uses(op.op, request_field::form)     ? static_cast<unsigned>(op.form)
           : uses(op.op, request_field::region) ? static_cast<unsigned>(op.region)
           : uses(op.op, request_field::type)   ? static_cast<unsigned>(op.type)
                                                : 0;
}

constexpr void set_variant(warp_op& op, unsigned variant)
{
    if (uses(op.op, request_field::form)) op.form = static_cast<address_form>(variant);
    if (uses(op.op, request_field::region)) op.region = static_cast<region>(variant);
    if (uses(op.op, request_field::type)) op.type = static_cast<out_type>(variant);
}

/// "isberd.prim", "bind".
inline std::string variant_name(opcode op, unsigned variant)
{
    std::string text = name_of(op);
    if (uses(op, request_field::form)) text += std::string(".") + form_names[variant];
    if (uses(op, request_field::region)) text += std::string(".") + region_names[variant];
    if (uses(op, request_field::type)) text += std::string(".") + out_type_names[variant];
    return text;
}

} // namespace isbesim
