// SPDX-License-Identifier: Apache-2.0
// What the cases of pass_proof say in the terms of a solver: words, where they lie (section 5 of the micro-architecture
// page), operations on them as examples.
#pragma once

#include <cstdint>
#include <vector>

#include <z3++.h>

#include "models/machine_config.h"
#include "tests/proof/proof_case.h"
#include "tests/proof/term.h"

namespace isbesim::proof {

/// The machine that these parameters of pass_engine.sv stand for.
isbe_config machine_of(const parameters& block);

/// By the rules of the model: the bank of a word, or its place in the line.
word_term column_of(const isbe_config& machine, const word_term& word);
/// Its row there, as many of the lowest bits as `like` has.
z3::expr row_of(const isbe_config& machine, const word_term& word, const z3::expr& like);
/// No operation has an access elsewhere (section 4).
z3::expr in_storage(const isbe_config& machine, const word_term& word);

inline z3::expr is_set(const z3::expr& bits, unsigned index = 0)
{
    return slice(bits, index, 1) == 1;
}

inline word_term wide(const z3::expr& bits)
{
    return word_term(z3::zext(bits, 32 - bits.get_sort().bv_size()));
}

/// One for each lane.
std::vector<word_term> words_of(const z3::expr& bits);

inline std::uint32_t value_of(const z3::model& model, const z3::expr& term)
{
    return model.eval(term, true).get_numeral_uint();
}

/// What an operation on whole words has in common for all lanes (counterexample.h).
field_values operation_on_words(opcode op);
/// A lane takes part in it.
void add_lane(field_values& fields, unsigned lane, const field_values& values);

} // namespace isbesim::proof
