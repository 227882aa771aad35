// SPDX-License-Identifier: Apache-2.0
// The keys of an input file's objects, defined once for the reader and for `isbesim help schema`.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/object.hpp>

#include "testbench/files/json_document.h"

namespace isbesim::testbench {

/// The form of a value.
enum class key_kind : std::uint8_t {
    integer,
    real,
    flag,   ///< true / false
    choice, ///< one of `choices`, by name
    hex,    ///< bits: hexadecimal text or an integer; shown in hexadecimal
};

/// A key with one number, flag or name. Values are held as double: every kind fits exactly.
struct key_description {
    const char* name;
    key_kind kind;
    const char* unit;                 ///< "" if it has no unit
    double low;                       ///< range, inclusive; choices: the indices
    double high;                      ///<
    double step;                      ///< integers: a multiple of this
    std::vector<const char*> choices; ///< names by index; integers: the admitted values unless empty
    const char* description;
    bool optional = false; ///< null is allowed: no value, held as NaN

    std::string range_text() const; ///< "8 to 8192, a multiple of 8"
    std::string value_text(double value) const;
    boost::json::value json(double value) const;
    boost::json::object schema() const;
    /// Throws input_error.
    double read(const json_document& document, const boost::json::value& value) const;
};

/// True if the key can have this value.
bool admits(const key_description& key, double value);

/// A key, and the member of a struct that has its value.
template <typename Struct>
struct described_key : key_description {
    double (*get)(const Struct&);
    void (*set)(Struct&, double);

    boost::json::value json_in(const Struct& object) const { return json(get(object)); }
    /// The key has the same value in both.
    bool is_same(const Struct& one, const Struct& other) const
    {
        const auto a = get(one), b = get(other);
        return a == b || (std::isnan(a) && std::isnan(b));
    }
};

/// Keys of members, which pointers lead to: member::integer<&machine_config::isbe, &isbe_config::lines>(...).
namespace member {

template <typename Pointer>
struct owner;
template <typename Struct, typename Member>
struct owner<Member Struct::*> {
    using type = Struct;
};
template <auto First>
using struct_of = typename owner<decltype(First)>::type;

template <typename T>
inline constexpr bool is_optional = false;
template <typename T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <auto First, auto... Rest, typename T>
auto& at(T& object)
{
    if constexpr (sizeof...(Rest) == 0) {
        return object.*First;
    } else {
        return at<Rest...>(object.*First);
    }
}

template <auto First, auto... Rest>
double get(const struct_of<First>& object)
{
    const auto& value = at<First, Rest...>(object);
    if constexpr (is_optional<std::decay_t<decltype(value)>>) {
        return value ? static_cast<double>(*value) : std::numeric_limits<double>::quiet_NaN();
    } else {
        return static_cast<double>(value);
    }
}

template <auto First, auto... Rest>
void set(struct_of<First>& object, double number)
{
    auto& value = at<First, Rest...>(object);
    using type = std::remove_reference_t<decltype(value)>;
    if constexpr (is_optional<type>) {
        value = std::isnan(number) ? type() : static_cast<typename type::value_type>(number);
    } else if constexpr (std::is_same_v<type, bool>) {
        value = number != 0.0;
    } else if constexpr (std::is_enum_v<type>) {
        value = static_cast<type>(static_cast<int>(number));
    } else {
        value = static_cast<type>(number);
    }
}

template <auto First, auto... Rest>
described_key<struct_of<First>> described(key_description description)
{
    description.optional = is_optional<std::decay_t<decltype(at<First, Rest...>(std::declval<struct_of<First>&>()))>>;
    return {std::move(description), get<First, Rest...>, set<First, Rest...>};
}

template <auto... Path>
auto integer(const char* name, const char* unit, double low, double high, const char* description, double step = 1,
             std::vector<const char*> admitted = {})
{
    return described<Path...>({name, key_kind::integer, unit, low, high, step, std::move(admitted), description});
}

template <auto... Path>
auto integer(const char* name, double low, double high, const char* description, std::vector<const char*> admitted = {})
{
    return integer<Path...>(name, "", low, high, description, 1, std::move(admitted));
}

template <auto... Path>
auto real(const char* name, const char* unit, double low, double high, const char* description)
{
    return described<Path...>({name, key_kind::real, unit, low, high, 0, {}, description});
}

template <auto... Path>
auto flag(const char* name, const char* description)
{
    return described<Path...>({name, key_kind::flag, "", 0, 1, 1, {"false", "true"}, description});
}

template <auto... Path>
auto choice(const char* name, std::vector<const char*> names, const char* description)
{
    const auto last = static_cast<double>(names.size() - 1);
    return described<Path...>({name, key_kind::choice, "", 0, last, 1, std::move(names), description});
}

} // namespace member

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

/// An object that fills a struct. Keys of members are read and written by this list alone, others by their readers.
template <typename Struct>
class described_form : public object_form {
public:
    struct row : form_key {
        row(form_key key) : form_key(std::move(key)) {}
        row(described_key<Struct> key, bool is_required = false)
            : form_key{key.name, key.schema(), key.description, is_required}, member(std::move(key))
        {
        }
        std::optional<described_key<Struct>> member;
    };

    explicit described_form(std::vector<row> rows) : object_form({rows.begin(), rows.end()}), rows_(std::move(rows)) {}

    const std::vector<row>& rows() const { return rows_; }
    const described_key<Struct>& member(std::string_view name) const
    {
        return *std::find_if(rows_.begin(), rows_.end(), [&](const row& each) { return name == each.name; })->member;
    }
    /// Fills `target` from the keys that `object` has; `what` names it in errors. Throws input_error.
    void read(const json_document& document, const boost::json::value& object, std::string_view what,
              Struct& target) const
    {
        for (const auto& each : rows_) {
            if (!each.member) continue;
            if (each.required) document.member(object, each.name, what);
            read_key(document, object, each.name, target);
        }
    }
    void read_key(const json_document& document, const boost::json::value& object, std::string_view name,
                  Struct& target) const
    {
        const auto* value = json_document::find(object, name);
        if (value == nullptr) return;
        const auto& key = member(name);
        key.set(target, key.read(document, *value));
    }
    /// The keys that are not as in `base`, all if it is null; `others`: values of the keys without a member.
    boost::json::object write(const Struct& source, const Struct* base, boost::json::object others = {}) const
    {
        boost::json::object result;
        for (const auto& each : rows_) {
            if (!each.member) {
                if (auto* value = others.if_contains(each.name)) result[each.name] = std::move(*value);
            } else if (base == nullptr || !each.member->is_same(source, *base)) {
                result[each.name] = each.member->json_in(source);
            }
        }
        return result;
    }

private:
    std::vector<row> rows_;
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
boost::json::object list(boost::json::object item);
boost::json::object list(boost::json::object item, std::uint64_t count);
/// An object whose keys match `pattern`.
boost::json::object map(const std::string& pattern, boost::json::object item);
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
