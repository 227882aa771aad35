// SPDX-License-Identifier: Apache-2.0
// Finds the earlier operations on which an operation depends. A recorder applies it to operations in the order in which
// an ISBE executes them.
//
// Two operations must keep their order if one writes a word of the storage that the other reads or writes, or binds the
// context slot that the other uses. Pairs that are ordered anyway are left out: the operations of a stream keep their
// order, dependencies are transitive, and no operation overtakes another by a window.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/isbe/access/touched_words.h"
#include "models/isbe/functional/context.h"
#include "models/machine_config.h"
#include "testbench/crosscheck/traces/trace.h"

namespace isbesim::testbench {

/// Memory: a few bytes per word of the storage, and at most one note of a reader per word and stream.
class access_order {
public:
    explicit access_order(const isbe_config& config);

    /// The next executed operation; fills in the operations that it has to wait for. `any_slot`: a replay may choose a
    /// slot that no warp has for a BIND, so a BIND need not wait for earlier users of its slot.
    void next(unsigned stream, const warp_op& op, dependency_list& after, bool any_slot = false);

private:
    /// Number of an operation, counted from 1, in the bits above the number of its stream; 0: none.
    using operation_id = std::uint64_t;
    static constexpr unsigned stream_bits = 8;
    static constexpr std::uint64_t numbers = ~std::uint64_t{0} >> stream_bits;
    /// By stream: all operations up to that number were executed before.
    using clock = std::array<std::uint64_t, max_streams>;

    /// A word of the storage, or a context slot.
    struct place {
        operation_id writer = 0;
        operation_id reader = 0; ///< since the last write; further readers are in a list
        std::uint32_t more = 0;
    };
    struct reader_note {
        operation_id reader = 0;
        std::uint32_t next = 0; ///< next note of the same place, or next free note
    };

    static unsigned stream_of(operation_id id) { return static_cast<unsigned>(id & ((1U << stream_bits) - 1U)); }
    static std::uint64_t number_of(operation_id id) { return id >> stream_bits; }
    bool known(operation_id id) const;
    void conflict(operation_id id);
    void read(place& accessed);
    void write(place& accessed);
    void forget(place& accessed);
    void collect(dependency_list& after);

    isbe_config config_;
    touched_words touched_;
    std::vector<context> contexts_;
    std::vector<place> places_; ///< words, then slots
    std::vector<reader_note> notes_;
    std::uint32_t free_note_ = 0;
    std::vector<clock> clocks_; ///< of the last trace_window operations
    std::array<std::uint8_t, max_streams> wanted_streams_{};
    unsigned wanted_count_ = 0;
    clock last_{};   ///< newest operation of every stream
    clock wanted_{}; ///< of every stream: newest operation that conflicts with the current one
    operation_id current_ = 0;
    operation_id last_conflict_ = 0;
    clock* now_ = nullptr; ///< of the current operation
};

} // namespace isbesim::testbench
