// SPDX-License-Identifier: Apache-2.0
#include "testbench/scenario/vertex_csv.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <set>

#include "testbench/files/write_error.h"

namespace isbesim::testbench {

namespace {

constexpr std::uint64_t each_byte(std::uint64_t value)
{
    return value * 0x0101010101010101U;
}

/// Writes ",0x%08x" without a format string, eight digits at once: this is most of the cost of a large result.
char* write_word(char* to, word value)
{
    std::uint64_t digits = value; // a digit in each byte
    digits = (digits << 16 | digits) & 0x0000ffff0000ffffU;
    digits = (digits << 8 | digits) & 0x00ff00ff00ff00ffU;
    digits = (digits << 4 | digits) & each_byte(0x0f);
    const std::uint64_t letters = (digits + each_byte(6)) >> 4 & each_byte(1);
    digits += each_byte('0') + letters * ('a' - '0' - 10);
    digits = __builtin_bswap64(digits); // the highest digit comes first
    constexpr std::array before{',', '0', 'x'};
    std::memcpy(to, before.data(), before.size());
    std::memcpy(to + before.size(), &digits, sizeof digits);
    return to + 11;
}

} // namespace

std::vector<unsigned> csv_columns(const capture_list& capture)
{
    std::set<unsigned> all;
    for (const auto& stream : capture) all.insert(stream.begin(), stream.end());
    return {all.begin(), all.end()};
}

vertex_csv::vertex_csv(const std::string& path, const capture_list& capture)
{
    const auto columns = csv_columns(capture);
    row_bytes_ = 3 * 21 + columns.size() * 11 + 1;
    for (unsigned s = 0; s < streams_.size(); ++s) {
        auto& out = streams_[s];
        for (const auto address : columns) {
            const auto found = std::find(capture[s].begin(), capture[s].end(), address);
            out.column_source.push_back(found == capture[s].end() ? -1 : static_cast<int>(found - capture[s].begin()));
        }
        if (s > 0) out.path = path + "." + std::to_string(s);
    }
    open(streams_[0], path);
    std::string header = "stream,primitive,vertex";
    for (const auto address : columns) {
        char text[16];
        std::snprintf(text, sizeof text, ",0x%02x", address);
        header += text;
    }
    header += '\n';
    write(streams_[0], header.data(), header.size());
}

vertex_csv::~vertex_csv()
{
    for (auto& out : streams_) {
        if (out.file != nullptr) std::fclose(out.file);
    }
}

void vertex_csv::open(output& out, const std::string& path)
{
    out.path = path;
    out.file = std::fopen(path.c_str(), "w+b");
    if (out.file == nullptr) throw write_error(path + " can't be written: " + std::strerror(errno));
    out.buffer.resize(buffer_bytes + row_bytes_);
}

void vertex_csv::flush(output& out)
{
    write(out, out.buffer.data(), out.used);
    out.used = 0;
}

void vertex_csv::write(output& out, const char* bytes, std::size_t count)
{
    if (std::fwrite(bytes, 1, count, out.file) != count) note_failure();
}

/// Keeps the reason of the first failure, which finish() reports.
void vertex_csv::note_failure()
{
    if (failure_ == 0) failure_ = errno != 0 ? errno : EIO;
}

void vertex_csv::write_rows(unsigned stream, std::uint64_t primitive, unsigned vertex, unsigned vertices,
                            const word* values, std::size_t count, std::uint64_t rows)
{
    auto& out = streams_[stream];
    if (out.file == nullptr) open(out, out.path);
    rows_ += rows;
    char start[24]; // of all rows of a primitive
    std::size_t start_bytes = 0;
    for (; rows != 0; --rows, values += count) {
        if (start_bytes == 0) {
            start[0] = static_cast<char>('0' + stream);
            start[1] = ',';
            start_bytes =
                static_cast<std::size_t>(std::to_chars(start + 2, start + sizeof start, primitive).ptr - start);
        }
        char* const begin = out.buffer.data() + out.used;
        std::memcpy(begin, start, sizeof start);
        char* to = begin + start_bytes;
        *to++ = ',';
        to = std::to_chars(to, to + 10, vertex).ptr;
        for (const int source : out.column_source) {
            if (source >= 0 && static_cast<std::size_t>(source) < count)
                to = write_word(to, values[source]);
            else
                *to++ = ',';
        }
        *to++ = '\n';
        out.used += static_cast<std::size_t>(to - begin);
        if (out.used >= buffer_bytes) flush(out);
        if (++vertex != vertices) continue;
        vertex = 0;
        ++primitive;
        start_bytes = 0;
    }
}

void vertex_csv::finish()
{
    auto& main = streams_[0];
    flush(main);
    for (unsigned s = 1; s < streams_.size(); ++s) {
        auto& out = streams_[s];
        if (out.file == nullptr) continue;
        flush(out);
        if (std::fseek(out.file, 0, SEEK_SET) != 0) note_failure(); // flushes the buffer
        while (const auto n = std::fread(out.buffer.data(), 1, out.buffer.size(), out.file))
            write(main, out.buffer.data(), n);
        if (std::ferror(out.file) != 0) note_failure();
        std::fclose(out.file);
        out.file = nullptr;
        std::remove(out.path.c_str());
    }
    if (std::fclose(main.file) != 0) note_failure();
    main.file = nullptr;
    if (failure_ != 0) throw write_error::incomplete(main.path, failure_);
}

} // namespace isbesim::testbench
