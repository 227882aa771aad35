// SPDX-License-Identifier: Apache-2.0
// Random vertex, geometry and tessellation texts: whole draws of their lowered programs on the functional pipeline,
// under every strategy and architecture, against what the texts mean (text_meaning.h, which shares no code with the
// lowering).
#include <algorithm>
#include <cstring>

#include "models/isa/text/text.h"
#include "models/varying/lowering/lowering.h"
#include "tests/pe/functional_pipeline.h"
#include "tests/varying/random_text.h"
#include "tests/varying/text_meaning.h"
#include "tests/varying/texts.h"
#include "tlm/float_bits.h"

namespace isbesim::varying {
namespace {

/// Runs a lowered program on a warp of the functional pipeline.
test::shader shader_of(const stage_program& stage)
{
    return [&stage](test::shader_warp& on) {
        isa::warp_state warp;
        warp.constants = &stage.constants;
        warp.stage = on.launch.stage;
        warp.special = on.launch.special;
        warp.launch(stage.program, on.launch.lanes, on.launch.local_bytes);
        warp_completion done;
        const auto collect = [&](const warp_op& op) {
            for (unsigned lane = 0; lane < warp_lanes; ++lane)
                if ((op.lanes >> lane & 1U) != 0)
                    done.vertex_count[lane] = static_cast<std::uint16_t>(op.handle[lane] & 0xffffU);
        };
        lane_mask finalised = 0;
        for (unsigned steps = 0; !warp.finished(); ++steps) {
            if (steps > 1000000) throw std::logic_error("the program does not end");
            const auto& now = stage.program.code[stage.program.index_of(warp.pc)];
            warp_op op;
            const auto result = isa::execute(warp, op, {});
            if (result.kind == isa::step_kind::trap) throw std::logic_error("trap in " + isa::instruction_text(now));
            if (result.kind == isa::step_kind::exited && on.launch.stage == isbesim::stage::geometry) {
                isa::make_final_out(warp, result.lanes & ~finalised, op);
                op.context = on.launch.context;
                if (op.lanes != 0) collect(op);
                on.run(op);
            }
            if (result.kind != isa::step_kind::attribute) continue;
            op.context = on.launch.context;
            const auto answer = on.run(op);
            if (answer.error != op_error::none) throw std::logic_error("error in " + isa::instruction_text(now));
            if (op.op == opcode::out && op.type == out_type::final) {
                collect(op);
                finalised |= op.lanes;
            }
            isa::write_back(warp, now, op, answer);
        }
        return done;
    };
}

/// A text for every stage of a pipeline.
struct pipeline_text {
    std::vector<std::string> programs;
    std::string topology = "points";
    unsigned vertex_count = 0;
};

constexpr unsigned index_address = 0x80 + 31 * 16; ///< of two small numbers, -3 to 11

/// Attribute words: exact small fractions; indices at one place.
word attribute_of(unsigned seed, unsigned vertex, unsigned address)
{
    std::uint64_t mixed = (std::uint64_t{seed} << 40) + (std::uint64_t{vertex} << 20) + address;
    for (const auto factor : {0x9e3779b97f4a7c15U, 0xbf58476d1ce4e5b9U, 0x94d049bb133111ebU})
        mixed = (mixed ^ (mixed >> 29)) * factor;
    const auto value = static_cast<word>(mixed >> 32);
    if (address == index_address || address == index_address + 4) return value % 15 - 3;
    return to_bits(static_cast<float>(value % 4096) * 0.25F);
}

const std::map<std::string, topology> topologies = {
    {"points", topology::points},       {"lines", topology::lines},
    {"triangles", topology::triangles}, {"lines_adjacency", topology::lines_adjacency},
    {"patches", topology::patches},     {"triangles_adjacency", topology::triangles_adjacency}};

/// Points: the generator's order is not tested here.
tessellation_state point_tessellation()
{
    tessellation_state state;
    state.output = tess_output::points;
    return state;
}

/// The captured columns and the vertices that must come out.
struct expectation {
    std::vector<unsigned> columns;
    std::vector<test::meant_row> rows;
};

expectation meaning_of(const pipeline_text& text, unsigned seed)
{
    test::meant_draw meant;
    meant.topology = text.topology;
    meant.vertex_count = text.vertex_count;
    meant.tessellation = point_tessellation();
    meant.attribute = [&](unsigned vertex, unsigned address) { return attribute_of(seed, vertex, address); };
    meant.constant = [](unsigned, unsigned) -> word { return 0; };
    for (const auto& each : text.programs) meant.programs.emplace_back(each);
    return {meant.programs.back().outputs(), test::vertices_of(meant)};
}

void check(const pipeline_text& text, const expectation& expected, unsigned seed, strategy how, isa::architecture arch)
{
    static const std::map<processor, stage> stages = {{processor::vertex, stage::vertex},
                                                      {processor::tess_control, stage::tess_init},
                                                      {processor::tess_eval, stage::tess},
                                                      {processor::geometry, stage::geometry}};
    draw_call draw;
    draw.arch = arch;
    draw.topology = topologies.at(text.topology);
    draw.vertex_count = text.vertex_count;
    draw.tessellation = point_tessellation();
    std::string sass;
    for (const auto& each : text.programs) {
        const auto code = parse_one(each);
        const auto placed = allocate(code);
        auto& stage = draw.stages[stages.at(code.effective_kind())];
        const auto result = lower(code, placed, {arch, how, true});
        sass += result.text();
        stage.program = isa::assemble(result.text(), arch);
        stage.header = make_header(code, placed, 3);
        stage.header.local_memory_low_size = result.local_bytes;
        if (code.effective_kind() != processor::vertex) continue;
        for (unsigned address = 0x80; address < 0x280; address += 16) {
            auto& source = draw.attributes[address];
            for (unsigned v = 0; v < text.vertex_count; ++v)
                for (unsigned c = 0; c < 4; ++c) source.words.push_back(attribute_of(seed, v, address + 4 * c));
        }
    }
    for (auto& capture : draw.capture) capture = expected.columns;

    const machine_config config;
    std::map<stage, test::shader> shaders;
    for (const auto& [which, program] : draw.stages) shaders[which] = shader_of(program);
    test::functional_pipeline pipeline(draw, config, std::move(shaders));
    auto rows = pipeline.sink.rows;
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.stream < b.stream; });

    std::string all;
    for (const auto& each : text.programs) all += each;
    ASSERT_EQ(rows.size(), expected.rows.size()) << all << sass;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        ASSERT_EQ(rows[i].stream, expected.rows[i].stream);
        ASSERT_EQ(rows[i].primitive, expected.rows[i].primitive);
        ASSERT_EQ(rows[i].vertex, expected.rows[i].vertex);
        for (std::size_t c = 0; c < expected.columns.size(); ++c)
            ASSERT_EQ(rows[i].values[c], expected.rows[i].values.at(expected.columns[c]))
                << "row " << i << " address " << std::hex << expected.columns[c] << "\n"
                << all << sass;
    }
}

// ---- random texts

using writer = test::text_writer;

pipeline_text random_vertex(unsigned seed)
{
    return {{test::random_vertex_text(seed)}, "points", 32};
}

pipeline_text random_geometry(unsigned seed)
{
    writer make(seed);
    static constexpr std::pair<const char*, unsigned> primitives[] = {
        {"POINTS", 1}, {"LINES", 2}, {"TRIANGLES", 3}, {"LINES_ADJACENCY", 4}, {"TRIANGLES_ADJACENCY", 6}};
    static constexpr const char* strips[] = {"POINTS", "LINE_STRIP", "TRIANGLE_STRIP"};
    const auto [primitive, corners] = primitives[make.pick(5)];
    const auto inputs = make.arrays("GENERIC", make.pick(3), 0, 60, 2);
    const auto outputs = make.arrays("GENERIC", make.pick(3), 0, 60, 2);
    std::string text = std::string("GEOM\nPROPERTY GS_INPUT_PRIMITIVE ") + primitive +
                       "\nPROPERTY GS_OUTPUT_PRIMITIVE " + strips[make.pick(3)] +
                       "\nPROPERTY GS_MAX_OUTPUT_VERTICES 8\nPROPERTY GS_INVOCATIONS " +
                       std::to_string(1 + make.pick(2)) + "\nDCL IN[][90], POSITION\n";
    for (const auto& each : inputs) text += writer::declare("IN[]", each);
    for (const auto& each : outputs) text += writer::declare("OUT", each);
    text += "DCL OUT[100], POSITION\nDCL SV[0], PRIMID\nDCL SV[1], INVOCATIONID\n" + test::random_immediates +
            "AND TEMP[3].x, SV[0].xxxx, IMM[1].zzzz\nADDR[0]\nUADD TEMP[3].y, TEMP[3].xxxx, SV[1].xxxx\n"
            "AND TEMP[3].z, SV[0].xxxx, IMM[1].xxxx\nUARL ADDR[0].xyz, TEMP[3].xyzz\n";
    const std::vector<std::string> indices = {"ADDR[0].x", "ADDR[0].y"};
    const auto vertex = [&, count = corners] {
        if (make.chance(2)) return "[" + std::to_string(make.pick(count)) + "]";
        return "[ADDR[0].z" + writer::plus(static_cast<int>(make.pick(3)) - 1) + "]"; // outside it, too
    };
    for (unsigned e = 2 + make.pick(4); e > 0; --e) {
        text += "MOV OUT[100], IN" + vertex() + "[90]\n";
        for (unsigned i = 1 + make.pick(2); i > 0; --i) {
            const auto& output = outputs[make.pick(static_cast<unsigned>(outputs.size()))];
            const auto& input = inputs[make.pick(static_cast<unsigned>(inputs.size()))];
            text += make.transfer(make.element("OUT", "", output, indices) + make.mask(output.width),
                                  make.element("IN", vertex(), input, indices) + make.swizzle(input.width));
        }
        text += "EMIT\n";
        if (make.chance(4)) text += "ENDPRIM\n";
    }
    std::string topology = primitive;
    for (auto& c : topology) c = static_cast<char>(std::tolower(c));
    return {{writer::supplier(inputs), text + "END\n"}, topology, 6 * corners};
}

pipeline_text random_tessellation(unsigned seed)
{
    writer make(seed);
    const auto inputs = make.arrays("GENERIC", make.pick(3), 0, 50, 2);
    const auto middle = make.arrays("GENERIC", make.pick(3), 0, 50, 2);
    auto patches = make.arrays("PATCH", 60, 0, 40, 2);
    for (auto& each : patches) { // numbers of their own beside those of `middle`
        const auto place = each.declared.find("ARRAY(") + 6;
        each.id += 10;
        each.declared.replace(place, each.declared.find(')') - place, std::to_string(each.id));
    }
    const auto outputs = make.arrays("GENERIC", make.pick(3), 0, 60, 2);
    const auto one_of = [&](const auto& list) -> const auto&
    {
        return list[make.pick(static_cast<unsigned>(list.size()))];
    };

    std::string control =
        "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][90], POSITION\nDCL OUT[][90], POSITION\n"
        "DCL OUT[91], TESSOUTER\nDCL OUT[92], TESSINNER\nDCL SV[0], INVOCATIONID\nDCL SV[1], PRIMID\n";
    for (const auto& each : inputs) control += writer::declare("IN[]", each);
    for (const auto& each : middle) control += writer::declare("OUT[]", each);
    for (const auto& each : patches) control += writer::declare("OUT", each);
    control += test::random_immediates +
               "AND TEMP[3].x, SV[1].xxxx, IMM[1].xxxx\nUADD TEMP[3].y, TEMP[3].xxxx, SV[0].xxxx\n"
               "UARL ADDR[0].x, SV[0].xxxx\nUARL ADDR[0].yz, TEMP[3].xxyy\n"
               "MOV OUT[ADDR[0].x][90], IN[ADDR[0].x][90]\n";
    // Nothing clears them here: every register is written by every thread first.
    for (const auto& list : {middle, patches})
        for (const auto& each : list)
            for (unsigned r = each.first; r < each.first + each.count; ++r)
                control += (each.id > 10 ? "MOV OUT[" : "MOV OUT[ADDR[0].x][") + std::to_string(r) + "], IMM[0]\n";
    const std::vector<std::string> indices = {"ADDR[0].y", "ADDR[0].z", "ADDR[0].x"};
    const auto vertex = [&] {
        return make.chance(2) ? "[" + std::to_string(make.pick(3)) + "]" : std::string("[ADDR[0].x]");
    };
    for (unsigned i = 3 + make.pick(4); i > 0; --i) {
        const auto& input = one_of(inputs);
        auto source = make.element("IN", vertex(), input, indices) + make.swizzle(input.width);
        if (make.chance(3)) {
            const auto& other = one_of(middle);
            source = make.element("OUT", vertex(), other, indices) + make.swizzle(other.width);
        } else if (make.chance(3)) {
            const auto& other = one_of(patches);
            source = make.element("OUT", "", other, indices) + make.swizzle(other.width);
        }
        if (make.chance(3)) { // each thread its own word: the number of the thread is the index, one component
            const auto& to = one_of(patches);
            const auto place = "OUT(" + std::to_string(to.id) + ")[ADDR[0].x" +
                               writer::plus(static_cast<int>(make.pick(3)) - 1) + "].";
            control += make.transfer(place + "xyzw"[make.pick(to.width)], source);
        } else {
            const auto& to = one_of(middle);
            control += make.transfer(make.element("OUT", "[ADDR[0].x]", to, indices) + make.mask(to.width), source);
        }
    }
    control += "MOV OUT[91], IMM[0].wyww\nMOV OUT[92], IMM[0].wyww\nEND\n";

    std::string evaluation = "TESS_EVAL\nDCL IN[][90], POSITION\nDCL SV[0], TESSCOORD\nDCL SV[1], PRIMID\n";
    for (const auto& each : middle) evaluation += writer::declare("IN[]", each);
    for (const auto& each : patches) evaluation += writer::declare("IN", each);
    for (const auto& each : outputs) evaluation += writer::declare("OUT", each);
    evaluation += "DCL OUT[100], POSITION\n" + test::random_immediates +
                  "AND TEMP[3].x, SV[1].xxxx, IMM[1].xxxx\nU2F TEMP[3].y, TEMP[3].xxxx\n"
                  "MUL TEMP[3].z, SV[0].xxxx, IMM[0].wwww\nF2I TEMP[3].z, TEMP[3].zzzz\n" // by the point
                  "UARL ADDR[0].xy, TEMP[3].xzzz\nMUL OUT[100], IN[1][90], SV[0].xyyx\n";
    const std::vector<std::string> point = {"ADDR[0].x", "ADDR[0].y"};
    for (unsigned i = 3 + make.pick(4); i > 0; --i) {
        const auto& output = one_of(outputs);
        const bool is_patch = make.chance(3);
        const auto& input = is_patch ? one_of(patches) : one_of(middle);
        const auto corner = make.chance(2) ? "[" + std::to_string(make.pick(3)) + "]" : std::string("[ADDR[0].y]");
        const auto source = make.element("IN", is_patch ? "" : corner, input, point) + make.swizzle(input.width);
        evaluation += make.transfer(make.element("OUT", "", output, point) + make.mask(output.width), source);
    }
    return {{writer::supplier(inputs), control, evaluation + "END\n"}, "patches", 15};
}

class random_texts : public testing::TestWithParam<isa::architecture> {
protected:
    void check_all(pipeline_text (*make)(unsigned), unsigned seeds)
    {
        std::size_t rows = 0;
        for (unsigned seed = 0; seed < seeds; ++seed) {
            const auto text = make(seed);
            const auto expected = meaning_of(text, seed);
            rows += expected.rows.size();
            for (const auto how : strategies)
                ASSERT_NO_FATAL_FAILURE(check(text, expected, seed, how, GetParam()))
                    << "seed " << seed << " strategy " << static_cast<int>(how);
        }
        EXPECT_GT(rows, 10 * seeds);
    }
};

INSTANTIATE_TEST_SUITE_P(on, random_texts, testing::Values(isa::architecture::sm50, isa::architecture::sm75),
                         [](const auto& arch) { return arch.param == isa::architecture::sm50 ? "sm50" : "sm75"; });

TEST_P(random_texts, VAR_04_VAR_06_VAR_07_vertex_programs)
{
    check_all(random_vertex, 120);
}

TEST_P(random_texts, VAR_04_VAR_06_VAR_07_geometry_programs)
{
    check_all(random_geometry, 120);
}

TEST_P(random_texts, VAR_04_VAR_06_VAR_07_tessellation_programs)
{
    check_all(random_tessellation, 80);
}

} // namespace
} // namespace isbesim::varying
