// SPDX-License-Identifier: Apache-2.0
// Counts of a session's work and of features that it left out, by name, for the summary.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace isbesim::gl {

/// Names in `skipped` that scripts/piglit searches for: the program judges by results that are not modelled.
inline constexpr const char* images_read_back = "images read back, which nothing has drawn";
inline constexpr const char* images_sampled = "draws that read images, which nothing has drawn";
inline constexpr const char* images_dispatched = "dispatches that read images, which nothing has drawn";
inline constexpr const char* fragments_store = "draws whose fragment programs write memory, which nothing runs";
inline constexpr const char* pixels_counted = "reports of samples and fragments, which nothing counts";
/// ... and a name for draws that are not the program's (scripts/x11).
inline constexpr const char* drawn_by_window_system = "draws of the window system";

struct tally {
    std::uint64_t channels = 0;
    std::uint64_t submissions = 0;
    std::uint64_t draws = 0;
    std::uint64_t executed = 0;
    std::uint64_t vertices = 0; ///< of all instances of all draws
    std::uint64_t programs = 0; ///< distinct programs of draws
    std::uint64_t frames = 0;
    std::uint64_t dispatches = 0, dispatched = 0; ///< compute launches, and those of them that ran
    std::uint64_t hidden = 0;                     ///< draws and dispatches that conditional rendering suppressed
    bool nvc0 = false;                            ///< Mesa's driver for these chips created its 3D object
    std::set<std::string> elsewhere;              ///< drivers of processes that drew nothing here; "" if unnamed
    std::map<std::string, std::uint64_t> skipped; ///< uses of unmodelled features, by name
    std::map<std::string, std::uint64_t> unknown; ///< unknown methods, macros and classes
    std::map<std::string, std::uint64_t> refused; ///< draws and dispatches, by reason
    std::map<std::string, std::uint64_t> trapped; ///< warp instructions, by the first error of their draw or dispatch
};

} // namespace isbesim::gl
