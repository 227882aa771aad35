// SPDX-License-Identifier: Apache-2.0
// Header bit 25: a stage's output ATTR region starts where its input's does, in the lines of the stage that made the
// input (HARDWARE.md D.1, E.6 row 30). If this is impossible, the output has its own lines and the report says why.
//
// *Choice*, because the public sources only name the bit: sharing never changes the output of a program that reads all
// its inputs before it writes. So an output may lie over an input only if
//   - no other warp reads that input. Batches are made small enough for this: as many primitives as one geometry warp
//     covers, one patch before TS. If even the smallest batch takes more warps, the reason is several_warps.
//   - the PE itself does not need the input afterwards (passthrough),
//   - no data that the PE writes into the output before the program starts lies over the input (generated).
#pragma once

#include <cstdint>
#include <string>

#include "models/isbe/functional/context.h"

namespace isbesim {

enum class space_sharing : std::uint8_t {
    off,           ///< bit 25 is 0
    on,            ///< shared wherever one warp is the only reader of its input
    several_warps, ///< more than one warp reads an input
    passthrough,   ///< the PE reads the vertices of the input after the program has ended
    generated,     ///< ids or coordinates that the PE writes into the output would lie over the input
    no_room,       ///< isbe.lines has no room for shared spaces next to those of patches of several warps
};

/// Report text for warps of `which` whose output has lines of its own in spite of bit 25. `why` is never off, and is on
/// only for TS.
std::string describe(stage which, space_sharing why);

} // namespace isbesim
