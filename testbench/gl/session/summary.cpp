// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/session/summary.h"

#include <cstring>
#include <ostream>

#include "testbench/files/shipped_files.h"
#include "tlm/count_text.h"

namespace isbesim::gl {

namespace {

void print_list(std::ostream& out, const char* what, const std::map<std::string, std::uint64_t>& list)
{
    for (const auto& [name, count] : list) out << "  " << what << " " << count << " x " << name << "\n";
}

/// "ended with status 139, as after SIGSEGV".
std::string ending_text(int status)
{
    constexpr int signal_base = 128;
    const auto* const signal = status > signal_base ? sigabbrev_np(status - signal_base) : nullptr;
    return "ended with status " + std::to_string(status) +
           (signal != nullptr ? std::string(", as after SIG") + signal : "");
}

} // namespace

void print_summary(std::ostream& out, const tally& counts, bool executing, graphics_api api, std::optional<int> status)
{
    const bool vulkan = api == graphics_api::vulkan;
    out << (vulkan ? "isbesim vk: " : "isbesim gl: ") << count_text(counts.draws, "draw") << " of "
        << count_text(counts.vertices, "vertex", "vertices");
    if (executing) out << ", " << counts.executed << " run";
    if (counts.dispatches != 0) {
        out << ", " << count_text(counts.dispatches, "dispatch", "dispatches");
        if (executing) out << ", " << counts.dispatched << " run";
    }
    if (counts.hidden != 0) out << ", " << counts.hidden << " hidden by conditional rendering";
    if (counts.frames != 0) out << ", in " << count_text(counts.frames, "frame");
    out << "; " << count_text(counts.programs, "program") << ", " << count_text(counts.submissions, "submission");
    if (counts.nvc0) out << (vulkan ? ", driver NVK" : ", driver nvc0");
    out << "\n";
    if (status && (*status != 0 || counts.draws + counts.dispatches == 0))
        out << "  the program " << ending_text(*status) << "\n";
    if (counts.channels == 0 && counts.elsewhere.empty() && !vulkan)
        out << "  no program used the device, expected one that finds Mesa's nouveau driver (Debian packages "
               "libgl1-mesa-dri and libegl1; one that wants X11 is started with "
            << testbench::script_of_user("x11") << ")\n";
    print_list(out, "skipped:", counts.skipped);
    print_list(out, "refused:", counts.refused);
    print_list(out, "trapped:", counts.trapped);
    print_list(out, "unknown:", counts.unknown);
}

std::string other_drivers(const tally& counts, graphics_api api, int status)
{
    if (api == graphics_api::vulkan && counts.channels != 0) return "";
    if (api == graphics_api::vulkan)
        return (status == 0 ? "" : "the program " + ending_text(status) + "; ") +
               "no program used the device: Vulkan needs Mesa 24.1 or later with NVK, and for mesh shaders 26.2; " +
               testbench::script_of_user("vk_root") + " makes a root with it";
    std::string names;
    for (const auto& each : counts.elsewhere) names += (names.empty() ? "" : ", ") + (each.empty() ? "unnamed" : each);
    if (names.empty()) return "";
    return "a program used another OpenGL driver (" + names +
           ") and nothing here: what it drew was not run, expected Mesa's nvc0, without LIBGL_ALWAYS_SOFTWARE, "
           "GALLIUM_DRIVER and MESA_LOADER_DRIVER_OVERRIDE, and with " +
           testbench::script_of_user("x11") + " where it wants X11";
}

std::string frames_unseen(const tally& counts)
{
    if (counts.frames != 0 || counts.draws == 0) return "";
    return "--frames: no frame of the program was seen to end, so all its draws are of frame 0 (it shows none, or "
           "by a function that is not known here), expected --draws A:B";
}

} // namespace isbesim::gl
