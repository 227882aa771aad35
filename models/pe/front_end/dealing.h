// SPDX-License-Identifier: Apache-2.0
// The front end of a chip: forms the batches of a draw and deals them to the TPCs in turn.
//
// The rule uses only the number of a batch, and the queue of dealt batches of a TPC is unlimited. So the batches of a
// TPC and their arrival do not depend on other TPCs, and each TPC can be simulated alone (testbench/chip).
#pragma once

#include <cstdint>
#include <vector>

#include "models/machine_config.h"
#include "models/pe/front_end/batches.h"

namespace isbesim {

/// The TPC that gets batch `number` of a draw. TPC t is in GPC t / chip.tpcs.
unsigned tpc_of_batch(const chip_config& chip, std::uint64_t number);

/// Computes when batches arrive. The front end works at its full rate of primitives per cycle, without a pause; the
/// batches then take the path to their GPC one after the other.
class dealing_time {
public:
    explicit dealing_time(const chip_config& chip) : chip_(chip), path_(chip.gpcs) {}

    /// Cycles from the start of the draw until the next batch, which has `primitives` primitives, is at TPC `tpc`.
    std::uint64_t arrival(unsigned primitives, unsigned tpc);

private:
    chip_config chip_;
    std::uint64_t assembled_ = 0;     ///< primitives
    std::vector<std::uint64_t> path_; ///< by GPC: when it is free, in cycles times its primitives per cycle
};

/// In place of a TPC: one that gets all batches of a draw as soon as it begins, whatever the chip.
inline constexpr unsigned undealt = ~0U;

/// The batches of one TPC.
class batch_dealer {
public:
    batch_dealer(const draw_call& draw, const batch_limits& limits, const chip_config& chip, unsigned tpc)
        : former_(draw, limits),
          chip_(tpc == undealt ? chip_config{} : chip),
          time_(chip_),
          tpc_(tpc == undealt ? 0 : tpc)
    {
    }

    /// Fills `result`, reusing its storage; false at the end of the draw.
    bool next(batch& result);
    /// Arrival of the last batch.
    std::uint64_t arrival() const { return arrival_; }
    /// Batches so far, of all TPCs.
    std::uint64_t dealt() const { return number_; }

private:
    batch_former former_;
    chip_config chip_;
    dealing_time time_;
    unsigned tpc_;
    std::uint64_t number_ = 0; ///< of the next batch of the draw
    std::uint64_t arrival_ = 0;
};

} // namespace isbesim
