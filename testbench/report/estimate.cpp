#include "testbench/report/estimate.h"

#include <cmath>

namespace isbesim::testbench {

namespace {

constexpr estimate by_operation{"--isbe lt",
                                "the ISBE grants operations in the order of the calls, and requests never wait for a "
                                "place in a queue.",
                                0.05};
constexpr estimate by_warp_alone{"--timing lt",
                                 "each warp takes what it takes alone, and not less than the work that it shares with "
                                 "others.",
                                 0.2};

} // namespace

std::string estimate::text() const
{
    return "An estimate (" + std::string(option) + "), within " + std::to_string(std::lround(error * 100)) +
           " % of the cycles of --isbe at over the shipped draws on the default machine: " + how;
}

boost::json::object estimate::json() const
{
    return {{"of", "cycles"}, {"error", error}};
}

std::optional<estimate> estimate_of(const std::string& backend, bool by_warp)
{
    if (by_warp) return by_warp_alone;
    if (backend == "lt") return by_operation;
    return {};
}

} // namespace isbesim::testbench
