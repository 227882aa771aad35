#include "testbench/gl/session/summary.h"

#include <ostream>

namespace isbesim::gl {

namespace {

void print_list(std::ostream& out, const char* what, const std::map<std::string, std::uint64_t>& list)
{
    for (const auto& [name, count] : list) out << "  " << what << " " << count << " x " << name << "\n";
}

} // namespace

void print_summary(std::ostream& out, const tally& counts, bool executing)
{
    out << "isbesim gl: " << counts.draws << (counts.draws == 1 ? " draw" : " draws") << " of " << counts.vertices
        << " vertices";
    if (executing) out << ", " << counts.executed << " run";
    if (counts.hidden != 0) out << ", " << counts.hidden << " hidden by conditional rendering";
    if (counts.frames != 0) out << ", in " << counts.frames << (counts.frames == 1 ? " frame" : " frames");
    out << "; " << counts.programs << " programs, " << counts.submissions << " submissions\n";
    if (counts.channels == 0)
        out << "  no program used the device, expected one that finds Mesa's nouveau driver (Debian packages "
               "libgl1-mesa-dri and libegl1)\n";
    print_list(out, "skipped:", counts.skipped);
    print_list(out, "refused:", counts.refused);
    print_list(out, "trapped:", counts.trapped);
    print_list(out, "unknown:", counts.unknown);
}

} // namespace isbesim::gl
