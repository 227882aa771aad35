// SPDX-License-Identifier: Apache-2.0
// A client on every port of an ISBE: the cross-check's random traffic, drawn from libisbesim_model.so.
//
//   +machine=JSON              of the block: a text for isbesim_create(), without blanks
//   +transactions=N +seed=S    how much, and which
//   +apart                     one port at a time, in turns: what the other port did is over before
module isbe_traffic #(
    parameter int unsigned PORTS = 2
) (
    input  logic                  clk,
    input  logic                  rst,
    output logic [PORTS-1:0]      req_valid,
    input  logic [PORTS-1:0]      req_ready,
    output logic [PORTS*3-1:0]    req_op,
    output logic [PORTS-1:0]      req_space,
    output logic [PORTS*3-1:0]    req_region,
    output logic [PORTS*2-1:0]    req_form,
    output logic [PORTS*2-1:0]    req_type,
    output logic [PORTS*3-1:0]    req_size,
    output logic [PORTS-1:0]      req_skew,
    output logic [PORTS*16-1:0]   req_context,
    output logic [PORTS*32-1:0]   req_immediate,
    output logic [PORTS*32-1:0]   req_lanes,
    output logic [PORTS*1024-1:0] req_address,
    output logic [PORTS*1024-1:0] req_handle,
    output logic [PORTS*4096-1:0] req_data,
    input  logic [PORTS-1:0]      resp_valid,
    output logic [PORTS-1:0]      resp_ready,
    output logic [PORTS-1:0]      done  // all has responded
);

  localparam int unsigned BURST = 16;

  chandle           traffic;
  string            machine;
  int unsigned      seed;
  int unsigned      transactions;
  logic             apart;
  logic [31:0]      cycle;
  logic [31:0]      turn;                // +apart: the port whose turn it is
  logic [PORTS-1:0] passes_on;           // it has had its burst, or has no more
  logic [PORTS-1:0] quiet;               // nothing of the port is under way
  logic [15:0]      early;

  initial begin
    cycle = '0;
    early = 16'h1234;
    seed = 1;
    transactions = 2000;
    if (!$value$plusargs("machine=%s", machine)) machine = "";
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    if (!$value$plusargs("transactions=%d", transactions)) transactions = 2000;
    apart = $test$plusargs("apart") != 0;
    traffic = isbesim_pkg::isbesim_traffic_create(machine, seed, transactions);
    if (traffic == null) $fatal(1, "isbe_traffic: %s", isbesim_pkg::isbesim_checker_error());
  end

  always @(posedge clk) begin
    cycle <= cycle + 1;
    if (rst) begin
      turn <= '0;
    end else begin
      early <= {early[14:0], early[15] ^ early[13] ^ early[12] ^ early[10]};
      if (passes_on[turn[0]] && quiet[turn[0]] && PORTS == 2) turn <= 1 - turn;
    end
  end

  for (genvar p = 0; p < 32'(PORTS); p++) begin : client
    int unsigned earliest, hold, op, space, region, form, kind, size, skew, slot, immediate, lanes, more;
    bit [1023:0] address, handle;
    bit [4095:0] data;
    logic        loaded;                // the values above are to be sent
    logic [31:0] sent, responded, held, burst;
    int unsigned holds[1024];           // of the operations under way, by number
    logic        may;
    logic        drawn;                 // the first operation is
    initial drawn = 1'b0;

    assign may = !apart || PORTS == 1 || (turn == p && burst < BURST);
    assign resp_ready[p] = resp_valid[p] ? held >= holds[responded[9:0]] : early[p];
    assign quiet[p] = sent == responded && !req_valid[p];
    assign passes_on[p] = burst >= BURST || !loaded;
    assign done[p] = quiet[p] && !loaded && !rst;

    task automatic load();
      more = isbesim_pkg::isbesim_traffic_next(traffic, p, earliest, hold, op, space, region, form, kind, size, skew,
                                               slot, immediate, lanes, address, handle, data);
    endtask

    always @(posedge clk) begin
      if (rst) begin
        req_valid[p] <= 1'b0;
        loaded <= more != 0 || !drawn;
        sent <= '0;
        responded <= '0;
        held <= '0;
        burst <= '0;
        if (!drawn) load();             // in the middle of a run the operation that waits is sent again
        drawn <= 1'b1;
      end else begin
        if (req_valid[p] && req_ready[p]) begin
          sent <= sent + 1;
          burst <= burst + 1;
          load();
          loaded <= more != 0;
          req_valid[p] <= 1'b0;
        end
        if (turn != p) burst <= '0;
        if ((!req_valid[p] || req_ready[p]) && more != 0 && earliest <= cycle + 1 && may && sent - responded < 1000) begin
          req_valid[p] <= 1'b1;
          req_op[3*p+:3] <= 3'(op);
          req_space[p] <= 1'(space);
          req_region[3*p+:3] <= 3'(region);
          req_form[2*p+:2] <= 2'(form);
          req_type[2*p+:2] <= 2'(kind);
          req_size[3*p+:3] <= 3'(size);
          req_skew[p] <= 1'(skew);
          req_context[16*p+:16] <= 16'(slot);
          req_immediate[32*p+:32] <= immediate;
          req_lanes[32*p+:32] <= lanes;
          req_address[1024*p+:1024] <= address;
          req_handle[1024*p+:1024] <= handle;
          req_data[4096*p+:4096] <= data;
          holds[10'(sent + 32'(req_valid[p]))] <= hold;
        end
        if (resp_valid[p]) begin
          held <= resp_ready[p] ? '0 : held + 1;
          if (resp_ready[p]) responded <= responded + 1;
        end
      end
    end
  end

endmodule
