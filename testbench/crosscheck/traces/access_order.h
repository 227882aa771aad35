// SPDX-License-Identifier: Apache-2.0
// Which earlier operations an operation depends on: the rule that a recorder applies to operations in the order in
// which an ISBE carries them out.
//
// Two operations may not change places when one writes a word of the storage that the other reads or writes, or binds
// the context slot that the other uses. Of these pairs only those count whose order nothing else keeps: the operations
// of a stream never change places, one waits for another that waits for a third, and none overtakes by a window.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/isbe/access/touched_words.h"
#include "models/isbe/functional/context.h"
#include "models/machine_config.h"
#include "testbench/crosscheck/traces/trace.h"

namespace isbesim::testbench {

/// Memory: a few bytes per word of the storage, and per word and stream at most one note of its reader.
class access_order {
public:
    explicit access_order(const isbe_config& config);

    /// The next operation that is carried out; fills in what it has to wait for. `any_slot`: a BIND may be of a slot
    /// that no warp has, so it needs not wait for those that used this one before.
    void next(unsigned stream, const warp_op& op, dependency_list& after, bool any_slot = false);

private:
    /// Number of an operation, counted from 1, above the number of its stream; 0: none.
    using operation_id = std::uint64_t;
    static constexpr unsigned stream_bits = 8;
    static constexpr std::uint64_t numbers = ~std::uint64_t{0} >> stream_bits;
    /// By stream: every operation up to that number has been carried out before.
    using clock = std::array<std::uint64_t, max_streams>;

    /// A word of the storage, or a context slot.
    struct place {
        operation_id writer = 0;
        operation_id reader = 0; ///< since it was written; more of them in a list
        std::uint32_t more = 0;
    };
    struct reader_note {
        operation_id reader = 0;
        std::uint32_t next = 0; ///< of the same place, or of those that are free
    };

    static unsigned stream_of(operation_id id) { return static_cast<unsigned>(id & ((1U << stream_bits) - 1U)); }
    static std::uint64_t number_of(operation_id id) { return id >> stream_bits; }
    bool known(operation_id id) const;
    void conflict(operation_id id);
    void read(place& at);
    void write(place& at);
    void forget(place& at);
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
    clock wanted_{}; ///< newest operation of every stream that the current one conflicts with
    operation_id current_ = 0;
    operation_id last_conflict_ = 0;
    clock* now_ = nullptr; ///< of the current operation
};

} // namespace isbesim::testbench
