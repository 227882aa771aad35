// SPDX-License-Identifier: Apache-2.0
// The base of handlers for Boost.JSON's basic_parser.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include <boost/json/string_view.hpp>
#include <boost/system/error_code.hpp>

namespace isbesim::testbench {

/// A handler that ignores all events. Derived handlers define the events that they need, which hide those of this
/// class. `error_code` is Boost.System's, because Boost 1.92 removed Boost.JSON's own name for it.
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
