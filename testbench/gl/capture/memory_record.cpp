// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <memory>

#include "models/memory/global_memory.h"
#include "models/texture/texture_unit.h"
#include "testbench/gl/capture/draw_record.h"
#include "testbench/gl/draws/draw_programs.h"

namespace isbesim::gl {

namespace {

constexpr std::uint64_t page = gpu_memory::page;
constexpr std::size_t least_record = 20; ///< bytes of a buffer without pages
constexpr std::size_t page_record = 8;   ///< of a page

/// The first byte: which data follows.
enum kind : std::uint8_t { nothing, buffers, buffers_and_textures };

void write_buffer(byte_writer& out, const memory_extent& buffer, const blob_store& store)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pages;
    for (const auto& run : buffer.touched) {
        for (std::uint64_t offset = 0; offset < run.bytes; offset += page) {
            const std::string bytes(reinterpret_cast<const char*>(run.data + offset),
                                    std::min(page, run.bytes - offset));
            if (std::all_of(bytes.begin(), bytes.end(), [](char one) { return one == 0; })) continue;
            pages.emplace_back(static_cast<std::uint32_t>((run.address + offset - buffer.address) / page),
                               store(bytes));
        }
    }
    out.put(buffer.address);
    out.put(buffer.bytes);
    out.put(static_cast<std::uint32_t>(pages.size()));
    for (const auto& [number, blob] : pages) {
        out.put(number);
        out.put(blob);
    }
}

void read_buffer(byte_reader& in, global_memory& memory, std::uint64_t& left, const blob_source& blobs)
{
    const auto address = in.get<std::uint64_t>();
    const auto size = in.get<std::uint64_t>();
    if (size > left) throw record_error("a record holds more memory than a draw has");
    left -= size;
    buffer_bytes bytes(size);
    for (auto pages = in.get_count(page_record); pages > 0; --pages) {
        const auto offset = in.get<std::uint32_t>() * page;
        const auto& blob = blobs(in.get<std::uint32_t>());
        if (offset > size || blob.size() > size - offset) throw record_error("a page lies outside its buffer");
        std::memcpy(bytes.data() + offset, blob.data(), blob.size());
    }
    memory.add(address, std::move(bytes));
}

} // namespace

void write_memory(byte_writer& out, const built_draw& draw, const blob_store& store)
{
    if (draw.call.memory == nullptr) {
        out.put(static_cast<std::uint8_t>(nothing));
        return;
    }
    std::uint64_t total = 0;
    for (const auto& each : draw.memory) total += each.bytes;
    if (total > most_memory_bytes)
        throw draw_refused("left out of the capture: its programs reach " + std::to_string(total >> 20) +
                           " MiB of buffers, expected at most " + std::to_string(most_memory_bytes >> 20));
    const auto& first = draw.call.stages.begin()->second;
    out.put(static_cast<std::uint8_t>(first.textures != nullptr ? buffers_and_textures : buffers));
    out.put(first.windows.local);
    out.put(first.windows.shared);
    if (first.textures != nullptr) {
        const auto& where = first.textures->where();
        out.put(where.headers);
        out.put(static_cast<std::uint32_t>(where.header_count));
        out.put(where.samplers);
        out.put(static_cast<std::uint32_t>(where.sampler_count));
        out.put(static_cast<std::uint8_t>(where.handle_bank));
    }
    out.put(static_cast<std::uint32_t>(draw.memory.size()));
    for (const auto& each : draw.memory) write_buffer(out, each, store);
}

void read_memory(byte_reader& in, draw_call& draw, const blob_source& blobs,
                 const std::shared_ptr<memory_contents>& shared)
{
    kind what = nothing;
    enum_field(in, what, buffers_and_textures);
    if (what == nothing) return;
    isa::address_windows windows;
    windows.local = in.get<std::uint64_t>();
    windows.shared = in.get<std::uint64_t>();
    texture::tables where;
    where.second_version = draw.arch >= isa::architecture::sm120;
    if (what == buffers_and_textures) {
        where.headers = in.get<std::uint64_t>();
        where.header_count = in.get<std::uint32_t>();
        where.samplers = in.get<std::uint64_t>();
        where.sampler_count = in.get<std::uint32_t>();
        where.handle_bank = in.get<std::uint8_t>();
        if (where.handle_bank >= isa::constant_banks().size())
            throw record_error("a record takes handles from constant bank " + std::to_string(where.handle_bank));
    }
    const auto contents = std::make_shared<global_memory>();
    auto left = most_memory_bytes;
    for (auto count = in.get_count(least_record); count > 0; --count) read_buffer(in, *contents, left, blobs);
    draw.memory = shared != nullptr ? shared : contents;
    const auto textures =
        what == buffers_and_textures ? std::make_shared<texture::texture_unit>(draw.memory, where) : nullptr;
    for (auto& [stage, program] : draw.stages) {
        program.windows = windows;
        program.textures = textures;
    }
}

} // namespace isbesim::gl
