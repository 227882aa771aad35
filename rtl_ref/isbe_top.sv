// SPDX-License-Identifier: Apache-2.0
// ISBE: the block of README.md, with one module per block of its diagram; client_port contains the
// two queues of a port, and the address unit has 32 instances of address_lane. Each field of
// section 2 is a vector with port p in slice p; names and widths are those of the page.
module isbe_top #(
    parameter int unsigned LINES = 1024,
    parameter int unsigned BANKS = 32,
    parameter int unsigned BANK_MAP = 0,
    parameter int unsigned ACCESS_LINE = 0,
    parameter int unsigned SKEW = 1,
    parameter int unsigned PORTS = 2,
    parameter int unsigned REQUEST_QUEUE_DEPTH = 4,
    parameter int unsigned RESPONSE_QUEUE_DEPTH = 32,
    parameter int unsigned PIPELINE_LATENCY = 22,
    parameter int unsigned WRITE_LATENCY = 22,
    parameter int unsigned AL2P_LATENCY = 10,
    parameter int unsigned OUT_LATENCY = 18,
    parameter int unsigned FIXED_PRIORITY = 0,
    parameter int unsigned GS_BLOCKED = 0,
    parameter int unsigned WINNER_LOWEST = 0,
    parameter int unsigned ATTRIBUTE_DEFAULT = 14,
    parameter int unsigned POSITION_W_DEFAULT = 32'h3f80_0000,
    parameter int unsigned MAP_BYTE_SWAP = 0,
    parameter int unsigned CONTEXTS = 64
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

  // -----------------------------------------------------------------------------------------------
  // Section 7: ranges
  // -----------------------------------------------------------------------------------------------
  // The first parameter outside of its range, and the range
  localparam logic [8*50-1:0] REFUSED =
      LINES < 8 || LINES > 8192 || LINES % 8 != 0 ? "LINES: 8..8192, a multiple of 8" :
      BANKS != 8 && BANKS != 16 && BANKS != 32 ? "BANKS: 8, 16 or 32" :
      BANK_MAP > 2 ? "BANK_MAP: 0 modulo, 1 rotate, 2 xor" :
      ACCESS_LINE > 1 ? "ACCESS_LINE: 0 banked, 1 line" :
      SKEW > 1 ? "SKEW: 0 or 1" :
      PORTS < 1 || PORTS > 2 ? "PORTS: 1 or 2" :
      REQUEST_QUEUE_DEPTH < 1 || REQUEST_QUEUE_DEPTH > 64 ? "REQUEST_QUEUE_DEPTH: 1..64" :
      RESPONSE_QUEUE_DEPTH < 1 || RESPONSE_QUEUE_DEPTH > 128 ? "RESPONSE_QUEUE_DEPTH: 1..128" :
      PIPELINE_LATENCY < 2 || PIPELINE_LATENCY > 1000 ? "PIPELINE_LATENCY: 2..1000" :
      WRITE_LATENCY < 2 || WRITE_LATENCY > 1000 ? "WRITE_LATENCY: 2..1000" :
      AL2P_LATENCY < 2 || AL2P_LATENCY > 1000 ? "AL2P_LATENCY: 2..1000" :
      OUT_LATENCY < 2 || OUT_LATENCY > 1000 ? "OUT_LATENCY: 2..1000" :
      FIXED_PRIORITY > 1 ? "FIXED_PRIORITY: 0 round_robin, 1 fixed_priority" :
      GS_BLOCKED > 1 ? "GS_BLOCKED: 0 interleaved, 1 blocked" :
      WINNER_LOWEST > 1 ? "WINNER_LOWEST: 0 highest, 1 lowest" :
      MAP_BYTE_SWAP > 1 ? "MAP_BYTE_SWAP: 0 or 1" :
      ATTRIBUTE_DEFAULT > 63 ? "ATTRIBUTE_DEFAULT: 6 bits" :
      CONTEXTS < 1 || CONTEXTS > 64 ? "CONTEXTS: 1..64" :
      "";
  if (REFUSED != '0) begin : refused
`ifdef YOSYS  // its $error shows no values
    $error(REFUSED);
`else
    $error("%0s", REFUSED);
`endif
  end

  // -----------------------------------------------------------------------------------------------
  // Ports and their queues
  // -----------------------------------------------------------------------------------------------
  isbe_pkg::request_t request;  // the granted request

  logic [63:0]                   cycle;
  logic [PORTS-1:0]              queued;
  logic [PORTS-1:0]              has_room;
  logic [PORTS-1:0]              grant;

  logic                          finished;
  logic                          finished_port;
  logic [2:0]                    finished_op;
  logic [7:0]                    finished_error;
  logic [15:0]                   finished_passes;
  logic [511:0]                  finished_status;
  isbe_pkg::words_t              finished_data;

  always_ff @(posedge clk) begin
    if (rst) cycle <= '0;
    else cycle <= cycle + 64'd1;
  end

`ifdef ISBESIM_ASSERT
  logic [PORTS*$bits(request)-1:0] offered;  // by each port
  logic [PORTS*4632-1:0]           shown;    // to each port: error, passes, status, data
`endif

  logic unused_skew;  // `.SKEW` changes nothing (section 4.5)
  assign unused_skew = &{1'b0, req_skew};

  for (genvar p = 0; p < 32'(PORTS); p++) begin : ports
    isbe_pkg::request_t head;
    logic [4095:0]      data;
    logic [511:0]       status;
    logic [93:0]        control;  // request_t, op .. lanes

    assign control = {req_op[3*p+:3], req_space[p], req_region[3*p+:3], req_form[2*p+:2],
                      req_type[2*p+:2], req_size[3*p+:3], req_context[16*p+:16],
                      req_immediate[32*p+:32], req_lanes[32*p+:32]};

    client_port #(
        .REQUEST_QUEUE_DEPTH (REQUEST_QUEUE_DEPTH),
        .RESPONSE_QUEUE_DEPTH(RESPONSE_QUEUE_DEPTH),
        .PIPELINE_LATENCY    (PIPELINE_LATENCY),
        .WRITE_LATENCY       (WRITE_LATENCY),
        .AL2P_LATENCY        (AL2P_LATENCY),
        .OUT_LATENCY         (OUT_LATENCY)
    ) client (
        .clk              (clk),
        .rst              (rst),
        .cycle            (cycle),
        .req_valid        (req_valid[p]),
        .req_ready        (req_ready[p]),
        .req_control      (control),
        .req_address      (req_address[1024*p+:1024]),
        .req_handle       (req_handle[1024*p+:1024]),
        .req_data         (req_data[4096*p+:4096]),
        .resp_valid       (resp_valid[p]),
        .resp_ready       (resp_ready[p]),
        .resp_data        (data),
        .resp_status      (status),
        .resp_error       (resp_error[8*p+:8]),
        .resp_passes      (resp_passes[16*p+:16]),
        .queued           (queued[p]),
        .has_room         (has_room[p]),
        .head             (head),
        .grant            (grant[p]),
        .finished         (finished && finished_port == 1'(p)),
        .finished_op      (finished_op),
        .finished_error   (finished_error),
        .finished_passes  (finished_passes),
        .finished_status  (finished_status),
        .finished_data    (finished_data)
    );

    // Don't-care without a valid response (section 2); zero simulates faster.
    always_comb begin
      if (resp_valid[p]) begin
        resp_data[4096*p+:4096] = data;
        resp_status[512*p+:512] = status;
      end else begin
        resp_data[4096*p+:4096] = '0;
        resp_status[512*p+:512] = '0;
      end
    end

`ifdef ISBESIM_ASSERT
    assign offered[$bits(request)*p+:$bits(request)] =
        {control, req_address[1024*p+:1024], req_handle[1024*p+:1024], req_data[4096*p+:4096]};
    assign shown[4632*p+:4632] = {resp_error[8*p+:8], resp_passes[16*p+:16],
                                  resp_status[512*p+:512], resp_data[4096*p+:4096]};
`endif
  end

  // -----------------------------------------------------------------------------------------------
  // Grant cycle: arbiter, context table, address unit
  // -----------------------------------------------------------------------------------------------
  logic                 can_grant;
  logic                 granted;
  logic                 granted_port;
  logic                 context_known;
  isbe_pkg::context_t   ctx;
  isbe_pkg::operation_t operation;
  logic [127:0]         access;
  isbe_pkg::words_t     write_data;
  isbe_pkg::words_t     value;

  arbiter #(
      .PORTS         (PORTS),
      .FIXED_PRIORITY(FIXED_PRIORITY)
  ) arbitration (
      .clk      (clk),
      .rst      (rst),
      .can_grant(can_grant),
      .candidate(queued & has_room),
      .grant    (grant)
  );

  assign granted      = grant != '0;
  assign granted_port = PORTS == 2 && grant[PORTS-1];

  always_comb begin
    request = '0;
    if (grant[0]) request = ports[0].head;
    else if (granted) request = ports[PORTS-1].head;
  end

  context_table #(
      .CONTEXTS(CONTEXTS)
  ) contexts (
      .clk       (clk),
      .rst       (rst),
      .read      (granted),
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
      .MAP_BYTE_SWAP     (MAP_BYTE_SWAP)
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

  // -----------------------------------------------------------------------------------------------
  // Passes
  // -----------------------------------------------------------------------------------------------
  pass_engine #(
      .LINES        (LINES),
      .BANKS        (BANKS),
      .BANK_MAP     (BANK_MAP),
      .ACCESS_LINE  (ACCESS_LINE),
      .WINNER_LOWEST(WINNER_LOWEST)
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
      .finished_error   (finished_error),
      .finished_passes  (finished_passes),
      .finished_status  (finished_status),
      .finished_data    (finished_data)
  );

`ifdef ISBESIM_ASSERT
  grant_rules #(
      .PORTS               (PORTS),
      .REQUEST_QUEUE_DEPTH (REQUEST_QUEUE_DEPTH),
      .RESPONSE_QUEUE_DEPTH(RESPONSE_QUEUE_DEPTH),
      .PIPELINE_LATENCY    (PIPELINE_LATENCY),
      .WRITE_LATENCY       (WRITE_LATENCY),
      .AL2P_LATENCY        (AL2P_LATENCY),
      .OUT_LATENCY         (OUT_LATENCY),
      .FIXED_PRIORITY      (FIXED_PRIORITY),
      .CONTEXTS            (CONTEXTS)
  ) grant_assertions (
      .clk, .rst, .cycle, .req_valid, .req_ready, .offered, .resp_valid, .resp_ready, .shown,
      .grant, .request, .finished, .finished_port, .finished_op, .finished_passes,
      .granted_op       (request.op),
      .granted_region   (request.region),
      .granted_context  (request.slot),
      .granted_error    (operation.error),
      .finished_response({finished_error, finished_passes, finished_status, finished_data})
  );
`endif

endmodule
