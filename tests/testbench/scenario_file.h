// SPDX-License-Identifier: Apache-2.0
// Scenarios that tests write.
#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "testbench/scenario/scenario.h"
#include "tests/support/error_text.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {

/// Scenarios in a folder that holds the programs of a vertex and of a geometry draw.
class scenario_file : public testing::Test {
protected:
    scenario_file()
    {
        for (const auto* name : {"vs.code.bin", "vs.sph.bin", "gs.code.bin", "gs.sph.bin"}) {
            std::filesystem::copy_file(samples + "gs_pass/" + name, folder_.path(name));
        }
    }

    static std::string text(const std::string& draw, const std::string& attributes, const std::string& rest = "")
    {
        return "{\"arch\": \"sm50\", \"stages\": {\"vertex\": {\"code\": \"vs.code.bin\", \"sph\": \"vs.sph.bin\"}},\n"
               "\"draw\": " +
               draw + ",\n\"attributes\": " + attributes + rest + "}";
    }
    scenario load(const std::string& content) { return load_scenario(folder_.write("s.json", content)); }
    /// Error without the folder's name.
    std::string error(const std::string& content)
    {
        auto what = error_text([&] { load(content); });
        const auto prefix = folder_.path();
        if (what.rfind(prefix, 0) == 0) what.erase(0, prefix.size());
        return what;
    }

    static constexpr const char* three_points = "{\"topology\": \"points\", \"vertex_count\": 3}";
    static constexpr const char* three_words =
        "{\"0x80\": {\"components\": 1, \"words\": [\"0x1\", \"0x2\", \"0x3\"]}}";
    temporary_folder folder_;
};

} // namespace isbesim::testbench
