// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "testbench/analysis/run_database.h"
#include "testbench/figures/figures.h"

namespace isbesim::testbench {

namespace {

// SQLite keeps the comments: `.schema` in the sqlite3 shell shows them. Cycles are clock cycles from 0. Text between
// two % is replaced from the registry of figures.
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

CREATE TABLE warps(
  warp INTEGER PRIMARY KEY, -- number of the launch, all SMs
  sm INTEGER,
  slot INTEGER,             -- warp slot, which is the ISBE's context slot
  stage TEXT,               -- vertex_a, vertex, tess_init, tess, geometry, task, mesh
  threads INTEGER,          -- lanes launched
  lost_threads INTEGER,     -- geometry threads that ended with an invalid state
  launched INTEGER,         -- cycle
  completed INTEGER,        -- cycle; NULL: the run ended before it
  launch_order INTEGER,     -- with complete_order and the orders of spaces: what came first, also inside a cycle
  complete_order INTEGER,
  ald INTEGER,              -- instructions issued
  ast INTEGER,
  al2p INTEGER,
  out INTEGER,
  isberd INTEGER,
  isbewr INTEGER,
  other INTEGER,            -- all that do not use the attribute path
  stall_count_cycles INTEGER, -- cycles before an issue: held back by the stall count of the instruction before,
  scoreboard_cycles INTEGER,  -- ... then by a scoreboard,
  pipe_cycles INTEGER,        -- ... then by other instructions in its pipe (sm.*_lanes),
  issue_cycles INTEGER        -- ... then by other warps of the scheduler or a full attribute queue
);

CREATE TABLE transactions(  -- operations of the ISBE's ports, in the order in which they ended
  id INTEGER PRIMARY KEY,
  sm INTEGER,               -- number of the SM with its ISBE
  port INTEGER,
  client TEXT,              -- sm, pe; of a replayed trace: trace
  warp INTEGER,             -- warps.warp; NULL for the PE's
  pc INTEGER,               -- byte address of the instruction; NULL for the PE's
  opcode TEXT,              -- ald, ast, al2p, out, isberd, isbewr, bind
  space TEXT,               -- input, output
  region TEXT,              -- isberd, isbewr: map, patch, prim, attr, physical; ald, ast: logical, patch, phys
  address INTEGER,          -- byte address of the first active lane
  size INTEGER,             -- ald, ast, al2p: words; isberd, isbewr: bytes
  lanes INTEGER,            -- active lanes, bit i = lane i
  context INTEGER,          -- context slot
  issued INTEGER,           -- cycle: the SM issued the instruction
  begun INTEGER,            -- cycle: the request appeared at the port (BEGIN_REQ)
  accepted INTEGER,         -- cycle: it was taken (END_REQ)
  granted INTEGER,          -- cycle: first bank pass; of RTL that leaves the cycles of its page the latest it can be
  responded INTEGER,         -- cycle: the response appeared (BEGIN_RESP)
  transferred INTEGER,      -- cycle: it was taken (END_RESP); NULL when loosely timed
  written INTEGER,          -- cycle: the SM wrote the result back
  completes INTEGER,        -- 1: its answer completes a warp instruction; 0: part of one, or EXIT's own OUT
  passes INTEGER,           -- cycles that it held the pass engine
%OPERATION_FIGURES%  contention INTEGER,       -- cycles by which its passes delayed another port's operation; NULL like `transferred`
  error INTEGER,            -- 0, or the code of the operation's error
  lane_status INTEGER       -- lane status bits of any lane
);

CREATE TABLE spaces(        -- ISBE lines in use
  id INTEGER PRIMARY KEY,
  sm INTEGER,
  stage TEXT,               -- of the warp that got them
  role TEXT,                -- input, output
  first_line INTEGER,
  lines INTEGER,            -- of 128 bytes
  allocated INTEGER,        -- cycle
  released INTEGER,         -- cycle; NULL: the run ended before it
  allocate_order INTEGER,
  release_order INTEGER
);

CREATE TABLE traps(
  id INTEGER PRIMARY KEY,
  sm INTEGER,
  warp INTEGER,             -- warps.warp
  slot INTEGER,
  stage TEXT,
  code INTEGER,
  lanes INTEGER,
  pc INTEGER,
  cycle INTEGER
);

CREATE TABLE stalls(        -- scheduler cycles without an issue, in windows of 1,000 cycles
  sm INTEGER,
  scheduler INTEGER,
  window INTEGER,           -- its first cycle
  reason TEXT,              -- %SCHEDULER_REASONS%
  cycles INTEGER
);

CREATE TABLE waits(         -- the oldest warp of a stage waited for space, until `cycle`
  sm INTEGER,
  cycle INTEGER,
%WAITS%);

CREATE TABLE batches(       -- fetched by the PE
  batch INTEGER PRIMARY KEY,
  primitives INTEGER,
  vertices INTEGER,
  bytes INTEGER,
  begun INTEGER,            -- cycle
  fetched INTEGER           -- cycle
);

CREATE TABLE outputs(       -- primitives that left in API order
  stream INTEGER,
  first_primitive INTEGER,
  primitives INTEGER,
  vertices INTEGER,
  captured INTEGER,         -- 1: streamed out to vertices.csv
  cycle INTEGER
);

CREATE TABLE warnings(      -- legal but suspicious input and behaviour
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

/// "  name INTEGER,   -- comment\n"
std::string column(const std::string& name, const std::string& comment, bool last = false)
{
    auto text = "  " + name + " INTEGER" + (last ? "" : ",");
    text.resize(std::max<std::size_t>(text.size() + 1, 28), ' ');
    return text + "-- " + comment + "\n";
}

std::string operation_figures()
{
    std::string text;
    for (const auto& f : figures())
        if (f.per_operation != nullptr) text += column(f.database.substr(f.database.find('.') + 1), f.description);
    return text;
}

std::string scheduler_reasons()
{
    std::string text;
    for (const auto& row : stall_rows)
        if (row.place == stall_place::scheduler) text += (text.empty() ? "" : ", ") + std::string(row.name);
    return text;
}

std::string waits()
{
    std::vector<const stall_row*> rows;
    for (const auto& row : stall_rows)
        if (row.place == stall_place::pe) rows.push_back(&row);
    std::string text;
    for (const auto* row : rows) text += column(row->name, row->description, row == rows.back());
    return text;
}

} // namespace

std::string database_schema()
{
    std::string text = schema_text;
    const auto replace = [&](const std::string& mark, const std::string& by) {
        text.replace(text.find(mark), mark.size(), by);
    };
    replace("%OPERATION_FIGURES%", operation_figures());
    replace("%SCHEDULER_REASONS%", scheduler_reasons());
    replace("%WAITS%", waits());
    return text;
}

} // namespace isbesim::testbench
