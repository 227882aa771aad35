// SPDX-License-Identifier: Apache-2.0
// Each key of a draw reaches all that follows from the list of keys: scenarios, captures, digests.
#include <gtest/gtest.h>

#include "testbench/files/json_text.h"
#include "testbench/gl/capture/draw_record.h"
#include "testbench/report/draw_identity.h"
#include "testbench/scenario/scenario_forms.h"
#include "tests/testbench/another_value.h"

namespace isbesim::testbench {
namespace {

/// For each key: a draw in which it alone has another value than in the draw before it. Keys of absent stages have
/// none.
template <typename Function>
void for_each_change(Function&& function)
{
    draw_call draw;
    draw.indexed = true;
    unsigned changes = 0;
    for (const auto& [name, key] : draw_keys()) {
        SCOPED_TRACE(name);
        auto changed = draw;
        const auto value = another_value(key, draw);
        ASSERT_TRUE(admits(key, value));
        key.set(changed, value);
        if (key.get(changed) != value) continue;
        function(key, draw, changed);
        ++changes;
    }
    EXPECT_EQ(changes, draw_keys().size() - 2); // shared_bytes of task and mesh
}

TEST(draw_keys, come_back_from_scenario)
{
    for_each_change([](const auto& key, const auto& draw, const auto& changed) {
        auto again = draw;
        for (const auto* form : {&draw_form(), &mesh_draw_form(), &tessellation_form(), &task_form(), &mesh_form()}) {
            const json_document document("s.json", json_text(form->write(changed, nullptr)));
            form->read(document, document.root(), "draw", again);
        }
        EXPECT_TRUE(key.is_same(again, changed));
    });
}

TEST(draw_keys, come_back_from_capture)
{
    for_each_change([](const auto& key, const auto&, const auto& changed) {
        std::vector<std::string> blobs;
        const std::map<stage, const gl::uploaded_program*> programs;
        const std::vector<gl::memory_extent> memory;
        const auto record = gl::write_draw({changed, programs, memory}, [&](const std::string& bytes) {
            blobs.push_back(bytes);
            return static_cast<std::uint32_t>(blobs.size() - 1);
        });
        gl::decoded_programs decoded;
        const auto again = gl::read_draw(
            record, [&](std::uint32_t number) -> const std::string& { return blobs.at(number); }, decoded);
        EXPECT_TRUE(key.is_same(again, changed));
    });
}

TEST(draw_keys, change_identity)
{
    for_each_change([](const auto&, const auto& draw, const auto& changed) {
        EXPECT_NE(draw_identity(draw), draw_identity(changed));
    });
}

} // namespace
} // namespace isbesim::testbench
