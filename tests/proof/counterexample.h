// SPDX-License-Identifier: Apache-2.0
// An example of address_proof, in which a lane of the RTL differs from the rules, as operations for a whole ISBE.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/isbe/functional/context.h"
#include "models/machine_config.h"

namespace isbesim::proof {

/// By the names of inputs.cpp: fields of the request, of the context and of one lane, `NAME@I` of lane I.
using field_values = std::map<std::string, std::uint32_t>;

/// The slot that the example's context is bound to.
context context_of(const field_values& fields);
/// The request in that slot: of the lane of the example alone, or of all that are named to be active.
warp_op request_of(const field_values& fields);

/// The storage filled with a word for every place, the context bound, the request, and the storage read back: whatever
/// lies elsewhere shows.
std::vector<warp_op> operations_of(const field_values& fields, const isbe_config& config);

} // namespace isbesim::proof
