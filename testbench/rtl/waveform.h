// SPDX-License-Identifier: Apache-2.0
// One FST file with one time line: the interface of an ISBE as its model sees it, and the signals of the RTL when it
// takes part.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "models/isbe/timing/isbe_module.h"
#include "testbench/rtl/rtl_plugin.h"
#include "tlm/clock.h"

namespace isbesim::testbench {

/// Times are in picoseconds: cycle c begins at c / frequency, to the nearest of them, with the rising edge of the RTL's
/// clock, and everything that belongs to the cycle changes there. An idle block is not clocked, so its clock stands
/// still then. Scope `model` is tied to the observers of an ISBE, scope `rtl` to a plugin_block. The file is written by
/// an RTL plug-in: the block's own, or waves_plugin().
class waveform {
public:
    struct window {
        std::uint64_t first = 0; ///< cycles that the file covers
        std::uint64_t last = ~std::uint64_t{0};
    };
    /// Until show(): the wires are followed all the same.
    static constexpr window nothing{~std::uint64_t{0}, 0};
    enum class half { first, second }; ///< of a cycle; the RTL's clock falls in between

    /// Throws std::invalid_argument when the file can't be written. Without shown cycles no file is left.
    waveform(const std::string& path, const cycle_clock& clock, window cycles);
    ~waveform();

    /// Of a waveform that has shown nothing yet.
    void show(window cycles);

    /// Shows the ports of `isbe`, once; after the RTL's block, if one takes part, and before a comparison is attached,
    /// whose RTL ends cycles. Throws std::invalid_argument when there is nothing to write the file with. Loosely timed
    /// models report ahead of time and in any order: their events are sorted, and requests count as accepted and
    /// responses as taken at once.
    void watch(isbe_module& isbe, bool loosely_timed);
    /// The values of `cycle`, which is over. Cycles must not go back.
    void dump(std::uint64_t cycle, half which);
    /// Nothing more happens before `cycle`: the known changes until then are written.
    void finish_before(std::uint64_t cycle);
    /// Writes everything that is known and closes the file. The destructor does it too. Throws std::runtime_error when
    /// not all of it could be written.
    void close();

    /// For plugin_block, whose plug-in writes the file, and which from then on says when a cycle is over.
    isbesim_rtl_wave* join(const isbesim_rtl_interface& plugin);

private:
    class writer;
    std::unique_ptr<writer> writer_;
};

} // namespace isbesim::testbench
