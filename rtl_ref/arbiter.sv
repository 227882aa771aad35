// SPDX-License-Identifier: Apache-2.0
// Arbiter (sections 5.2 and 5.3): at most one grant per cycle, if the pass engine can take an
// operation.
module arbiter #(
    parameter int unsigned PORTS = 2,
    parameter int unsigned FIXED_PRIORITY = 0
) (
    input logic clk,
    input logic rst,

    input  logic             can_grant,
    input  logic [PORTS-1:0] candidate,
    output logic [PORTS-1:0] grant       // one-hot, or 0
);

  // Ports above the last granted port. Reset clears it, so that the search starts again at port 0.
  logic [PORTS-1:0] above_last;
  logic [PORTS-1:0] preferred;
  logic [PORTS-1:0] eligible;
  logic [PORTS-1:0] lowest;

  always_comb begin
    preferred = FIXED_PRIORITY != 0 ? '0 : candidate & above_last;
    eligible  = preferred != '0 ? preferred : candidate;
    lowest    = eligible & (~eligible + 1'b1);
    grant     = can_grant ? lowest : '0;
  end

  always_ff @(posedge clk) begin
    if (rst) above_last <= '0;
    else if (grant != '0) above_last <= ~(grant | (grant - 1'b1));
  end

endmodule
