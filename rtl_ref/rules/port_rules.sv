// SPDX-License-Identifier: Apache-2.0
// Assertions about the pins alone: handshakes, payloads and the earliest response (sections 2 and 5
// of ../README.md, which lists them). They use no internal signals, so they can be bound to any
// block. `assume`: the client's duty.
module port_rules #(
    parameter int unsigned PORTS = 2,
    parameter int unsigned REQUEST_QUEUE_DEPTH = 4,
    parameter int unsigned RESPONSE_QUEUE_DEPTH = 32,
    parameter int unsigned PIPELINE_LATENCY = 22,
    parameter int unsigned WRITE_LATENCY = 22,
    parameter int unsigned AL2P_LATENCY = 10,
    parameter int unsigned OUT_LATENCY = 18
) (
    input logic clk,
    input logic rst,

    input logic [PORTS-1:0]      req_valid,
    input logic [PORTS-1:0]      req_ready,
    input logic [PORTS*3-1:0]    req_op,
    input logic [PORTS-1:0]      req_space,
    input logic [PORTS*3-1:0]    req_region,
    input logic [PORTS*2-1:0]    req_form,
    input logic [PORTS*2-1:0]    req_type,
    input logic [PORTS*3-1:0]    req_size,
    input logic [PORTS-1:0]      req_skew,
    input logic [PORTS*16-1:0]   req_context,
    input logic [PORTS*32-1:0]   req_immediate,
    input logic [PORTS*32-1:0]   req_lanes,
    input logic [PORTS*1024-1:0] req_address,
    input logic [PORTS*1024-1:0] req_handle,
    input logic [PORTS*4096-1:0] req_data,

    input logic [PORTS-1:0]      resp_valid,
    input logic [PORTS-1:0]      resp_ready,
    input logic [PORTS*4096-1:0] resp_data,
    input logic [PORTS*512-1:0]  resp_status,
    input logic [PORTS*8-1:0]    resp_error,
    input logic [PORTS*16-1:0]   resp_passes
);

  localparam logic [2:0] ALD = 3'd0;
  localparam logic [2:0] AST = 3'd1;
  localparam logic [2:0] AL2P = 3'd2;
  localparam logic [2:0] OUT = 3'd3;
  localparam logic [2:0] ISBERD = 3'd4;
  localparam logic [2:0] ISBEWR = 3'd5;

  // Both queues together hold all operations between accept and response.
  localparam int unsigned PLACES = REQUEST_QUEUE_DEPTH + RESPONSE_QUEUE_DEPTH;
  localparam int unsigned INDEX_BITS = $clog2(PLACES);
  localparam int unsigned COUNT_BITS = $clog2(PLACES + 1);
  localparam logic [INDEX_BITS-1:0] LAST = INDEX_BITS'(PLACES - 1);

  logic [63:0] cycle;  // since reset
  logic        after_reset;

  always_ff @(posedge clk) begin
    after_reset <= rst;
    cycle       <= rst ? '0 : cycle + 64'd1;
  end

  for (genvar p = 0; p < 32'(PORTS); p++) begin : port
    // ---------------------------------------------------------------------------------------------
    // Outstanding operations: accepted, without a response, oldest first
    // ---------------------------------------------------------------------------------------------
    logic                  accept;
    logic                  transfer;
    logic [2:0]            op;
    logic [2:0]            size;
    logic [INDEX_BITS-1:0] first;
    logic [INDEX_BITS-1:0] next;
    logic [COUNT_BITS-1:0] outstanding;
    logic [2:0]            ops   [PLACES];
    logic [2:0]            sizes [PLACES];
    logic [31:0]           lanes [PLACES];
    logic [63:0]           since [PLACES];  // cycle of the accept

    // The pins of the previous cycle.
    logic [6238:0]         request;
    logic [6238:0]         last_request;
    logic                  waited;           // a request that was not transferred
    logic                  request_changed;
    logic [4631:0]         response;
    logic [4631:0]         last_response;
    logic                  kept;             // a response that was not transferred
    logic                  response_changed;

    assign request  = {req_op[3*p+:3], req_space[p], req_region[3*p+:3], req_form[2*p+:2],
                       req_type[2*p+:2], req_size[3*p+:3], req_skew[p], req_context[16*p+:16],
                       req_immediate[32*p+:32], req_lanes[32*p+:32],
                       req_address[1024*p+:1024], req_handle[1024*p+:1024], req_data[4096*p+:4096]};
    assign response = {resp_data[4096*p+:4096], resp_status[512*p+:512], resp_error[8*p+:8],
                       resp_passes[16*p+:16]};

    always_ff @(posedge clk) begin
      last_request  <= request;
      last_response <= response;
      waited        <= !rst && req_valid[p] && !req_ready[p];
      kept          <= !rst && resp_valid[p] && !resp_ready[p];
    end

    always_comb begin
      request_changed  = 1'b0;
      response_changed = 1'b0;
      if (waited && req_valid[p] && request != last_request) request_changed = 1'b1;
      if (kept && resp_valid[p] && response != last_response) response_changed = 1'b1;
    end

    assign accept   = req_valid[p] && req_ready[p];
    assign transfer = resp_valid[p] && resp_ready[p];
    assign op       = req_op[3*p+:3];
    assign size     = req_size[3*p+:3];

    always_ff @(posedge clk) begin
      if (rst) begin
        first       <= '0;
        next        <= '0;
        outstanding <= '0;
      end else begin
        if (accept) begin
          ops[next]   <= op;
          sizes[next] <= size;
          lanes[next] <= req_lanes[32*p+:32];
          since[next] <= cycle;
          next        <= next == LAST ? '0 : next + 1'b1;
        end
        if (transfer) first <= first == LAST ? '0 : first + 1'b1;
        if (accept && !transfer) outstanding <= outstanding + 1'b1;
        if (transfer && !accept) outstanding <= outstanding - 1'b1;
      end
    end

    // ---------------------------------------------------------------------------------------------
    // Section 2: the client
    // ---------------------------------------------------------------------------------------------
    logic legal;  // the fields have values of the table of section 2

    always_comb begin
      case (op)
        ALD, AST: legal = req_form[2*p+:2] <= 2'd2 && size >= 3'd1 && size <= 3'd4;
        AL2P: legal = size >= 3'd1 && size <= 3'd4;
        ISBERD, ISBEWR: legal = req_region[3*p+:3] <= 3'd4 &&
            (size == 3'd1 || size == 3'd2 || size == 3'd4);
        default: legal = op != 3'd7;
      endcase
    end

    `ISBESIM_RULE(request_held, assume, !waited || req_valid[p],
                  ("port %0d, cycle %0d: a request was withdrawn before its transfer (section 2)",
                      p, cycle))

    `ISBESIM_RULE(request_stable, assume, !request_changed,
                  ("port %0d, cycle %0d: a request changed before its transfer (section 2)", p,
                      cycle))

    `ISBESIM_RULE(request_legal, assume, !req_valid[p] || legal,
                  ("port %0d, cycle %0d: op %0d with a form, region or size that is never sent (section 2)", p, cycle, op))

    // ---------------------------------------------------------------------------------------------
    // Section 2: the block
    // ---------------------------------------------------------------------------------------------
    `ISBESIM_RULE(reset_empty, assert, !after_reset || (req_ready[p] && !resp_valid[p]),
                  ("port %0d, cycle %0d: the queues are not empty after reset (section 2)", p,
                      cycle))

    `ISBESIM_RULE(response_held, assert, !kept || resp_valid[p],
                  ("port %0d, cycle %0d: a response was withdrawn before its transfer (section 2)",
                      p, cycle))

    `ISBESIM_RULE(response_stable, assert, !response_changed,
                  ("port %0d, cycle %0d: a response changed before its transfer (section 2)", p,
                      cycle))

    `ISBESIM_RULE(response_requested, assert, !resp_valid[p] || outstanding != '0,
                  ("port %0d, cycle %0d: a response without a request (section 2)", p, cycle))

    // The fields that the response table of section 2 requires to be 0, for the oldest operation.
    logic          surplus;
    logic [2:0]    answered_op;
    logic [2:0]    components;  // returned by the operation
    logic [9:0]    latency;
    logic [63:0]   earliest;

    always_comb begin
      answered_op = ops[first];
      case (answered_op)
        ALD: components = sizes[first];
        AL2P, OUT, ISBERD: components = 3'd1;
        default: components = 3'd0;
      endcase
      surplus = 1'b0;
      if (resp_valid[p]) begin
        for (int lane = 0; lane < 32; lane++) begin
          for (int c = 0; c < 4; c++) begin
            if ((!lanes[first][lane] || 3'(c) >= components) &&
                resp_data[4096*p+1024*c+32*lane+:32] != '0) surplus = 1'b1;
          end
          if (!lanes[first][lane] && resp_status[512*p+16*lane+:16] != '0) surplus = 1'b1;
        end
      end
      case (answered_op)
        ALD, ISBERD: latency = 10'(PIPELINE_LATENCY);
        AL2P: latency = 10'(AL2P_LATENCY);
        OUT: latency = 10'(OUT_LATENCY);
        default: latency = 10'(WRITE_LATENCY);
      endcase
      earliest = since[first] + 64'd1 + 64'(resp_passes[16*p+:16]) + 64'(latency);
    end

    `ISBESIM_RULE(response_zero, assert, !resp_valid[p] || !surplus,
                  ("port %0d, cycle %0d: data or status of an inactive lane or unused component of op %0d (section 2)", p,
                   cycle, answered_op))

    // ---------------------------------------------------------------------------------------------
    // Section 5, as far as the pins show it
    // ---------------------------------------------------------------------------------------------
    `ISBESIM_RULE(request_taken, assert,
        !(outstanding < COUNT_BITS'(REQUEST_QUEUE_DEPTH)) || req_ready[p],
                  ("port %0d, cycle %0d: req_ready is 0 with %0d operations outstanding (section 5.1)", p, cycle, outstanding))

    `ISBESIM_RULE(request_bound, assert, !(outstanding == COUNT_BITS'(PLACES)) || !req_ready[p],
                  ("port %0d, cycle %0d: req_ready is 1 with both queues full (sections 5.1, 5.2)",
                      p, cycle))

    `ISBESIM_RULE(response_passes, assert, !resp_valid[p] || resp_passes[16*p+:16] != '0,
                  ("port %0d, cycle %0d: a response of no passes (section 5.4)", p, cycle))

    `ISBESIM_RULE(response_earliest, assert, !resp_valid[p] || cycle >= earliest,
                  ("port %0d, cycle %0d: a response before accept + 1 + P + L = %0d (section 5.5)",
                      p, cycle, earliest))

    // ---------------------------------------------------------------------------------------------
    // Situations to be reached
    // ---------------------------------------------------------------------------------------------
    `ISBESIM_COVER(request_refused, !rst && req_valid[p] && !req_ready[p])
    `ISBESIM_COVER(request_at_once, !rst && req_valid[p] && req_ready[p] && outstanding == '0)
    `ISBESIM_COVER(response_waits, !rst && resp_valid[p] && !resp_ready[p])
    `ISBESIM_COVER(ready_before_valid, !rst && resp_ready[p] && !resp_valid[p] && outstanding != '0)
    `ISBESIM_COVER(queues_full, !rst && outstanding == COUNT_BITS'(PLACES))
    `ISBESIM_COVER(reset_with_operations, rst && outstanding != '0)
    `ISBESIM_COVER(reset_with_response, rst && resp_valid[p])
  end

  // Ports start together: the arbiter decides.
  `ISBESIM_COVER(requests_together, !rst && (req_valid & req_ready) == '1)

endmodule

`ifndef YOSYS  // tests/proof instantiates the rules
bind isbe_top port_rules #(
    .PORTS               (PORTS),
    .REQUEST_QUEUE_DEPTH (REQUEST_QUEUE_DEPTH),
    .RESPONSE_QUEUE_DEPTH(RESPONSE_QUEUE_DEPTH),
    .PIPELINE_LATENCY    (PIPELINE_LATENCY),
    .WRITE_LATENCY       (WRITE_LATENCY),
    .AL2P_LATENCY        (AL2P_LATENCY),
    .OUT_LATENCY         (OUT_LATENCY)
) port_assertions (.*);
`endif
