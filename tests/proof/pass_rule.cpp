// SPDX-License-Identifier: Apache-2.0
#include "tests/proof/pass_rule.h"

#include "models/isbe/functional/passes.h"
#include "models/isbe/rules/bank_map.h"

namespace isbesim::proof {

isbe_config machine_of(const parameters& block)
{
    isbe_config machine;
    machine.lines = block.at("LINES");
    machine.banks = block.at("BANKS");
    machine.bank_map = static_cast<bank_map>(block.at("BANK_MAP"));
    machine.access = static_cast<access_rule>(block.at("ACCESS_LINE"));
    return machine;
}

word_term column_of(const isbe_config& machine, const word_term& word)
{
    return rules::bank_of(rules::code<word_term>(column_map(machine)), word, word_term(columns_of(machine)));
}

z3::expr row_of(const isbe_config& machine, const word_term& word, const z3::expr& like)
{
    const auto column_bits = static_cast<std::uint32_t>(__builtin_ctz(columns_of(machine)));
    return low_bits(word >> word_term(column_bits), like.get_sort().bv_size());
}

z3::expr in_storage(const isbe_config& machine, const word_term& word)
{
    return (word < word_term(machine.lines * warp_lanes)).expression;
}

std::vector<word_term> words_of(const z3::expr& bits)
{
    std::vector<word_term> words;
    words.reserve(warp_lanes);
    for (unsigned i = 0; i < warp_lanes; ++i) words.emplace_back(slice(bits, i, 32));
    return words;
}

field_values operation_on_words(opcode op)
{
    return {
        {"op", static_cast<std::uint32_t>(op)}, {"region", static_cast<std::uint32_t>(region::physical)}, {"size", 4}};
}

void add_lane(field_values& fields, unsigned lane, const field_values& values)
{
    const std::string suffix = "@" + std::to_string(lane);
    fields["active" + suffix] = 1;
    for (const auto& [name, value] : values) fields[name + suffix] = value;
}

} // namespace isbesim::proof
