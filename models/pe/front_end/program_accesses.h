// SPDX-License-Identifier: Apache-2.0
// Finds the attributes that a program's instructions access, where their addresses are known.
#pragma once

#include <string>

#include "models/attribute/attribute_set.h"
#include "models/isa/program.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// Logical attributes that ALD or AST instructions access; `.P` has its own addresses and is left out.
struct attribute_accesses {
    attribute_set fixed;  ///< at addresses without a register
    bool indexed = false; ///< some address is in a register and may be that of any attribute
};

/// Accesses of the program's ALDs from `space`, and of its ASTs.
attribute_accesses loads_of(const isa::program& program, space space);
attribute_accesses stores_of(const isa::program& program);

/// Members of `from` that are not in `what`.
attribute_set without(const attribute_set& from, const attribute_set& what);

/// "0x80 to 0x8c, 0x94" for people.
std::string address_list(const attribute_set& attributes);

} // namespace isbesim
