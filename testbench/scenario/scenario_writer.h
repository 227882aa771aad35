// SPDX-License-Identifier: Apache-2.0
// Writes a draw as a scenario folder: the inverse of scenario.h.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "models/memory/global_memory.h"
#include "models/pe/front_end/draw.h"
#include "testbench/scenario/uniforms.h"

namespace isbesim::testbench {

/// Bytes of a stage's compiled program.
struct program_bytes {
    std::string header, code;
    std::string library; ///< the driver's, at library_address; usually empty
    std::uint32_t library_address = 0;
};

struct written_draw {
    draw_call call;
    std::map<stage, program_bytes> programs;
    std::shared_ptr<global_memory> memory; ///< of copy_textures()
    std::map<std::string, uniform> uniforms;
};

/// Calls `write` with the name and content of each file: scenario.json, <stage>.code.bin and <stage>.sph.bin,
/// library.bin, memory_<address>.bin. In the JSON each constant bank ends after its last word other than 0, or
/// after the first; this reads as the same bank.
void write_scenario(const written_draw& draw, const std::string& description,
                    const std::function<void(const std::string&, std::string_view)>& write);

} // namespace isbesim::testbench
