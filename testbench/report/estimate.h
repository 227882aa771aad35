// SPDX-License-Identifier: Apache-2.0
// What runs say of their cycles where these are an estimate: loosely timed, or replayed on another machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

namespace isbesim::testbench {

/// Of the cycles of a run, and of all that follows from them.
struct estimate {
    std::string reason;          ///< what makes it one
    std::string scope;           ///< what `error` was measured over
    std::string how;             ///< what it is made of
    std::optional<double> error; ///< largest relative one; the tests loosely_timed_test and replay_test measure it
    std::string not_replayed{};  ///< keys of this machine that a replay does not heed

    /// "An estimate (--isbe lt), within 5 % of ...: ..."
    std::string text() const;
    /// {"of": "cycles", "error": 0.05}
    boost::json::object json() const;
    /// Puts json() into a report, and text() before what its figures of time cover.
    void mark(boost::json::object& report) const;
};

/// Of `run` with a back end on a machine as config_to_json() has it; `by_warp`: --timing lt. None where cycles are
/// exact.
std::optional<estimate> estimate_of(const std::string& backend, bool by_warp, const boost::json::object& machine);
/// The same of traffic. `changed`: keys of the machine that are not as they were when it was recorded. `open_loop`:
/// requests come in their recorded cycles.
std::optional<estimate> estimate_of_traffic(const std::string& backend, const std::vector<std::string>& changed,
                                            bool open_loop);

} // namespace isbesim::testbench
