// SPDX-License-Identifier: Apache-2.0
// Describes cycles that are an estimate: of a loosely timed run, or of a replay on another machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

namespace isbesim::testbench {

struct traffic_facts;

/// An estimate of a run's cycles, and of all figures that depend on them.
struct estimate {
    std::string reason;          ///< why it is an estimate
    std::string scope;           ///< the runs for which `error` was measured
    std::string how;             ///< how it is computed
    std::optional<double> error; ///< largest relative error, measured by loosely_timed_test and replay_test
    std::string not_replayed{};  ///< keys of this machine that a replay ignores

    /// "An estimate (--isbe lt), within 5 % of ...: ..."
    std::string text() const;
    /// {"of": "cycles", "error": 0.05}
    boost::json::object json() const;
    /// Adds json() to a report, and puts text() before the `covers` of its figures of time.
    void mark(boost::json::object& report) const;
};

/// The estimate of `run` with a back end; `machine`: from config_to_json(), `by_warp`: --timing lt. None if cycles are
/// exact.
std::optional<estimate> estimate_of(const std::string& backend, bool by_warp, const boost::json::object& machine);
/// The estimate of traffic or a replay. None if cycles are exact.
std::optional<estimate> estimate_of_traffic(const std::string& backend, const traffic_facts& facts);

} // namespace isbesim::testbench
