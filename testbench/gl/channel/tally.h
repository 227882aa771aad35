// SPDX-License-Identifier: Apache-2.0
// What a session did, and what it left out, by name: the summary at the end.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace isbesim::gl {

/// Names under `skipped` that scripts/piglit looks for: the program judges by what there is no model of.
inline constexpr const char* images_read_back = "images read back, which nothing has drawn";
inline constexpr const char* images_sampled = "draws that read images, which nothing has drawn";
inline constexpr const char* fragments_store = "draws whose fragment programs write memory, which nothing runs";
inline constexpr const char* pixels_counted = "reports of samples and fragments, which nothing counts";
/// ... and a name of what the program has nothing to do with (scripts/x11).
inline constexpr const char* drawn_by_window_system = "draws of the window system";

struct tally {
    std::uint64_t channels = 0;
    std::uint64_t submissions = 0;
    std::uint64_t draws = 0;
    std::uint64_t executed = 0;
    std::uint64_t vertices = 0; ///< of draws, all instances
    std::uint64_t programs = 0; ///< distinct ones that draws used
    std::uint64_t frames = 0;
    std::uint64_t dispatches = 0, dispatched = 0; ///< compute launches, and those that were run
    std::uint64_t hidden = 0;                     ///< draws and dispatches that conditional rendering left out
    bool nvc0 = false;                            ///< Mesa's driver of these chips made its 3D object
    std::set<std::string> elsewhere; ///< drivers that ran in processes which drew nothing here; "" is an unnamed one
    std::map<std::string, std::uint64_t> skipped; ///< unmodelled features that were passed over, by name
    std::map<std::string, std::uint64_t> unknown; ///< unknown methods, macros and classes
    std::map<std::string, std::uint64_t> refused; ///< draws and dispatches, by reason
    std::map<std::string, std::uint64_t> trapped; ///< warp instructions, by the first error of their draw or dispatch
};

} // namespace isbesim::gl
