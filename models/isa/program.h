// A decoded program and what the scheduler must know about each instruction.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "tlm/warp_op.h"

namespace isbesim::isa {

enum class architecture : std::uint8_t { sm50, sm75, sm86 };

struct opcode_row; // models/isa/table.h: one row per opcode, the only place that describes it

/// Scheduling control of one instruction (hardware.md B.1). 7 = no barrier.
struct control {
    std::uint8_t stall = 1;
    bool yield = false;
    std::uint8_t write_barrier = 7;
    std::uint8_t read_barrier = 7;
    std::uint8_t wait_mask = 0;
    std::uint8_t reuse = 0;
};

/// Who produces the result, hence when it is ready.
enum class latency_class : std::uint8_t { alu, variable, memory, attribute, control };

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
    register_range writes{};
    std::uint8_t predicate_reads = 0; ///< bit p
    std::uint8_t predicate_writes = 0;
};

struct instruction {
    const opcode_row* row = nullptr;
    std::uint32_t address = 0;           ///< bytes from the program start, control words counted as on the hardware
    std::array<std::uint64_t, 2> word{}; ///< encoding; SM50 uses [0]
    isa::control control;
    issue_info issue;
    // Decoded operand fields follow; owned by the instruction front end.
};

struct program {
    architecture arch = architecture::sm50;
    std::vector<instruction> code; ///< in address order
    unsigned register_count = 0;   ///< highest register used + 1

    /// Index of the instruction at a byte address, or npos.
    static constexpr std::size_t npos = static_cast<std::size_t>(-1);
    std::size_t index_of(std::uint32_t address) const;
};

/// Bad program text or bytes. `line`/`column` are 1-based, 0 = not applicable.
class program_error : public std::runtime_error {
public:
    program_error(unsigned line, unsigned column, const std::string& what)
        : std::runtime_error(what), line(line), column(column)
    {
    }
    unsigned line;
    unsigned column;
};

class execution_error : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace isbesim::isa
