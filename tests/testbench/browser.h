// Pages as a browser shows them, where there is one.
#pragma once

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/required_package.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {

/// The command of a Chromium, or empty.
inline std::string find_browser()
{
    for (const auto* name : {"chromium", "chromium-browser", "google-chrome"})
        if (std::system((std::string("command -v ") + name + " >/dev/null").c_str()) == 0) return name;
    return "";
}

/// Ends a test that needs a browser on a machine without one.
#define ISBESIM_NEEDS_BROWSER()                                                                                        \
    if (isbesim::testbench::find_browser().empty()) ISBESIM_MISSING("no Chromium here")

/// The page after its scripts have run; what the browser says of it in `messages`. Writes into `folder`.
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

} // namespace isbesim::testbench
