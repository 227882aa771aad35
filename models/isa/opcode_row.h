// SPDX-License-Identifier: Apache-2.0
// A row of the instruction table: one opcode and operand form, and the only place that describes an instruction.
//
// Encoder, decoder, assembler, disassembler, executor and hazard check all walk these rows. A row's opcode bits are all
// bits outside of its fields. A word with another bit set matches a row only if the bit has no effect according to
// tables/table.h; such bits are kept and reported, so nothing is ever dropped silently.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/isa/bits.h"
#include "models/isa/program.h"
#include "models/isa/texture_traits.h"

namespace isbesim::isa {

/// Modifiers by meaning; their values are those in the encoding.
enum class mod : std::uint8_t {
    size,          ///< words of an attribute access minus 1, or a memory access size
    output_space,  ///< .O
    patch,         ///< .P
    region,        ///< ISBERD
    skew,          ///< ISBERD
    out_type,      ///< OUT
    flush,         ///< 1 .FTZ, 2 .FMZ
    round,         ///< 0 nearest, 1 down, 2 up, 3 to zero; +4 to an integer value
    scale,         ///< FMUL .D2 ... .M2
    saturate,      ///< .SAT
    write_cc,      ///< .CC on the destination
    extended,      ///< 1 .X: carry in, or .XLO; 2 .XMED; 3 .XHI, which begins a chain without carry in
    compare,       ///< LT, EQ, ...
    combine,       ///< AND, OR, XOR of comparison and predicate; operation of LOP and PSETP
    combine_next,  ///< second operation of PSETP
    boolean_float, ///< .BF: 1.0 instead of all ones; of surfaces .BA: x counts bytes
    is_signed,     ///< 0 prints .U32
    to_type,       ///< result of a conversion
    from_type,     ///< source of a conversion; both source signs of a multiplication
    wrap,          ///< .W: shift count modulo 32
    reverse,       ///< .BREV
    high,          ///< .HI
    product_shift, ///< XMAD .PSL
    merge,         ///< XMAD .MRG
    c_mode,        ///< XMAD .CLO ..., PRMT mode, SHF type
    function,      ///< the function of MUFU, RRO, VOTE, RED, CCTL
    test,          ///< LOP .Z, .NZ
    cache,         ///< .CG, .CS ...; no effect on values
    order,         ///< .STRONG, .CONSTANT ...: memory order; no effect on values
    scope,         ///< .CTA, .GPU, .SYS: the threads among which the order holds
    eviction,      ///< .EF, .EL ...; no effect on values
    scalar,        ///< textures: .SCR
    bindless,      ///< textures: .B, the handle is in a register
    offsets,       ///< textures: .AOFFI, .PTP
    shadow,        ///< textures: .DC; of TLD .MS
    derivative,    ///< textures: .NDV
    dependency,    ///< textures: .NODEP
    mask,          ///< surfaces: the components accessed
    clamp,         ///< surfaces: .IGN, .TRAP
};
inline constexpr unsigned begins_chain = 3; ///< value of mod::extended: .XHI
static_assert(static_cast<unsigned>(mod::clamp) + 1 == modifier_count, "modifiers are indexed by mod");

inline constexpr std::uint8_t as_encoded = 255;

/// One printable value of a modifier. `shown` = false marks the default, whose name is accepted but never printed.
struct choice {
    std::uint8_t value;
    const char* name;
    bool shown = true;
    std::uint8_t means = as_encoded; ///< the number of the same type of atomics on SM75
};

/// A list of choices that lives as long as the program.
class choices {
public:
    template <std::size_t N>
    constexpr choices(const choice (&list)[N]) // NOLINT: lists convert implicitly by intent
        : first_(list), count_(N)
    {
    }
    constexpr const choice* begin() const { return first_; }
    constexpr const choice* end() const { return first_ + count_; }
    bool contains(std::uint64_t value) const
    {
        for (const auto& candidate : *this)
            if (candidate.value == value) return true;
        return false;
    }

private:
    const choice* first_;
    std::size_t count_;
};

struct modifier_spec {
    mod id;
    field bits;
    choices values;
};

/// How an operand is written and encoded.
enum class form : std::uint8_t {
    gpr,                ///< R7
    constant,           ///< c[0x0][0x10]
    integer,            ///< signed immediate, sign extended
    unsigned_word,      ///< immediate printed without a sign
    real,               ///< float immediate; a short field holds the upper bits
    real_double,        ///< double immediate; the field holds the upper bits of the high word
    predicate,          ///< P0
    memory,             ///< [R0+0x10]
    attribute,          ///< a[R0+0x10] / a[0x80]
    constant_index,     ///< c[0x0][R0+0x10]
    special,            ///< SR_LANEID
    target,             ///< branch target, relative to the next instruction
    barrier,            ///< convergence barrier B0
    named,              ///< one of operand_spec::names: 2D, TEX_HEADER_DIMENSION, SB0
    scoreboard_set,     ///< {4,3,2}
    literal,            ///< fixed text without bits
    half_pair,          ///< two half float numbers, the upper one first
    quad_signs,         ///< PPPNNPZP: signs of both summands in the lanes of a quad
    quad_signs_swapped, ///< the same with the codes of PN and NP exchanged: SM50
    uniform,            ///< UR4: a register that all lanes share
    uniform_predicate,  ///< UP0
    bindless,           ///< cx[UR4][0x10]: a pair of uniform registers describes the bank
    code_test,          ///< CC.NEU: the test of condition codes that lanes must pass
};

/// A number in the instruction word.
constexpr bool is_immediate(form kind)
{
    return kind == form::integer || kind == form::unsigned_word || kind == form::real || kind == form::real_double;
}

constexpr bool is_predicate(form kind)
{
    return kind == form::predicate || kind == form::uniform_predicate;
}

/// How many consecutive registers an operand names.
enum class extent : std::uint8_t {
    one,
    two,
    by_words,
    by_memory_size,
    by_to_type,
    by_from_type,
    by_atomic_type, ///< the same for atomics, whose types are numbered differently
    two_atomics,    ///< twice as many: the expected value and its replacement
    texture_first,  ///< first source of a texture instruction (texture_form.h)
    texture_second,
    texture_low,  ///< results of a texture instruction in its first destination
    texture_high, ///< results in its second destination
    by_surface,   ///< coordinates of a surface
    by_mask,      ///< components of a surface's texel
    by_address,   ///< an address: two registers with .E
    by_part,      ///< an address to which a uniform register is added: two registers with .64
};

/// Names of a form::named operand by value; null for values without a name, which are written as numbers.
struct name_list {
    const char* const* first = nullptr;
    std::size_t count = 0;

    constexpr name_list() = default;
    template <std::size_t N>
    constexpr name_list(const char* const (&list)[N]) // NOLINT: as choices do
        : first(list), count(N)
    {
    }
    const char* operator[](std::size_t value) const { return value < count ? first[value] : nullptr; }
};

inline constexpr std::uint8_t no_bit = 255;
inline constexpr std::uint32_t last_attribute_byte = 0x3ff; ///< HARDWARE.md A.1

struct operand_spec {
    slot where = slot::a;
    isa::form form = isa::form::gpr;
    field bits{};    ///< register, immediate or offset
    field base{};    ///< address register of memory forms
    field uniform{}; ///< uniform register that memory forms add, a pair with .E
    field bank{};    ///< constant bank
    field part{};    ///< half or byte selection
    std::uint8_t negate = no_bit;
    std::uint8_t absolute = no_bit;
    std::uint8_t invert = no_bit;
    std::uint8_t cc = no_bit;    ///< destination: .CC
    std::uint8_t reuse = no_bit; ///< bit of the control field's reuse flags
    isa::extent extent = isa::extent::one;
    bool halves = false;         ///< `part` can use one half for both sides: 2 .H0_H0, 3 .H1_H1
    bool aligned = false;        ///< low register bits are dropped by size (HARDWARE.md B.4)
    bool writes = false;         ///< destination
    bool same_register = false;  ///< names the register of another operand's field
    bool either_sign = false;    ///< an immediate of which only the low bits count: #IMM20 0xfffff is -1
    bool zero_as_number = false; ///< the address 0 without a register prints as 0x0, not as RZ
    bool optional = false;       ///< RZ or PT is not printed and may be left out
    bool after_blank = false;    ///< follows a blank instead of a comma: BRX R2 -0xc0
    bool reversed = false;       ///< a predicate whose field holds 7 minus its number
    bool follows = false;        ///< names the registers after those of the operand with the same field (SM50 CAS)
    std::uint8_t usual = 0;      ///< value of an optional number that is not printed
    std::uint8_t shift = 0;      ///< the field holds the value divided by 2^shift
    const char* text = nullptr;  ///< literal
    name_list names{};           ///< named
};

struct machine;
using execute_function = void (*)(machine&);

/// Whether the mask in slot b names predicates that are sources or results in addition to the operands.
enum class packed_predicates : std::uint8_t { none, read, written };

struct opcode_row {
    const char* mnemonic = "";
    encoding match{};
    encoding mask{};
    std::vector<modifier_spec> modifiers; ///< in print order
    std::vector<operand_spec> operands;   ///< in print order
    latency_class latency = latency_class::alu;
    isa::pipe pipe = isa::pipe::tracked;         ///< set once the table of rows is complete (latency.h)
    latency_table table = latency_table::turing; ///< the same
    isbesim::opcode attribute_opcode = isbesim::opcode::ald;
    execute_function execute = nullptr; ///< null: known to the tools, not to the executor
    bool guarded = true;                ///< has the `@Pg` field
    bool uniform = false;               ///< executed once for all lanes; its guard is a uniform predicate
    bool shows_reuse = true;            ///< .reuse is printed on register sources
    bool reads_codes = false;           ///< CSETP: the condition codes are a source
    bool leaves = false;                ///< lanes that take it do not run the next instruction
    bool stores = false;                ///< it writes memory that draws and programs share
    bool long_form = false;             ///< its text may name operands that an earlier row fixes
    packed_predicates packed = packed_predicates::none;
    texture_traits texture;
    encoding ignored{}; ///< bits that change neither text nor meaning, and that compilers fill differently
    encoding meaning{}; ///< bits with a meaning that the tables do not know: they must equal those of `match`
};

/// Bytes from one instruction to the next, SM50's control words aside.
constexpr std::uint32_t instruction_bytes(architecture arch)
{
    return arch == architecture::sm50 ? 8 : 16;
}

/// The part of a word that instructions use; above it SM75 keeps the scheduling control (HARDWARE.md B.2).
inline constexpr unsigned control_position = 105;
constexpr encoding instruction_mask(architecture arch)
{
    return {~std::uint64_t{0}, arch == architecture::sm50 ? 0 : (std::uint64_t{1} << (control_position - 64)) - 1};
}

} // namespace isbesim::isa
