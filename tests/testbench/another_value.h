// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "testbench/files/object_form.h"

namespace isbesim::testbench {

/// A value of the key's range that is not that of `object`.
template <typename Struct>
double another_value(const described_key<Struct>& key, const Struct& object = {})
{
    const double value = key.get(object);
    if (key.choices.empty() || key.kind != key_kind::integer) return value == key.low ? key.high : key.low;
    double other = value;
    for (const auto* choice : key.choices)
        if (std::stod(choice) != value) other = std::stod(choice);
    return other;
}

} // namespace isbesim::testbench
