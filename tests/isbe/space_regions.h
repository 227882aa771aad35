// SPDX-License-Identifier: Apache-2.0
// A space of the descriptor, as the argument of extent_of().
#pragma once

namespace isbesim::test {

template <typename word_type>
struct space_regions {
    word_type map_base, map_bytes, patch_base, patch_words, patch_count, prim_base, prim_bytes, attr_base, attr_bytes;
};

} // namespace isbesim::test
