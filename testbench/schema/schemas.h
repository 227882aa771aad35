// SPDX-License-Identifier: Apache-2.0
// JSON Schemas of the files that people write and read, made from the tables that the readers and writers have.
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

/// A whole document of draft 7, which editors understand. Null for an unknown name.
boost::json::value find_schema(const std::string& name);

} // namespace isbesim::testbench
