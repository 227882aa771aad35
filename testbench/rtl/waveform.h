// SPDX-License-Identifier: Apache-2.0
// One FST file with one time line: the interface of an ISBE as the model sees it, and the signals of the RTL if it
// takes part.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "models/isbe/timing/isbe_module.h"
#include "testbench/rtl/rtl_plugin.h"
#include "tlm/clock.h"

namespace isbesim::testbench {

/// Times are in picoseconds: cycle c begins at c / frequency, rounded to the nearest picosecond, with the rising edge
/// of the RTL's clock; everything that belongs to the cycle changes there. An idle block is not clocked, so its clock
/// stands still. Scope `model` shows the events of an ISBE's observers, scope `rtl` a plugin_block. An RTL plug-in
/// writes the file: the block's own, or waves_plugin().
class waveform {
public:
    struct window {
        std::uint64_t first = 0; ///< cycles that the file covers
        std::uint64_t last = ~std::uint64_t{0};
    };
    /// Until show(); the values of the wires are still followed.
    static constexpr window nothing{~std::uint64_t{0}, 0};
    enum class half { first, second }; ///< of a cycle; the RTL's clock falls in between

    /// Throws std::invalid_argument if the file can't be written. No file is left if no cycle was shown.
    waveform(const std::string& path, const cycle_clock& clock, window cycles);
    ~waveform();

    /// Sets the window of a waveform that has shown nothing yet.
    void show(window cycles);

    /// Shows the ports of `isbe`. Call it once: after the RTL's block was made, if any, and before a comparison is
    /// attached, whose RTL ends cycles. Throws std::invalid_argument if no plug-in can write the file. Loosely timed
    /// models report ahead of time and in any order: their events are sorted; requests count as accepted and responses
    /// as taken at once.
    void watch(isbe_module& isbe, bool loosely_timed);
    /// Writes the values of `cycle`, which is over. Cycles must not decrease.
    void dump(std::uint64_t cycle, half which);
    /// No further event comes before `cycle`: writes the known changes up to then.
    void finish_before(std::uint64_t cycle);
    /// Writes all known changes and closes the file, as the destructor does. Throws std::runtime_error if a write
    /// failed.
    void close();

    /// For plugin_block, whose plug-in writes the file and which from then on ends the cycles.
    isbesim_rtl_wave* join(const isbesim_rtl_interface& plugin);

private:
    class writer;
    std::unique_ptr<writer> writer_;
};

} // namespace isbesim::testbench
