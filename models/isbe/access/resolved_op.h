// SPDX-License-Identifier: Apache-2.0
// A warp operation after the address unit: the words that each lane touches, component by component.
#pragma once

#include <array>

#include "models/isbe/access/map_lookup.h"
#include "models/isbe/functional/lanes.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// Accesses of one component. Entries of lanes outside `lanes` have no meaning.
struct component_access {
    lane_mask lanes = 0;
    per_lane<word> index{}; ///< word index in the storage
};

/// ISBEWR: the bytes that it writes in the words of one component.
struct written_bytes {
    per_lane<word> mask{}; ///< 0xff per byte
    per_lane<word> data{}; ///< bytes at their places in the word
};

/// Stored words, raw writes and tokens that never reach the storage, by reason.
struct discard_counts {
    unsigned bmap = 0;
    unsigned out_of_range = 0;
    unsigned gs_overflow = 0;
    unsigned bad_register = 0; ///< gs_state, not_al2p
};

struct resolved_op {
    bool store = false;
    bool raw = false;             ///< ISBERD, ISBEWR
    bool track_shared = false;    ///< section 4.7: a store sets the overwritten bit, a load reports it
    unsigned raw_size = 4;        ///< 1, 2 or 4 bytes, in the words of components 0 and 1
    per_lane<word> byte_offset{}; ///< raw: place of the first byte inside the word of component 0
    std::array<component_access, max_components> component;
    std::array<written_bytes, 2> written;
    map_lookup lookup; ///< ALD, AST and AL2P
    discard_counts discarded;
};

/// Collects status bits as one lane mask per bit, because the lanes of a warp nearly always agree.
class status_masks {
public:
    void set(std::uint16_t status, lane_mask lanes)
    {
        const auto bit = static_cast<unsigned>(__builtin_ctz(status));
        lanes_[bit] |= lanes;
        used_ |= lanes != 0 ? status : 0U;
    }
    void clear() { *this = {}; }

    /// Adds the bits to those of a result.
    void store(warp_result& result) const
    {
        for_each_lane(
            used_, [&](unsigned bit) { add_bits(result.status, lanes_[bit], static_cast<std::uint16_t>(1U << bit)); });
    }

private:
    static constexpr unsigned bits = 9;
    std::array<lane_mask, bits> lanes_{};
    unsigned used_ = 0; // bits that some lane has
};

} // namespace isbesim
