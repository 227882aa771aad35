// SPDX-License-Identifier: Apache-2.0
// Energy and area proxies: access counts times coefficients of a replaceable table (--coefficients). They rank machines
// against each other; every report states that they do not measure any silicon.
#pragma once

#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "models/isbe/functional/isbe_counters.h"
#include "models/machine_config.h"
#include "testbench/files/input_error.h"

namespace isbesim::testbench {

/// One figure of the table.
struct coefficient {
    std::string name; ///< dotted
    double value = 0;
    std::string source; ///< or "assumed ..."
};

/// testbench/report/coefficients.json, or a file of the same form: {"name": {"value": 1.5, "source": "..."}, ...}. A
/// file may leave keys out; they keep the values of the default table.
class coefficient_table {
public:
    /// The default table.
    coefficient_table();
    /// Replaces values by those of a file. Throws input_error for an unknown key, a negative value or a missing source.
    void load(const std::string& file);

    double operator[](const std::string& name) const;
    const std::vector<coefficient>& all() const { return all_; }

private:
    void read(const std::string& file, const std::string& text, bool complete);

    std::vector<coefficient> all_;
};

/// The figures of `proxies` that are not counts: energy and area. `counters`: of all `isbes` ISBEs together.
boost::json::object stated_proxies(const isbe_counters& counters, const isbe_config& config, unsigned isbes,
                                   const coefficient_table& coefficients);

} // namespace isbesim::testbench
