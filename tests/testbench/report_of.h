// SPDX-License-Identifier: Apache-2.0
// Reports that runs of isbesim leave.
#pragma once

#include <stdexcept>
#include <string>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "tests/testbench/process.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {

/// The report of a folder of results; throws if the folder has no report.
inline boost::json::object report_in(const std::string& folder)
{
    return boost::json::parse(temporary_folder::read(folder + "/report.json")).as_object();
}

/// That of a command, which leaves its results in the folder; expects the exit status.
inline boost::json::object report_of(const words& command, const std::string& folder, int status = 0)
{
    const auto result = run_isbesim(command + words{"--quiet", "--out", folder});
    EXPECT_EQ(result.status, status) << command.at(1) << ": " << result.err;
    return report_in(folder);
}

/// The JSON that a page shows.
inline boost::json::object page_in(const std::string& file)
{
    const auto text = temporary_folder::read(file);
    const std::string begin = "id=\"page\">";
    const auto first = text.find(begin) + begin.size();
    return boost::json::parse(text.substr(first, text.find("</script>", first) - first)).as_object();
}

/// Its part of this title; throws if it has none.
inline boost::json::object part_of(const boost::json::object& page, const std::string& title)
{
    for (const auto& part : page.at("parts").as_array())
        if (part.at("title") == boost::json::value(title)) return part.as_object();
    throw std::out_of_range(title);
}

} // namespace isbesim::testbench
