// SPDX-License-Identifier: Apache-2.0
// A JSON file that can find the places of its values. Boost.JSON keeps no positions, and a position for every value of
// a scenario with megabytes of words would cost more than the values. Instead the text is kept, and scanned again with
// Boost.JSON's own parser when an error needs a place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "testbench/files/input_error.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// {"value": V, "source": "text"}: a figure with its source.
struct sourced_value {
    const boost::json::value& value;
    std::string source;
};

/// Keys that an object may have.
using key_names = std::vector<std::string_view>;

/// Both bounds are inclusive.
struct integer_range {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
};

class json_document {
public:
    /// Parses `text`; `file` is the name used in errors. Throws input_error at invalid JSON, at a duplicate key of an
    /// object, and at a number too large for 64 bits. Numbers with a point or an exponent become the nearest double.
    json_document(std::string file, std::string text);
    static json_document load(const std::string& file, const std::string& expected);

    json_document(const json_document&) = delete;
    json_document(json_document&&) = delete;

    const std::string& file() const { return file_; }
    const boost::json::value& root() const { return root_; }

    /// Place of a value of this document, which is found by its address, or of a key of an object of this document.
    source_place place_of(const boost::json::value& value) const;
    source_place place_of_key(const boost::json::value& object, std::string_view key) const;

    [[noreturn]] void fail(const boost::json::value& at, const std::string& text) const;
    [[noreturn]] void fail_key(const boost::json::value& object, std::string_view key, const std::string& text) const;

    // Typed access; `what` names the value in the error text.

    const boost::json::object& object(const boost::json::value& value, std::string_view what) const;
    const boost::json::array& array(const boost::json::value& value, std::string_view what) const;
    std::string text(const boost::json::value& value, std::string_view what) const;
    bool boolean(const boost::json::value& value, std::string_view what) const;
    double real(const boost::json::value& value, std::string_view what, double low, double high) const;
    std::uint64_t integer(const boost::json::value& value, std::string_view what, std::uint64_t low,
                          std::uint64_t high) const;
    std::uint64_t integer(const boost::json::value& value, std::string_view what, const integer_range& range) const
    {
        return integer(value, what, range.low, range.high);
    }
    /// An array of 32-bit words, each a hexadecimal string ("0x3f800000"), a JSON integer (its bits), or a JSON number
    /// with a point or an exponent: the bits of the nearest 32-bit float, so 1.0 is 0x3f800000 and 1 is 0x00000001.
    std::vector<word> words(const boost::json::value& value, std::string_view what) const;

    /// Fails at the first key of `value` (an object) that is not in `keys`, with the nearest keys.
    void only_keys(const boost::json::value& value, std::string_view what, const key_names& keys) const;
    /// The member, or fails at `value`.
    const boost::json::value& member(const boost::json::value& value, std::string_view key,
                                     std::string_view what) const;
    /// Value and source of an object with exactly these two keys; the source must not be empty.
    sourced_value sourced(const boost::json::value& value, std::string_view what) const;
    /// The member, or null.
    static const boost::json::value* find(const boost::json::value& value, std::string_view key);

private:
    std::string file_;
    std::string text_;
    boost::json::value root_;
};

} // namespace isbesim::testbench
