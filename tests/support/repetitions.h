// SPDX-License-Identifier: Apache-2.0
// How often a test of random inputs repeats: the ctest preset `quick` (scripts/test) asks for a fifth.
#pragma once

#include <cstdlib>

namespace isbesim {

inline unsigned repetitions(unsigned all)
{
    return std::getenv("ISBESIM_QUICK") == nullptr ? all : (all + 4) / 5;
}

} // namespace isbesim
