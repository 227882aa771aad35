// SPDX-License-Identifier: Apache-2.0
// Errors of a whole operation (micro-architecture section 4.1, without its first line).
#pragma once

#include "models/isbe/rules/word_type.h"
#include "tlm/stage.h"
#include "tlm/warp_op.h"

namespace isbesim::rules {

/// Number of the error, 0 for none. The slot exists; its stage may be none. Not for BIND and the physical region.
template <typename word_type>
ISBESIM_RULE word_type operation_error(word_type op, word_type form, word_type space, word_type stage, word_type size)
{
    const auto is = [](word_type value, auto expected) { return value == code<word_type>(expected); };
    const auto ald = is(op, opcode::ald);
    const auto ast = is(op, opcode::ast);
    const auto input = is(space, space::input);
    const auto patch = is(form, address_form::patch);
    const auto geometry = is(stage, stage::geometry);

    const auto encoding =
        (is(op, opcode::isbewr) & input) | ((ald | ast) & is(form, address_form::phys) & (size > word_type(1)));
    const auto ald_patch =
        ald & patch & ((input & !is(stage, stage::tess)) | ((!input) & !is(stage, stage::tess_init)));
    const auto ald_output = ald & (!patch) & (!input) & (geometry | is(stage, stage::task) | is(stage, stage::mesh));
    const auto ast_patch = ast & patch & !is(stage, stage::tess_init);
    const auto out_elsewhere = is(op, opcode::out) & !geometry;

    const word_type combination = code<word_type>(op_error::illegal_sph_instr_combo);
    const word_type below = select(
        encoding, code<word_type>(op_error::illegal_instr_encoding),
        select(ald_patch | ald_output | ast_patch | out_elsewhere, combination, code<word_type>(op_error::none)));
    return select(is(stage, stage::none), combination, below);
}

} // namespace isbesim::rules
