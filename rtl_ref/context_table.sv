// SPDX-License-Identifier: Apache-2.0
// Context table (section 3): CONTEXTS slots. BIND writes a whole slot at the edge of its grant
// cycle. The fields are separated before they are stored; bits that the page does not name are not
// stored.
//
// After reset every word of every context is 0. The only visible word is word 0 (stage 0 means
// error 0x0a, and no other word is read), so reset clears one bit per slot and leaves the rest to
// the next BIND.
module context_table #(
    parameter int unsigned CONTEXTS = 64
) (
    input logic clk,
    input logic rst,

    input  logic               read,        // `content` is used; 0 otherwise
    input  logic [15:0]        slot,
    output logic               known,       // the slot exists
    output isbe_pkg::context_t content,

    input logic          write,             // BIND of `slot` is granted
    input logic [2047:0] descriptor         // 64 words, word 0 lowest
);

  localparam int unsigned INDEX_BITS = CONTEXTS > 1 ? $clog2(CONTEXTS) : 1;

  localparam int unsigned CONTEXT_BITS = $bits(content);

  logic [CONTEXT_BITS-1:0] slots[CONTEXTS];
  logic [CONTEXTS-1:0]   bound;
  logic [INDEX_BITS-1:0] index;
  isbe_pkg::context_t    incoming;

  assign known = slot < 16'(CONTEXTS);
  assign index = known ? slot[INDEX_BITS-1:0] : '0;

  always_comb begin
    content = '0;
    if (read) begin
      content = slots[index];
      if (!bound[index]) content.stage = isbe_pkg::STAGE_NONE;
    end
  end

  logic unused_bits;  // bits without a name in section 3
  assign unused_bits = &{1'b0, descriptor};

  always_comb begin
    incoming = '0;
    if (write) begin
      incoming.stage         = descriptor[3:0];
      incoming.fast_geometry = descriptor[4];
      incoming.shared_spaces = descriptor[5];
      incoming.maximum       = descriptor[32*1+:16];
      incoming.threads       = descriptor[32*2+:6];
      incoming.stream_mask   = descriptor[32*3+:4];

      incoming.input_space.attr_base    = descriptor[32*4+:32];
      incoming.input_space.attr_bytes   = descriptor[32*5+:32];
      incoming.input_space.vertex_count = descriptor[32*6+:16];
      incoming.input_space.map_base     = descriptor[32*7+:32];
      incoming.input_space.map_bytes    = descriptor[32*8+:32];
      incoming.input_space.prim_base    = descriptor[32*9+:32];
      incoming.input_space.prim_bytes   = descriptor[32*10+:32];
      incoming.input_space.patch_base   = descriptor[32*11+:32];
      incoming.input_space.patch_words  = descriptor[32*12+:8];
      incoming.input_space.patch_count  = descriptor[32*13+:9];

      incoming.output_space.attr_base    = descriptor[32*14+:32];
      incoming.output_space.attr_bytes   = descriptor[32*15+:32];
      incoming.output_space.vertex_count = descriptor[32*16+:16];
      incoming.output_space.map_base     = descriptor[32*17+:32];
      incoming.output_space.map_bytes    = descriptor[32*18+:32];
      incoming.output_space.prim_base    = descriptor[32*19+:32];
      incoming.output_space.prim_bytes   = descriptor[32*20+:32];
      incoming.output_space.patch_base   = descriptor[32*21+:32];
      incoming.output_space.patch_words  = descriptor[32*22+:8];
      incoming.output_space.patch_count  = descriptor[32*23+:9];

      // Ids 240..255 do not exist: the upper half of the last word of each set stays 0.
      incoming.input_space.allocated  = {16'd0, descriptor[32*24+:240]};
      incoming.input_space.enabled    = {16'd0, descriptor[32*32+:240]};
      incoming.output_space.allocated = {16'd0, descriptor[32*40+:240]};
      incoming.output_space.enabled   = {16'd0, descriptor[32*48+:240]};
      incoming.prim_index    = descriptor[32*56+:256];
    end
  end

  always_ff @(posedge clk) begin
    if (write) slots[index] <= incoming;
  end

  always_ff @(posedge clk) begin
    if (rst) bound <= '0;
    else if (write) bound[index] <= 1'b1;
  end

endmodule
