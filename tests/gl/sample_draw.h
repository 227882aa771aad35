// SPDX-License-Identifier: Apache-2.0
// A draw of a sample scenario's programs, as the driver would leave it in memory and registers.
#pragma once

#include <cstring>
#include <string>

#include "models/isa/encoding/binary.h"
#include "models/isa/text/text.h"
#include "testbench/gl/channel/three_d_state.h"
#include "testbench/gl/channel/upload_journal.h"
#include "testbench/gl/chip/gpu_memory.h"
#include "testbench/gl/chip/image_fill.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::gl {

/// gs_pass: a vertex and a geometry program of SM50; the vertex program reads generic attribute 0.
class sample_draw {
public:
    static constexpr std::uint64_t code = 0x20000000;
    static constexpr std::uint32_t vertices = 0x21000000;
    static constexpr std::uint32_t indices = 0x22000000;

    explicit sample_draw(bool with_geometry = false)
    {
        state.at(0x1608) = 0;
        state.at(0x160c) = static_cast<std::uint32_t>(code);
        upload(0x100, "vs");
        state.at(0x2040) = 0x11;
        state.at(0x2044) = 0x100;
        if (with_geometry) {
            upload(0x10000, "gs");
            state.at(0x2100) = 0x41;
            state.at(0x2104) = 0x10000;
        }
        // Attribute 0: four floats of array 0.
        state.at(0x1160) = 0x01U << 21 | 7U << 27;
        state.at(0x1c00) = 1U << 12 | 16;
        state.at(0x1c08) = vertices;
        state.at(0x1f04) = vertices + 0xffff;
        for (std::uint32_t i = 0; i < 64; ++i) poke(vertices + 4 * i, 1000 + i);
    }

    void poke(std::uint64_t address, std::uint32_t value) { std::memcpy(memory.at(address, 4), &value, 4); }

    /// Another vertex program with the same header, as SM50 text.
    void upload_vertex_code(const std::string& text)
    {
        const auto bytes = isa::encode_program(isa::assemble(text, isa::architecture::sm50));
        const std::uint64_t address = code + 0x100 + header_bytes;
        std::memcpy(memory.at(address, bytes.size()), bytes.data(), bytes.size());
        journal.uploaded(address, bytes.size());
    }

    gpu_memory memory{std::uint64_t{1} << 32};
    upload_journal journal;
    three_d_state state;

private:
    static constexpr unsigned header_bytes = 80;

    void upload(std::uint32_t offset, const std::string& name)
    {
        std::uint64_t address = code + offset;
        for (const auto* part : {".sph.bin", ".code.bin"}) {
            const auto bytes = testbench::temporary_folder::read(testbench::samples + "gs_pass/" + name + part);
            std::memcpy(memory.at(address, bytes.size()), bytes.data(), bytes.size());
            journal.uploaded(address, bytes.size());
            address += bytes.size();
        }
    }
};

/// A clear to a byte of a layer of 64 bytes by 8 lines.
inline image_fill fill_of(std::uint64_t address, std::uint8_t byte)
{
    image_fill fill;
    fill.where = {address, false, 0, 64, 8, 0, 0};
    fill.x = {0, 64};
    fill.y = {0, 8};
    fill.bits.fill(byte);
    return fill;
}

} // namespace isbesim::gl
