// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/page_text.h"

#include <boost/json/serialize.hpp>

namespace isbesim::testbench {

std::string page_text(const boost::json::value& page, const char* script)
{
    std::string data;
    for (const char c : boost::json::serialize(page)) c == '<' ? data += "\\u003c" : data += c; // no tag, no comment
    // The files are written by testbench/CMakeLists.txt.
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><link rel=\"icon\" "
           "href=\"data:,\">\n<style>"
#include "testbench/page.css.inc"
           "</style></head><body>\n<noscript>The page shows its data by JavaScript.</noscript>\n"
           "<script type=\"application/json\" id=\"page\">" +
           data + "</script>\n<script>" +
#include "testbench/page.js.inc"
           +script + "</script>\n</body></html>\n";
}

} // namespace isbesim::testbench
