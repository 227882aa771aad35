// SPDX-License-Identifier: Apache-2.0
// A third-party initiator, an interconnect that copies every transaction, and the ISBE. It writes plain words, binds a
// context, lets a warp load and store an attribute, and reads plain words.
//
//   foreign_platform lt|at
#include <cstring>
#include <iostream>
#include <string>

#include "copying_interconnect.h"
#include "foreign_initiator.h"
#include "models/isbe/functional/context.h"
#include "models/isbe/timing/isbe_at.h"
#include "models/isbe/timing/isbe_lt.h"

namespace {

using namespace isbesim;

constexpr unsigned attribute = 0x80; // one word of each of 32 vertices: a line of 128 bytes in each space
constexpr word input_line = 0, output_line = 128;

space_layout space_at(word line)
{
    space_layout result;
    result.attr_base = line;
    result.attr_bytes = 128;
    result.vertex_count = warp_lanes;
    result.allocated.insert(attribute / 4);
    result.enabled = result.allocated;
    return result;
}

warp_op bind_operation()
{
    context vertices;
    vertices.stage = stage::vertex;
    vertices.input = space_at(input_line);
    vertices.output = space_at(output_line);
    warp_op result;
    result.op = opcode::bind;
    pack_context(vertices, result);
    return result;
}

/// Lane i loads the attribute of vertex i, or stores 2 * i + 1.
warp_op access(opcode op, space where)
{
    warp_op result;
    result.op = op;
    result.space = where;
    result.size = 1;
    result.immediate = attribute;
    for (word lane = 0; lane < warp_lanes; ++lane) {
        result.handle[lane] = op == opcode::ald ? lane : 0; // a store reaches the lane's own vertex
        result.data[0][lane] = 2 * lane + 1;
    }
    return result;
}

unsigned wrong_words = 0;

void program(foreign::foreign_initiator& initiator)
{
    std::vector<unsigned char> bytes(128);
    for (word lane = 0; lane < warp_lanes; ++lane) bytes[4 * lane] = static_cast<unsigned char>(100 + lane);
    initiator.write(input_line, bytes);
    initiator.operation(bind_operation());
    initiator.finish();

    const auto& loaded = initiator.operation(access(opcode::ald, space::input));
    initiator.operation(access(opcode::ast, space::output));
    initiator.finish();
    const auto& read = initiator.read(output_line, 128);
    initiator.finish();
    for (word lane = 0; lane < warp_lanes; ++lane) {
        word stored = 0;
        std::memcpy(&stored, &read.data[4 * lane], sizeof stored);
        wrong_words += (loaded.extension.result.data[0][lane] != 100 + lane) + (stored != 2 * lane + 1);
    }
}

} // namespace

int sc_main(int argc, char* argv[])
{
    const std::string kind = argc == 2 ? argv[1] : "";
    if (kind != "lt" && kind != "at") {
        std::cerr << "usage: foreign_platform lt|at\n";
        return 2;
    }
    const auto clock = cycle_clock::from_ghz(1.0);
    std::unique_ptr<isbe_module> isbe;
    if (kind == "lt")
        isbe = std::make_unique<isbe_lt>("isbe", isbe_config{}, clock);
    else
        isbe = std::make_unique<isbe_at>("isbe", isbe_config{}, clock);
    using foreign::manner;
    foreign::foreign_initiator initiator("initiator",
                                         kind == "lt" ? manner::loosely_timed : manner::approximately_timed, program);
    foreign::copying_interconnect interconnect("interconnect");
    initiator.socket.bind(interconnect.target);
    interconnect.initiator.bind(isbe->ports[0]);
    sc_core::sc_start();
    std::cout << interconnect.copies() << " transactions copied, " << wrong_words << " wrong words, "
              << (initiator.ran() ? "done" : "not done") << "\n";
    return wrong_words == 0 && initiator.ran() ? 0 : 1;
}
