// SPDX-License-Identifier: Apache-2.0
// Response queue of one port (sections 5.2 and 5.5). It counts the port's operations in flight,
// holds the results of finished operations in grant order, and shows each response from its cycle
// g+P+L on.
module response_queue #(
    parameter int unsigned DEPTH = 4,
    parameter int unsigned PIPELINE_LATENCY = 22,
    parameter int unsigned WRITE_LATENCY = 22,
    parameter int unsigned AL2P_LATENCY = 10,
    parameter int unsigned OUT_LATENCY = 18
) (
    input logic        clk,
    input logic        rst,
    input logic [63:0] cycle,  // counts from reset on; 64 bits do not wrap

    input  logic granted,      // one more operation in flight
    output logic has_room,     // fewer than DEPTH in flight

    input logic             finished,        // in cycle g+P+1
    input logic [2:0]       finished_op,
    input logic [7:0]       finished_error,
    input logic [15:0]      finished_passes,
    input logic [511:0]     finished_status,
    input isbe_pkg::words_t finished_data,

    output logic             valid,
    input  logic             ready,
    output logic [7:0]       error,          // of the oldest response
    output logic [15:0]      passes,
    output logic [511:0]     status,
    output isbe_pkg::words_t data
);

  localparam int unsigned INDEX_BITS = DEPTH > 1 ? $clog2(DEPTH) : 1;
  localparam int unsigned COUNT_BITS = $clog2(DEPTH + 1);
  localparam logic [INDEX_BITS-1:0] LAST = INDEX_BITS'(DEPTH - 1);

  // A memory for each field: a simulator would first concatenate the fields.
  logic [7:0]            errors  [DEPTH];
  logic [15:0]           counts  [DEPTH];  // passes
  logic [511:0]          statuses[DEPTH];
  logic [4095:0]         words   [DEPTH];
  logic [63:0]           due     [DEPTH];  // the cycle g+P+L
  logic [INDEX_BITS-1:0] first;
  logic [INDEX_BITS-1:0] next;
  logic [COUNT_BITS-1:0] in_flight;
  logic [COUNT_BITS-1:0] held;
  logic                  transfer;
  logic [9:0]            latency;

  always_comb begin
    case (finished_op)
      isbe_pkg::ALD, isbe_pkg::ISBERD: latency = 10'(PIPELINE_LATENCY);
      isbe_pkg::AL2P: latency = 10'(AL2P_LATENCY);
      isbe_pkg::OUT: latency = 10'(OUT_LATENCY);
      default: latency = 10'(WRITE_LATENCY);
    endcase
  end

  assign has_room = in_flight < COUNT_BITS'(DEPTH);
  assign valid    = held != '0 && cycle >= due[first];
  assign transfer = valid && ready;
  assign error    = errors[first];
  assign passes   = counts[first];
  assign status   = statuses[first];
  assign data     = words[first];

  always_ff @(posedge clk) begin
    if (finished) begin
      errors[next]   <= finished_error;
      counts[next]   <= finished_passes;
      statuses[next] <= finished_status;
      words[next]    <= finished_data;
      due[next]      <= cycle + 64'(latency) - 64'd1;
    end
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      first     <= '0;
      next      <= '0;
      in_flight <= '0;
      held      <= '0;
    end else begin
      if (finished) next <= next == LAST ? '0 : next + 1'b1;
      if (transfer) first <= first == LAST ? '0 : first + 1'b1;
      if (granted && !transfer) in_flight <= in_flight + 1'b1;
      if (transfer && !granted) in_flight <= in_flight - 1'b1;
      if (finished && !transfer) held <= held + 1'b1;
      if (transfer && !finished) held <= held - 1'b1;
    end
  end

endmodule
