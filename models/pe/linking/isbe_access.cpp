// SPDX-License-Identifier: Apache-2.0
#include "models/pe/linking/isbe_access.h"

#include <algorithm>

namespace isbesim {

void write_words(isbe_access& isbe, word address, const word* values, unsigned count)
{
    per_lane<word> lanes{};
    for (unsigned done = 0; done < count; done += warp_lanes) {
        const auto now = std::min(count - done, warp_lanes);
        std::copy(values + done, values + done + now, lanes.begin());
        isbe.write({address + done * 4, 4}, first_lanes(now), lanes);
    }
}

void read_words(isbe_access& isbe, word address, word* destination, unsigned count)
{
    for (unsigned done = 0; done < count; done += warp_lanes)
        isbe.read({address + done * 4, 4}, first_lanes(count - done), destination + done);
}

} // namespace isbesim
