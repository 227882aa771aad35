// SPDX-License-Identifier: Apache-2.0
// Which attributes a program's instructions name, as far as the instructions say it.
#pragma once

#include <string>

#include "models/attribute/attribute_set.h"
#include "models/isa/program.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// Logical attributes that ALD or AST instructions name; `.P` has addresses of its own.
struct attribute_accesses {
    attribute_set fixed;  ///< by an address without a register
    bool indexed = false; ///< some by an address in a register, any attribute
};

/// Of the program's ALDs from `space`, or of its ASTs.
attribute_accesses loads_of(const isa::program& program, space space);
attribute_accesses stores_of(const isa::program& program);

/// Members of `from` that `what` lacks.
attribute_set without(const attribute_set& from, const attribute_set& what);

/// "0x80 to 0x8c, 0x94" for people.
std::string address_list(const attribute_set& attributes);

} // namespace isbesim
