// SPDX-License-Identifier: Apache-2.0
// The state of a clocked ISBE as text, for readers and programs.
#pragma once

#include <boost/json/object.hpp>

#include "models/clocked/clocked_isbe.h"

namespace isbesim::testbench {

/// {"cycle", "pass_engine": {"free_from"}, "ports": [{"queued", "in_flight", "response_valid"}], "contexts"}. Cycles
/// are those of `block`; an operation in flight has the first cycle in which its response can be valid; contexts are
/// only the bound ones.
boost::json::object state_json(const clocked_isbe& block);

/// A bound context slot.
boost::json::object context_json(unsigned slot, const context& value);

/// One operation: the fields that it uses, without the data of its lanes.
boost::json::object operation_json(const warp_op& op);

} // namespace isbesim::testbench
