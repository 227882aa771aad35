// SPDX-License-Identifier: Apache-2.0
// Facts about a captured draw for lists and pages: stages, their bindings, and the ISBE lines that warps need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/machine_config.h"
#include "testbench/gl/capture/capture_reader.h"

namespace isbesim::gl {

struct bound_constants {
    unsigned bank;
    std::size_t bytes; ///< up to the last nonzero word
};

struct stage_facts {
    isbesim::stage stage;
    std::size_t program; ///< number in order of first use in the capture; equal bytes have equal numbers
    std::size_t instructions;
    unsigned
        lines; ///< ISBE lines of 128 bytes that a warp's output needs, of the first stage its input too; 0: unknown
    std::vector<bound_constants> constants;
};

struct draw_facts {
    std::size_t number, frame;
    std::string topology; ///< its name in scenarios
    bool indexed;
    std::uint64_t vertices;
    std::uint32_t instances;
    std::vector<std::pair<unsigned, unsigned>> attributes; ///< address, components
    std::size_t captured;                                  ///< columns that the draw streams out
    std::vector<stage_facts> stages;
    std::string problem; ///< reason if the draw does not fit the machine, else empty
};

class draw_fact_reader {
public:
    /// Numbers the programs of the whole capture. Throws testbench::input_error, as read() does.
    draw_fact_reader(capture_reader& capture, const machine_config& config);
    draw_facts read(std::size_t number);

private:
    capture_reader& capture_;
    const machine_config& config_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> programs_;
};

} // namespace isbesim::gl
