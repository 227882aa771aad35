// SPDX-License-Identifier: Apache-2.0
// Traces and captures. Their sums are put right first: otherwise nothing but the sums would be tested.
#include <cstring>

#include <zlib.h>

#include "models/isbe/execution/isbe_core.h"
#include "testbench/crosscheck/traces/access_order.h"
#include "testbench/crosscheck/traces/trace_reader.h"
#include "testbench/crosscheck/traces/trace_writer.h"
#include "testbench/crosscheck/traffic/random_traffic.h"
#include "testbench/files/checksum.h"
#include "testbench/files/input_error.h"
#include "testbench/gl/capture/capture_format.h"
#include "testbench/gl/capture/capture_reader.h"
#include "tests/fuzz/targets/target.h"
#include "tests/gl/sample_capture.h"

namespace isbesim::fuzz {

using testbench::input_error;

namespace {

/// The records of a trace, written to another trace.
std::string written_again(const testbench::trace_file& opened)
{
    const memory_file file({});
    testbench::trace_writer writer(file.path(), opened.config_json, opened.ports, opened.loosely_timed);
    testbench::trace_reader reader(opened);
    testbench::trace_record record;
    while (reader.next(record)) writer.write(record);
    writer.close();
    return file.content();
}

} // namespace

void trace(std::string_view bytes)
{
    std::string text(bytes);
    if (text.size() > testbench::trace_trailer_bytes) {
        testbench::checksum sum;
        sum.add_bytes(text.data(), text.size() - 8);
        for (unsigned i = 0; i < 8; ++i) text[text.size() - 8 + i] = static_cast<char>(sum.value() >> (8 * i));
    }
    const memory_file file(text);
    try {
        const auto opened = testbench::open_trace(file.path());
        text = written_again(opened);
    } catch (const testbench::trace_error&) {
        return;
    } catch (const input_error&) {
        return;
    }
    const memory_file again(text);
    require(written_again(testbench::open_trace(again.path())) == text, "a trace that is written is read back");
}

namespace {

template <typename number>
void put(std::string& text, number value)
{
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    text.append(bytes, sizeof value);
}

std::uint32_t sum_of(std::string_view bytes)
{
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

void put_chunk(std::string& file, std::uint32_t kind, std::string_view content)
{
    std::string stored;
    if (!content.empty()) {
        stored.resize(compressBound(content.size()));
        auto size = static_cast<uLongf>(stored.size());
        compress2(reinterpret_cast<Bytef*>(stored.data()), &size, reinterpret_cast<const Bytef*>(content.data()),
                  content.size(), 1);
        stored.resize(size);
    }
    std::string head;
    put(head, kind);
    put(head, static_cast<std::uint32_t>(stored.size()));
    put(head, static_cast<std::uint32_t>(content.size()));
    put(head, sum_of(stored));
    put(head, sum_of(head));
    file += head + stored;
}

} // namespace

/// The input: a byte for the chip, then chunks: kind (8 bits), bytes (16 bits), content.
void capture(std::string_view bytes)
{
    static const char* const chips[] = {"gm107", "gm200", "gp102", "gv100", "tu102", "none"};
    std::string text(gl::capture_magic);
    put(text, gl::capture_version);
    std::string chip = chips[take_byte(bytes) % 6];
    chip.resize(gl::capture_name_bytes);
    text += chip;
    put(text, sum_of(text));
    while (bytes.size() >= 3) {
        const auto kind = take_byte(bytes) % 6;
        const auto low = take_byte(bytes);
        const auto amount = low + 256 * take_byte(bytes);
        const auto content = bytes.substr(0, amount);
        bytes.remove_prefix(content.size());
        put_chunk(text, kind, content);
    }
    const memory_file file(text);
    try {
        gl::capture_reader reader(file.path());
        for (std::size_t draw = 0; draw < reader.draws(); ++draw) {
            try {
                reader.outline(draw);
                reader.load(draw);
            } catch (const input_error&) {
            }
        }
    } catch (const input_error&) {
    }
}

std::vector<std::string> trace_seeds(const std::string&)
{
    const isbe_config config;
    std::vector<std::string> seeds;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const memory_file file({});
        testbench::random_traffic traffic(config, seed, 4 + 5 * (seed % 4));
        isbe_core core(config);
        testbench::access_order order(config);
        testbench::trace_writer writer(file.path(), "{}", 2, seed % 2 == 0);
        testbench::traffic_item item;
        warp_result result;
        testbench::trace_record record;
        for (unsigned i = 0; traffic.next(i % 2, item); ++i) {
            record.port = static_cast<std::uint8_t>(i % 2);
            record.stream = record.port;
            record.request = record.accept = item.earliest;
            record.response = item.earliest + 100;
            record.op = item.op;
            order.next(record.stream, record.op, record.after);
            record.waits.count = 2;
            record.waits.entries[0] = {0, testbench::awaited_event::start, record.request};
            record.waits.entries[1] = {static_cast<std::uint16_t>(i != 0), testbench::awaited_event::due, i};
            if (i == 0) record.waits.count = 1;
            core.execute(record.op, result);
            record.answer = testbench::answer_of(record.op, result);
            writer.write(record);
        }
        writer.close();
        seeds.push_back(file.content());
    }
    return seeds;
}

std::vector<std::string> capture_seeds(const std::string&)
{
    const gl::sample_capture sample;
    std::vector<std::string> blobs;
    const auto record =
        gl::write_draw({sample.draw, sample.builder.programs(), sample.memory}, [&](const std::string& blob) {
            blobs.push_back(blob);
            return static_cast<std::uint32_t>(blobs.size() - 1);
        });
    std::string seed(1, '\0');
    const auto add = [&](gl::chunk_kind kind, const std::string& content) {
        seed += static_cast<char>(kind);
        seed += static_cast<char>(content.size() % 256);
        seed += static_cast<char>(content.size() / 256);
        seed += content;
    };
    for (const auto& blob : blobs) add(gl::chunk_kind::blob, blob);
    add(gl::chunk_kind::draw, record);
    add(gl::chunk_kind::frame, "");
    add(gl::chunk_kind::end, "");
    return {seed};
}

} // namespace isbesim::fuzz
