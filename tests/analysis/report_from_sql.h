// SPDX-License-Identifier: Apache-2.0
// report.json once more, from nothing but the database of the run.
#pragma once

#include <boost/json/object.hpp>

#include "tests/analysis/sql.h"

namespace isbesim::testbench {

/// Every key of a run's report.json but those that are no figures (tool, covers), host and series.
boost::json::object report_from_sql(const sql_file& file);

} // namespace isbesim::testbench
