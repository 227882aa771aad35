// SPDX-License-Identifier: Apache-2.0
// A shader program header by field names: printed by `disasm`, read from a scenario's "sph": {…}.
#pragma once

#include <iosfwd>

#include <boost/json/value.hpp>

#include "models/attribute/sph.h"
#include "testbench/files/json_document.h"
#include "testbench/files/object_form.h"

namespace isbesim::testbench {

/// Prints a line per field: name, value, and the meaning of the value unless it is obvious.
void print_header(std::ostream& out, const program_header& header);

/// The pattern of an address that maps can hold, a multiple of 4 below 0x3c0, without ^ and $.
extern const char* const mapped_attribute_pattern;

/// The names of the fields.
const object_form& header_form();

/// Reads an object of field names; other fields keep their values in `base`. Maps are arrays of attribute addresses
/// ("0x80") and inclusive ranges of them ("0x80..0x8c").
program_header read_header_fields(const json_document& document, const boost::json::value& value,
                                  const program_header& base);

} // namespace isbesim::testbench
