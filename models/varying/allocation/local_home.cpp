// SPDX-License-Identifier: Apache-2.0
#include "models/varying/allocation/local_home.h"

namespace isbesim::varying {

std::vector<local_chunk> chunks_of(const local_home& home)
{
    const unsigned first = home.located->base / 4;
    const unsigned end = first + (home.last - home.first + 1) * home.stride / 4;
    const auto has = [&](unsigned scalar) {
        return scalar < end && (home.mask >> ((scalar - first) % (home.stride / 4)) & 1U) != 0;
    };
    std::vector<local_chunk> result;
    for (unsigned scalar = first; scalar < end;) {
        if (!has(scalar)) {
            ++scalar;
            continue;
        }
        unsigned words = 4;
        const auto fits = [&] {
            if (scalar % words != 0) return false;
            for (unsigned i = 0; i < words; ++i)
                if (!has(scalar + i)) return false;
            return true;
        };
        while (!fits()) words /= 2;
        result.push_back({scalar * 4, home.offset + (scalar - first) * 4, words});
        scalar += words;
    }
    return result;
}

} // namespace isbesim::varying
