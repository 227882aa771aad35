// SPDX-License-Identifier: Apache-2.0
// Watches the ports of an ISBE block and compares every response with the model; README.md explains how to bind it. It
// drives nothing. The rising edge that ends a cycle samples the pins, before any change by this edge.
//
// The machine is given by the block's parameters (rtl_ref/README.md, section 7) or, unless it is "", by MACHINE: the
// text of a machine's JSON file or the name of a preset.
module isbe_monitor #(
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
    parameter int unsigned CONTEXTS = 64,
    parameter string       MACHINE = "",
    parameter string       MODE = "cycles",  // data, order, cycles, latency; +isbe_monitor_mode=... overrides it
    parameter int unsigned FATAL = 1,        // 1: the first difference ends the simulation
    parameter int unsigned PASSES_TOLD = 1,  // 0: resp_passes is not compared
    parameter int unsigned IDLE_AT_END = 0   // 1: an operation without a response at the end is a difference
) (
    input logic                  clk,
    input logic                  rst,
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

  chandle checker_handle;
  int unsigned differences;  // so far
  int unsigned total;        // at the end
  string machine;
  string mode;

  initial begin
    differences = 0;
    machine = MACHINE;
    mode = MODE;
    if (machine == "") begin
      machine = isbesim_pkg::machine_of(
          LINES, BANKS, BANK_MAP, ACCESS_LINE, SKEW, PORTS, REQUEST_QUEUE_DEPTH, RESPONSE_QUEUE_DEPTH,
          PIPELINE_LATENCY, WRITE_LATENCY, AL2P_LATENCY, OUT_LATENCY, FIXED_PRIORITY, GS_BLOCKED, WINNER_LOWEST,
          ATTRIBUTE_DEFAULT, POSITION_W_DEFAULT, MAP_BYTE_SWAP, CONTEXTS);
    end
    if ($value$plusargs("isbe_monitor_mode=%s", mode)) $display("isbe_monitor %m: mode %s", mode);
    checker_handle = isbesim_pkg::isbesim_checker_create(machine, mode);
    if (checker_handle == null)
      $fatal(1, "isbe_monitor %m: %s", isbesim_pkg::isbesim_checker_error());
    else if (isbesim_pkg::isbesim_checker_ports(checker_handle) != PORTS)
      $fatal(1, "isbe_monitor %m: the machine has another number of ports than PORTS");
  end

  always @(posedge clk) begin : sample
    int unsigned found;
    for (int unsigned p = 0; p < PORTS; p++) begin
      if (req_valid[p])
        isbesim_pkg::isbesim_checker_request(
            checker_handle, p, 32'(req_op[3*p+:3]), 32'(req_space[p]), 32'(req_region[3*p+:3]), 32'(req_form[2*p+:2]),
            32'(req_type[2*p+:2]), 32'(req_size[3*p+:3]), 32'(req_skew[p]), 32'(req_context[16*p+:16]),
            req_immediate[32*p+:32], req_lanes[32*p+:32], req_address[1024*p+:1024], req_handle[1024*p+:1024],
            req_data[4096*p+:4096]);
      if (resp_valid[p])
        isbesim_pkg::isbesim_checker_response(checker_handle, p, resp_data[4096*p+:4096], resp_status[512*p+:512],
                                              32'(resp_error[8*p+:8]),
                                              PASSES_TOLD != 0 ? 32'(resp_passes[16*p+:16]) : 32'hffff_ffff);
    end
    found = isbesim_pkg::isbesim_checker_clock(checker_handle, 32'(rst), 32'(req_ready), 32'(resp_ready));
    differences <= differences + found;
    if (found != 0) begin
      $display("isbe_monitor %m at %0t: %s", $time, isbesim_pkg::isbesim_checker_text(checker_handle));
      if (FATAL != 0) $fatal(1, "isbe_monitor %m: the block differs from the model");
    end
  end

  final begin
    if (checker_handle != null) begin
      total = isbesim_pkg::isbesim_checker_finish(checker_handle, IDLE_AT_END);
      $display("isbe_monitor %m, mode %s, %0d differences: %s", mode, total,
               isbesim_pkg::isbesim_checker_text(checker_handle));
      isbesim_pkg::isbesim_checker_destroy(checker_handle);
    end
  end

endmodule
