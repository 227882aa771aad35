// Request queue of one port (section 5.1): first in, first out, DEPTH operations. An operation accepted in cycle a is at
// the head in a+1 at the earliest.
module request_queue #(
    parameter int unsigned DEPTH = 4
) (
    input logic clk,
    input logic rst,

    input  logic               valid,
    output logic               ready,
    input  isbe_pkg::request_t request,

    output logic               head_valid,
    output isbe_pkg::request_t head,
    input  logic               pop
);

  localparam int unsigned INDEX_BITS = DEPTH > 1 ? $clog2(DEPTH) : 1;
  localparam int unsigned COUNT_BITS = $clog2(DEPTH + 1);
  localparam logic [INDEX_BITS-1:0] LAST = INDEX_BITS'(DEPTH - 1);

  // An array of plain vectors: Yosys would take an array of structures for a single one.
  localparam int unsigned REQUEST_BITS = $bits(head);

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
    if (push) entries[next] <= request;
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
