// SPDX-License-Identifier: Apache-2.0
// A decoded program and the information that the scheduler needs about each instruction.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/sm_pipe.h"
#include "tlm/warp_op.h"

namespace isbesim::isa {

enum class architecture : std::uint8_t { sm50, sm75, sm86, sm89, sm120 };

/// Uniform registers, URZ not among them; SM120: as many as NAK uses.
constexpr unsigned uniform_count(architecture arch)
{
    return arch >= architecture::sm120 ? 80 : 63;
}

struct opcode_row; // models/isa/opcode_row.h: one row per opcode, the only place that describes it
enum class mod : std::uint8_t;

/// Scheduling control of one instruction (HARDWARE.md B.1). 7 = no barrier.
struct control {
    std::uint8_t stall = 1;
    bool yield = false;
    std::uint8_t write_barrier = 7;
    std::uint8_t read_barrier = 7;
    std::uint8_t wait_mask = 0;
    std::uint8_t reuse = 0;
};

/// The unit that produces the result, which determines when it is ready.
enum class latency_class : std::uint8_t {
    alu,       ///< fixed latency, the compiler counts cycles
    variable,  ///< arithmetic tracked by a scoreboard
    memory,    ///< local, shared and constant memory
    global,    ///< generic and global memory
    texture,   ///< textures and surfaces
    attribute, ///< a warp_op to the ISBE
    control,   ///< moves the program counter
};

/// Where an instruction produces its result, and where it reads or replaces registers: determines the latency between
/// two instructions (models/isa/latency.h).
enum class pipe : std::uint8_t {
    tracked,       ///< by a scoreboard
    address,       ///< the same, with an address that it takes late: CCTL on SM75; SM86: attributes, memory, SHFL, BAR
    dispatch,      ///< VOTE, NOP
    dispatch_wide, ///< CS2R of 64 bits
    alu,           ///< integers without multiplication, logic, moves, comparisons
    fma,           ///< float numbers, IMAD
    wide,          ///< IMAD.WIDE
    wide_sum,      ///< its third source
    real_double,
    half,
    uniform,      ///< arithmetic of the uniform data path
    uniform_move, ///< UMOV, ULDC, VOTEU
    crossing,     ///< R2UR on SM120
    guard,        ///< a predicate that decides whether the instruction takes part
    bank,         ///< uniform registers that describe a constant bank
};

/// The table that has the latencies of an instruction (models/isa/latency.h).
enum class latency_table : std::uint8_t { turing, ampere, blackwell };

/// `count` consecutive registers from `first`; count 0 = none. RZ never appears.
struct register_range {
    std::uint8_t first = 0;
    std::uint8_t count = 0;
};

/// Precomputed at decode so that issue and hazard checks look nothing up.
struct issue_info {
    latency_class latency = latency_class::alu;
    isbesim::opcode attribute_opcode = isbesim::opcode::ald; ///< valid when latency is `attribute`
    std::array<register_range, 4> reads{};
    std::array<register_range, 2> writes{};        ///< textures have two destinations
    std::uint8_t predicate_reads = 0;              ///< bit p for Pp, bit 7 for the condition codes
    std::uint8_t predicate_writes = 0;             ///< the same
    std::array<register_range, 4> uniform_reads{}; ///< registers that all lanes share; SM75
    register_range uniform_writes{};
    std::uint8_t uniform_predicate_reads = 0;
    std::uint8_t uniform_predicate_writes = 0;
    isa::pipe pipe = isa::pipe::tracked;
    sm_pipe unit = sm_pipe::none; ///< whose lanes it occupies
    latency_table table = latency_table::turing;
    std::uint8_t guard_reads = 0; ///< the guard's bit among the predicate reads, uniform or not
    std::uint8_t sum_reads = 0;   ///< bit i: reads[i] is the third source
    bool bindless = false;        ///< uniform registers describe a constant bank
    std::uint8_t code_test = 15;  ///< test that a lane's condition codes must pass (lanes_by_codes); 15: all lanes pass
};

/// Role of an operand; the same on every architecture, regardless of its place in the encoding.
enum class slot : std::uint8_t {
    d,       ///< destination register
    a,       ///< first source; data of a store
    b,       ///< second source; vertex handle, geometry state
    c,       ///< third source
    address, ///< register + immediate of a memory or attribute address
    pd,      ///< first predicate result
    pq,      ///< second predicate result
    pa,      ///< predicate sources of PSETP
    pb,
    ps,    ///< predicate that a comparison combines with, or that selects
    extra, ///< an immediate that is not a source: shift count, truth table, branch target, special register
};
inline constexpr unsigned slot_count = 11;
static_assert(static_cast<unsigned>(slot::extra) + 1 == slot_count, "operands are indexed by slot");

inline constexpr std::uint8_t register_zero = 255;
inline constexpr std::uint8_t predicate_true = 7;
inline constexpr std::uint8_t uniform_zero = 255; ///< URZ; before SM120 its number is 63 in encodings
inline constexpr std::uint8_t no_uniform = 254;   ///< an address to which no uniform register is added, not even URZ

/// One decoded operand.
struct operand {
    enum class source : std::uint8_t {
        none,
        reg,
        constant,
        immediate,
        predicate,
        uniform,
        uniform_predicate,
        bindless
    };
    source kind = source::none;
    std::uint8_t index = register_zero; ///< number of the register or predicate, uniform or not
    std::uint8_t part = 0;              ///< which half or byte of the register; 0 for the whole or the lowest
    std::uint8_t bank = 0;              ///< constant bank
    std::uint8_t uniform = no_uniform;  ///< of an address: the uniform register that is added
    bool negate = false;
    bool absolute = false;
    bool invert = false;     ///< ~ of an integer, ! of a predicate
    std::uint32_t value = 0; ///< immediate (high word of a double), or byte offset (signed)
};

inline constexpr unsigned modifier_count = 39;

struct instruction {
    const opcode_row* row = nullptr;
    std::uint32_t address = 0;           ///< bytes from the program start, control words counted as on the hardware
    std::array<std::uint64_t, 2> word{}; ///< encoding; SM50 uses [0]
    isa::control control;
    issue_info issue;

    std::uint8_t guard = predicate_true; ///< `@Pg`
    bool guard_not = false;              ///< @!Pg
    bool padding = false;                ///< text only: `?pad`, a slot after the end of the file
    std::array<operand, slot_count> operands{};
    std::array<std::uint8_t, modifier_count> modifiers{}; ///< by isa::mod, as encoded

    const operand& at(slot where) const { return operands[static_cast<std::size_t>(where)]; }
    unsigned modifier(mod id) const { return modifiers[static_cast<std::size_t>(id)]; }
};

/// Legal but suspicious code. `line`/`column` are 1-based, 0 = not from a text.
struct program_warning {
    unsigned line = 0;
    unsigned column = 0;
    std::uint32_t address = 0; ///< of the instruction; of the first, if the warning is about several
    std::string text;
    const char* kind = ""; ///< one word, for scripts
};
inline constexpr const char* ignored_bits_kind = "ignored_bits";

struct program {
    architecture arch = architecture::sm50;
    std::vector<instruction> code; ///< in address order
    unsigned register_count = 0;   ///< highest register used + 1
    std::vector<program_warning> warnings;
    /// Routines of the driver at the end of `code`: from `library_index` on, at `library_address` (attach_library).
    std::size_t library_index = static_cast<std::size_t>(-1);
    std::uint32_t library_address = 0;

    /// Index of the instruction at a byte address, or npos.
    static constexpr std::size_t npos = static_cast<std::size_t>(-1);
    std::size_t index_of(std::uint32_t address) const;

    /// Byte address of instruction `index`, which may be one past the last.
    std::uint32_t address_of(std::size_t index) const;
};

/// Appends `library` to the program's own code, for absolute calls and jumps to `address`: in bytes, a multiple of 32
/// beyond the program's end. Throws std::invalid_argument otherwise.
void attach_library(program& code, const program& library, std::uint32_t address);

/// Bad program text or bytes. `line`/`column` are 1-based, 0 = not applicable.
class program_error : public std::runtime_error {
public:
    program_error(unsigned at_line, unsigned at_column, const std::string& what)
        : std::runtime_error(what), line(at_line), column(at_column)
    {
    }
    unsigned line;
    unsigned column;
};

class execution_error : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace isbesim::isa
