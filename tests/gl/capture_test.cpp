// SPDX-License-Identifier: Apache-2.0
// Capture files: what goes in comes out; damaged and cut-off files.
#include <zlib.h>

#include <gtest/gtest.h>

#include "models/texture/texture_unit.h"
#include "testbench/files/input_error.h"
#include "testbench/gl/capture/capture_reader.h"
#include "testbench/gl/capture/draw_record.h"
#include "testbench/gl/draws/draw_programs.h"
#include "tests/gl/sample_capture.h"
#include "tests/support/error_text.h"

namespace isbesim::gl {
namespace {

class capture : public testing::Test {
protected:
    void write(unsigned draws, bool finished = true) { capture_.write(file_, draws, finished); }
    std::string error() const
    {
        return error_text([&] {
            capture_reader reader(file_);
            for (std::size_t i = 0; i < reader.draws(); ++i) reader.load(i);
            EXPECT_TRUE(reader.complete());
        });
    }
    void damage(const std::function<void(std::string&)>& how)
    {
        auto bytes = testbench::temporary_folder::read(file_);
        how(bytes);
        folder_.write("a.capture", bytes);
    }

    sample_capture capture_;
    draw_call& draw_ = capture_.draw;
    sample_draw& sample_ = capture_.sample;
    draw_builder& builder_ = capture_.builder;
    std::vector<memory_extent>& memory_ = capture_.memory;
    testbench::temporary_folder folder_;
    std::string file_ = folder_.path("a.capture");
};

TEST_F(capture, who_holds_one_file_has_one_reader)
{
    write(1);
    auto first = capture_reader::open(file_);
    EXPECT_EQ(capture_reader::open(file_), first);
    first.reset();
    write(3); // the old one has no holder
    EXPECT_EQ(capture_reader::open(file_)->draws(), 3U);
    EXPECT_THROW(capture_reader::open(folder_.path("none")), testbench::input_error);
}

TEST_F(capture, chunks_beyond_one_piece_of_the_file_are_found)
{
    // More than a piece that is read at once: draws of some hundred bytes each.
    write(1000);
    capture_reader reader(file_);
    EXPECT_TRUE(reader.complete());
    ASSERT_EQ(reader.draws(), 1000U);
    EXPECT_EQ(reader.load(999).vertex_count, draw_.vertex_count);
}

/// A chunk of a few bytes whose header claims 1 GiB: no memory is allocated for it.
TEST_F(capture, a_chunk_larger_than_deflate_can_make_it_is_refused)
{
    write(1);
    auto bytes = testbench::temporary_folder::read(file_);
    const auto put = [&](std::size_t offset, std::uint32_t value) {
        for (unsigned i = 0; i < 4; ++i) bytes[offset + i] = static_cast<char>(value >> (8 * i) & 0xffU);
    };
    put(capture_header_bytes + 8, most_chunk_bytes);
    const auto* header = reinterpret_cast<const Bytef*>(bytes.data()) + capture_header_bytes;
    put(capture_header_bytes + 16, static_cast<std::uint32_t>(crc32(0, header, 16)));
    folder_.write("a.capture", bytes);
    EXPECT_NE(error_text([&] { capture_reader reader(file_); }).find("no chunk begins here"), std::string::npos);
}

TEST(decoded_programs, are_decoded_once_and_by_content)
{
    const auto bytes = [](const char* text) {
        const auto code = isa::encode_program(isa::assemble(text, isa::architecture::sm50));
        return std::string(code.begin(), code.end());
    };
    const auto code = bytes("MOV R0, RZ;\nEXIT;"), library = bytes("MOV R7, RZ;\nRET;");
    decoded_programs programs;
    const auto* const alone = &programs.find(isa::architecture::sm50, code, "", 0);
    EXPECT_EQ(alone->code.size(), 2U);
    const auto& both = programs.find(isa::architecture::sm50, code, library, 0x100);
    EXPECT_EQ(both.code.size(), 4U);
    EXPECT_EQ(both.register_count, 8U);
    EXPECT_EQ(both.library_address, 0x100U);
    EXPECT_EQ(programs.find(isa::architecture::sm50, code, library, 0x200).library_address, 0x200U);
    EXPECT_EQ(&programs.find(isa::architecture::sm50, code, "", 0), alone);
    EXPECT_THROW(programs.find(isa::architecture::sm75, code.substr(0, 8), "", 0), isa::program_error);
}

TEST_F(capture, draw_round_trips)
{
    draw_.first_provokes = true;
    draw_.vertices_per_draw = 3;
    draw_.record_bytes = 20;
    draw_.cull = {false, true, false, true};
    write(1);
    EXPECT_TRUE(capture_reader::is_capture(file_));
    capture_reader reader(file_);
    EXPECT_EQ(reader.chip(), "gm107");
    EXPECT_TRUE(reader.complete());
    ASSERT_EQ(reader.draws(), 1U);
    const auto got = reader.load(0);
    EXPECT_EQ(got.arch, draw_.arch);
    EXPECT_EQ(got.topology, draw_.topology);
    EXPECT_EQ(got.first_provokes, draw_.first_provokes);
    EXPECT_EQ(got.vertices_per_draw, draw_.vertices_per_draw);
    EXPECT_EQ(got.record_bytes, draw_.record_bytes);
    EXPECT_EQ(got.cull, draw_.cull);
    EXPECT_EQ(got.vertex_count, draw_.vertex_count);
    EXPECT_EQ(got.instance_count, 2U);
    EXPECT_EQ(got.indices, draw_.indices);
    EXPECT_EQ(got.capture, draw_.capture);
    ASSERT_EQ(got.attributes.size(), draw_.attributes.size());
    EXPECT_EQ(got.attributes.at(0x80).words, draw_.attributes.at(0x80).words);
    ASSERT_EQ(got.stages.size(), 2U);
    for (const auto& [which, program] : draw_.stages) {
        const auto& same = got.stages.at(which);
        EXPECT_EQ(same.constants, program.constants);
        EXPECT_EQ(encode_header(same.header), encode_header(program.header));
        ASSERT_EQ(same.program.code.size(), program.program.code.size());
        for (std::size_t i = 0; i < program.program.code.size(); ++i)
            EXPECT_EQ(same.program.code[i].word, program.program.code[i].word);
    }
    const auto outline = reader.outline(0);
    EXPECT_EQ(outline.vertices, 4U);
    EXPECT_EQ(outline.instances, 2U);
    EXPECT_EQ(outline.captured, 2U);
    EXPECT_EQ(outline.attributes, draw_.attributes.size());
}

TEST_F(capture, indices_keep_their_size)
{
    for (const auto bytes : {0U, 1U, 2U, 4U}) {
        draw_.index_bytes = bytes;
        write(1);
        EXPECT_EQ(capture_reader(file_).load(0).index_bytes, bytes);
    }
}

TEST_F(capture, the_same_bytes_are_stored_once)
{
    write(1);
    const auto one = capture_reader(file_).blobs();
    write(5);
    capture_reader reader(file_);
    EXPECT_EQ(reader.blobs(), one);
    EXPECT_EQ(reader.draws(), 5U);
    EXPECT_EQ(reader.frames(), 3U);
    EXPECT_EQ(reader.frame_of(1), 0U);
    EXPECT_EQ(reader.frame_of(4), 2U);
    EXPECT_EQ(reader.load(4).indices, draw_.indices);
}

TEST_F(capture, killed_session_leaves_a_whole_capture)
{
    write(2, false);
    EXPECT_FALSE(capture_reader(file_).complete());
    damage([](std::string& bytes) { bytes.resize(bytes.size() - 20); }); // inside the last draw or frame
    capture_reader reader(file_);
    EXPECT_FALSE(reader.complete());
    EXPECT_GE(reader.draws(), 1U);
    EXPECT_EQ(reader.frames(), reader.frame_of(reader.draws() - 1) + 1);
    EXPECT_EQ(reader.load(0).indices, draw_.indices);
}

TEST_F(capture, damaged_byte_is_a_single_error)
{
    write(2);
    const auto whole = testbench::temporary_folder::read(file_);
    for (std::size_t offset = 0; offset < whole.size(); offset += 7) {
        folder_.write("a.capture", whole);
        damage([&](std::string& bytes) { bytes[offset] = static_cast<char>(bytes[offset] ^ 0x41); });
        const auto text = error();
        EXPECT_NE(text, "") << "byte " << offset << " of " << whole.size();
        EXPECT_EQ(text.find('\n'), std::string::npos);
    }
}

TEST_F(capture, program_memory_round_trips_by_pages)
{
    auto& memory = sample_.memory;
    const auto first = memory.allocate(3 * gpu_memory::page, 0);
    const auto second = memory.allocate(gpu_memory::page, 0);
    sample_.poke(first + 2 * gpu_memory::page + 8, 0x1234);
    sample_.poke(second, 0); // touched, and yet all zero
    draw_.memory = {std::shared_ptr<void>(), &memory};
    isa::address_windows windows;
    windows.local = 0xab000000;
    const texture::tables tables{first, second, 7, 5, 14};
    for (auto& [which, program] : draw_.stages) {
        program.windows = windows;
        program.textures = std::make_shared<texture::texture_unit>(draw_.memory, tables);
    }
    write(1);
    const auto blobs = capture_reader(file_).blobs();
    memory_ = {memory.extent(first), memory.extent(second)};
    write(2);
    capture_reader reader(file_);
    EXPECT_EQ(reader.blobs(), blobs + 1); // one page that is not zero, in two draws
    const auto got = reader.load(1);
    ASSERT_NE(got.memory, nullptr);
    EXPECT_EQ(got.memory->region(first).bytes, 3 * gpu_memory::page);
    EXPECT_EQ(got.memory->region(second).bytes, gpu_memory::page);
    EXPECT_EQ(std::memcmp(got.memory->find(first, 3 * gpu_memory::page), memory.at(first, 1), 3 * gpu_memory::page), 0);
    EXPECT_EQ(got.memory->find(sample_draw::vertices, 4), nullptr);
    const auto& program = got.stages.at(stage::geometry);
    EXPECT_EQ(program.windows.local, 0xab000000U);
    ASSERT_NE(program.textures, nullptr);
    EXPECT_EQ(program.textures, got.stages.at(stage::vertex).textures);
    const auto& where = program.textures->where();
    EXPECT_EQ(where.headers, first);
    EXPECT_EQ(where.samplers, second);
    EXPECT_EQ(where.header_count, 7U);
    EXPECT_EQ(where.sampler_count, 5U);
    EXPECT_EQ(where.handle_bank, 14U);
}

TEST_F(capture, draws_that_reach_too_much_are_left_out)
{
    draw_.memory = {std::shared_ptr<void>(), &sample_.memory};
    memory_.push_back({gpu_memory::first_address, std::uint64_t{1} << 30, {}});
    write(1);
    EXPECT_NE(capture_reader(file_).load(0).memory->find(gpu_memory::first_address, 8), nullptr);
    memory_.push_back({gpu_memory::windows_end, gpu_memory::page, {}});
    EXPECT_THROW(write(1), draw_refused);
}

/// The record of a draw with one buffer, read back.
std::string memory_record_error(std::uint8_t kind, std::uint64_t bytes, std::uint32_t page, std::uint8_t bank = 15)
{
    byte_writer out;
    out.put(kind);
    out.put(std::uint64_t{0xff000000});
    out.put(std::uint64_t{0xfe000000});
    if (kind == 2) {
        for (unsigned table = 0; table < 2; ++table) {
            out.put(std::uint64_t{0x1000});
            out.put(std::uint32_t{1});
        }
        out.put(bank);
    }
    out.put(std::uint32_t{1});
    out.put(std::uint64_t{0x10000000});
    out.put(bytes);
    out.put(std::uint32_t{1});
    out.put(page);
    out.put(std::uint32_t{0});
    const std::string content(gpu_memory::page, 'x');
    const auto record = out.bytes();
    byte_reader in(record);
    draw_call draw;
    draw.stages[stage::vertex];
    try {
        read_memory(
            in, draw, [&](std::uint32_t) -> const std::string& { return content; }, nullptr);
    } catch (const record_error& error) {
        return error.what();
    }
    EXPECT_TRUE(in.at_end());
    EXPECT_EQ(*draw.memory->find(0x10000000 + page * gpu_memory::page, 1), 'x');
    return "";
}

TEST(memory_record, errors_state_the_fault)
{
    EXPECT_EQ(memory_record_error(1, 2 * gpu_memory::page, 1), "");
    EXPECT_EQ(memory_record_error(2, 2 * gpu_memory::page, 0), "");
    EXPECT_EQ(memory_record_error(1, 2 * gpu_memory::page, 2), "a page lies outside its buffer");
    EXPECT_EQ(memory_record_error(1, gpu_memory::page / 2, 0), "a page lies outside its buffer");
    EXPECT_EQ(memory_record_error(1, most_memory_bytes + 1, 0), "a record holds more memory than a draw has");
    EXPECT_EQ(memory_record_error(2, gpu_memory::page, 0, 32), "a record takes handles from constant bank 32");
    EXPECT_EQ(memory_record_error(3, gpu_memory::page, 0), "a record holds an unknown value");
}

TEST_F(capture, other_files_are_none)
{
    folder_.write("a.capture", "{}");
    EXPECT_FALSE(capture_reader::is_capture(file_));
    EXPECT_NE(error().find("is no capture, expected one that 'isbesim gl --capture' wrote"), std::string::npos);
    write(1);
    const auto set_version = [](std::string& bytes, int version) {
        bytes[8] = static_cast<char>(version);
        const auto sum = crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), capture_header_bytes - 4);
        for (unsigned i = 0; i < 4; ++i)
            bytes[capture_header_bytes - 4 + i] = static_cast<char>(sum >> (8 * i) & 0xffU);
    };
    for (const int version : {1, 2, 3, 4, 5, 6}) {
        damage([&](std::string& bytes) { set_version(bytes, version); });
        const auto refused = "version " + std::to_string(version) + ", expected 2 to 5";
        EXPECT_EQ(error().find(refused) != std::string::npos, version < 2 || version > 5) << error();
        EXPECT_EQ(error().empty(), version >= 2 && version <= 5) << error();
    }
    damage([](std::string& bytes) { bytes[8] = 2, bytes[12] = 'x'; });
    EXPECT_NE(error().find("header is damaged"), std::string::npos);
    file_ = folder_.path("nothing");
    EXPECT_NE(error().find("can't be read"), std::string::npos);
}

} // namespace
} // namespace isbesim::gl
