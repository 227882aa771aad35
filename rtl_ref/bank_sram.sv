// SPDX-License-Identifier: Apache-2.0
// One bank of the storage: ROWS words with byte write enables, and with each word its bit
// `overwritten` (section 4.7). One access per cycle; read data appears at the outputs in the next
// cycle.
//
// This is a behavioural model, to be replaced by a macro with byte write enables. It merges bytes
// and writes a whole word, because four writes of a byte each would make the simulation of the
// whole block a fifth slower. Synthesised as it stands, the merge needs an asynchronous read.
//
// Simulation starts with zeros (section 2: the storage is 0 at the start). One reset cycle can't
// clear an SRAM: a reset in the middle of a run leaves the storage unchanged.
module bank_sram #(
    parameter int unsigned ROWS = 128,
    localparam int unsigned ROW_BITS = $clog2(ROWS)
) (
    input logic clk,
    input logic rst,  // disables the access

    input  logic                enable,
    input  logic [         3:0] write_bytes,        // 0: a read
    input  logic [ROW_BITS-1:0] row,
    input  logic [        31:0] write_data,
    input  logic                write_overwritten,
    output logic [        31:0] read_data,
    output logic                read_overwritten
);

  logic [31:0] words      [ROWS];
  logic        overwritten[ROWS];

`ifndef SYNTHESIS
  initial begin
    for (int unsigned r = 0; r < ROWS; r++) begin
      words[r]       = 32'd0;
      overwritten[r] = 1'b0;
    end
  end
`endif

  always_ff @(posedge clk) begin
    if (enable && !rst) begin
      if (write_bytes == '0) begin
        read_data        <= words[row];
        read_overwritten <= overwritten[row];
      end else begin
        words[row] <= {write_bytes[3] ? write_data[31:24] : words[row][31:24],
                       write_bytes[2] ? write_data[23:16] : words[row][23:16],
                       write_bytes[1] ? write_data[15:8] : words[row][15:8],
                       write_bytes[0] ? write_data[7:0] : words[row][7:0]};
        overwritten[row] <= write_overwritten;
      end
    end
  end

endmodule
