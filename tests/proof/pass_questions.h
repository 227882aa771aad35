// SPDX-License-Identifier: Apache-2.0
// The questions of pass_proof about circuits of pass_circuits.py.
#pragma once

#include <functional>

#include "models/machine_config.h"
#include "tests/proof/circuit.h"
#include "tests/proof/proof_case.h"

namespace isbesim::proof {

/// What a pass is given and leaves: the lowest component that waits, and all that it does not serve. What the
/// registers of the engine hold next.
question ask_control(const circuit& rtl);

/// The loops call their tasks once for each lane that waits, or is served, in an order: those before a lane are the
/// ones that `comes_before` says. None is called unless it `runs`.
question ask_order(const circuit& rtl, const z3::expr& lanes, const z3::expr& runs,
                   const std::function<bool(unsigned, unsigned)>& comes_before);

/// One call of choose() from any state, seen from any bank: which lanes a pass serves.
question ask_lanes(const isbe_config& machine, const circuit& rtl);

/// One call of claim() from any state, seen from any bank: the lane that writes a byte, and the lanes that lose one.
question ask_winner(bool highest_wins, const circuit& rtl);

/// Both loops as they are, when no other lanes than 0, 15, 16 and 31 take part: what follows from the calls and their
/// order, without these.
question ask_whole_lanes(const isbe_config& machine, const circuit& rtl);
question ask_whole_winner(bool highest_wins, const circuit& rtl);

} // namespace isbesim::proof
