// SPDX-License-Identifier: Apache-2.0
// Runs the cases of tests/isa/grids, in the notation of tests/support/case_file.h: grids of threads, and what they
// leave in a buffer, whose address is in c[0x0][0x8].
//
// STATE before: sm50, sm75; groups=2,3,2; threads, shared, local, most_steps, shared_window; textures. A program's word
// `append` writes R6 to the next word of the buffer, whose first word counts the bytes. Programs get an EXIT.
// Results: W5, a word of the buffer, or W1..5 in terms of n, its number; traps, first, address of the result.
#include "models/isa/execution/grid.h"

#include <cstring>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "models/isa/text/text.h"
#include "models/memory/global_memory.h"
#include "test_paths.h"
#include "tests/isa/texture_lab.h"
#include "tests/support/case_file.h"
#include "tests/support/error_text.h"
#include "tests/support/expression.h"

namespace isbesim::isa {
namespace {

constexpr const char* append = R"(MOV R8, c[0x0][0x8] ; MOV R9, RZ ; MOV R10, 0x4 ;
    ATOMG.E.ADD.STRONG.GPU PT, R11, [R8], R10 ; IADD3 R8, R8, R11, RZ ; STG.E.SYS [R8+0x4], R6 ;)";

/// A grid with a buffer.
struct grid_lab : grid {
    grid_lab(std::string text, const std::vector<case_item>& state)
    {
        const auto place = text.find("append");
        if (place != text.npos) text.replace(place, 6, append);
        auto arch = architecture::sm75;
        for (const auto& [name, value] : state) {
            const auto number = [digits = value] { return std::stoull(digits, nullptr, 0); };
            const auto triple = [list = value] {
                std::array<std::uint32_t, 3> all{};
                std::istringstream parts(list);
                for (auto& each : all) parts >> each, parts.get();
                return all;
            };
            if (name == "sm50") arch = architecture::sm50;
            if (name == "groups") groups = triple();
            if (name == "threads") threads = triple();
            if (name == "shared") shared_bytes = static_cast<unsigned>(number());
            if (name == "local") local_bytes = static_cast<unsigned>(number());
            if (name == "most_steps") most_steps = number();
            if (name == "shared_window") windows.shared = static_cast<word>(number());
            if (name == "textures") textures = images_.warp.textures;
        }
        program_ = assemble(text + "; EXIT ;", arch);
        memory_.add(address, std::vector<std::uint8_t>(4096));
        banks_[0] = {0, 0, address};
        banks_[handle_bank] = {0, 0, 0, 0, 0, handle_of(image_2d)};
        code = &program_;
        constants = &banks_;
        global = &memory_;
    }

    word at(unsigned number)
    {
        word value = 0;
        std::memcpy(&value, memory_.find(address + 4 * number, 4), 4);
        return value;
    }

private:
    static constexpr word address = 0x22000000;
    global_memory memory_;
    program program_;
    constant_banks banks_;
    texture_lab images_{"NOP;"};
};

void check(const text_case& each)
{
    SCOPED_TRACE(each.place + ": " + each.text);
    const auto stages = case_stages(each.rest());
    grid_lab bench(stages.at(0).text, case_items(each.header + " " + each.own()));
    grid_result result;
    const auto error = error_text<execution_error>([&] { result = run_grid(bench); });
    if (stages.at(1).action == "!") {
        EXPECT_EQ(error, stages[1].text);
        return;
    }
    EXPECT_EQ(error, "");
    const std::map<std::string, std::uint64_t> whole = {{"traps", result.count},
                                                        {"first", result.first},
                                                        {"address", result.address},
                                                        {"stored", result.stored},
                                                        {"most_steps", bench.most_steps}};
    for (const auto& [name, text] : case_items(stages[1].text)) {
        const auto value = expression::compiled(text, [](const std::string&) { return [](unsigned n) { return n; }; });
        if (whole.count(name) != 0) {
            EXPECT_EQ(whole.at(name), value(0)) << name;
            continue;
        }
        ASSERT_EQ(name[0], 'W') << name;
        const auto dots = name.find("..");
        const auto first = static_cast<unsigned>(std::stoul(name.substr(1)));
        const auto last = dots == name.npos ? first : static_cast<unsigned>(std::stoul(name.substr(dots + 2)));
        for (unsigned n = first; n <= last; ++n) ASSERT_EQ(bench.at(n), value(n)) << "word " << n;
    }
}

const bool registered = register_case_groups(ISBESIM_SOURCE_DIR "/tests/isa/grids", check);

} // namespace
} // namespace isbesim::isa
