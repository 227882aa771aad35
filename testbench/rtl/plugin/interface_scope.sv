// SPDX-License-Identifier: Apache-2.0
// The ports of an ISBE model as wires of a waveform: the fields of rtl_ref/README.md, section 2, under their names, and
// the numbers of the transactions and the cycles of the transfers. C++ drives every input.
/* verilator lint_off DECLFILENAME */
package interface_scope_pkg;
  typedef enum logic [2:0] {ALD, AST, AL2P, OUT, ISBERD, ISBEWR, BIND} op_t;
  typedef enum logic {INPUT, OUTPUT} space_t;
  typedef enum logic [2:0] {MAP, PATCH, PRIM, ATTR, PHYSICAL} region_t;
  typedef enum logic [1:0] {LOGICAL, P, PHYS} form_t;
  typedef enum logic [1:0] {FINAL, EMIT, CUT, EMIT_THEN_CUT} type_t;
endpackage

module interface_port
  import interface_scope_pkg::*;
(
    input logic            req_valid,
    input logic            req_transfer,      // 1 in the cycle in which the request is accepted
    input logic     [63:0] req_transaction,   // counts the requests of all ports from 0
    input op_t             req_op,
    input space_t          req_space,
    input region_t         req_region,
    input form_t           req_form,
    input type_t           req_type,
    input logic      [2:0] req_size,
    input logic            req_skew,
    input logic     [15:0] req_context,
    input logic     [31:0] req_immediate,
    input logic     [31:0] req_lanes,
    input logic   [1023:0] req_address,
    input logic   [1023:0] req_handle,
    input logic   [4095:0] req_data,
    input logic            resp_valid,
    input logic            resp_transfer,     // 1 in the cycle in which the response is taken
    input logic     [63:0] resp_transaction,
    input op_t             resp_op,
    input logic   [4095:0] resp_data,
    input logic    [511:0] resp_status,
    input logic      [7:0] resp_error,
    input logic     [15:0] resp_passes,
    input logic     [63:0] responses          // so far
);
  logic [15:0] resp_status_any;               // OR of the lanes

  always_comb begin
    resp_status_any = '0;
    for (int lane = 0; lane < 32; lane++) resp_status_any |= resp_status[lane*16+:16];
  end
endmodule

module interface_scope
  import interface_scope_pkg::*;
(
    /* verilator tracing_off */
    input logic      [1:0] req_valid,
    input logic      [1:0] req_transfer,
    input logic    [127:0] req_transaction,
    input logic      [5:0] req_op,
    input logic      [1:0] req_space,
    input logic      [5:0] req_region,
    input logic      [3:0] req_form,
    input logic      [3:0] req_type,
    input logic      [5:0] req_size,
    input logic      [1:0] req_skew,
    input logic     [31:0] req_context,
    input logic     [63:0] req_immediate,
    input logic     [63:0] req_lanes,
    input logic   [2047:0] req_address,
    input logic   [2047:0] req_handle,
    input logic   [8191:0] req_data,
    input logic      [1:0] resp_valid,
    input logic      [1:0] resp_transfer,
    input logic    [127:0] resp_transaction,
    input logic      [5:0] resp_op,
    input logic   [8191:0] resp_data,
    input logic   [1023:0] resp_status,
    input logic     [15:0] resp_error,
    input logic     [31:0] resp_passes,
    input logic    [127:0] responses
    /* verilator tracing_on */
);
  for (genvar p = 0; p < 2; p++) begin : ports
    interface_port port (
        .req_valid       (req_valid[p]),
        .req_transfer    (req_transfer[p]),
        .req_transaction (req_transaction[p*64+:64]),
        .req_op          (op_t'(req_op[p*3+:3])),
        .req_space       (space_t'(req_space[p])),
        .req_region      (region_t'(req_region[p*3+:3])),
        .req_form        (form_t'(req_form[p*2+:2])),
        .req_type        (type_t'(req_type[p*2+:2])),
        .req_size        (req_size[p*3+:3]),
        .req_skew        (req_skew[p]),
        .req_context     (req_context[p*16+:16]),
        .req_immediate   (req_immediate[p*32+:32]),
        .req_lanes       (req_lanes[p*32+:32]),
        .req_address     (req_address[p*1024+:1024]),
        .req_handle      (req_handle[p*1024+:1024]),
        .req_data        (req_data[p*4096+:4096]),
        .resp_valid      (resp_valid[p]),
        .resp_transfer   (resp_transfer[p]),
        .resp_transaction(resp_transaction[p*64+:64]),
        .resp_op         (op_t'(resp_op[p*3+:3])),
        .resp_data       (resp_data[p*4096+:4096]),
        .resp_status     (resp_status[p*512+:512]),
        .resp_error      (resp_error[p*8+:8]),
        .resp_passes     (resp_passes[p*16+:16]),
        .responses       (responses[p*64+:64])
    );
  end
endmodule
