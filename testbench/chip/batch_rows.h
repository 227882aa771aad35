// SPDX-License-Identifier: Apache-2.0
// The stream-out of TPCs that are simulated one by one, kept until it can leave in the order of the draw, which
// interleaves their batches.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "models/machine_config.h"
#include "models/pe/front_end/dealing.h"
#include "models/pe/front_end/draw.h"

namespace isbesim::testbench {

/// The reason why TPCs that are simulated one by one cannot share a draw; empty if they can.
std::string why_not_dealt(const draw_call& draw);

struct file_closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using open_file = std::unique_ptr<std::FILE, file_closer>;

/// Writes the stream-out of one TPC to a file.
class tpc_output : public vertex_sink {
public:
    /// `keeps`: keep the rows, not only their number.
    tpc_output(std::FILE* file, bool keeps) : file_(file), keeps_(keeps) {}

    void vertex(unsigned, std::uint64_t, unsigned, const word*, std::size_t) override;
    void primitives(unsigned stream, std::uint64_t, unsigned vertices, const word* values, std::size_t count,
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

/// The file of a TPC's rows.
struct tpc_rows {
    std::FILE* file = nullptr; ///< may be null without batches
    std::uint64_t batches = 0;
};

/// Passes the rows of all TPCs to `to` in the order of the draw; ends early at the turn of a TPC that failed, which has
/// no batch left. Returns the cycles in which batches left their TPCs. Throws std::logic_error if a file lacks rows.
std::vector<std::uint64_t> put_in_order(const chip_config& chip, const std::vector<tpc_rows>& tpcs, vertex_sink& to);

/// The cycle of the draw in which the raster engines of all GPCs have taken the output of their TPCs. Each TPC was
/// simulated as if it had the engine for itself; this adds the time that they wait for each other. `left`:
/// pe::departed(), by TPC.
std::uint64_t end_of_raster(const chip_config& chip, const std::vector<std::vector<departures>>& left);

} // namespace isbesim::testbench
