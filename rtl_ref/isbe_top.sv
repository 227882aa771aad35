// ISBE: the block of README.md, one instance per box of its diagram. Every port of section 2 is one vector with port p at
// slice p; the fields of a request and of a response keep the names and widths of the page.
//
// FAULT plants one of the faults listed in faults.md; 0 is the block itself.
module isbe_top #(
    parameter int unsigned LINES = 512,
    parameter int unsigned BANKS = 32,
    parameter int unsigned ACCESS_LINE = 0,
    parameter int unsigned SKEW = 1,
    parameter int unsigned PORTS = 2,
    parameter int unsigned REQUEST_QUEUE_DEPTH = 4,
    parameter int unsigned RESPONSE_QUEUE_DEPTH = 8,
    parameter int unsigned PIPELINE_LATENCY = 24,
    parameter int unsigned WRITE_LATENCY = 24,
    parameter int unsigned AL2P_LATENCY = 12,
    parameter int unsigned OUT_LATENCY = 20,
    parameter int unsigned FIXED_PRIORITY = 0,
    parameter int unsigned GS_BLOCKED = 0,
    parameter int unsigned WINNER_LOWEST = 0,
    parameter int unsigned ATTRIBUTE_DEFAULT = 14,
    parameter int unsigned POSITION_W_DEFAULT = 32'h3f80_0000,
    parameter int unsigned MAP_BYTE_SWAP = 0,
    parameter int unsigned CONTEXTS = 16,
    parameter int          FAULT = 0
) (
    input logic clk,
    input logic rst,

    input  logic [PORTS-1:0]      req_valid,
    output logic [PORTS-1:0]      req_ready,
    input  logic [PORTS*3-1:0]    req_op,
    input  logic [PORTS-1:0]      req_space,
    input  logic [PORTS*3-1:0]    req_region,
    input  logic [PORTS*2-1:0]    req_form,
    input  logic [PORTS*2-1:0]    req_type,
    input  logic [PORTS*3-1:0]    req_size,
    input  logic [PORTS-1:0]      req_skew,
    input  logic [PORTS*16-1:0]   req_context,
    input  logic [PORTS*32-1:0]   req_immediate,
    input  logic [PORTS*32-1:0]   req_lanes,
    input  logic [PORTS*1024-1:0] req_address,    // lane i: word i
    input  logic [PORTS*1024-1:0] req_handle,     // lane i: word i
    input  logic [PORTS*4096-1:0] req_data,       // component c of lane i: word 32c+i

    output logic [PORTS-1:0]      resp_valid,
    input  logic [PORTS-1:0]      resp_ready,
    output logic [PORTS*4096-1:0] resp_data,      // component c of lane i: word 32c+i
    output logic [PORTS*512-1:0]  resp_status,    // lane i: 16 bits
    output logic [PORTS*8-1:0]    resp_error,
    output logic [PORTS*16-1:0]   resp_passes
);

  // -------------------------------------------------------------------------------------------------------------------
  // Section 7: ranges
  // -------------------------------------------------------------------------------------------------------------------
  if (LINES < 8 || LINES > 8192 || LINES % 8 != 0) $error("LINES: 8..8192, a multiple of 8");
  if (BANKS != 8 && BANKS != 16 && BANKS != 32) $error("BANKS: 8, 16 or 32");
  if (ACCESS_LINE > 1) $error("ACCESS_LINE: 0 banked, 1 line");
  if (SKEW > 1) $error("SKEW: 0 or 1");
  if (PORTS < 1 || PORTS > 2) $error("PORTS: 1 or 2");
  if (REQUEST_QUEUE_DEPTH < 1 || REQUEST_QUEUE_DEPTH > 64) $error("REQUEST_QUEUE_DEPTH: 1..64");
  if (RESPONSE_QUEUE_DEPTH < 1 || RESPONSE_QUEUE_DEPTH > 128) $error("RESPONSE_QUEUE_DEPTH: 1..128");
  if (PIPELINE_LATENCY < 2 || PIPELINE_LATENCY > 1000) $error("PIPELINE_LATENCY: 2..1000");
  if (WRITE_LATENCY < 2 || WRITE_LATENCY > 1000) $error("WRITE_LATENCY: 2..1000");
  if (AL2P_LATENCY < 2 || AL2P_LATENCY > 1000) $error("AL2P_LATENCY: 2..1000");
  if (OUT_LATENCY < 2 || OUT_LATENCY > 1000) $error("OUT_LATENCY: 2..1000");
  if (FIXED_PRIORITY > 1) $error("FIXED_PRIORITY: 0 round_robin, 1 fixed_priority");
  if (GS_BLOCKED > 1) $error("GS_BLOCKED: 0 interleaved, 1 blocked");
  if (WINNER_LOWEST > 1) $error("WINNER_LOWEST: 0 highest, 1 lowest");
  if (MAP_BYTE_SWAP > 1) $error("MAP_BYTE_SWAP: 0 or 1");
  if (ATTRIBUTE_DEFAULT > 63) $error("ATTRIBUTE_DEFAULT: 6 bits");
  if (CONTEXTS < 1 || CONTEXTS > 64) $error("CONTEXTS: 1..64");

  // -------------------------------------------------------------------------------------------------------------------
  // Ports and their queues
  // -------------------------------------------------------------------------------------------------------------------
  logic [63:0]         cycle;
  logic [PORTS-1:0]    queued;
  logic [PORTS-1:0]    has_room;
  logic [PORTS-1:0]    grant;

  logic                finished;
  logic                finished_port;
  logic [2:0]          finished_op;
  isbe_pkg::response_t finished_response;

  always_ff @(posedge clk) begin
    if (rst) cycle <= '0;
    else cycle <= cycle + 64'd1;
  end

  for (genvar p = 0; p < 32'(PORTS); p++) begin : port
    isbe_pkg::request_t  request;
    isbe_pkg::request_t  head;
    isbe_pkg::response_t response;

    assign request.op        = req_op[3*p+:3];
    assign request.space     = req_space[p];
    assign request.region    = req_region[3*p+:3];
    assign request.form      = req_form[2*p+:2];
    assign request.out_type  = req_type[2*p+:2];
    assign request.size      = req_size[3*p+:3];
    assign request.slot      = req_context[16*p+:16];
    assign request.immediate = req_immediate[32*p+:32];
    assign request.lanes     = req_lanes[32*p+:32];
    assign request.address   = req_address[1024*p+:1024];
    assign request.handle    = req_handle[1024*p+:1024];
    assign request.data      = req_data[4096*p+:4096];

    request_queue #(
        .DEPTH(REQUEST_QUEUE_DEPTH),
        .FAULT(FAULT)
    ) requests (
        .clk       (clk),
        .rst       (rst),
        .valid     (req_valid[p]),
        .ready     (req_ready[p]),
        .request   (request),
        .head_valid(queued[p]),
        .head      (head),
        .pop       (grant[p])
    );

    response_queue #(
        .DEPTH           (RESPONSE_QUEUE_DEPTH),
        .PIPELINE_LATENCY(PIPELINE_LATENCY),
        .WRITE_LATENCY   (WRITE_LATENCY),
        .AL2P_LATENCY    (AL2P_LATENCY),
        .OUT_LATENCY     (OUT_LATENCY),
        .FAULT           (FAULT)
    ) responses (
        .clk              (clk),
        .rst              (rst),
        .cycle            (cycle),
        .granted          (grant[p]),
        .has_room         (has_room[p]),
        .finished         (finished && finished_port == 1'(p)),
        .finished_op      (finished_op),
        .finished_response(finished_response),
        .valid            (resp_valid[p]),
        .ready            (resp_ready[p]),
        .response         (response)
    );

    assign resp_data[4096*p+:4096] = response.data;
    assign resp_status[512*p+:512] = response.status;
    assign resp_error[8*p+:8]      = response.error;
    assign resp_passes[16*p+:16]   = response.passes;
  end

  // -------------------------------------------------------------------------------------------------------------------
  // Grant cycle: arbiter, context table, address unit
  // -------------------------------------------------------------------------------------------------------------------
  logic                 can_grant;
  logic                 granted;
  logic                 granted_port;
  isbe_pkg::request_t   request;
  logic                 context_known;
  isbe_pkg::context_t   ctx;
  isbe_pkg::operation_t operation;
  logic [127:0]         access;
  isbe_pkg::words_t     write_data;
  isbe_pkg::words_t     value;

  arbiter #(
      .PORTS         (PORTS),
      .FIXED_PRIORITY(FIXED_PRIORITY),
      .FAULT         (FAULT)
  ) arbitration (
      .clk      (clk),
      .rst      (rst),
      .can_grant(can_grant),
      .candidate(queued & has_room),
      .grant    (grant)
  );

  assign granted = grant != '0;
  if (PORTS == 1) begin : one_port
    assign granted_port = 1'b0;
    assign request      = port[0].head;
  end else begin : two_ports
    assign granted_port = grant[1];
    assign request      = grant[1] ? port[1].head : port[0].head;
  end

  context_table #(
      .CONTEXTS(CONTEXTS),
      .FAULT   (FAULT)
  ) contexts (
      .clk       (clk),
      .rst       (rst),
      .slot      (request.slot),
      .known     (context_known),
      .content   (ctx),
      .write     (granted && request.op == isbe_pkg::BIND && context_known),
      .descriptor(request.data[63:0])
  );

  address_unit #(
      .LINES             (LINES),
      .SKEW              (SKEW),
      .GS_BLOCKED        (GS_BLOCKED),
      .ATTRIBUTE_DEFAULT (ATTRIBUTE_DEFAULT),
      .POSITION_W_DEFAULT(POSITION_W_DEFAULT),
      .MAP_BYTE_SWAP     (MAP_BYTE_SWAP),
      .FAULT             (FAULT)
  ) addresses (
      .enable       (granted),
      .request      (request),
      .context_known(context_known),
      .ctx          (ctx),
      .operation    (operation),
      .access       (access),
      .write_data   (write_data),
      .value        (value)
  );

  // -------------------------------------------------------------------------------------------------------------------
  // Passes
  // -------------------------------------------------------------------------------------------------------------------
  pass_engine #(
      .LINES        (LINES),
      .BANKS        (BANKS),
      .ACCESS_LINE  (ACCESS_LINE),
      .WINNER_LOWEST(WINNER_LOWEST),
      .FAULT        (FAULT)
  ) engine (
      .clk              (clk),
      .rst              (rst),
      .can_grant        (can_grant),
      .start            (granted),
      .start_port       (granted_port),
      .start_operation  (operation),
      .start_access     (access),
      .start_write_data (write_data),
      .start_value      (value),
      .finished         (finished),
      .finished_port    (finished_port),
      .finished_op      (finished_op),
      .finished_response(finished_response)
  );

  logic unused_skew;  // `.SKEW` changes nothing (section 4.5)
  assign unused_skew = &{1'b0, req_skew};

endmodule
