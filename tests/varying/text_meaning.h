// SPDX-License-Identifier: Apache-2.0
// What a TGSI text means, found from the text alone: read, placed and run here without any code of models/varying. The
// oracle of programs that `pack` makes. Knows what the tests' texts use: straight-line code, canonical or not.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "models/pe/tessellation/tessellation.h"

namespace isbesim::test {

class text_meaning {
public:
    using word = std::uint32_t;
    using scalars = std::map<unsigned, word>; ///< by attribute address

    /// The texts of the programs in a file.
    static std::vector<std::string> programs_of(const std::string& text);

    /// One program. Throws std::logic_error for what it does not know.
    explicit text_meaning(const std::string& text);

    const std::string& kind() const { return kind_; } ///< "VERT", "GEOM", …; "" without a header line
    std::string property(const std::string& name, const std::string& fallback) const;
    unsigned number(const std::string& name, unsigned fallback) const;
    std::vector<unsigned> outputs() const; ///< addresses in the attribute space, ascending

    /// Gives `GENERIC[]` declarations the place of their first register: what the allocator chose.
    void choose_place(const std::string& file, unsigned first, unsigned address);

    /// The values that one thread reads.
    struct thread {
        /// Input of a vertex; programs without vertex dimension ask for vertex 0. What does not exist is 0.
        std::function<word(unsigned vertex, unsigned address)> input;
        std::function<word(unsigned bank, unsigned offset)> constant;
        std::map<std::string, word> values; ///< system values by name, and PRIMID
        word u = 0, v = 0;                  ///< TESSCOORD
    };
    struct event {
        bool cut = false;
        unsigned stream = 0;
        scalars values; ///< every declared output
    };
    /// Threads that run side by side, instruction by instruction: the events of each. They share the patch space.
    std::vector<std::vector<event>> run(const std::vector<thread>& threads, scalars& patch) const;
    std::vector<event> run(const thread& one) const;

private:
    struct declaration {
        std::string file, semantic;
        unsigned first = 0, last = 0, mask = 0xf, base = 0, stride = 16, array = 0;
        bool anywhere = false, by_component = false, patch = false;
        bool has(unsigned number, unsigned component) const;
        unsigned address(unsigned number, unsigned component) const;
    };
    struct index {
        std::string file; ///< empty: fixed
        unsigned number = 0, component = 0;
        int offset = 0;
    };
    struct operand {
        std::string file;
        std::vector<index> brackets;
        unsigned array = 0;
        bool array_first = false, negate = false, absolute = false;
        std::string letters;
    };
    struct instruction {
        std::string opcode;
        bool saturate = false;
        std::vector<operand> operands;
    };
    struct state {
        std::map<std::pair<std::string, unsigned>, std::array<word, 4>> registers;
        scalars outputs;
        std::vector<event> events;
    };
    using vector = std::array<word, 4>;
    class tokens;

    void read_line(const std::string& line);
    void declare(tokens& words);
    static operand read_operand(tokens& words);
    const declaration* array_of(const operand& access) const;
    bool locate(state& now, const operand& access, unsigned component, const declaration*& owner, unsigned& number,
                unsigned& element) const;
    word read_scalar(std::vector<state>& all, std::size_t t, const thread& reader, const scalars& patch,
                     const operand& access, unsigned component) const;
    word read_component(std::vector<state>& all, std::size_t t, const thread& reader, const scalars& patch,
                        const operand& access, unsigned component, bool integer) const;
    void write(state& now, scalars& patch, const operand& access, const vector& value) const;
    unsigned written(const operand& access) const;
    std::map<unsigned, word> all_outputs(const state& now) const;

    std::string kind_;
    std::map<std::string, std::string> properties_;
    std::vector<declaration> declarations_;
    std::vector<vector> immediates_;
    std::vector<instruction> instructions_;
};

/// The vertices that must come out of a draw of TGSI texts: their meaning (text_meaning.h), stage after stage.
struct meant_draw {
    using word = text_meaning::word;

    std::vector<text_meaning> programs; ///< in pipeline order
    std::string topology = "points";    ///< of lists: points, lines, triangles, …_adjacency, patches
    unsigned vertex_count = 0;
    unsigned patch_vertices = 3;
    tessellation_state tessellation;
    /// Words of vertex attributes and of constants.
    std::function<word(unsigned vertex, unsigned address)> attribute;
    std::function<word(unsigned bank, unsigned offset)> constant;
};

struct meant_row {
    unsigned stream = 0;
    unsigned primitive = 0;
    unsigned vertex = 0;
    text_meaning::scalars values;
};

/// Stream after stream, in API order.
std::vector<meant_row> vertices_of(const meant_draw& draw);

} // namespace isbesim::test
