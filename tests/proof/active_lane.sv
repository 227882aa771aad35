// SPDX-License-Identifier: Apache-2.0
// An address_lane that is active: whatever waits for that alone, Yosys takes away.
module active_lane #(
    parameter int unsigned SKEW = 1,
    parameter int unsigned GS_BLOCKED = 0,
    parameter int unsigned ATTRIBUTE_DEFAULT = 14,
    parameter int unsigned POSITION_W_DEFAULT = 32'h3f80_0000,
    parameter int unsigned MAP_BYTE_SWAP = 0
) (
    input  logic [4:0]        lane,
    input  isbe_pkg::common_t common,
    input  isbe_pkg::space_t  space,
    input  logic [63:0]       rank_of_word,
    input  logic [7:0]        prim_index,
    input  logic [31:0]       address,
    input  logic [31:0]       handle,
    input  logic [63:0]       data,
    output logic [3:0]        access,
    output logic [127:0]      word,
    output logic [7:0]        byte_enable,
    output logic [63:0]       write_data,
    output logic [127:0]      value,
    output logic [1:0]        first_byte,
    output isbe_pkg::status_t status
);
  address_lane #(
      .SKEW(SKEW),
      .GS_BLOCKED(GS_BLOCKED),
      .ATTRIBUTE_DEFAULT(ATTRIBUTE_DEFAULT),
      .POSITION_W_DEFAULT(POSITION_W_DEFAULT),
      .MAP_BYTE_SWAP(MAP_BYTE_SWAP)
  ) of (
      .active(1'b1), .lane, .common, .space, .rank_of_word, .prim_index, .address, .handle, .data,
      .access, .word, .byte_enable, .write_data, .value, .first_byte, .status
  );
endmodule
