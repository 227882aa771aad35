// SPDX-License-Identifier: Apache-2.0
// Pieces of HTML pages that work offline.
#pragma once

#include <string>

#include <boost/json/value.hpp>

namespace isbesim::testbench {

/// Text as content or quoted attribute.
std::string html_text(const std::string& text);

/// JSON that is safe inside a script element.
std::string script_json(const boost::json::value& data);

/// The page up to and including its first heading, the title. `style`: CSS beside that of every page (page/report.css).
std::string page_head(const std::string& title, const char* style = "");

} // namespace isbesim::testbench
