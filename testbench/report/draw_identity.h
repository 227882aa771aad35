// SPDX-License-Identifier: Apache-2.0
// `draw` of report.json: identifies the draw, so that results of the same draw can be recognised.
#pragma once

#include <cstdint>
#include <string>

#include <boost/json/object.hpp>

#include "models/machine_config.h"
#include "models/pe/front_end/draw.h"

namespace isbesim::testbench {

/// Sizes as values, everything else as digests of its content. To be called before the run, which may write memory.
boost::json::object draw_identity(const draw_call& draw);

struct dealt_batches {
    std::string digest;
    std::uint64_t primitives = 0;
};

/// The batches of the draw that TPC `tpc` of a chip gets. Throws draw_error and batch_too_large.
dealt_batches dealt_to(const draw_call& draw, const machine_config& config, unsigned tpc);

} // namespace isbesim::testbench
