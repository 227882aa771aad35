// SPDX-License-Identifier: Apache-2.0
// The keys of an input file's objects, defined once for the reader and for `isbesim help schema`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "testbench/files/json_document.h"

namespace isbesim::testbench {

/// A key of an object.
struct form_key {
    const char* name;
    boost::json::object value; ///< as JSON Schema; the functions below make common schemas
    const char* description;
    bool required = false;
};

class object_form {
public:
    explicit object_form(std::vector<form_key> keys) : keys_(std::move(keys)) {}

    const std::vector<form_key>& keys() const { return keys_; }
    key_names names() const;
    /// The bounds of a key that holds an integer.
    integer_range range(std::string_view key) const;
    /// {"type": "object", ...}: these keys and no others.
    boost::json::object schema() const;

private:
    std::vector<form_key> keys_;
};

/// Schemas of values, in JSON Schema (draft 7).
namespace form {

boost::json::object text();
boost::json::object text(const std::string& pattern);
boost::json::object flag();
boost::json::object integer(const integer_range& range);
inline boost::json::object integer(std::uint64_t low, std::uint64_t high)
{
    return integer({low, high});
}
boost::json::object real(double low, double high);
boost::json::object one_of(const std::vector<std::string>& names);
boost::json::object list(boost::json::object of);
boost::json::object list(boost::json::object of, std::uint64_t count);
/// An object whose keys match `pattern`.
boost::json::object map(const std::string& pattern, boost::json::object of);
boost::json::object either(std::vector<boost::json::object> values);
boost::json::object or_null(boost::json::object value);
/// A reference to a definition of the same schema.
boost::json::object reference(const std::string& name);

/// A 32-bit word and an array of them, as json_document::words() reads them.
boost::json::object hex_word();
boost::json::object words();

} // namespace form

/// "$schema": the schema of this file, for editors; the program ignores it.
form_key schema_key();

} // namespace isbesim::testbench
