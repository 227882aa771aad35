// SPDX-License-Identifier: Apache-2.0
#include "testbench/chip/batch_rows.h"

#include <algorithm>
#include <stdexcept>

#include "models/isa/tables/table.h"
#include "models/isbe/functional/names.h"
#include "models/rate.h"

namespace isbesim::testbench {

namespace {

/// Precedes rows; `vertices` 0: the end of a batch, with its cycle in `rows`.
struct record {
    std::uint32_t stream = 0;
    std::uint32_t vertices = 0; ///< of a primitive
    std::uint64_t count = 0;    ///< values of a row
    std::uint64_t rows = 0;
};

/// Number of the next primitive of each stream.
using primitive_numbers = std::array<std::uint64_t, 4>;

/// Reads the file, batch by batch.
class tpc_batches {
public:
    explicit tpc_batches(std::FILE* file) : file_(file)
    {
        if (file_ != nullptr) std::rewind(file_);
    }

    /// Passes on the rows of the next batch and numbers its primitives. Returns the cycle in which it left.
    std::uint64_t next(vertex_sink& to, primitive_numbers& numbers)
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

private:
    std::FILE* file_;
    std::vector<word> values_;
};

} // namespace

std::string why_not_dealt(const draw_call& draw)
{
    for (const auto& [which, stage] : draw.stages) {
        for (const auto& each : stage.program.code) {
            if (each.row != nullptr && each.row->stores)
                return std::string("the ") + name_of(which) + " program writes to memory (" + each.row->mnemonic +
                       "), which TPCs that are simulated side by side do not share";
        }
    }
    return "";
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

std::vector<std::uint64_t> put_in_order(const chip_config& chip, const std::vector<tpc_rows>& tpcs, vertex_sink& to)
{
    std::vector<tpc_batches> batches;
    std::vector<std::uint64_t> left;
    std::uint64_t all = 0;
    for (const auto& each : tpcs) {
        batches.emplace_back(each.file);
        left.push_back(each.batches);
        all += each.batches;
    }
    primitive_numbers numbers{};
    std::vector<std::uint64_t> done;
    done.reserve(all);
    for (std::uint64_t number = 0; number < all; ++number) {
        const auto tpc = tpc_of_batch(chip, number);
        if (left[tpc] == 0) break;
        --left[tpc];
        done.push_back(batches[tpc].next(to, numbers));
    }
    return done;
}

std::uint64_t end_of_raster(const chip_config& chip, const std::vector<std::vector<departures>>& left)
{
    const auto primitive = ticks_of_rate(chip.gpc_primitives_per_cycle),
               setup = ticks_of_rate(chip.gpc_setups_per_cycle);
    std::uint64_t end = 0;
    for (unsigned gpc = 0; gpc < chip.gpcs; ++gpc) {
        const auto *const first = left.data() + gpc * std::size_t{chip.tpcs}, *const last = first + chip.tpcs;
        std::size_t places = 0;
        for (auto* each = first; each != last; ++each) places = std::max(places, each->size());
        serial_unit raster, setups;
        for (std::size_t place = 0; place < places; ++place)
            for (auto* each = first; each != last; ++each) {
                if (place >= each->size()) continue;
                const auto cycle = place * departures::cycles;
                const auto& what = (*each)[place];
                end = std::max(
                    {end, raster.serve(cycle, what.primitives * primitive), setups.serve(cycle, what.setups * setup)});
            }
    }
    return end;
}

} // namespace isbesim::testbench
