// SPDX-License-Identifier: Apache-2.0
// Pieces of HTML pages that work offline.
#pragma once

#include <iosfwd>
#include <string>

#include <boost/json/value.hpp>

namespace isbesim::testbench {

/// Text as content or quoted attribute.
std::string html_text(const std::string& text);

/// JSON that is safe inside a script element.
std::string script_json(const boost::json::value& data);

/// Writes the page up to and including its first heading, the title. `style`: CSS.
void write_page_head(std::ostream& out, const std::string& title, const char* style);

} // namespace isbesim::testbench
