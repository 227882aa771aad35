// SPDX-License-Identifier: Apache-2.0
#include "models/pe/linking/sharing.h"

#include "models/isbe/functional/names.h"

namespace isbesim {

namespace {

const char* reason_of(space_sharing why)
{
    switch (why) {
    case space_sharing::passthrough:
        return "the PE passes the input's vertices on when the program has ended";
    case space_sharing::generated:
        return "what the PE generates into the output would lie on input that the program has not read";
    case space_sharing::no_room:
        return "isbe.lines has no room for shared lines beside those of patches that take several warps";
    case space_sharing::off:
    case space_sharing::on: // TS knows the number of warps of a patch only when it has the patch
    case space_sharing::several_warps:
        break;
    }
    return "several warps read the same input";
}

} // namespace

std::string describe(stage which, space_sharing why)
{
    return std::string(name_of(which)) +
           ": header bit 25 (shared spaces): the output of a warp has ISBE lines of its own, because " + reason_of(why);
}

} // namespace isbesim
