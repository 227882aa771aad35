// SPDX-License-Identifier: Apache-2.0
// Assertions between the queues (section 5 of ../README.md, which lists them). From the pins, the
// grants and the engine's results they compute again which grant is allowed and which is due, how
// long it holds the engine, and the cycle of each response.
module grant_rules #(
    parameter int unsigned PORTS = 2,
    parameter int unsigned REQUEST_QUEUE_DEPTH = 4,
    parameter int unsigned RESPONSE_QUEUE_DEPTH = 32,
    parameter int unsigned PIPELINE_LATENCY = 22,
    parameter int unsigned WRITE_LATENCY = 22,
    parameter int unsigned AL2P_LATENCY = 10,
    parameter int unsigned OUT_LATENCY = 18,
    parameter int unsigned FIXED_PRIORITY = 0,
    parameter int unsigned CONTEXTS = 64
) (
    input logic        clk,
    input logic        rst,
    input logic [63:0] cycle,  // since reset

    input logic [PORTS-1:0]         req_valid,
    input logic [PORTS-1:0]         req_ready,
    input logic [PORTS*6238-1:0]    offered,  // at each port: fields of section 2 without skew
    input logic [PORTS-1:0]         resp_valid,
    input logic [PORTS-1:0]         resp_ready,
    input logic [PORTS*4632-1:0]    shown,    // error, passes, status, data

    input logic [PORTS-1:0]         grant,
    input logic [6237:0]            request,  // the granted request
    input logic [2:0]               granted_op,
    input logic [2:0]               granted_region,
    input logic [15:0]              granted_context,
    input logic [7:0]               granted_error,      // from the address unit
    input logic                     finished,
    input logic                     finished_port,
    input logic [2:0]               finished_op,
    input logic [15:0]              finished_passes,
    input logic [4631:0]            finished_response   // error, passes, status, data
);

  localparam logic [2:0] ALD = 3'd0;
  localparam logic [2:0] AL2P = 3'd2;
  localparam logic [2:0] OUT = 3'd3;
  localparam logic [2:0] ISBERD = 3'd4;
  localparam logic [2:0] ISBEWR = 3'd5;
  localparam logic [2:0] BIND = 3'd6;
  localparam logic [2:0] REGION_PHYSICAL = 3'd4;
  localparam logic [7:0] ERROR_COMBINATION = 8'h0a;
  localparam int unsigned REQUEST_BITS = $bits(request);
  localparam int unsigned RESPONSE_BITS = $bits(finished_response);
  localparam int unsigned REQUEST_INDEX_BITS =
      REQUEST_QUEUE_DEPTH > 1 ? $clog2(REQUEST_QUEUE_DEPTH) : 1;
  localparam int unsigned RESPONSE_INDEX_BITS =
      RESPONSE_QUEUE_DEPTH > 1 ? $clog2(RESPONSE_QUEUE_DEPTH) : 1;
  localparam int unsigned REQUEST_COUNT_BITS = $clog2(REQUEST_QUEUE_DEPTH + 1);
  localparam int unsigned RESPONSE_COUNT_BITS = $clog2(RESPONSE_QUEUE_DEPTH + 1);
  localparam logic [REQUEST_INDEX_BITS-1:0] REQUEST_LAST =
      REQUEST_INDEX_BITS'(REQUEST_QUEUE_DEPTH - 1);
  localparam logic [RESPONSE_INDEX_BITS-1:0] RESPONSE_LAST =
      RESPONSE_INDEX_BITS'(RESPONSE_QUEUE_DEPTH - 1);

  logic after_reset;
  always_ff @(posedge clk) after_reset <= rst;

  // -----------------------------------------------------------------------------------------------
  // Each port: waiting and in-flight operations, and when their responses are due
  // -----------------------------------------------------------------------------------------------
  logic [PORTS-1:0] waiting;    // not empty at the start of the cycle
  logic [PORTS-1:0] candidate;  // and fewer than RESPONSE_QUEUE_DEPTH in flight
  logic [9:0]       latency;
  logic             granted;
  logic             engine_used;  // by an operation not reported as finished

  always_comb begin
    case (finished_op)
      ALD, ISBERD: latency = 10'(PIPELINE_LATENCY);
      AL2P: latency = 10'(AL2P_LATENCY);
      OUT: latency = 10'(OUT_LATENCY);
      default: latency = 10'(WRITE_LATENCY);
    endcase
  end

  for (genvar p = 0; p < 32'(PORTS); p++) begin : port
    logic                           accept;
    logic                           transfer;
    logic                           mine;  // the engine has finished an operation of this port
    logic [REQUEST_BITS-1:0]        requests[REQUEST_QUEUE_DEPTH];
    logic [REQUEST_INDEX_BITS-1:0]  request_first;
    logic [REQUEST_INDEX_BITS-1:0]  request_next;
    logic [REQUEST_COUNT_BITS-1:0]  queued;
    logic [RESPONSE_BITS-1:0]       responses[RESPONSE_QUEUE_DEPTH];
    logic [63:0]                    due      [RESPONSE_QUEUE_DEPTH];
    logic [RESPONSE_INDEX_BITS-1:0] response_first;
    logic [RESPONSE_INDEX_BITS-1:0] response_next;
    logic [RESPONSE_COUNT_BITS-1:0] held;
    logic [RESPONSE_COUNT_BITS-1:0] in_flight;
    logic                           ripe;
    logic [63:0]                    oldest_due;
    logic                           request_differs;   // from the oldest queued
    logic                           response_differs;  // from the oldest held
    logic                           stuck;
    logic [1:0]                     overtaken;

    assign accept   = req_valid[p] && req_ready[p];
    assign transfer = resp_valid[p] && resp_ready[p];
    assign mine     = finished && finished_port == 1'(p);

    always_comb begin
      oldest_due       = '0;
      ripe             = 1'b0;
      request_differs  = 1'b0;
      response_differs = 1'b0;
      if (held != '0) begin
        oldest_due = due[response_first];
        ripe       = cycle >= oldest_due;
      end
      if (grant[p] && waiting[p] && request != requests[request_first]) request_differs = 1'b1;
      if (resp_valid[p] && ripe &&
          shown[RESPONSE_BITS*p+:RESPONSE_BITS] != responses[response_first])
        response_differs = 1'b1;
    end

    // No operation makes progress: none is in the engine, none is granted, and no response is due
    // within 1,000 cycles. A response that the client holds back is due already.
    always_comb begin
      stuck = (queued != '0 || in_flight != '0) && !engine_used && !granted;
      if (held != '0 && oldest_due <= cycle + 64'd1000) stuck = 1'b0;
    end

    // Grants to the other port while this port is a candidate.
    always_ff @(posedge clk) begin
      if (rst || !candidate[p] || grant[p]) overtaken <= '0;
      else if (granted) overtaken <= overtaken + 1'b1;
    end

    assign waiting[p]   = queued != '0;
    assign candidate[p] = queued != '0 && in_flight < RESPONSE_COUNT_BITS'(RESPONSE_QUEUE_DEPTH);

    always_ff @(posedge clk) begin
      if (rst) begin
        request_first  <= '0;
        request_next   <= '0;
        queued         <= '0;
        response_first <= '0;
        response_next  <= '0;
        held           <= '0;
        in_flight      <= '0;
      end else begin
        if (accept) begin
          requests[request_next] <= offered[REQUEST_BITS*p+:REQUEST_BITS];
          request_next           <= request_next == REQUEST_LAST ? '0 : request_next + 1'b1;
        end
        if (grant[p]) request_first <= request_first == REQUEST_LAST ? '0 : request_first + 1'b1;
        if (accept && !grant[p]) queued <= queued + 1'b1;
        if (grant[p] && !accept) queued <= queued - 1'b1;
        if (mine) begin  // in cycle g+P+1
          responses[response_next] <= finished_response;
          due[response_next]       <= cycle - 64'd1 + 64'(latency);
          response_next            <= response_next == RESPONSE_LAST ? '0 : response_next + 1'b1;
        end
        if (transfer)
          response_first <= response_first == RESPONSE_LAST ? '0 : response_first + 1'b1;
        if (mine && !transfer) held <= held + 1'b1;
        if (transfer && !mine) held <= held - 1'b1;
        if (grant[p] && !transfer) in_flight <= in_flight + 1'b1;
        if (transfer && !grant[p]) in_flight <= in_flight - 1'b1;
      end
    end

    `ISBESIM_RULE(request_ready, assert,
        req_ready[p] == (queued < REQUEST_COUNT_BITS'(REQUEST_QUEUE_DEPTH)),
                  ("port %0d, cycle %0d: req_ready is %0d with %0d operations queued (section 5.1)",
                      p, cycle, req_ready[p],
                   queued))

    `ISBESIM_RULE(grant_queued, assert, !grant[p] || waiting[p],
                  ("port %0d, cycle %0d: a grant of an empty queue (sections 5.1, 5.2)", p, cycle))

    `ISBESIM_RULE(grant_room, assert, !(grant[p] && waiting[p]) || candidate[p],
                  ("port %0d, cycle %0d: a grant with %0d operations in flight (section 5.2)", p,
                      cycle, in_flight))

    `ISBESIM_RULE(grant_first_in, assert, !request_differs,
                  ("port %0d, cycle %0d: the operation granted is not the oldest in its queue (section 5.2)", p, cycle))

    if (FIXED_PRIORITY == 0) begin : fair
      `ISBESIM_RULE(grant_fair, assert,
          !candidate[p] || grant[p] || !granted || 32'(overtaken) + 1 < PORTS,
                    ("port %0d, cycle %0d: %0d grants went to others while it was a candidate (section 5.3)", p, cycle,
                     overtaken + 1))
    end

    `ISBESIM_RULE(block_moves, assert, !stuck,
                  ("port %0d, cycle %0d: nothing happens to %0d operations queued and %0d in flight (section 5)", p, cycle,
                   queued, in_flight))

    `ISBESIM_RULE(response_not_early, assert, !resp_valid[p] || ripe,
                  ("port %0d, cycle %0d: resp_valid is 1 before g+P+L (section 5.5)", p, cycle))

    `ISBESIM_RULE(response_not_late, assert, !ripe || resp_valid[p],
                  ("port %0d, cycle %0d: resp_valid is 0 from g+P+L = %0d on (section 5.5)", p,
                      cycle, oldest_due))

    `ISBESIM_RULE(response_in_order, assert, !response_differs,
                  ("port %0d, cycle %0d: the response is not that of the oldest operation granted (section 5.5)", p, cycle))
  end

  // -----------------------------------------------------------------------------------------------
  // Arbitration
  // -----------------------------------------------------------------------------------------------
  logic             granted_port;
  logic             two_granted;
  logic             last_port;  // granted last
  logic [PORTS-1:0] chosen;

  assign granted      = grant != '0;
  assign two_granted  = (grant & (grant - 1'b1)) != '0;
  assign granted_port = PORTS == 2 && grant[PORTS-1];

  // Counting upwards from the port after the last granted: port 1 comes first only after port 0.
  always_comb begin
    chosen = '0;
    if (PORTS == 2 && FIXED_PRIORITY == 0 && !last_port && candidate[PORTS-1])
      chosen[PORTS-1] = 1'b1;
    else if (candidate[0]) chosen[0] = 1'b1;
    else chosen = candidate;
  end

  always_ff @(posedge clk) begin
    if (rst) last_port <= 1'b1;  // port 0 comes first
    else if (granted) last_port <= granted_port;
  end

  `ISBESIM_RULE(grant_one, assert, !two_granted,
                ("ports %b, cycle %0d: two grants (section 5.2)", grant, cycle))

  `ISBESIM_RULE(grant_chosen, assert,
      !(granted && !two_granted && candidate != '0) || grant == chosen,
                ("port %0d, cycle %0d: granted of candidates %b with port %0d granted last, expected ports %b (section 5.3)",
                 granted_port, cycle, candidate, last_port, chosen))

  // -----------------------------------------------------------------------------------------------
  // The engine. An operation granted in g is reported as finished in g+P+1: c+1 shows whether c was
  // its last pass.
  // -----------------------------------------------------------------------------------------------
  localparam int unsigned GRANTED_BITS = 1 + 3 + 64;

  logic [GRANTED_BITS-1:0] incoming;  // port, op, cycle of the grant
  logic [GRANTED_BITS-1:0] newest;
  logic [GRANTED_BITS-1:0] oldest;
  logic                    oldest_port;
  logic [2:0]              oldest_op;
  logic [63:0]             oldest_grant;

  logic [1:0]       unfinished;       // granted, not reported as finished
  logic             was_busy;         // in the previous cycle
  logic             was_granted;
  logic             was_granted_port;
  logic [PORTS-1:0] had_candidates;

  assign engine_used                            = unfinished != '0;
  assign incoming                               = {granted_port, granted_op, cycle};
  assign {oldest_port, oldest_op, oldest_grant} = oldest;

  always_ff @(posedge clk) begin
    if (rst) begin
      unfinished     <= '0;
      was_busy       <= 1'b0;
      was_granted    <= 1'b0;
      had_candidates <= '0;
    end else begin
      unfinished     <= unfinished + 2'(granted) - 2'(finished);
      was_busy       <= unfinished != 2'(finished);
      was_granted    <= granted;
      had_candidates <= candidate;
    end
    was_granted_port <= granted_port;
    if (granted) newest <= incoming;
    if (unfinished == 2'd0 || (unfinished == 2'd1 && finished)) oldest <= incoming;
    else if (finished) oldest <= newest;
  end

  logic finish_differs;  // from the oldest granted operation
  logic finish_wrong;    // the cycle

  always_comb begin
    finish_differs = 1'b0;
    finish_wrong   = 1'b0;
    if (finished) begin
      finish_differs = unfinished == '0 || finished_port != oldest_port || finished_op != oldest_op;
      finish_wrong   = unfinished != '0 && cycle != oldest_grant + 64'(finished_passes) + 64'd1;
    end
  end

  `ISBESIM_RULE(grant_engine_free, assert, !(was_granted && was_busy) || finished,
                ("port %0d, cycle %0d: granted before the last pass of the operation in the engine (sections 5.2, 5.4)",
                 was_granted_port, cycle - 64'd1))

  `ISBESIM_RULE(grant_given, assert,
      !(had_candidates != '0 && (!was_busy || finished)) || was_granted,
                ("ports %b, cycle %0d: the engine was free and none of these candidates was granted (section 5.2)",
                 had_candidates, cycle - 64'd1))

  `ISBESIM_RULE(finish_granted, assert, !finish_differs,
                ("port %0d, cycle %0d: the engine finishes op %0d, which is not the oldest granted (section 5.4)",
                 finished_port, cycle, finished_op))

  `ISBESIM_RULE(finish_cycle, assert, !finish_wrong,
                ("port %0d, cycle %0d: %0d passes reported by an operation granted in cycle %0d (section 5.4)", finished_port,
                 cycle, finished_passes, oldest_grant))

  `ISBESIM_RULE(reset_idle, assert, !after_reset || (!granted && !finished),
                ("port %0d, cycle %0d: the engine is not idle after reset (section 2)",
                    granted_port, cycle))

  // -----------------------------------------------------------------------------------------------
  // Contexts after reset (section 2)
  // -----------------------------------------------------------------------------------------------
  logic [CONTEXTS-1:0] bound;
  logic                exists;
  logic                needs_context;

  assign exists        = granted_context < 16'(CONTEXTS);
  assign needs_context = granted_op != BIND &&
                         !((granted_op == ISBERD || granted_op == ISBEWR) &&
                           granted_region == REGION_PHYSICAL);

  always_ff @(posedge clk) begin
    for (int slot = 0; slot < 32'(CONTEXTS); slot++) begin
      if (rst) bound[slot] <= 1'b0;
      else if (granted && granted_op == BIND && granted_context == 16'(slot)) bound[slot] <= 1'b1;
    end
  end

  logic is_bound;
  logic unbound_used;
  always_comb begin
    is_bound = 1'b0;
    for (int slot = 0; slot < 32'(CONTEXTS); slot++) begin
      if (granted_context == 16'(slot)) is_bound = bound[slot];
    end
    unbound_used = 1'b0;
    if (granted && needs_context && exists && !is_bound && granted_error != ERROR_COMBINATION)
      unbound_used = 1'b1;
  end

  `ISBESIM_RULE(reset_contexts, assert, !unbound_used,
                ("port %0d, cycle %0d: context %0d is not 0 before its first BIND (section 2)",
                    granted_port, cycle,
                 granted_context))

endmodule
