// What loosely timed runs say of their cycles.
#pragma once

#include <optional>
#include <string>

#include <boost/json/object.hpp>

namespace isbesim::testbench {

/// Of the cycles of a run, and of all that follows from them.
struct estimate {
    const char* option; ///< that makes it one
    const char* how;    ///< what it is made of
    double error;       ///< largest relative error over the shipped draws; the test loosely_timed measures it

    /// "An estimate (--isbe lt), within 5 % of ...: ..."
    std::string text() const;
    /// {"of": "cycles", "error": 0.05}
    boost::json::object json() const;
};

/// Of `run` with a back end; `by_warp`: --timing lt. None where cycles are exact.
std::optional<estimate> estimate_of(const std::string& backend, bool by_warp);

} // namespace isbesim::testbench
