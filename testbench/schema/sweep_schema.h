// SPDX-License-Identifier: Apache-2.0
// The keys of a sweep. scripts/exploration takes them from `isbesim help schema sweep`.
#pragma once

#include "testbench/files/object_form.h"

namespace isbesim::testbench {

const object_form& sweep_form();

} // namespace isbesim::testbench
