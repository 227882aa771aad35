// SPDX-License-Identifier: Apache-2.0
// Geometry state (section 4.6): the state word of one lane, for OUT and for AST in a geometry
// shader.
module gs_state #(
    parameter int unsigned GS_BLOCKED = 0
) (
    input  logic                 enable,
    input  logic [4:0]           lane,
    input  logic                 out,            // OUT; otherwise AST
    input  logic [1:0]           out_type,
    input  logic [31:0]          state,
    input  logic [1:0]           stream,         // bits 1:0 of the lane's address
    input  logic                 fast_geometry,
    input  logic [15:0]          maximum,
    input  logic [5:0]           threads,
    input  logic [3:0]           stream_mask,
    input  logic [31:0]          map_bytes,      // of the output space
    output isbe_pkg::gs_result_t result
);

  localparam logic signed [33:0] MAP_HEADER = 34'sd4;  // tokens start after the count word

  function automatic logic [7:0] checksum(input logic [23:0] b);
    checksum = b[7:0] ^ {b[12:8], b[15:13]} ^ {b[18:16], b[23:19]};
  endfunction

  function automatic logic signed [31:0] index(input logic signed [31:0] slot);
    index = GS_BLOCKED != 0 ? 32'(lane) * 32'(maximum) + slot : slot * 32'(threads) + 32'(lane);
  endfunction

  function automatic logic [$bits(result)-1:0] follow_state();
    // The state word, field by field
    logic        [ 7:0] check;
    logic        [ 3:0] strip;
    logic               zero;
    logic               stream_valid;
    logic        [ 1:0] last;
    logic        [15:0] slot;
    logic               valid;
    // The token that OUT would write
    logic               emit;
    logic               cut;
    logic        [ 1:0] to;
    logic signed [31:0] number;
    logic               fits;
    // The state after it
    logic        [ 3:0] next_strip;
    logic        [23:0] next;
    // The outcome
    logic               bad_state;
    logic               overflow;
    logic               token;

    {check, strip, zero, stream_valid, last, slot} = state;

    valid = check == checksum(state[23:0]) && !zero && slot <= maximum &&
        (stream_valid || state[23:0] == '0);

    emit   = out_type != isbe_pkg::OUT_CUT;
    cut    = out_type != isbe_pkg::OUT_EMIT;
    to     = emit ? stream : last;
    number = index($signed({16'd0, slot}) - (out && !emit ? 32'sd1 : 32'sd0));
    // A valid state can claim a strip at slot 0; the number of a CUT would be below the lane's
    // first. Line 5 of the page has no token for it.
    fits   = number >= 0 && 34'(number) + MAP_HEADER + 34'sd1 <= $signed({2'b00, map_bytes});

    next_strip = stream_valid && last != to ? 4'd0 : strip;
    if (next_strip != 4'd15) next_strip = next_strip + 4'd1;
    if (cut) next_strip = 4'd0;
    next = emit ? {next_strip, 1'b0, 1'b1, to, slot + 16'd1}
        : {4'd0, zero, stream_valid, last, slot};

    bad_state = 1'b0;
    overflow  = 1'b0;
    token     = 1'b0;
    // The lines of the page in their order; AST uses lines 2, 3 and 6.
    if (fast_geometry) begin
      token = 1'b0;
    end else if (!valid) begin
      bad_state = 1'b1;
    end else if (6'(lane) >= threads) begin
      overflow = 1'b1;
    end else if (out && out_type == isbe_pkg::OUT_FINAL) begin
      token = 1'b0;
    end else if (out && !emit && (strip == 4'd0 || slot == 16'd0 || slot >= maximum)) begin
      token = 1'b0;
    end else if (slot >= maximum) begin
      overflow = 1'b1;
    end else if (out && !fits) begin
      overflow = 1'b1;
    end else if (out) begin
      token = 1'b1;
    end
    follow_state = {bad_state, overflow, token, {1'b1, cut, stream_mask[to], 3'd0, to}, number,
                    token ? {checksum(next), next} : state};
  endfunction

  always_comb begin
    result = '0;
    if (enable) result = follow_state();
  end

endmodule
