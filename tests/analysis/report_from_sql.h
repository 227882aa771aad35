// SPDX-License-Identifier: Apache-2.0
// Computes report.json a second time, from the database of the run alone.
#pragma once

#include <boost/json/object.hpp>

#include "tests/analysis/sql.h"

namespace isbesim::testbench {

/// Every key of a run's report.json except keys without figures (tool, covers), host and series.
boost::json::object report_from_sql(const sql_file& file);

} // namespace isbesim::testbench
