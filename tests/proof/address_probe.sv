// SPDX-License-Identifier: Apache-2.0
// In place of address_lane in proofs of the address unit around it: same ports, and anything may come out.
module address_lane #(
    parameter int unsigned SKEW = 1,
    parameter int unsigned GS_BLOCKED = 0,
    parameter int unsigned ATTRIBUTE_DEFAULT = 14,
    parameter int unsigned POSITION_W_DEFAULT = 32'h3f80_0000,
    parameter int unsigned MAP_BYTE_SWAP = 0
) (
    input  logic [4:0]        lane,
    input  logic              active,
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
endmodule
