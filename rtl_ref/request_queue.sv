// SPDX-License-Identifier: Apache-2.0
// Request queue of one port (section 5.1): first in, first out, DEPTH operations. An operation
// accepted in cycle a is at the head in a+1 at the earliest.
module request_queue #(
    parameter int unsigned DEPTH = 4
) (
    input logic clk,
    input logic rst,

    input  logic               valid,
    output logic               ready,
    // The request, in the order of isbe_pkg::request_t
    input  logic [93:0]   control,   // op .. lanes
    input  logic [1023:0] address,
    input  logic [1023:0] handle,
    input  logic [4095:0] data,

    output logic               head_valid,
    output isbe_pkg::request_t head,
    input  logic               pop
);

  localparam int unsigned INDEX_BITS = DEPTH > 1 ? $clog2(DEPTH) : 1;
  localparam int unsigned COUNT_BITS = $clog2(DEPTH + 1);
  localparam logic [INDEX_BITS-1:0] LAST = INDEX_BITS'(DEPTH - 1);

  // An array of plain vectors: Yosys would treat an array of structures as a single structure.
  localparam int unsigned REQUEST_BITS = $bits(head);

  // Positions of the fields in a vector, written separately to avoid a concatenation.
  localparam int unsigned HANDLE = $bits(data);
  localparam int unsigned ADDRESS = HANDLE + $bits(handle);
  localparam int unsigned CONTROL = ADDRESS + $bits(address);

  logic [REQUEST_BITS-1:0] entries[DEPTH];
  logic [INDEX_BITS-1:0] first;
  logic [INDEX_BITS-1:0] next;
  logic [COUNT_BITS-1:0] count;
  logic                  full;
  logic                  push;

  assign full       = count == COUNT_BITS'(DEPTH);
  assign ready      = !full;
  assign push       = valid && ready;
  assign head_valid = count != '0;
  assign head       = entries[first];

  always_ff @(posedge clk) begin
    if (push) begin
      entries[next][0+:$bits(data)]              <= data;
      entries[next][HANDLE+:$bits(handle)]       <= handle;
      entries[next][ADDRESS+:$bits(address)]     <= address;
      entries[next][CONTROL+:$bits(control)]     <= control;
    end
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      first <= '0;
      next  <= '0;
      count <= '0;
    end else begin
      if (push) next <= next == LAST ? '0 : next + 1'b1;
      if (pop) first <= first == LAST ? '0 : first + 1'b1;
      if (push && !pop) count <= count + 1'b1;
      if (pop && !push) count <= count - 1'b1;
    end
  end

endmodule
