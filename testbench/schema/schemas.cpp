// SPDX-License-Identifier: Apache-2.0
#include "testbench/schema/schemas.h"

#include "testbench/scenario/scenario_forms.h"
#include "testbench/system/machine_schema.h"

namespace isbesim::testbench {

const std::vector<schema_row>& schema_rows()
{
    static const std::vector<schema_row> rows = {
        {"scenario", "A draw for isbesim run (testbench/scenario/README.md)", scenario_schema},
        {"machine", "A machine for --config (testbench/system/README.md)", machine_schema},
        {"sweep", "A sweep for scripts/explore (scripts/exploration/README.md)", sweep_schema},
        {"report", "report.json (testbench/report/README.md)", report_schema},
    };
    return rows;
}

boost::json::value find_schema(const std::string& name)
{
    for (const auto& row : schema_rows()) {
        if (name != row.name) continue;
        boost::json::object document = {{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", row.title}};
        for (auto& entry : row.make()) document.insert(entry);
        return document;
    }
    return nullptr;
}

} // namespace isbesim::testbench
