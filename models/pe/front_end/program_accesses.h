// SPDX-License-Identifier: Apache-2.0
// Finds the attributes and constants that a program's instructions access, where their addresses are known.
#pragma once

#include <cstdint>
#include <map>
#include <set>
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

/// Constants that a program reads, by bank; those of a bank that two registers describe are left out.
class constant_accesses {
public:
    void add(unsigned bank, unsigned offset, unsigned words);
    void add_indexed(unsigned bank) { indexed_.insert(bank); }
    /// True if some of these bytes of the bank may be read.
    bool reads(unsigned bank, std::uint64_t offset, std::uint64_t bytes) const;
    /// "c[0x0][0x0..0x44]", from the first byte read to the end of the last word read; empty if the bank is not read.
    std::string range_of(unsigned bank) const;

private:
    std::map<unsigned, std::set<std::uint64_t>> words_; ///< offsets
    std::set<unsigned> indexed_;                        ///< some offset is in a register
};
constant_accesses constants_of(const isa::program& program);

/// Members of `all` that are not in `what`.
attribute_set without(const attribute_set& all, const attribute_set& what);

/// "0x80 to 0x8c, 0x94" for people.
std::string address_list(const attribute_set& attributes);

} // namespace isbesim
