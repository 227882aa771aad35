// SPDX-License-Identifier: Apache-2.0
#include "testbench/chip/tpc_output.h"

#include <cerrno>
#include <filesystem>
#include <stdexcept>

#include "testbench/files/write_error.h"

namespace isbesim::testbench {

namespace {

/// Precedes rows; `vertices` 0: the end of a batch, with its cycle in `rows`.
struct record {
    std::uint32_t stream = 0;
    std::uint32_t vertices = 0; ///< of a primitive
    std::uint64_t count = 0;    ///< values of a row
    std::uint64_t rows = 0;
};

} // namespace

open_file unnamed_file(const std::string& path)
{
    open_file file(path.empty() ? std::tmpfile() : std::fopen(path.c_str(), "w+b"));
    if (!file) throw write_error::incomplete(path.empty() ? "a temporary file" : path, errno);
    if (!path.empty()) std::filesystem::remove(path);
    return file;
}

void tpc_output::vertex(unsigned, std::uint64_t, unsigned, const word*, std::size_t)
{
    throw std::logic_error("a vertex alone, expected whole primitives");
}

void tpc_output::primitives(unsigned stream, std::uint64_t, unsigned vertices, const word* values, std::size_t count,
                            std::uint64_t rows)
{
    const record what{stream, vertices, keeps_ ? count : 0, rows};
    std::fwrite(&what, sizeof what, 1, file_);
    std::fwrite(values, sizeof(word), rows * what.count, file_);
}

void tpc_output::batch_left(std::uint64_t cycle)
{
    const record what{0, 0, 0, cycle};
    std::fwrite(&what, sizeof what, 1, file_);
    ++batches_;
}

void tpc_output::finish()
{
    if (std::fflush(file_) != 0 || std::ferror(file_) != 0)
        throw std::runtime_error("the vertices of a TPC could not be written: no room for results");
}

tpc_batches::tpc_batches(std::FILE* file) : file_(file)
{
    std::rewind(file_);
}

std::uint64_t tpc_batches::next(vertex_sink& to, primitive_numbers& numbers)
{
    for (record what;;) {
        if (std::fread(&what, sizeof what, 1, file_) != 1)
            throw std::logic_error("a TPC left fewer batches than it got");
        if (what.vertices == 0) return what.rows;
        values_.resize(what.rows * what.count);
        if (std::fread(values_.data(), sizeof(word), values_.size(), file_) != values_.size())
            throw std::logic_error("a TPC left fewer vertices than it had");
        to.primitives(what.stream, numbers[what.stream], what.vertices, values_.data(), what.count, what.rows);
        numbers[what.stream] += what.rows / what.vertices;
    }
}

} // namespace isbesim::testbench
