// SPDX-License-Identifier: Apache-2.0
// The front end of a chip: forms the batches of a draw and deals them to the TPCs in turn.
//
// The rule uses only the number of a batch, and the queue of dealt batches of a TPC is unlimited. So the batches of a
// TPC and their arrival do not depend on other TPCs, and each TPC can be simulated alone (testbench/chip).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/machine_config.h"
#include "models/pe/front_end/batches.h"
#include "models/rate.h"
#include "tlm/ring.h"

namespace isbesim {

/// The TPC that gets batch `number` of a draw. TPC t is in GPC t / chip.tpcs.
unsigned tpc_of_batch(const chip_config& chip, std::uint64_t number);

/// Computes when batches arrive, in ticks from the start of the draw. One unit walks through the draw: its records, its
/// instances, its indices. A second unit assembles primitives from them; both work without a pause. The batches then
/// take the path to their GPC one after the other.
class dealing_time {
public:
    dealing_time(const chip_config& chip, unsigned record_bytes);

    /// Ticks until `next` is at TPC `tpc`.
    std::uint64_t arrival(const batch& next, unsigned tpc);
    /// Walks over what follows the last batch. Returns the ticks after which the front end is free.
    std::uint64_t end(const batch& rest);

private:
    void walk(const batch& next);
    std::uint64_t assembled() const;

    chip_config chip_;
    std::uint64_t instance_, index_, restart_, path_batch_, draw_; ///< ticks of each
    std::uint64_t walked_;                                         ///< ticks
    std::uint32_t instances_ = 0, draws_ = 0;                      ///< walked over, beyond the first
    std::uint64_t assembled_ = 0;                                  ///< primitives
    std::vector<std::uint64_t> path_;                              ///< by GPC: ticks until it is free
};

/// Listener to the batches of all TPCs.
class dealing_listener {
public:
    virtual ~dealing_listener() = default;
    /// `own`: of the dealer's TPC. In the order of the batches.
    virtual void dealt(batch& dealt, bool own) = 0;
};

/// Primitives that left a TPC in a number of cycles of a draw; kept for chips with rates for them.
struct departures {
    static constexpr std::uint64_t cycles = 256;
    std::uint64_t primitives = 0;
    std::uint64_t setups = 0; ///< of these, the ones that were not culled
};

/// In place of a TPC: one that gets all batches of a draw as soon as it begins, whatever the chip.
inline constexpr unsigned undealt = ~0U;

/// The batches of one TPC.
class batch_dealer {
public:
    batch_dealer(const draw_call& draw, const batch_limits& limits, const chip_config& chip, unsigned tpc)
        : former_(draw, limits),
          chip_(tpc == undealt ? chip_config{} : chip),
          time_(chip_, draw.record_bytes),
          tpc_(tpc == undealt ? 0 : tpc),
          draw_(draw),
          limits_(limits)
    {
    }

    /// Fills `result`, reusing its storage; false at the end of the draw.
    bool next(batch& result);
    /// Batches so far, of all TPCs.
    std::uint64_t dealt() const { return number_; }
    /// The batch that next() will give after `ahead` others; null beyond the end of the draw.
    batch* peek(std::size_t ahead);
    /// After the end of the draw: when the front end is done with it, in ticks from its start.
    std::uint64_t end() const { return end_; }
    /// Call it before the first batch.
    void report_to(dealing_listener& listener);

private:
    bool deal();
    unsigned tpcs() const;

    batch_former former_;
    chip_config chip_;
    dealing_time time_;
    unsigned tpc_;
    const draw_call& draw_;
    const batch_limits limits_;
    std::uint64_t number_ = 0; ///< of the next batch of the draw
    // Dealt and not taken, and others for reuse: a running draw allocates no memory.
    ring<std::unique_ptr<batch>> dealt_;
    std::vector<std::unique_ptr<batch>> spare_;
    bool ended_ = false;
    std::uint64_t end_ = 0;
    dealing_listener* listener_ = nullptr;
    std::uint64_t batches_ = 0; ///< of the draw, with a listener
};

} // namespace isbesim
