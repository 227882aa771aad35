// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/page_text.h"

#include <algorithm>

#include <boost/json/serialize.hpp>

#include "testbench/files/growing_text.h"

namespace isbesim::testbench {

namespace {

constexpr const char* page_style =
#include "testbench/report.css.inc" // written by testbench/CMakeLists.txt
    ;

} // namespace

std::string html_text(const std::string& text)
{
    const auto is_plain = [](char c) { return c != '&' && c != '<' && c != '>' && c != '"'; };
    if (std::all_of(text.begin(), text.end(), is_plain)) return text;
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        default:
            out += c;
        }
    }
    return out;
}

std::string script_json(const boost::json::value& data)
{
    auto text = boost::json::serialize(data);
    for (auto at = text.find("</"); at != std::string::npos; at = text.find("</", at)) text.replace(at, 2, "<\\/");
    return text;
}

std::string page_head(const std::string& title, const char* style)
{
    growing_text out;
    out << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>"
        << html_text(title) << "</title>\n<style>\n"
        << page_style << style << "</style></head><body>\n<h1>" << html_text(title) << "</h1>\n";
    return out.take();
}

} // namespace isbesim::testbench
