// SPDX-License-Identifier: Apache-2.0
// What an opcode is called, carries and costs, a row for each; request_fields.inc has the fields that it uses.
#pragma once

#include "tlm/enum_table.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// The L of micro-architecture section 5.5.
enum class latency_class : std::uint8_t { load, store, al2p, out };
inline constexpr unsigned latency_classes = enum_count<latency_class::out>;

/// Components of data, by the field `size`.
inline constexpr unsigned by_size = max_components + 1;

struct operation_row {
    opcode op;
    const char* name;  ///< as reports, scenarios and coverage bins spell it
    unsigned carried;  ///< components of data in a request
    unsigned returned; ///< and in a response
    latency_class latency;
};

inline constexpr std::array operation_rows{
    operation_row{opcode::ald, "ald", 0, by_size, latency_class::load},
    operation_row{opcode::ast, "ast", by_size, 0, latency_class::store},
    operation_row{opcode::al2p, "al2p", 0, 1, latency_class::al2p},
    operation_row{opcode::out, "out", 0, 1, latency_class::out},
    operation_row{opcode::isberd, "isberd", 0, 1, latency_class::load},
    operation_row{opcode::isbewr, "isbewr", 1, 0, latency_class::store},
    operation_row{opcode::bind, "bind", 2, 0, latency_class::store}, // 64 descriptor words
};
static_assert(covers_enum<opcode::bind>(operation_rows, &operation_row::op));

constexpr const operation_row& row_of(opcode op)
{
    return operation_rows[static_cast<unsigned>(op)];
}
constexpr const char* name_of(opcode op)
{
    return row_of(op).name;
}

} // namespace isbesim
