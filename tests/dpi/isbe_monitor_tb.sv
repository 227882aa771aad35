// SPDX-License-Identifier: Apache-2.0
// The RTL with a monitor bound to it, under random traffic. Runs in any simulator with DPI and timing:
//
//   +isbe_monitor_mode=data|order|cycles|latency, +resets=N, and the arguments of isbe_traffic
//
// Says "PASS" or "FAIL". The parameters are the block's.
module isbe_monitor_tb #(
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
);
  logic                  clk, rst;
  logic [PORTS-1:0]      req_valid, req_ready, req_space, req_skew, resp_valid, resp_ready, done;
  logic [PORTS*3-1:0]    req_op, req_region, req_size;
  logic [PORTS*2-1:0]    req_form, req_type;
  logic [PORTS*16-1:0]   req_context, resp_passes;
  logic [PORTS*32-1:0]   req_immediate, req_lanes;
  logic [PORTS*1024-1:0] req_address, req_handle;
  logic [PORTS*4096-1:0] req_data, resp_data;
  logic [PORTS*512-1:0]  resp_status;
  logic [PORTS*8-1:0]    resp_error;

  isbe_top #(
      .LINES(LINES), .BANKS(BANKS), .BANK_MAP(BANK_MAP), .ACCESS_LINE(ACCESS_LINE), .SKEW(SKEW), .PORTS(PORTS),
      .REQUEST_QUEUE_DEPTH(REQUEST_QUEUE_DEPTH), .RESPONSE_QUEUE_DEPTH(RESPONSE_QUEUE_DEPTH),
      .PIPELINE_LATENCY(PIPELINE_LATENCY), .WRITE_LATENCY(WRITE_LATENCY), .AL2P_LATENCY(AL2P_LATENCY),
      .OUT_LATENCY(OUT_LATENCY), .FIXED_PRIORITY(FIXED_PRIORITY), .GS_BLOCKED(GS_BLOCKED),
      .WINNER_LOWEST(WINNER_LOWEST), .ATTRIBUTE_DEFAULT(ATTRIBUTE_DEFAULT), .POSITION_W_DEFAULT(POSITION_W_DEFAULT),
      .MAP_BYTE_SWAP(MAP_BYTE_SWAP), .CONTEXTS(CONTEXTS)
  ) block (
      .clk, .rst, .req_valid, .req_ready, .req_op, .req_space, .req_region, .req_form, .req_type, .req_size, .req_skew,
      .req_context, .req_immediate, .req_lanes, .req_address, .req_handle, .req_data,
      .resp_valid, .resp_ready, .resp_data, .resp_status, .resp_error, .resp_passes
  );
  isbe_traffic #(.PORTS(PORTS)) clients (
      .clk, .rst, .req_valid, .req_ready, .req_op, .req_space, .req_region, .req_form, .req_type, .req_size, .req_skew,
      .req_context, .req_immediate, .req_lanes, .req_address, .req_handle, .req_data,
      .resp_valid, .resp_ready, .done
  );

  initial begin
    clk = 1'b0;
    forever #1 clk = !clk;
  end

  int unsigned quiet;  // cycles without a transfer
  int unsigned resets; // to come in the middle of the run
  initial begin
    rst = 1'b1;
    quiet = 0;
    @(posedge clk);
    @(posedge clk);
    rst <= 1'b0;
    if (!$value$plusargs("resets=%d", resets)) resets = 0;
    for (int unsigned r = 0; r < resets; r++) begin
      repeat (20 + 7 * (r % 11)) @(posedge clk);
      rst <= 1'b1;
      @(posedge clk);
      rst <= 1'b0;
    end
    @(posedge clk);
    while (done != '1 && quiet < 20000 && block.monitor.differences == 0) begin
      @(posedge clk);
      quiet = (req_valid & req_ready) != '0 || (resp_valid & resp_ready) != '0 ? 0 : quiet + 1;
    end
    if (quiet >= 20000) $display("nothing was transferred for 20000 cycles");
    $display("%s", done == '1 && block.monitor.differences == 0 ? "PASS" : "FAIL");
    $finish;
  end
endmodule

// The parameters are the block's own.
bind isbe_top isbe_monitor #(
    .LINES(LINES), .BANKS(BANKS), .BANK_MAP(BANK_MAP), .ACCESS_LINE(ACCESS_LINE), .SKEW(SKEW), .PORTS(PORTS),
    .REQUEST_QUEUE_DEPTH(REQUEST_QUEUE_DEPTH), .RESPONSE_QUEUE_DEPTH(RESPONSE_QUEUE_DEPTH),
    .PIPELINE_LATENCY(PIPELINE_LATENCY), .WRITE_LATENCY(WRITE_LATENCY), .AL2P_LATENCY(AL2P_LATENCY),
    .OUT_LATENCY(OUT_LATENCY), .FIXED_PRIORITY(FIXED_PRIORITY), .GS_BLOCKED(GS_BLOCKED),
    .WINNER_LOWEST(WINNER_LOWEST), .ATTRIBUTE_DEFAULT(ATTRIBUTE_DEFAULT), .POSITION_W_DEFAULT(POSITION_W_DEFAULT),
    .MAP_BYTE_SWAP(MAP_BYTE_SWAP), .CONTEXTS(CONTEXTS), .FATAL(0), .IDLE_AT_END(1)
) monitor (.*);
