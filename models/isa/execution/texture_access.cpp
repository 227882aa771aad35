// SPDX-License-Identifier: Apache-2.0
#include "models/isa/execution/texture_access.h"

#include <string>

namespace isbesim::isa {

texture::texture_unit& textures_of(const machine& m)
{
    if (m.warp.textures == nullptr) refuse(m, "needs textures, and the draw has none (key 'textures' of a scenario)");
    return *m.warp.textures;
}

words bound_handle(const machine& m)
{
    // SM75 names bank and place, SM50 a place in the bank that the driver chose. Both places count words.
    const operand& bank = m.now.at(slot::ps);
    if (bank.kind == operand::source::immediate)
        return broadcast(constant_word(m, bank.value, m.now.at(slot::address).value));
    return broadcast(constant_word(m, textures_of(m).where().handle_bank, m.now.at(slot::extra).value));
}

bool answered(machine& m, texture::fault why)
{
    if (why == texture::fault::none) return true;
    if (why != texture::fault::outside_memory) refuse(m, std::string("cannot be carried out: ") + describe(why));
    trap(m, trap_out_of_range);
    return false;
}

} // namespace isbesim::isa
