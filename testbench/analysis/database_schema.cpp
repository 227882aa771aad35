// SPDX-License-Identifier: Apache-2.0
#include "testbench/analysis/database_schema.h"

#include <algorithm>
#include <string_view>

#include "models/isbe/functional/lanes.h"
#include "testbench/figures/figures.h"
#include "tlm/warp_fields.h"

namespace isbesim::testbench {

namespace {

// SQLite keeps the comments: `.schema` in the sqlite3 shell shows them. Cycles are clock cycles from 0. The tables of
// events are made from their columns below.
constexpr const char* schema_text = R"sql(
CREATE TABLE run(           -- facts: version, seed, scenario, backend, status, text, cycles, time_ns, ...
  key TEXT PRIMARY KEY,
  value
) WITHOUT ROWID;

CREATE TABLE config(        -- the machine: every key of 'isbesim help config'
  key TEXT PRIMARY KEY,
  value
) WITHOUT ROWID;

CREATE TABLE coefficients(  -- of the energy and area proxies
  name TEXT PRIMARY KEY,
  value REAL,
  source TEXT               -- where the value is from
) WITHOUT ROWID;

%EVENTS%CREATE TABLE warnings(      -- legal but suspicious input and behaviour
  sm INTEGER,               -- NULL: of the input or the draw
  kind TEXT,
  stage TEXT,
  pc INTEGER,
  text TEXT,
  count INTEGER,
  first_cycle INTEGER
);

CREATE TABLE shared_ports(sm INTEGER, client TEXT, waited INTEGER); -- isbe.ports = 1: cycles before the port was free

CREATE TABLE cycle_stacks(  -- where every cycle of a resource went: 'stacks' of report.json
  resource TEXT,            -- sm0.scheduler0, isbe0.pass_engine, ...
  part TEXT,
  work INTEGER,             -- 1: it worked; 0: why it did not
  cycles INTEGER
);

CREATE TABLE histograms(    -- bins that are not empty: 'histograms' of report.json
  name TEXT,                -- latency.ald, request_queue.0, busy_banks, ...
  first INTEGER,            -- smallest and largest value of the bin
  last INTEGER,
  count INTEGER             -- samples, cycles or passes
);

CREATE TABLE critical_path( -- what every cycle of the draw was for: 'critical_path' of report.json
  reason TEXT,              -- passes, pipeline_latency, ...
  stage TEXT,
  part TEXT,                -- program, input, output: what of a warp's life
  cycles INTEGER,
  count INTEGER             -- how often the path comes through
);

CREATE TABLE source_lines(  -- where instructions are from: 'lines' of a scenario's stages
  stage TEXT,
  pc INTEGER,               -- transactions.pc
  source TEXT               -- NAME:LINE
);

CREATE VIEW phases AS       -- a row per phase of a transaction
  SELECT id AS transaction_id, 'issue' AS phase, issued AS cycle FROM transactions WHERE issued IS NOT NULL
  UNION ALL SELECT id, 'BEGIN_REQ', begun FROM transactions
  UNION ALL SELECT id, 'END_REQ', accepted FROM transactions WHERE accepted IS NOT NULL
  UNION ALL SELECT id, 'grant', granted FROM transactions WHERE granted IS NOT NULL
  UNION ALL SELECT id, 'BEGIN_RESP', responded FROM transactions WHERE responded IS NOT NULL
  UNION ALL SELECT id, 'END_RESP', transferred FROM transactions WHERE transferred IS NOT NULL
  UNION ALL SELECT id, 'write_back', written FROM transactions WHERE written IS NOT NULL;

CREATE VIEW latencies AS    -- what report.json counts as an instruction's latency
  SELECT id, sm, opcode, written - issued AS cycles FROM transactions
  WHERE client = 'sm' AND completes AND error = 0 AND written IS NOT NULL;
)sql";

/// "CREATE TABLE name(  -- comment\n  column TYPE,   -- comment\n ...);\n\n"
template <typename Event>
std::string table(const std::string& name, const std::string& comment = "")
{
    std::string text;
    std::size_t width = 28;
    const auto add_line = [&](std::string line, const std::string& about) {
        if (about.rfind("...", 0) != 0) width = std::max<std::size_t>(line.size() + 1, 28);
        if (!about.empty()) line.resize(width, ' ');
        text += line + (about.empty() ? "" : "-- " + about) + "\n";
    };
    add_line("CREATE TABLE " + name + "(", comment);
    const auto described = columns_of<Event>();
    for (const auto& each : described)
        add_line("  " + each.name_and_type + (&each == &described.back() ? "" : ","), each.comment);
    return text + ");\n\n";
}

std::string scheduler_reasons()
{
    std::string text;
    for (const auto& row : stall_rows)
        if (row.place == stall_place::scheduler) text += (text.empty() ? "" : ", ") + std::string(row.name);
    return text;
}

cell count(lane_mask lanes)
{
    return lane_count(lanes);
}

cell region_of(const transaction_event& event)
{
    if (uses(event.op, request_field::form)) return form_names[static_cast<unsigned>(event.form)];
    return uses(event.op, request_field::region) ? region_names[static_cast<unsigned>(event.region)] : nullptr;
}

/// SQLite numbers the rows.
template <typename Event>
const column<Event> numbered{"id INTEGER PRIMARY KEY", "", [](const Event&) { return cell(); }};

} // namespace

template <>
std::vector<column<warp_event>> columns_of(bool)
{
    using event = warp_event;
    std::vector<column<event>> all = {
        {"warp INTEGER PRIMARY KEY", "number of the launch, all SMs", &event::number},
        {"sm INTEGER", "", &event::sm},
        {"slot INTEGER", "warp slot, which is the ISBE's context slot", &event::slot},
        {"stage TEXT", "vertex_a, vertex, tess_init, tess, geometry, task, mesh", &event::stage},
        {"threads INTEGER", "lanes launched", [](const event& e) { return count(e.lanes); }},
        {"lost_threads INTEGER", "geometry threads that ended with an invalid state",
         [](const event& e) { return count(e.lost); }},
        {"launched INTEGER", "cycle", &event::launched},
        {"completed INTEGER", "cycle; NULL: the run ended before it", &event::completed},
        {"launch_order INTEGER", "with complete_order and the orders of spaces: what came first, also inside a cycle",
         &event::launch_order},
        {"complete_order INTEGER", "", &event::complete_order},
    };
    for (unsigned op = 0; op < static_cast<unsigned>(opcode::bind); ++op)
        all.push_back({std::string(opcode_names[op]) + " INTEGER", op == 0 ? "instructions issued" : "",
                       [op](const event& e) { return e.instructions[op]; }});
    all.push_back({"other INTEGER", "all that do not use the attribute path", &event::instructions_other});
    all.push_back({"stall_count_cycles INTEGER",
                   "cycles before an issue: held back by the stall count of the instruction before,",
                   &event::stall_count_cycles});
    all.push_back({"scoreboard_cycles INTEGER", "... then by a scoreboard,", &event::scoreboard_cycles});
    all.push_back(
        {"pipe_cycles INTEGER", "... then by other instructions in its pipe (sm.*_lanes),", &event::pipe_cycles});
    all.push_back({"issue_cycles INTEGER", "... then by other warps of the scheduler or a full attribute queue",
                   &event::issue_cycles});
    return all;
}

template <>
std::vector<column<transaction_event>> columns_of(bool trace)
{
    using event = transaction_event;
    std::vector<column<event>> all = {
        numbered<event>,
        {"sm INTEGER", "number of the SM with its ISBE", &event::sm},
        {"port INTEGER", "", &event::port},
        {"client TEXT", "sm, pe; of a replayed trace: trace",
         [trace](const event& e) { return e.from_sm ? "sm"
                                          : trace   ? "trace"
                                                    : "pe"; }},
        {"warp INTEGER", "warps.warp; NULL for the PE's", &event::warp},
        {"pc INTEGER", "byte address of the instruction; NULL for the PE's",
         [](const event& e) { return e.from_sm ? e.pc : no_value; }},
        {"opcode TEXT", "ald, ast, al2p, out, isberd, isbewr, bind", [](const event& e) { return name_of(e.op); }},
        {"space TEXT", "input, output", &event::space},
        {"region TEXT", "isberd, isbewr: map, patch, prim, attr, physical; ald, ast: logical, patch, phys", region_of},
        {"address INTEGER", "byte address of the first active lane", &event::address},
        {"size INTEGER", "ald, ast, al2p: words; isberd, isbewr: bytes", &event::size},
        {"lanes INTEGER", "active lanes, bit i = lane i", &event::lanes},
        {"context INTEGER", "context slot", &event::context},
        {"issued INTEGER", "cycle: the SM issued the instruction", &event::issued},
        {"begun INTEGER", "cycle: the request appeared at the port (BEGIN_REQ)", &event::begin},
        {"accepted INTEGER", "cycle: it was taken (END_REQ)", &event::accept},
        {"granted INTEGER", "cycle: first bank pass; of RTL that leaves the cycles of its page the latest it can be",
         &event::grant},
        {"responded INTEGER", "cycle: the response appeared (BEGIN_RESP)", &event::response},
        {"transferred INTEGER", "cycle: it was taken (END_RESP); NULL when loosely timed", &event::end},
        {"written INTEGER", "cycle: the SM wrote the result back", &event::written},
        {"completes INTEGER", "1: its answer completes a warp instruction; 0: part of one, or EXIT's own OUT",
         &event::instruction},
        {"passes INTEGER", "cycles that it held the pass engine", &event::passes},
    };
    for (const auto& f : figures())
        if (f.per_operation != nullptr)
            all.push_back({f.database.substr(f.database.find('.') + 1) + " INTEGER", f.description,
                           [member = f.per_operation](const event& e) { return e.footprint.*member; }});
    all.push_back({"contention INTEGER",
                   "cycles by which its passes delayed another port's operation; NULL like `transferred`",
                   [](const event& e) { return e.end == no_value ? cell() : e.footprint.contention; }});
    all.push_back({"error INTEGER", "0, or the code of the operation's error",
                   [](const event& e) { return static_cast<unsigned>(e.error); }});
    all.push_back({"lane_status INTEGER", "lane status bits of any lane", &event::status});
    return all;
}

template <>
std::vector<column<space_event>> columns_of(bool)
{
    using event = space_event;
    return {numbered<event>,
            {"sm INTEGER", "", &event::sm},
            {"stage TEXT", "of the warp that got them", &event::stage},
            {"role TEXT", "input, output", &event::role},
            {"first_line INTEGER", "", [](const event& e) { return e.lines.first; }},
            {"lines INTEGER", "of 128 bytes", [](const event& e) { return e.lines.count; }},
            {"allocated INTEGER", "cycle", &event::allocated},
            {"released INTEGER", "cycle; NULL: the run ended before it", &event::released},
            {"allocate_order INTEGER", "", &event::allocate_order},
            {"release_order INTEGER", "", &event::release_order}};
}

template <>
std::vector<column<trap_event>> columns_of(bool)
{
    using event = trap_event;
    return {numbered<event>,
            {"sm INTEGER", "", &event::sm},
            {"warp INTEGER", "warps.warp", &event::warp},
            {"slot INTEGER", "", [](const event& e) { return e.trap.warp; }},
            {"stage TEXT", "", [](const event& e) { return e.trap.stage; }},
            {"code INTEGER", "", [](const event& e) { return e.trap.code; }},
            {"lanes INTEGER", "", [](const event& e) { return e.trap.lanes; }},
            {"pc INTEGER", "", [](const event& e) { return e.trap.pc; }},
            {"cycle INTEGER", "", [](const event& e) { return e.trap.cycle; }}};
}

template <>
std::vector<column<stall_event>> columns_of(bool)
{
    using event = stall_event;
    return {{"sm INTEGER", "", &event::sm},
            {"scheduler INTEGER", "", &event::scheduler},
            {"window INTEGER", "its first cycle", &event::first},
            {"reason TEXT", scheduler_reasons(), [](const event& e) { return name_of(e.reason); }},
            {"cycles INTEGER", "", &event::cycles}};
}

template <>
std::vector<column<wait_event>> columns_of(bool)
{
    std::vector<column<wait_event>> all = {{"sm INTEGER", "", &wait_event::sm},
                                           {"cycle INTEGER", "", &wait_event::cycle}};
    for (const auto& row : stall_rows)
        if (row.place == stall_place::pe)
            all.push_back({std::string(row.name) + " INTEGER", row.description,
                           [reason = row.reason](const wait_event& e) { return e.cycles[reason]; }});
    return all;
}

template <>
std::vector<column<batch_event>> columns_of(bool)
{
    using event = batch_event;
    return {{"batch INTEGER PRIMARY KEY", "", &event::number}, {"primitives INTEGER", "", &event::primitives},
            {"vertices INTEGER", "", &event::vertices},        {"bytes INTEGER", "", &event::bytes},
            {"begun INTEGER", "cycle", &event::begin},         {"fetched INTEGER", "cycle", &event::end}};
}

template <>
std::vector<column<output_event>> columns_of(bool)
{
    using event = output_event;
    return {{"stream INTEGER", "", &event::stream},
            {"first_primitive INTEGER", "", &event::first},
            {"primitives INTEGER", "", &event::primitives},
            {"vertices INTEGER", "", &event::vertices},
            {"captured INTEGER", "1: streamed out to vertices.csv", &event::captured},
            {"cycle INTEGER", "", &event::cycle}};
}

std::string database_schema()
{
    const auto events =
        table<warp_event>("warps") +
        table<transaction_event>("transactions", "operations of the ISBE's ports, in the order in which they ended") +
        table<space_event>("spaces", "ISBE lines in use") + table<trap_event>("traps") +
        table<stall_event>("stalls", "scheduler cycles without an issue, in windows of 1,000 cycles") +
        table<wait_event>("waits", "the oldest warp of a stage waited for space, until `cycle`") +
        table<batch_event>("batches", "fetched by the PE") +
        table<output_event>("outputs", "primitives that left in API order");
    std::string text = schema_text;
    constexpr std::string_view mark = "%EVENTS%";
    return text.replace(text.find(mark), mark.size(), events);
}

} // namespace isbesim::testbench
