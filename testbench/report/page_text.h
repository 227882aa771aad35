// SPDX-License-Identifier: Apache-2.0
// HTML pages that work offline: JSON, and the scripts of page/ that show it.
#pragma once

#include <string>

#include <boost/json/value.hpp>

namespace isbesim::testbench {

/// `page`: README.md lists its keys. `script`: draws the charts that are not in `page`, and calls keepDrawn().
std::string page_text(const boost::json::value& page, const char* script = "keepDrawn();");

} // namespace isbesim::testbench
