// SPDX-License-Identifier: Apache-2.0
// What handlers of Boost.JSON's basic_parser have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include <boost/json/string_view.hpp>
#include <boost/system/error_code.hpp>

namespace isbesim::testbench {

/// A handler that takes every event and does nothing: a handler derived from it has the events that it needs, which
/// hide those here. `error_code` is Boost.System's: Boost.JSON's own name for it is gone in Boost 1.92.
struct json_handler {
    using error_code = boost::system::error_code;
    using string_view = boost::json::string_view;

    static constexpr std::size_t max_object_size = std::numeric_limits<std::size_t>::max();
    static constexpr std::size_t max_array_size = max_object_size;
    static constexpr std::size_t max_key_size = max_object_size;
    static constexpr std::size_t max_string_size = max_object_size;

    static bool on_document_begin(error_code&) { return true; }
    static bool on_document_end(error_code&) { return true; }
    static bool on_object_begin(error_code&) { return true; }
    static bool on_object_end(std::size_t, error_code&) { return true; }
    static bool on_array_begin(error_code&) { return true; }
    static bool on_array_end(std::size_t, error_code&) { return true; }
    static bool on_key_part(string_view, std::size_t, error_code&) { return true; }
    static bool on_key(string_view, std::size_t, error_code&) { return true; }
    static bool on_string_part(string_view, std::size_t, error_code&) { return true; }
    static bool on_string(string_view, std::size_t, error_code&) { return true; }
    static bool on_number_part(string_view, error_code&) { return true; }
    static bool on_int64(std::int64_t, string_view, error_code&) { return true; }
    static bool on_uint64(std::uint64_t, string_view, error_code&) { return true; }
    static bool on_double(double, string_view, error_code&) { return true; }
    static bool on_bool(bool, error_code&) { return true; }
    static bool on_null(error_code&) { return true; }
    static bool on_comment_part(string_view, error_code&) { return true; }
    static bool on_comment(string_view, error_code&) { return true; }
};

} // namespace isbesim::testbench
