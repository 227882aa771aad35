// SPDX-License-Identifier: Apache-2.0
// The stream-out of one TPC, kept in a file until all TPCs have ended: TPCs run in separate processes, and the order of
// the draw interleaves their batches.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "models/pe/front_end/draw.h"

namespace isbesim::testbench {

struct file_closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using open_file = std::unique_ptr<std::FILE, file_closer>;

/// An unnamed file at `path`, or in the system's folder for temporary files if `path` is empty. Throws write_error.
open_file unnamed_file(const std::string& path);

/// Number of the next primitive of each stream.
using primitive_numbers = std::array<std::uint64_t, 4>;

class tpc_output : public vertex_sink {
public:
    /// `keeps`: keep the rows, not only their number.
    tpc_output(std::FILE* file, bool keeps) : file_(file), keeps_(keeps) {}

    void vertex(unsigned stream, std::uint64_t primitive, unsigned vertex, const word* values,
                std::size_t count) override;
    void primitives(unsigned stream, std::uint64_t first, unsigned vertices, const word* values, std::size_t count,
                    std::uint64_t rows) override;
    void batch_left(std::uint64_t cycle);
    /// Writes the rest to the file. Throws std::runtime_error.
    void finish();
    std::uint64_t batches() const { return batches_; }

private:
    std::FILE* file_;
    bool keeps_;
    std::uint64_t batches_ = 0;
};

/// Reads the file, batch by batch.
class tpc_batches {
public:
    explicit tpc_batches(std::FILE* file);

    /// Passes on the rows of the next batch and numbers its primitives. Returns the cycle in which it left.
    std::uint64_t next(vertex_sink& to, primitive_numbers& numbers);

private:
    std::FILE* file_;
    std::vector<word> values_;
};

} // namespace isbesim::testbench
