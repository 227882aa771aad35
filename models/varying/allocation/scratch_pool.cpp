// SPDX-License-Identifier: Apache-2.0
#include "models/varying/allocation/scratch_pool.h"

namespace isbesim::varying {

bool is_aligned(unsigned words, unsigned scalar)
{
    return words >= 3 ? scalar % 4 == 0 : scalar % words == 0;
}

std::vector<access_run> runs_of(unsigned mask, unsigned scalar, const component_registers& where)
{
    std::vector<access_run> result;
    for (unsigned c = 0; c < 4;) {
        if ((mask >> c & 1U) == 0) {
            ++c;
            continue;
        }
        unsigned words = 4 - c;
        const auto fits = [&] {
            if (!is_aligned(words, scalar + c) || (words > 1 && !is_aligned(words, where[c]))) return false;
            for (unsigned i = 0; i < words; ++i)
                if ((mask >> (c + i) & 1U) == 0 || where[c + i] != where[c] + i) return false;
            return true;
        };
        while (words > 1 && !fits()) --words;
        result.push_back({c, words});
        c += words;
    }
    return result;
}

} // namespace isbesim::varying
