// SPDX-License-Identifier: Apache-2.0
// Header bit 25: a stage's output ATTR region starts where its input's does, in the lines of the stage that made the
// input (HARDWARE.md D.1, E.6 row 30). Where that can't be, the output has lines of its own and the report says why.
//
// *Choice*, as the public sources name the bit only. Sharing never changes what a program that reads all its inputs
// before it writes leaves behind, so an output may lie over an input only if
//   - no other warp reads that input. Batches are made as small as it takes: what one geometry warp covers; one patch
//     in front of TS. What can't be made smaller is several_warps.
//   - the PE itself does not need the input afterwards (passthrough),
//   - nothing that the PE has to write into the output before the program starts lies on the input (generated).
#pragma once

#include <cstdint>
#include <string>

#include "models/isbe/functional/context.h"

namespace isbesim {

enum class space_sharing : std::uint8_t {
    off,           ///< bit 25 is 0
    on,            ///< ... wherever a warp is the only one that reads its input
    several_warps, ///< the threads that read an input are more than one warp's
    passthrough,   ///< the PE reads the input's vertices when the program has ended
    generated,     ///< ids or coordinates that the PE writes into the output would lie on the input
    no_room,       ///< isbe.lines is too small for shared spaces beside those of patches that take several warps
};

/// The description in a report of warps of `which` whose output has lines of its own in spite of bit 25; `why` is
/// neither off nor, but for TS, on.
std::string describe(stage which, space_sharing why);

} // namespace isbesim
