// SPDX-License-Identifier: Apache-2.0
// Runs the cases of tests/isa/cases: programs with the state of a warp before and after them, in the notation of
// tests/support/case_file.h.
//
// STATE before: architectures, flags (see `run`), and PLACE=EXPRESSION (expression.h), as R4=7, R0..3=random, P0=0xff,
// R1@0xf0=i+1 (lanes 4 to 7), D2=1.5d (R2 and R3), p0 (a lane's bit of P0), c3[8] (a word of a constant bank), G[8],
// S[8], L[8] (memory). In expressions i is the lane, n the register's number, and a place has its value before the
// program, or after it as new.R4; `old` is the place's own. Programs get an EXIT.
// Actions: => runs to the end, =3> three steps, =@40> until address 0x40 is next, =!> to an error with the text that
// follows, =x> the assembler refuses, =set> changes the state, =b>, =c1>, =ff0>: see `advance`.
#include <cctype>
#include <cstring>
#include <map>
#include <memory>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "models/isbe/functional/operation_variants.h"
#include "models/memory/global_memory.h"
#include "test_paths.h"
#include "tests/isa/texture_lab.h"
#include "tests/support/case_file.h"
#include "tests/support/error_text.h"
#include "tests/support/expression.h"

namespace isbesim::isa {
namespace {

using number = expression::number;

const std::map<std::string, architecture> architectures = {{"sm50", architecture::sm50},
                                                           {"sm75", architecture::sm75},
                                                           {"sm86", architecture::sm86},
                                                           {"sm120", architecture::sm120}};

constexpr number buffer_address = 0x1'2345'0000;

/// Names that expressions may use: of enumerations, and a few numbers.
std::map<std::string, number> named_constants()
{
    std::map<std::string, number> result = {
        {"all", all_lanes}, {"base", buffer_address}, {"gs_state", lane_status::gs_state}};
    const auto add = [&](const auto& names) {
        number next = 0;
        for (const char* name : names) result[name] = next++;
    };
    add(opcode_names);
    add(space_names);
    add(region_names);
    add(form_names);
    add(out_type_names);
    add(stage_names);
    for (const char* list : {"done attribute exited barrier trapped",
                             "image_1d image_2d image_3d image_cube array_1d array_2d array_cube depth_image "
                             "buffer_image sample_image wide_image lost_image"}) {
        std::istringstream names(list);
        number next = 0;
        for (std::string name; names >> name;) result[name] = next++;
    }
    return result;
}
const std::map<std::string, number> constants = named_constants();

struct case_lab : lab {
    using lab::lab;
    global_memory memory;
    std::unique_ptr<texture_lab> images;
    warp_result answer;
};

/// A part of the state: KIND, KIND and a number, KIND[OFFSET], in the lanes of the mask after '@'.
struct place {
    std::string kind;
    unsigned index = 0, last = 0, offset = 0, last_offset = 0;
    lane_mask lanes = all_lanes;

    explicit place(const std::string& name)
    {
        static const std::regex form(R"(([A-Za-z_]+)(\d*)(?:\.\.(\d+))?(?:\[(\w+)(?:\.\.(\w+))?\])?(?:@(\w+))?)");
        std::smatch part;
        if (!std::regex_match(name, part, form)) throw std::invalid_argument("'" + name + "' is no part of the state");
        const auto read = [&](std::size_t i, unsigned absent) {
            return part[i].length() == 0 ? absent : static_cast<unsigned>(std::stoul(part[i], nullptr, 0));
        };
        kind = part[1];
        index = read(2, 0);
        last = read(3, index);
        offset = read(4, 0);
        last_offset = read(5, offset);
        lanes = read(6, all_lanes);
    }
    unsigned bits() const
    {
        return kind == "p" || kind == "cc" ? 1 : kind == "D" || kind == "UD" || kind == "clock" ? 64 : 32;
    }
};

/// All that a name stands for: R4..7 and G[0..8] are four registers and three words.
const std::vector<place>& places_of(const std::string& name)
{
    static std::map<std::string, std::vector<place>> known;
    auto& result = known[name];
    if (result.empty())
        for (place entry(name); entry.index <= entry.last; ++entry.index)
            for (unsigned offset = entry.offset; offset <= entry.last_offset; offset += 4)
                result.push_back(entry), result.back().offset = offset;
    return result;
}

/// The part of a lane; changes it first when `set` is there.
number access(case_lab& bench, const place& entry, unsigned lane, const number* set = nullptr)
{
    auto& warp = bench.warp;
    auto& op = bench.op;
    auto& special = warp.special;
    const unsigned n = entry.index;
    const auto part = [&](auto& member) {
        if (set != nullptr) member = static_cast<std::decay_t<decltype(member)>>(*set);
        return static_cast<number>(member);
    };
    const auto pair = [&](auto& low, auto& high) {
        if (set != nullptr) low = static_cast<word>(*set), high = static_cast<word>(*set >> 32);
        return number{high} << 32 | low;
    };
    const auto word_at = [&](std::uint8_t* bytes) {
        if (bytes == nullptr) throw std::invalid_argument("there is no such word of memory");
        word value = 0;
        if (set != nullptr) value = static_cast<word>(*set), std::memcpy(bytes, &value, 4);
        std::memcpy(&value, bytes, 4);
        return number{value};
    };
    const std::string& kind = entry.kind;
    if (kind == "R") return part(warp.registers.at(n)[lane]);
    if (kind == "D") return pair(warp.registers.at(n)[lane], warp.registers.at(n + 1)[lane]);
    if (kind == "P") return part(warp.predicates.at(n));
    if (kind == "p" || kind == "cc") { // the lane's bit of a predicate or a condition code
        lane_mask& mask = kind == "p" ? warp.predicates.at(n) : warp.condition.at(n);
        if (set != nullptr) mask = (mask & ~(1U << lane)) | static_cast<lane_mask>(*set & 1U) << lane;
        return mask >> lane & 1U;
    }
    if (kind == "CC") return part(warp.condition.at(n));
    if (kind == "B") return part(warp.barriers.at(n));
    if (kind == "UR") return part(warp.uniform.at(n));
    if (kind == "UD") return pair(warp.uniform.at(n), warp.uniform.at(n + 1));
    if (kind == "UP") return part(warp.uniform_predicates.at(n));
    if (kind == "c") {
        auto& bank = bench.constants.at(n);
        if (bank.size() <= entry.offset / 4) bank.resize(entry.offset / 4 + 1);
        return part(bank[entry.offset / 4]);
    }
    if (kind == "G") return word_at(bench.memory.find(buffer_address + entry.offset, 4));
    if (kind == "S") return word_at(&warp.shared.at(entry.offset + 3) - 3);
    if (kind == "L") return part(warp.local.at(entry.offset / 4)[lane]);
    if (kind == "pc") return part(warp.pc);
    if (kind == "active") return part(warp.active);
    if (kind == "live") return part(warp.live);
    if (kind == "depth") return warp.stack.size();
    if (kind == "waiting") return warp.stack.at(0).lanes;
    if (kind == "clock") return part(warp.clock);
    if (kind == "stage") return part(warp.stage);
    if (kind == "local_window") return part(warp.windows.local);
    if (kind == "shared_window") return part(warp.windows.shared);
    if (kind == "prim_type") return part(special.prim_type[lane]);
    if (kind == "invocation_id") return part(special.invocation_id[lane]);
    if (kind == "invocation_info") return part(special.invocation_info[lane]);
    if (kind == "thread_id") return part(special.thread_id[lane]);
    if (kind == "step") return part(bench.last.kind);
    if (kind == "lanes") return part(bench.last.lanes);
    if (kind == "trap") return part(bench.last.trap);
    if (kind == "components") return part(bench.last.components);
#define ISBESIM_FIELD(name, ...)                                                                                       \
    if (kind == #name) return part(op.name);
#include "tlm/request_fields.inc"
    if (kind == "op_lanes") return part(op.lanes);
    if (kind == "address") return part(op.address[lane]);
    if (kind == "out_of_range") return op.address[lane] >= 0x400 && op.address[lane] < 0x80000000U ? 1 : 0;
    if (kind == "handle") return part(op.handle[lane]);
    if (kind == "data") return part(op.data.at(n)[lane]);
    if (kind == "answer") return part(bench.answer.data.at(n)[lane]);
    if (kind == "status") return part(bench.answer.status[lane]);
    if (kind == "error") return part(bench.answer.error);
    // What the scheduler reads of instruction `n`.
    const auto& issue = bench.code.code.at(std::min<std::size_t>(n, bench.code.code.size() - 1)).issue;
    if (kind == "predicate_reads") return issue.predicate_reads;
    if (kind == "predicate_writes") return issue.predicate_writes;
    if (kind == "written") return issue.writes[0].first;
    if (kind == "written_count") return issue.writes[0].count;
    throw std::invalid_argument("'" + kind + "' is no part of the state");
}

/// The end of `call` with an error of this kind that has `part` in its text.
template <typename Error, typename Call>
void expect_error(const std::string& part, const Call& call)
{
    const auto error = error_text<Error>(call);
    EXPECT_FALSE(error.empty()) << "no error";
    EXPECT_NE(error.find(part), std::string::npos) << "  error: " << error;
}

/// One run of a case.
class run {
public:
    run(const std::string& state, const std::vector<case_stage>& stages, architecture arch, unsigned seed)
        : random_(seed),
          before_(case_items(state)),
          stages_(stages),
          bench_(stages[0].text + ";", static_cast<lane_mask>(given("lanes", all_lanes)), given("local", 0), arch),
          start_(stages[0].text + ";", all_lanes, 0, arch)
    {
        for (const case_item& each : before_) {
            if (each.name == "buffer") {
                bench_.memory.add(buffer_address, std::vector<std::uint8_t>(256));
                bench_.warp.global = &bench_.memory;
            } else if (each.name == "textures") {
                bench_.images = std::make_unique<texture_lab>("NOP;");
                bench_.warp.textures = bench_.images->warp.textures;
            } else if (each.name == "open") { // the program has no EXIT added
                bench_.code.code.pop_back();
            } else if (each.name == "shared") {
                bench_.warp.shared.assign(256, 0);
            } else if (each.name == "phys_vector") {
                bench_.rules.allow_phys_vector = true;
            } else if (each.name == "no_constants") {
                bench_.warp.constants = nullptr;
            } else if (architectures.count(each.name) == 0 && each.name != "lanes" && each.name != "local") {
                set(each);
            }
        }
        start_.warp = bench_.warp;
        start_.op = bench_.op;
        start_.constants = bench_.constants;
    }

    void check()
    {
        for (std::size_t k = 1; k < stages_.size(); ++k) {
            const auto& [action, text] = stages_[k];
            if (action == "!") return expect_error<execution_error>(text, [&] { bench_.run(); });
            if (action != "set") advance(action);
            for (const case_item& each : case_items(text)) action == "set" ? set(each) : expect(each);
        }
    }

private:
    number given(const std::string& name, number absent) const
    {
        for (const case_item& each : before_)
            if (each.name == name) absent = std::stoull(each.value, nullptr, 0); // the last one counts
        return absent;
    }

    /// `registers`: the bench whose registers names mean. `own`: the part that gets the value.
    expression::code compiled(const std::string& text, case_lab& registers, const place& own)
    {
        const auto part = [](case_lab& bench, const place& entry) {
            return [&bench, &entry](unsigned lane) { return access(bench, entry, lane); };
        };
        return expression::compiled(text, [&](const std::string& name) -> expression::code {
            if (name == "i") return [](unsigned lane) { return lane; };
            if (name == "n") return [&own](unsigned) { return own.index; };
            if (name == "at") return [&own](unsigned) { return own.offset; };
            if (name == "random") return [all = awkward_words(random_)](unsigned lane) { return all[lane]; };
            if (name == "old") return part(registers, own);
            if (name.rfind("new.", 0) == 0) return part(bench_, places_of(name.substr(4))[0]);
            const auto found = constants.find(name);
            if (found == constants.end()) return part(registers, places_of(name)[0]);
            return [value = found->second](unsigned) { return value; };
        });
    }

    void set(const case_item& each)
    {
        for (const place& entry : places_of(each.name)) {
            const auto value = compiled(each.value, bench_, entry);
            for (unsigned lane = 0; lane < warp_lanes; ++lane) {
                const number next = value(lane);
                if ((entry.lanes >> lane & 1U) != 0) access(bench_, entry, lane, &next);
            }
        }
    }

    void advance(const std::string& action)
    {
        auto& warp = bench_.warp;
        const auto argument = static_cast<unsigned>(std::strtoul(action.c_str() + 1, nullptr, 16));
        if (action.empty()) {
            bench_.run();
        } else if (std::isdigit(static_cast<unsigned char>(action[0])) != 0) {
            for (unsigned n = 0; n < std::stoul(action); ++n) bench_.last = bench_.issue();
        } else if (action[0] == '@') { // to the first time that this address is next
            while (!warp.finished() && bench_.code.code[bench_.code.index_of(warp.pc)].address != argument)
                bench_.issue();
            EXPECT_FALSE(warp.finished()) << action;
        } else if (action == "b") { // write back
            write_back(warp, bench_.code.code[0], bench_.op, bench_.answer);
        } else if (action[0] == 'b') { // a component of it
            write_back(warp, bench_.code.code[0], bench_.op, bench_.answer, argument);
        } else if (action[0] == 'c') { // the next component
            select_component(warp, bench_.code.code[0], argument, bench_.op);
        } else if (action[0] == 'f') {
            make_final_out(warp, argument, bench_.op);
        } else {
            throw std::invalid_argument("'" + action + "' is no action");
        }
    }

    void expect(const case_item& each)
    {
        for (const place& entry : places_of(each.name)) {
            const auto value = compiled(each.value, start_, entry);
            for (unsigned lane = 0; lane < warp_lanes; ++lane) {
                if ((entry.lanes >> lane & 1U) == 0) continue;
                const number mask = ~number{0} >> (64 - entry.bits()), actual = access(bench_, entry, lane) & mask;
                const number expected = value(lane) & mask;
                if (expected == actual) continue;
                ADD_FAILURE() << "  " << entry.kind << entry.index << " of lane " << lane << std::hex
                              << "\n  expected 0x" << expected << ": " << each.name << "=" << each.value
                              << "\n  actual   0x" << actual;
                return;
            }
        }
    }

    std::mt19937 random_;
    std::vector<case_item> before_;
    const std::vector<case_stage>& stages_;
    case_lab bench_, start_; ///< `start_`: as `bench_` before the program; expected values take their registers from it
};

/// Runs a case on its architectures.
void check(const text_case& each)
{
    SCOPED_TRACE(each.place + ": " + each.text);
    const std::string state = each.header + " " + each.own();
    std::vector<architecture> on;
    for (const std::string& given : {each.own(), each.header})
        if (on.empty())
            for (const case_item& item : case_items(given))
                if (architectures.count(item.name) != 0) on.push_back(architectures.at(item.name));
    ASSERT_FALSE(on.empty()) << "no architecture";
    const auto stages = case_stages(each.rest());
    ASSERT_GT(stages.size(), 1U) << "nothing is expected";
    for (const auto arch : on)
        for (unsigned seed = 0; seed < (state.find("random") != state.npos ? 20U : 1U); ++seed) {
            SCOPED_TRACE("on architecture " + std::to_string(static_cast<int>(arch)));
            if (stages[1].action == "x")
                expect_error<program_error>(stages[1].text, [&] { run(state, stages, arch, seed); });
            else
                run(state, stages, arch, seed).check();
        }
}

const bool registered = register_case_groups(ISBESIM_SOURCE_DIR "/tests/isa/cases", check);

} // namespace
} // namespace isbesim::isa
