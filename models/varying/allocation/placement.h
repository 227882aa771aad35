// SPDX-License-Identifier: Apache-2.0
// Packs runs of scalars into the holes of an address range. Runs are not aligned, so that a driver can support exactly
// the number of components that it reports.
#pragma once

#include <optional>
#include <vector>

namespace isbesim::varying {

/// Free scalars [begin, end).
struct hole {
    unsigned begin = 0;
    unsigned end = 0;
};

/// A start for every run of `sizes`, each within one hole and without overlaps; nothing if no arrangement is found.
/// Tries all ways of dividing the runs among the holes, the closest fit first, until it has met 20,000 dead ends.
std::optional<std::vector<unsigned>> place_runs(std::vector<hole> holes, const std::vector<unsigned>& sizes);

} // namespace isbesim::varying
