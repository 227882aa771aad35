// SPDX-License-Identifier: Apache-2.0
// The ISBE operation of a warp instruction, and its result.
//
// The whole simulator shares this type: the SM and the PE make it, the TLM extension carries it, the functional core
// executes it, the RTL transactor drives it onto pins, a trace stores it, the scoreboard compares it. It depends on
// neither SystemC nor files, has a fixed size and is trivially copyable.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

namespace isbesim {

inline constexpr unsigned warp_lanes = 32;
inline constexpr unsigned max_components = 4;

using word = std::uint32_t;
using lane_mask = std::uint32_t;
inline constexpr lane_mask all_lanes = 0xffffffffU;

template <typename T>
using per_lane = std::array<T, warp_lanes>;

/// The values are those on the `op` pins of the RTL (micro-architecture section 2).
enum class opcode : std::uint8_t { ald = 0, ast = 1, al2p = 2, out = 3, isberd = 4, isbewr = 5, bind = 6 };
inline constexpr unsigned opcode_count = static_cast<unsigned>(opcode::bind) + 1;
static_assert(opcode_count <= 8); // three pins

/// ALD, AST.
constexpr bool is_attribute(opcode op)
{
    return op == opcode::ald || op == opcode::ast;
}
/// ISBERD, ISBEWR: byte addresses in a region, not attributes.
constexpr bool is_raw(opcode op)
{
    return op == opcode::isberd || op == opcode::isbewr;
}
/// Carries data to store. OUT, which writes tokens, and BIND do not count.
constexpr bool is_store(opcode op)
{
    return op == opcode::ast || op == opcode::isbewr;
}

/// A warp sees two ISBE spaces (HARDWARE.md D.1).
enum class space : std::uint8_t { input = 0, output = 1 };
inline constexpr unsigned space_count = static_cast<unsigned>(space::output) + 1;
static_assert(space_count <= 2); // one pin

/// Region addressed by ISBERD / ISBEWR. `physical` is the whole storage, flat: the PE, foreign initiators and debug
/// use it; no instruction can encode it.
enum class region : std::uint8_t { map = 0, patch = 1, prim = 2, attr = 3, physical = 4 };
inline constexpr unsigned region_count = static_cast<unsigned>(region::physical) + 1;
static_assert(region_count <= 8); // three pins

/// How ALD / AST form their attribute address (HARDWARE.md B.4).
enum class address_form : std::uint8_t {
    logical = 0, ///< a[imm]: logical attribute byte address
    patch = 1,   ///< .P a[Ra + imm]: byte address inside the patch section
    phys = 2,    ///< .PHYS a[Ra]: Ra holds an AL2P result
};
inline constexpr unsigned form_count = static_cast<unsigned>(address_form::phys) + 1;
static_assert(form_count <= 4); // two pins

/// OUT.type as encoded (HARDWARE.md B.1). `final` is the token that ends a geometry thread.
enum class out_type : std::uint8_t { final = 0, emit = 1, cut = 2, emit_then_cut = 3 };
static_assert(static_cast<unsigned>(out_type::emit_then_cut) < 4); // two pins

/// Per-lane status of a warp_op; several may be set. 16 bits on the RTL's response.
namespace lane_status {
inline constexpr std::uint16_t ok = 0;
inline constexpr std::uint16_t defaulted = 1U << 0;      ///< a component was disabled and returned its default
inline constexpr std::uint16_t dropped_map = 1U << 1;    ///< a stored component was discarded, BMAP_out = 0
inline constexpr std::uint16_t out_of_range = 1U << 2;   ///< attribute address < 0 or >= 0x400, or beyond the region
inline constexpr std::uint16_t handle_range = 1U << 3;   ///< vertex handle >= vertex count of the space
inline constexpr std::uint16_t gs_state = 1U << 4;       ///< geometry state register that OUT did not produce
inline constexpr std::uint16_t gs_overflow = 1U << 5;    ///< past MaxOutputVertexCount or the thread's own space
inline constexpr std::uint16_t write_conflict = 1U << 6; ///< lost one byte or more to another lane of this warp_op
inline constexpr std::uint16_t not_al2p = 1U << 7;       ///< .PHYS register is no AL2P result of this space
inline constexpr std::uint16_t overwritten = 1U << 8;    ///< shared spaces: input read after it was overwritten
} // namespace lane_status

/// Whole-operation errors, numbered as the hardware reports them (HARDWARE.md E.5). 0 = none. An operation with an
/// error touches nothing and returns no data.
enum class op_error : std::uint8_t { none = 0, illegal_instr_encoding = 0x09, illegal_sph_instr_combo = 0x0a };

/// Request. Lanes outside `lanes` are don't-care and must not influence any result.
struct warp_op {
    opcode op = opcode::ald;
    isbesim::space space = isbesim::space::input;
    isbesim::region region = isbesim::region::attr; ///< ISBERD / ISBEWR only
    address_form form = address_form::logical;      ///< ALD / AST only
    out_type type = out_type::emit;                 ///< OUT only
    std::uint8_t size = 1;                          ///< ALD / AST / AL2P: words 1..4. ISBERD / ISBEWR: bytes 1, 2, 4
    bool skew = false;                              ///< ISBERD / ISBEWR .SKEW
    std::uint16_t context = 0;                      ///< context slot
    std::int32_t immediate = 0;                     ///< bytes; added to every lane's address without wrap-around
    lane_mask lanes = all_lanes;

    /// ALD / AST / AL2P / ISBERD / ISBEWR: Ra per lane, signed bytes (0 where Ra is RZ; the AL2P result for .PHYS).
    /// OUT: Sb per lane, of which the two low bits count.
    per_lane<word> address{};
    /// ALD: vertex handle (Rb). AST in a geometry shader (Rc) and OUT (Ra): the geometry state. Otherwise unused.
    per_lane<word> handle{};
    /// AST / ISBEWR: store data, [component][lane]. BIND: the context descriptor, word i at [i / 32][i % 32].
    std::array<per_lane<word>, max_components> data{};
};

/// Response.
struct warp_result {
    /// ALD / ISBERD: loaded values, [component][lane]. AL2P: results in [0]. OUT: new state in [0]. Lanes outside the
    /// request's mask and components beyond its size are 0.
    std::array<per_lane<word>, max_components> data{};
    per_lane<std::uint16_t> status{}; ///< lane_status bits; 0 for lanes outside the request's mask
    op_error error = op_error::none;
    std::uint16_t passes = 0; ///< cycles that the operation held the bank array (>= 1)
};

static_assert(std::is_trivially_copyable_v<warp_op> && std::is_trivially_copyable_v<warp_result>);

} // namespace isbesim
