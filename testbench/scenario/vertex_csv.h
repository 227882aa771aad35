// SPDX-License-Identifier: Apache-2.0
// Outputs for a run's streamed-out vertices: vertices.csv with a row per vertex, written at once so that memory stays
// flat, or none (--no-vertices).
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "models/pe/front_end/draw.h"

namespace isbesim::testbench {

class vertex_output : public vertex_sink {
public:
    /// To be called after the last vertex. Throws write_error if something could not be written.
    virtual void finish() = 0;
    virtual std::uint64_t rows() const = 0; ///< vertices so far
};

/// Only counts them.
class vertex_count : public vertex_output {
public:
    void vertex(unsigned, std::uint64_t, unsigned, const word*, std::size_t) override { ++rows_; }
    void primitives(unsigned, std::uint64_t, unsigned, const word*, std::size_t, std::uint64_t rows) override
    {
        rows_ += rows;
    }
    void finish() override {}
    std::uint64_t rows() const override { return rows_; }

private:
    std::uint64_t rows_ = 0;
};

/// Rows are grouped by stream, and in output order within a stream. Therefore streams 1 to 3 go to separate files
/// beside the result, which finish() appends.
class vertex_csv : public vertex_output {
public:
    /// The constructor creates `path`. Columns are the union of all captured addresses, ascending; a column that a
    /// stream does not capture stays empty.
    vertex_csv(const std::string& path, const capture_list& capture);
    ~vertex_csv() override;
    vertex_csv(const vertex_csv&) = delete;
    vertex_csv& operator=(const vertex_csv&) = delete;

    void vertex(unsigned stream, std::uint64_t primitive, unsigned vertex, const word* values,
                std::size_t count) override
    {
        write_rows(stream, primitive, vertex, UINT32_MAX, values, count, 1);
    }
    void primitives(unsigned stream, std::uint64_t first, unsigned vertices, const word* values, std::size_t count,
                    std::uint64_t rows) override
    {
        write_rows(stream, first, 0, vertices, values, count, rows);
    }

    void finish() override;
    std::uint64_t rows() const override { return rows_; }

private:
    struct output {
        std::string path;
        std::FILE* file = nullptr;
        std::vector<int> column_source; ///< per column: index into the values of a vertex, -1 = empty
        std::vector<char> buffer;
        std::size_t used = 0;
    };
    /// Writes rows from vertex `vertex` of a primitive with `vertices` on.
    void write_rows(unsigned stream, std::uint64_t primitive, unsigned vertex, unsigned vertices, const word* values,
                    std::size_t count, std::uint64_t rows);
    void open(output& out, const std::string& path);
    void flush(output& out);
    void write(output& out, const char* bytes, std::size_t count);
    void note_failure();

    static constexpr std::size_t buffer_bytes = 1U << 16;
    std::array<output, 4> streams_;
    std::size_t row_bytes_ = 0; ///< no row is longer
    std::uint64_t rows_ = 0;
    int failure_ = 0; ///< errno of the first failed write
};

/// The columns of a capture: every address once, ascending.
std::vector<unsigned> csv_columns(const capture_list& capture);

} // namespace isbesim::testbench
