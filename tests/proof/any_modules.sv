// SPDX-License-Identifier: Apache-2.0
// In place of the modules around queues, arbiter and engine control in proofs of the block's rules: same
// ports, and anything may come out.
module address_unit #(
    parameter int unsigned LINES = 1024,
    parameter int unsigned SKEW = 1,
    parameter int unsigned GS_BLOCKED = 0,
    parameter int unsigned ATTRIBUTE_DEFAULT = 14,
    parameter int unsigned POSITION_W_DEFAULT = 32'h3f80_0000,
    parameter int unsigned MAP_BYTE_SWAP = 0
) (
    input  logic                 enable,
    input  isbe_pkg::request_t   request,
    input  logic                 context_known,
    input  isbe_pkg::context_t   ctx,
    output isbe_pkg::operation_t operation,
    output logic [127:0]         access,
    output isbe_pkg::words_t     write_data,
    output isbe_pkg::words_t     value
);
  (* anyseq *) isbe_pkg::operation_t any_operation;
  (* anyseq *) logic [127:0]         any_access;

  logic physical;
  logic needs_context;
  assign physical      = (request.op == isbe_pkg::ISBERD || request.op == isbe_pkg::ISBEWR) &&
                         request.region == isbe_pkg::REGION_PHYSICAL;
  assign needs_context = request.op != isbe_pkg::BIND && !physical;

  always_comb begin
    operation    = any_operation;
    operation.op = request.op;
    // What the case `operation` of address_proof proves.
    if (needs_context && (!context_known || ctx.stage == isbe_pkg::STAGE_NONE)) begin
      operation.error = isbe_pkg::ERROR_COMBINATION;
    end
  end
  assign access = any_access;
endmodule

module bank_sram #(
    parameter int unsigned ROWS = 128,
    localparam int unsigned ROW_BITS = $clog2(ROWS)
) (
    input  logic                clk,
    input  logic                rst,
    input  logic                enable,
    input  logic [3:0]          write_bytes,
    input  logic [ROW_BITS-1:0] row,
    input  logic [31:0]         write_data,
    input  logic                write_overwritten,
    output logic [31:0]         read_data,
    output logic                read_overwritten
);
endmodule
