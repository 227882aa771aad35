// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/json_locator.h"

#include <cstdint>
#include <set>

#include <boost/json/basic_parser_impl.hpp>

#include "testbench/files/json_handler.h"

namespace isbesim::testbench {

namespace {

namespace json = boost::json;

/// Handler of Boost.JSON's basic_parser that follows the path through the events. The parser reports no positions, so
/// it is fed byte by byte, and `token` is the beginning of the next event's text.
class path_follower : public json_handler {
public:
    path_follower(const std::vector<json_step>& path, bool at_key) : path_(path), at_key_(at_key) {}

    /// Called before byte `offset` is parsed.
    void before(char c, std::size_t offset)
    {
        if (in_token_ || std::string_view(" \t\r\n,:]}").find(c) != std::string_view::npos) return;
        in_token_ = true;
        token_ = offset;
    }
    std::size_t found() const { return found_; }

    bool on_object_begin(error_code&) { return open(false); }
    bool on_object_end(std::size_t, error_code&) { return close(); }
    bool on_array_begin(error_code&) { return open(true); }
    bool on_array_end(std::size_t, error_code&) { return close(); }
    bool on_key_part(string_view part, std::size_t, error_code&)
    {
        key_.append(part.data(), part.size());
        return true;
    }
    bool on_key(string_view part, std::size_t, error_code&)
    {
        key_.append(part.data(), part.size());
        auto& object = levels_.back();
        object.matches = object.on_path && depth() <= path_.size() && path_[depth() - 1].key != nullptr &&
                         *path_[depth() - 1].key == key_;
        key_.clear();
        if (at_key_ && object.matches && depth() == path_.size()) found_ = token_;
        in_token_ = false;
        return true;
    }
    bool on_string(string_view, std::size_t, error_code&) { return scalar(); }
    bool on_int64(std::int64_t, string_view, error_code&) { return scalar(); }
    bool on_uint64(std::uint64_t, string_view, error_code&) { return scalar(); }
    bool on_double(double, string_view, error_code&) { return scalar(); }
    bool on_bool(bool, error_code&) { return scalar(); }
    bool on_null(error_code&) { return scalar(); }

private:
    struct container {
        bool is_array;
        bool on_path;          ///< the container itself lies on the path
        std::size_t index = 0; ///< index of the next array element
        bool matches = false;  ///< the next child of an object lies on the path
    };

    std::size_t depth() const { return levels_.size(); }

    /// Called at the begin of a value. Returns true if it lies on the path; stores its place if the path ends there.
    bool begin_value()
    {
        bool on_path = true;
        if (!levels_.empty()) {
            auto& parent = levels_.back();
            if (parent.is_array) {
                on_path = parent.on_path && depth() <= path_.size() && path_[depth() - 1].key == nullptr &&
                          path_[depth() - 1].index == parent.index;
                ++parent.index;
            } else {
                on_path = parent.matches;
            }
        }
        if (on_path && !at_key_ && depth() == path_.size()) found_ = token_;
        in_token_ = false;
        return on_path;
    }
    bool open(bool is_array)
    {
        const bool on_path = begin_value();
        levels_.push_back({is_array, on_path});
        return true;
    }
    bool close()
    {
        levels_.pop_back();
        in_token_ = false;
        return true;
    }
    bool scalar()
    {
        begin_value();
        return true;
    }

    const std::vector<json_step>& path_;
    bool at_key_;
    bool in_token_ = false;
    std::size_t token_ = 0;
    std::size_t found_ = 0;
    std::string key_;
    std::vector<container> levels_;
};

/// Handler that stops at the first key which its object already has.
class duplicate_finder : public json_handler {
public:
    /// Called before byte `offset` is parsed.
    void before(char c, std::size_t offset)
    {
        if (in_text_ || c != '"') return;
        in_text_ = true;
        begin_ = offset;
    }
    const std::optional<duplicate_key>& found() const { return found_; }

    bool on_object_begin(error_code&)
    {
        keys_.emplace_back();
        return true;
    }
    bool on_object_end(std::size_t, error_code&)
    {
        keys_.pop_back();
        return true;
    }
    bool on_key_part(string_view part, std::size_t, error_code&)
    {
        key_.append(part.data(), part.size());
        return true;
    }
    bool on_key(string_view part, std::size_t, error_code& stop)
    {
        key_.append(part.data(), part.size());
        in_text_ = false;
        if (!keys_.back().insert(key_).second) {
            found_ = duplicate_key{key_, begin_};
            stop = json::error::syntax; // any error ends the search
            return false;
        }
        key_.clear();
        return true;
    }
    bool on_string(string_view, std::size_t, error_code&)
    {
        in_text_ = false;
        return true;
    }

private:
    bool in_text_ = false;
    std::size_t begin_ = 0; ///< of the current text
    std::string key_;
    std::vector<std::set<std::string>> keys_; ///< of the open objects
    std::optional<duplicate_key> found_;
};

template <typename Handler>
void feed(json::basic_parser<Handler>& parser, std::string_view text)
{
    boost::system::error_code failure;
    for (std::size_t i = 0; i < text.size() && !failure; ++i) {
        parser.handler().before(text[i], i);
        parser.write_some(true, &text[i], 1, failure);
    }
    if (!failure) parser.write_some(false, nullptr, 0, failure); // ends a number at the end of the text
}

} // namespace

std::size_t locate_json(std::string_view text, const std::vector<json_step>& path, bool at_key)
{
    json::basic_parser<path_follower> parser(json::parse_options(), path, at_key);
    feed(parser, text);
    return parser.handler().found();
}

std::optional<duplicate_key> find_duplicate_key(std::string_view text)
{
    json::basic_parser<duplicate_finder> parser{json::parse_options()};
    feed(parser, text);
    return parser.handler().found();
}

} // namespace isbesim::testbench
