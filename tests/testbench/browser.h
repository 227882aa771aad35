// SPDX-License-Identifier: Apache-2.0
// Pages as a browser shows them, if one is installed.
#pragma once

#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "test_paths.h"
#include "tests/support/required_package.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {

/// The command of a Chromium, or empty. ISBESIM_BROWSER, if set, is the command; where it is empty there is none.
inline std::string find_browser()
{
    if (const auto* name = std::getenv("ISBESIM_BROWSER")) return name;
    for (const auto* name : {"chromium", "chromium-browser", "google-chrome"})
        if (std::system((std::string("command -v ") + name + " >/dev/null").c_str()) == 0) return name;
    return "";
}

/// Ends a test that needs a browser on a machine without one.
#define ISBESIM_NEEDS_BROWSER()                                                                                        \
    if (isbesim::testbench::find_browser().empty()) ISBESIM_MISSING("no Chromium here")

/// The page after its scripts have run; the browser's messages in `messages`. Writes into `folder`.
inline std::string shown_in_browser(const std::string& browser, const std::string& page, const temporary_folder& folder,
                                    std::string& messages)
{
    const auto command = browser +
                         " --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking "
                         "--disable-component-update --disable-sync --enable-logging=stderr --v=0 --user-data-dir='" +
                         folder.path("profile") + "' --dump-dom 'file://" + page + "' >'" + folder.path("dom") +
                         "' 2>'" + folder.path("log") + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);
    messages = temporary_folder::read(folder.path("log"));
    return temporary_folder::read(folder.path("dom"));
}

/// Chromium draws these plots of the page, and no others, without a word of complaint.
inline void expect_plots(const std::string& page, const std::vector<std::string>& plots, const temporary_folder& folder)
{
    std::string messages;
    const auto dom = shown_in_browser(find_browser(), page, folder, messages);
    EXPECT_EQ(messages.find("CONSOLE"), std::string::npos) << messages;
    for (const auto& id : plots) {
        const auto begin = dom.find("<figure id=\"" + id + "\">");
        ASSERT_NE(begin, std::string::npos) << id;
        const auto figure = dom.substr(begin, dom.find("</figure>", begin) - begin);
        EXPECT_TRUE(std::regex_search(figure, std::regex("class=\"data\"><(rect|path)"))) << id << " has no data";
        EXPECT_EQ(figure.find("NaN"), std::string::npos) << id;
        EXPECT_EQ(figure.find("undefined"), std::string::npos) << id;
    }
    std::size_t figures = 0;
    for (auto position = dom.find("<figure id="); position != std::string::npos;
         position = dom.find("<figure id=", position + 1))
        ++figures;
    EXPECT_EQ(figures, plots.size());
}

/// The unreadable parts of the page in a window of `width` (tests/support/page_layout.js): "N labels", and a line for
/// each text that lies over another, is cut or too small.
inline std::string layout_of(const std::string& browser, const std::string& page, unsigned width,
                             const temporary_folder& folder)
{
    auto text = temporary_folder::read(page);
    text.insert(text.rfind("</body>"),
                "<script>" + temporary_folder::read(ISBESIM_SOURCE_DIR "/tests/support/page_layout.js") + "</script>");
    const auto probe = folder.write("probe.html", text);
    std::string messages;
    const auto size = " --virtual-time-budget=5000 --window-size=" + std::to_string(width) + ",2000";
    const auto dom = shown_in_browser(browser + size, probe, folder, messages);
    const std::string begin = "<pre id=\"layout\">";
    const auto found = dom.find(begin);
    if (found == std::string::npos) return "the page's scripts did not end";
    return dom.substr(found + begin.size(), dom.find("</pre>", found) - found - begin.size());
}

/// The page can be read on screens of phones and desktops.
inline void expect_readable(const std::string& page, const temporary_folder& folder)
{
    for (const unsigned width : {500U, 1300U}) {
        const auto found = layout_of(find_browser(), page, width, folder);
        EXPECT_EQ(found.find('\n') + 1, found.size()) << page << " at " << width << ": " << found;
    }
}

} // namespace isbesim::testbench
