// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traffic/bank_bins.h"

#include "models/isbe/functional/lanes.h"

namespace isbesim::testbench {

namespace {

isbe_config with_modulo(isbe_config config)
{
    config.bank_map = bank_map::modulo;
    return config;
}

} // namespace

bank_bins::bank_bins(const isbe_config& config, const bin_namer& add)
    : modulo_(with_modulo(config), std::size_t{config.lines} * warp_lanes),
      map_matters_(column_map(config) != bank_map::modulo)
{
    if (!map_matters_) return;
    fewer_ = {add("bank_map.read.fewer_passes"), add("bank_map.write.fewer_passes")};
    more_ = {add("bank_map.read.more_passes"), add("bank_map.write.more_passes")};
}

void bank_bins::sample(const warp_op& op, const warp_result& result, bin_hits& hits)
{
    if (!map_matters_ || op.size != sizeof(word) || op.region != region::physical) return;
    per_lane<word> index{};
    lane_mask inside = 0;
    word misplaced = 0;
    for_each_lane(op.lanes, [&](unsigned lane) {
        const word address = op.address[lane] + static_cast<word>(op.immediate);
        misplaced |= address % sizeof(word);
        inside |= bit_if((result.status[lane] & lane_status::out_of_range) == 0, lane);
        index[lane] = address / sizeof(word);
    });
    if (inside == 0 || misplaced != 0) return; // no component, or two
    const unsigned passes = result.passes;
    const unsigned usual = modulo_.count(inside, index).passes;
    const unsigned write = op.op == opcode::isbewr ? 1 : 0;
    if (passes < usual) ++hits[fewer_[write]];
    if (passes > usual) ++hits[more_[write]];
}

} // namespace isbesim::testbench
