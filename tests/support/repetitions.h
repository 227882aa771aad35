// SPDX-License-Identifier: Apache-2.0
// The number of repetitions of a test with random inputs; the ctest preset `quick` (scripts/test) runs a fifth.
#pragma once

#include <cstdlib>

namespace isbesim {

inline unsigned repetitions(unsigned all)
{
    return std::getenv("ISBESIM_QUICK") == nullptr ? all : (all + 4) / 5;
}

} // namespace isbesim
