// SPDX-License-Identifier: Apache-2.0
// Defines isbesim_model, the handle of the C interface.
#pragma once

#include <stdexcept>
#include <string>

#include "models/clocked/clocked_isbe.h"
#include "models/machine_config.h"
#include "testbench/c_interface/isbesim.h"

/// Has the name that the header declares.
struct isbesim_model {
    explicit isbesim_model(const isbesim::machine_config& machine) : config(machine), block(machine.isbe) {}

    isbesim::machine_config config;
    isbesim::clocked_isbe block;
    std::string error;
};

namespace isbesim::testbench {

/// The machine of isbesim_create(). Throws input_error.
machine_config machine_of(const char* text);

/// Does `what`, and converts an exception to a result and an error text.
template <typename Function>
int guarded(std::string& error, Function&& what) noexcept
{
    int result = ISBESIM_OK;
    try {
        error.clear();
        what();
    } catch (const std::bad_alloc&) {
        result = ISBESIM_INTERNAL; // without memory for a text
    } catch (const std::exception& failure) {
        const bool defect = dynamic_cast<const std::logic_error*>(&failure) != nullptr &&
                            dynamic_cast<const std::invalid_argument*>(&failure) == nullptr;
        result = defect ? ISBESIM_INTERNAL : ISBESIM_INVALID;
        try {
            error = failure.what();
        } catch (...) {
            result = ISBESIM_INTERNAL;
        }
    }
    return result;
}

/// The part of `text` that fits, with its end.
void copy_text(const std::string& text, char* to, std::size_t size);

} // namespace isbesim::testbench
