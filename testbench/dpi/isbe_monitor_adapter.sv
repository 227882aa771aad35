// SPDX-License-Identifier: Apache-2.0
// A template: isbe_monitor on a block with other ports. Copy it, and change the places marked "<-"; unchanged it fits
// testbench/examples/dpi/staging_memory.sv, an independently written block. README.md explains each place.
//
// The left side of every connection below is a pin of rtl_ref/README.md, section 2: it defines names, widths, encodings
// and the order of lanes. Pins that a block does not have are constants.
module isbe_monitor_adapter #(
    parameter string       MODE = "latency",
    parameter int unsigned FATAL = 1,
    parameter int unsigned IDLE_AT_END = 0
) (
    // <- 1. The ports of your block, all as inputs, under its names: bind with (.*) then connects them.
    input logic              i_clk,
    input logic              i_rst_n,
    input logic              cmd_vld,
    input logic              cmd_rdy,
    input logic              cmd_we,
    input logic [31:0]       cmd_en,
    input logic [31:0][15:0] cmd_word,
    input logic [31:0][31:0] cmd_wdata,
    input logic              rsp_vld,
    input logic              rsp_rdy,
    input logic [31:0][31:0] rsp_rdata,
    input logic [31:0]       rsp_fault,
    input logic [31:0]       rsp_lost,
    input logic [7:0]        rsp_beats
);

  // <- 2. Signals that differ from your pins: encodings, units, one word for each lane.
  logic [31:0][31:0] address;
  logic [31:0][15:0] status;
  always_comb begin
    for (int i = 0; i < 32; i++) begin
      address[i] = {14'b0, cmd_word[i], 2'b00};              // words to bytes
      status[i]  = '0;
      status[i][2] = rsp_fault[i];                           // out_of_range, section 6
      status[i][6] = rsp_lost[i];                            // write_conflict
    end
  end

  isbe_monitor #(
      // <- 3. What your block is, in the terms of section 7. Latencies are those that you mean it to have: mode "latency"
      //       says by how much it differs from them.
      .PORTS(1),
      .LINES(8),
      .BANKS(8),
      .REQUEST_QUEUE_DEPTH(2),
      .RESPONSE_QUEUE_DEPTH(32),
      .PIPELINE_LATENCY(5),
      .WRITE_LATENCY(4),
      .PASSES_TOLD(1),                                       // 0 if it does not show the passes of an operation
      .MODE(MODE),
      .FATAL(FATAL),
      .IDLE_AT_END(IDLE_AT_END)
  ) monitor (
      // <- 4. Your pins under the names of section 2.
      .clk          (i_clk),
      .rst          (!i_rst_n),                              // active high here
      .req_valid    (cmd_vld),
      .req_ready    (cmd_rdy),
      .req_op       (cmd_we ? 3'd5 : 3'd4),                  // ISBEWR, ISBERD
      .req_space    (1'b1),
      .req_region   (3'd4),                                  // physical
      .req_form     (2'd0),
      .req_type     (2'd0),
      .req_size     (3'd4),                                  // bytes
      .req_skew     (1'b0),
      .req_context  (16'd0),
      .req_immediate(32'd0),
      .req_lanes    (cmd_en),
      .req_address  (address),
      .req_handle   (1024'd0),
      .req_data     ({3072'd0, cmd_wdata}),                  // component 0 is the lowest
      .resp_valid   (rsp_vld),
      .resp_ready   (rsp_rdy),
      .resp_data    ({3072'd0, rsp_rdata}),
      .resp_status  (status),
      .resp_error   (8'd0),
      .resp_passes  ({8'd0, rsp_beats})
  );

endmodule
