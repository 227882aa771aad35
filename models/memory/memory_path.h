// SPDX-License-Identifier: Apache-2.0
// The way of one TPC to global memory: L1 of each SM, the chip's L2, DRAM. Only tags and time; the bytes are elsewhere.
// HARDWARE.md F.7.
//
//   loads of SM i ──▶ L1 i ──miss──▶ L2 ──miss──▶ DRAM
//   vertex fetch ───────────────────▶
//
// Lines of 128 bytes in sectors of 32; a sector is filled at a time, and each arrow is a serial unit with a rate.
//
// The TPCs of a chip are simulated apart. Vertex fetch is known from the order in which batches are dealt: every TPC
// walks through the fetches of all TPCs, so the tags of L2 are those of the chip, and a sector is read from DRAM by the
// TPC whose batch needs it first. Loads of other TPCs are not known: data that programs of several TPCs load is read
// from DRAM once by each. Of the rate of DRAM each TPC has the share that it has if all TPCs that get a batch in the
// same turn read as much.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/machine_config.h"
#include "models/rate.h"

namespace isbesim {

inline constexpr unsigned sector_bytes = 32;

/// The sectors that an instruction or a fetch touches, each once.
class sector_list {
public:
    void add(std::uint64_t address, std::uint64_t bytes);
    /// Sorts them and drops duplicates.
    const std::vector<std::uint64_t>& merged();
    void clear() { sectors_.clear(); }

private:
    std::vector<std::uint64_t> sectors_; ///< address / 32
};

/// The tags of a set-associative cache that replaces the line used longest ago.
class sector_cache {
public:
    explicit sector_cache(std::uint64_t bytes);

    struct line {
        std::uint64_t tag = ~std::uint64_t{0};
        std::uint64_t used = 0;
        unsigned sectors = 0; ///< a bit for each that is present or on its way
        unsigned filling = 0; ///< those of the last request, and of earlier ones that had not arrived then
        std::uint64_t requested = 0, arrives = 0; ///< cycles, of `filling`
    };
    /// A sector in its line.
    struct place {
        line* where;
        unsigned bit;

        /// The cycle in which the sector can be read, for an access in `now`. A request of a warp that runs ahead of
        /// time, later than `now`, counts as done: an access without it would have fetched the sector before.
        std::uint64_t ready(std::uint64_t now) const
        {
            const bool waits = (where->filling & bit) != 0 && where->requested <= now;
            return waits ? std::max(now, where->arrives) : now;
        }
        void fill(std::uint64_t now, std::uint64_t arrives) const
        {
            if (where->arrives <= now) where->filling = 0;
            where->filling |= bit;
            where->requested = now;
            where->arrives = std::max(where->arrives, arrives);
        }
    };

    /// True if the sector is present or on its way; otherwise its place is kept for it.
    bool access(std::uint64_t sector);
    /// Of the last access. Valid until the next one that misses.
    const place& last() const { return last_; }
    /// Empties the cache.
    void clear() { cleared_ = uses_; }

private:
    static constexpr unsigned most_ways = 16;

    unsigned ways_;
    std::uint64_t sets_;
    std::uint64_t uses_ = 0;
    std::uint64_t cleared_ = 0; ///< lines used until then are empty
    std::vector<line> lines_;   ///< set by set
    place last_{};
};

struct memory_counters {
    std::uint64_t l1_sectors = 0; ///< requested by loads
    std::uint64_t l1_hits = 0;
    std::uint64_t l2_sectors = 0; ///< requested by loads that missed in L1, and by vertex fetch
    std::uint64_t l2_hits = 0;
    std::uint64_t dram_bytes = 0;
};

class memory_path {
public:
    memory_path(const machine_config& config);

    /// Between draws: caches and channels are those of a new machine.
    void rewind();
    /// TPCs of the chip that share DRAM with this one from now on, itself included.
    void share_with(unsigned tpcs) { sharers_ = tpcs; }

    /// Loads of SM `sm` in `now`; clears `touched`. Returns the cycle in which the last sector arrives. `begun`: the
    /// cycle from which on the channels have no gaps, earlier than `now` for a warp that runs ahead of time.
    std::uint64_t load(unsigned sm, sector_list& touched, std::uint64_t now, std::uint64_t begun);

    /// The sectors of a fetch; `own`: by this TPC. The fetches of all TPCs come in the order of their batches.
    struct fetched {
        std::uint64_t sectors = 0;
        std::uint64_t from_dram = 0;
    };
    fetched tag(sector_list& touched, bool own);
    /// The cycle in which the sectors requested in `now` arrive.
    std::uint64_t fetch(const fetched& request, std::uint64_t now) { return fetch(request, now, now); }

    const memory_counters& counters() const { return counters_; }
    /// Whole cycles before `now` in which DRAM worked, for this TPC and those it shares with.
    std::uint64_t dram_busy(std::uint64_t now) const { return dram_channel_.busy(now); }

private:
    std::uint64_t fetch(const fetched& request, std::uint64_t now, std::uint64_t begun);

    sector_cache& l2();
    bool in_l2(std::uint64_t sector);

    memory_config config_;
    std::vector<sector_cache> l1_; ///< by SM
    sector_cache l2_;
    std::uint64_t l1_ticks_, l2_ticks_, dram_ticks_; ///< of a sector
    std::vector<serial_unit> l1_channel_;            ///< by SM
    serial_unit l2_channel_, dram_channel_;
    std::vector<sector_cache::place> filling_; ///< by the current load
    unsigned sharers_ = 1;
    memory_counters counters_;
};

} // namespace isbesim
