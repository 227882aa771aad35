// SPDX-License-Identifier: Apache-2.0
// Default values (section 4.2, last table): the values that an ALD returns to a lane for components
// whose attribute is not enabled.
module default_value #(
    parameter int unsigned ATTRIBUTE_DEFAULT = 14,
    parameter int unsigned POSITION_W_DEFAULT = 32'h3f80_0000
) (
    input  logic [3:0]   defaulted,  // components that get their default value
    input  logic [7:0]   first_id,   // attribute id of component 0
    output logic [127:0] value       // component c: word c; 0 elsewhere
);

  localparam logic [31:0] ONE = 32'h3f80_0000;
  localparam logic [5:0] D = 6'(ATTRIBUTE_DEFAULT);

  function automatic logic [31:0] default_of(input logic [7:0] id);
    logic [9:0] a;
    logic       w;  // fourth component of a vector
    a          = {id, 2'b00};
    w          = id[1:0] == 2'd3;
    default_of = 32'd0;
    if (a == 10'h07c) default_of = POSITION_W_DEFAULT;
    else if (a >= 10'h080 && a <= 10'h27f) default_of = w && D[2] ? ONE : 32'd0;
    else if (a == 10'h28c || a == 10'h2ac) default_of = ONE;
    else if (a >= 10'h280 && a <= 10'h288) default_of = D[0] ? ONE : 32'd0;
    else if (a >= 10'h2a0 && a <= 10'h2a8) default_of = D[0] ? ONE : 32'd0;
    else if (a == 10'h29c || a == 10'h2bc) default_of = D[1] ? ONE : 32'd0;
    else if (a >= 10'h300 && a <= 10'h39f) default_of = w && D[3] ? ONE : 32'd0;
  endfunction

  always_comb begin
    value = '0;
    if (defaulted != '0) begin
      for (int c = 0; c < 4; c++) begin
        if (defaulted[c]) value[32*c+:32] = default_of(first_id + 8'(c));
      end
    end
  end

endmodule
