// SPDX-License-Identifier: Apache-2.0
// JSON Schemas of the files that people write and read, built from the tables of the readers and writers.
#pragma once

#include <string>
#include <vector>

#include <boost/json/object.hpp>

namespace isbesim::testbench {

boost::json::object sweep_schema();
boost::json::object report_schema();

struct schema_row {
    const char* name;
    const char* title;
    boost::json::object (*make)(); ///< without title and dialect
};
const std::vector<schema_row>& schema_rows();

/// A complete schema document, draft 7 for editors. Null for an unknown name.
boost::json::value find_schema(const std::string& name);

} // namespace isbesim::testbench
