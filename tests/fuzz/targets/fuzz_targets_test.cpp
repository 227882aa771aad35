// SPDX-License-Identifier: Apache-2.0
// The fuzz targets with their seeds and with the inputs that are kept (tests/fuzz/inputs/TARGET) as regression
// tests. scripts/fuzz looks for more.
#include <filesystem>
#include <random>

#include <gtest/gtest.h>

#include "test_paths.h"
#include "tests/fuzz/targets/target.h"

namespace isbesim::fuzz {
namespace {

class fuzz_target : public testing::TestWithParam<target> {
    void SetUp() override
    {
        if (GetParam().is_built != nullptr && !GetParam().is_built()) GTEST_SKIP() << "built without RTL";
    }
};

TEST_P(fuzz_target, takes_its_seeds_whole_and_cut_off)
{
    bool any_short = false;
    for (const auto& seed : GetParam().seeds(ISBESIM_SOURCE_DIR "/")) {
        any_short = any_short || seed.size() <= GetParam().length;
        GetParam().run(seed);
        for (std::size_t size = seed.size(); size != 0; size /= 3)
            GetParam().run(std::string_view(seed).substr(0, size));
    }
    EXPECT_TRUE(any_short) << "no seed of at most " << GetParam().length << " bytes, which fuzzers begin with";
}

TEST_P(fuzz_target, accepts_recorded_findings)
{
    const std::string folder = std::string(ISBESIM_SOURCE_DIR "/tests/fuzz/inputs/") + GetParam().name;
    if (!std::filesystem::is_directory(folder)) return;
    for (const auto& input : contents(folder, "")) GetParam().run(input);
}

TEST_P(fuzz_target, takes_noise)
{
    std::mt19937 random(7);
    for (unsigned i = 0; i < 300; ++i) {
        std::string bytes(random() % 300, '\0');
        for (auto& byte : bytes) byte = static_cast<char>(random());
        GetParam().run(bytes);
    }
}

INSTANTIATE_TEST_SUITE_P(all, fuzz_target, testing::ValuesIn(targets()),
                         [](const auto& one) { return std::string(one.param.name); });

} // namespace
} // namespace isbesim::fuzz
