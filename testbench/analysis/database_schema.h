// SPDX-License-Identifier: Apache-2.0
// The tables of --database. A column of an event's table is declared once: the schema has its name, type and comment,
// and a row its value.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "models/isbe/functional/names.h"
#include "testbench/analysis/run_events.h"
#include "testbench/analysis/sqlite_file.h"

namespace isbesim::testbench {

/// A number, a name that lives as long as the program, or NULL: `no_value`, or a null pointer.
struct cell {
    cell() = default;
    template <typename Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0>
    cell(Integer value)
        : integer(static_cast<std::int64_t>(value)),
          is_number(std::is_signed_v<Integer> || static_cast<std::uint64_t>(value) != no_value)
    {
    }
    cell(const char* text) : name(text) {}
    cell(stage value) : name(name_of(value)) {}
    cell(isbesim::space value) : name(space_names[static_cast<unsigned>(value)]) {}

    std::int64_t integer = 0;
    const char* name = nullptr;
    bool is_number = false;
};

/// A comment that begins with "..." continues the comment above.
template <typename Row>
struct column {
    std::string name_and_type;
    std::string comment;
    std::function<cell(const Row&)> value;
};

/// The columns of an event's table. The flag: a trace is replayed, and is the client of all transactions.
template <typename Event>
std::vector<column<Event>> columns_of(bool = false);
template <>
std::vector<column<warp_event>> columns_of(bool);
template <>
std::vector<column<transaction_event>> columns_of(bool);
template <>
std::vector<column<space_event>> columns_of(bool);
template <>
std::vector<column<trap_event>> columns_of(bool);
template <>
std::vector<column<stall_event>> columns_of(bool);
template <>
std::vector<column<wait_event>> columns_of(bool);
template <>
std::vector<column<batch_event>> columns_of(bool);
template <>
std::vector<column<output_event>> columns_of(bool);

/// All statements that create the tables and views.
std::string database_schema();

/// Inserts events of a kind.
template <typename Event>
class event_table {
public:
    event_table(sqlite_file& file, const char* name, bool trace = false, unsigned rows = 1)
        : insert_(file, name, rows), columns_(columns_of<Event>(trace))
    {
    }
    void add(const Event& event)
    {
        for (const auto& each : columns_) {
            const auto value = each.value(event);
            if (value.name != nullptr)
                insert_.put_name(value.name);
            else if (value.is_number)
                insert_.put(value.integer);
            else
                insert_.put_null();
        }
        insert_.row();
    }
    void flush() { insert_.flush(); }

private:
    sqlite_insert insert_;
    std::vector<column<Event>> columns_;
};

} // namespace isbesim::testbench
