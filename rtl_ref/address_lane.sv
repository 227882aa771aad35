// SPDX-License-Identifier: Apache-2.0
// One lane of the address unit (sections 4.2 to 4.6): for each component the word that is accessed,
// if any, or the load value that does not come from storage, and the lane's status.
module address_lane #(
    parameter int unsigned SKEW = 1,
    parameter int unsigned GS_BLOCKED = 0,
    parameter int unsigned ATTRIBUTE_DEFAULT = 14,
    parameter int unsigned POSITION_W_DEFAULT = 32'h3f80_0000,
    parameter int unsigned MAP_BYTE_SWAP = 0
) (
    input  logic [4:0]        lane,
    input  logic              active,       // otherwise no access, value 0 and status 0
    input  isbe_pkg::common_t common,
    input  isbe_pkg::space_t  space,        // the space that the request uses
    input  logic [63:0]       rank_of_word, // section 3: rank(32*i) in byte i
    input  logic [7:0]        prim_index,   // section 3
    input  logic [31:0]       address,
    input  logic [31:0]       handle,
    // Store data of components 0 and 1; the others are stored as they are
    input  logic [63:0]       data,
    output logic [3:0]        access,       // component c has an access
    output logic [127:0]      word,         // word address / 4
    output logic [7:0]        byte_enable,  // of components 0 and 1; of the others all bytes
    output logic [63:0]       write_data,   // of components 0 and 1
    output logic [127:0]      value,        // loads: values that do not come from storage
    output logic [1:0]        first_byte,   // ISBERD: byte of the word at which the value starts
    output isbe_pkg::status_t status
);

  logic signed [33:0]   sum;        // address + immediate
  logic                 off_map;    // section 4.2: outside 0 .. 0x3ff
  logic signed [33:0]   aligned;    // by size
  // Attribute id of component 0; the others follow in the same word of the sets
  logic [7:0]           first_id;
  logic [31:0]          members;    // that word of the allocated set
  logic [31:0]          enabled;    // that word of the enabled set
  logic [31:0]          in_prim;    // ids of that word that lie in PRIM
  logic [31:0]          reached;    // enabled, and allocated or in PRIM
  logic [7:0]           rank;
  isbe_pkg::gs_result_t gs;
  logic [3:0]           defaulted;
  logic [31:0]          own_value;  // `value` without the default values
  logic [127:0]         default_words;

  // -----------------------------------------------------------------------------------------------
  // Address and attribute
  // -----------------------------------------------------------------------------------------------
  // Yosys would implement an index into the structure itself as a shift of all of it
  logic [255:0] allocated_set;
  logic [255:0] enabled_set;
  assign allocated_set = space.allocated;
  assign enabled_set   = space.enabled;

  always_comb begin
    if (active) begin
      sum     = 34'(signed'(address)) + 34'(signed'(common.immediate));
      off_map = sum < 0 || sum > 34'sh3ff;
      if (common.size == 3'd1) aligned = sum & ~34'sd3;
      else if (common.size == 3'd2) aligned = sum & ~34'sd7;
      else aligned = sum & ~34'sd15;

      first_id = common.form_phys ? address[15:8] : 8'(aligned >> 2);
      members  = allocated_set[32*first_id[7:5]+:32];
      enabled  = enabled_set[32*first_id[7:5]+:32];
      in_prim  = '0;
      if (!common.output_space && first_id[7:5] == isbe_pkg::PRIMITIVE_ID[7:5])
        in_prim = 32'd1 << isbe_pkg::PRIMITIVE_ID[4:0];
      if (!common.output_space && first_id[7:5] == isbe_pkg::VERTEX_ID[7:5])
        in_prim = (32'd3 << isbe_pkg::INSTANCE_ID[4:0]) & ~members;
      reached  = enabled & (members | in_prim);

      // Section 3: allocated ids below an id = those of the whole words below, plus those below it
      // in its word
      rank     =
          rank_of_word[8*first_id[7:5]+:8] +
          8'($countones(members & ((32'd1 << first_id[4:0]) - 32'd1)));
    end else begin
      sum      = '0;
      off_map  = '0;
      aligned  = '0;
      first_id = '0;
      members  = '0;
      enabled  = '0;
      in_prim  = '0;
      reached  = '0;
      rank     = '0;
    end
  end

  // -----------------------------------------------------------------------------------------------
  // Geometry state (section 4.6)
  // -----------------------------------------------------------------------------------------------
  gs_state #(
      .GS_BLOCKED(GS_BLOCKED)
  ) geometry (
      .enable       (active && (common.out || common.ast_by_state)),
      .lane         (lane),
      .out          (common.out),
      .out_type     (common.out_type),
      .state        (handle),
      .stream       (address[1:0]),
      .fast_geometry(common.fast_geometry),
      .maximum      (common.maximum),
      .threads      (common.threads),
      .stream_mask  (common.stream_mask),
      .map_bytes    (space.map_bytes),
      .result       (gs)
  );

  // -----------------------------------------------------------------------------------------------
  // Requests
  // -----------------------------------------------------------------------------------------------
  // Section 4.2, offset of rank 0: the part that depends on the vertex
  function automatic logic [33:0] vertex_offset(input logic [15:0] v);
    logic [33:0] group;
    group = 34'(v[15:5]);
    if (SKEW != 0) vertex_offset = (group * 34'(common.ids) << 7) + 34'({v[4:0], 2'b00});
    else vertex_offset = 34'(v) * 34'(common.ids) << 2;
  endfunction

  // Section 4.4
  function automatic logic [31:0] logical_to_physical();
    logic [31:0] result;
    result                       = {isbe_pkg::AL2P_TAG, 24'd0};
    result[isbe_pkg::AL2P_SPACE] = common.output_space;
    if (off_map) begin
      result[isbe_pkg::AL2P_OUT_OF_RANGE] = 1'b1;
    end else begin
      result[isbe_pkg::AL2P_PRIMITIVE] =
          first_id == isbe_pkg::PRIMITIVE_ID || in_prim[first_id[4:0]];
      result[isbe_pkg::AL2P_ENABLED]   = reached[first_id[4:0]];
      result[15:8]                     = first_id;
      result[7:0]                      = rank;
    end
    logical_to_physical = result;
  endfunction

  // Section 4.5: the value of an ISBEWR as it lies in storage, lowest byte first
  function automatic logic [31:0] stored(input logic [31:0] value_bits);
    stored = value_bits;
    if (common.map_write && MAP_BYTE_SWAP != 0) begin
      if (common.size == 3'd2) stored = {16'd0, value_bits[7:0], value_bits[15:8]};
      if (common.size == 3'd4)
        stored = {value_bits[7:0], value_bits[15:8], value_bits[23:16], value_bits[31:24]};
    end
  endfunction

  // Attributes (section 4.2)
  logic               wrong_space;    // `.PHYS`: no AL2P result, or one of the other space
  logic               out_of_range;
  logic        [ 3:0] is_enabled;     // components
  logic        [ 3:0] is_allocated;
  logic        [ 3:0] generated;      // components that lie in PRIM
  logic               primitive_id;   // the component is id 24; only component 0 can be
  logic        [33:0] prim_offset;    // of the component in PRIM
  logic        [31:0] vertex;
  logic        [33:0] offset;         // of the component in its vertex
  logic        [ 7:0] place;          // rank of the component

  // Patch attributes (section 4.3), raw bytes (4.5), tokens (4.6)
  logic signed [33:0] first;          // byte in the patch or the region
  logic        [33:0] bytes;          // of a patch
  logic        [33:0] at;             // byte in the storage

  always_comb begin
    access      = '0;
    word        = '0;
    byte_enable = '1;
    write_data  = data;
    own_value   = '0;
    first_byte  = '0;
    status      = '0;
    defaulted   = '0;
    {wrong_space, out_of_range, is_enabled, is_allocated, generated, primitive_id} = '0;
    {vertex, offset, prim_offset, place, first, bytes, at} = '0;
    if (active) begin
      if (common.form_patch) begin
        bytes = 34'(space.patch_words) << 2;
        for (int c = 0; c < 4; c++) begin
          first = aligned + 34'(4 * c);
          if (c < 32'(common.size)) begin
            if (first < 0 || first + 34'sd4 > $signed(bytes) ||
                9'(prim_index) >= space.patch_count) begin
              status.out_of_range = 1'b1;
            end else begin
              access[c]      = 1'b1;
              word[32*c+:32] =
                  32'((34'(space.patch_base) + 34'(prim_index) * bytes + first) >> 2);
            end
          end
        end
      end else if (common.ald || common.ast) begin
        wrong_space  = address[31:24] != isbe_pkg::AL2P_TAG || address[23:20] != 4'd0 ||
            address[isbe_pkg::AL2P_SPACE] != common.output_space;
        is_allocated = 4'(members >> first_id[4:0]);
        if (common.form_phys) begin
          is_enabled   = {3'd0, address[isbe_pkg::AL2P_ENABLED]};
          place        = address[7:0];
          out_of_range = address[isbe_pkg::AL2P_OUT_OF_RANGE];
          generated[0] = !common.output_space && (first_id == isbe_pkg::PRIMITIVE_ID ||
              (first_id[7:1] == isbe_pkg::VERTEX_ID[7:1] && address[isbe_pkg::AL2P_PRIMITIVE]));
        end else begin
          is_enabled   = 4'(reached >> first_id[4:0]);
          place        = rank;
          out_of_range = off_map;
          generated    = 4'(in_prim >> first_id[4:0]);
        end
        for (int c = 0; c < 4; c++) begin
          primitive_id  = c == 0 && first_id == isbe_pkg::PRIMITIVE_ID;
          // An odd id lies in the second line
          prim_offset   = 34'({first_id[0] ^ (c % 2 != 0), 7'd0}) + (34'(prim_index) << 2);
          if (common.ast_by_state) vertex = gs.index;
          else if (common.by_handle && !(primitive_id && common.output_space)) vertex = handle;
          else vertex = 32'(lane);
          offset = vertex_offset(vertex[15:0]) + (34'(place) << (SKEW != 0 ? 7 : 2));

          if (c < 32'(common.size)) begin
            if (common.form_phys && wrong_space) begin
              status.not_al2p = 1'b1;
            end else if (out_of_range) begin
              status.out_of_range = 1'b1;
            end else if (generated[c]) begin
              if (!is_enabled[c]) begin
                status.defaulted = 1'b1;
                defaulted[c]     = 1'b1;
              end else if (prim_offset + 34'd4 > 34'(space.prim_bytes)) begin
                status.out_of_range = 1'b1;
              end else begin
                access[c]      = 1'b1;
                word[32*c+:32] = 32'((34'(space.prim_base) + prim_offset) >> 2);
              end
            end else if (common.ast_by_state && gs.bad_state) begin
              status.gs_state = 1'b1;
            end else if (common.ast_by_state &&
                (gs.overflow || vertex >= 32'(space.vertex_count))) begin
              status.gs_overflow = 1'b1;
            end else if (vertex >= 32'(space.vertex_count)) begin
              status.handle_range = 1'b1;
            end else if (!is_enabled[c]) begin
              if (common.ald) status.defaulted = 1'b1;
              else status.dropped_map = 1'b1;
              defaulted[c] = common.ald;
            end else if (common.form_phys && place >= common.ids) begin
              status.not_al2p = 1'b1;
            end else if (offset + 34'd4 > 34'(space.attr_bytes)) begin
              status.out_of_range = 1'b1;
            end else begin
              access[c]      = 1'b1;
              word[32*c+:32] = 32'((34'(space.attr_base) + offset) >> 2);
            end
          end
          place = place + 8'(is_allocated[c]);
        end
      end else if (common.al2p) begin
        own_value = logical_to_physical();
      end else if (common.raw) begin
        first = sum;
        if (common.map_write) first = sum - 34'(common.size) + 34'sd1;  // it ends at its address
        at = common.region_base + first;
        if (first < 0 || first + 34'(common.size) > $signed(common.region_bytes)) begin
          status.out_of_range = 1'b1;
        end else begin  // component 0 is the word that holds the first byte, component 1 the next
          first_byte  = at[1:0];
          byte_enable = common.size_bytes << at[1:0];
          access[0]   = 1'b1;
          access[1]   = byte_enable[7:4] != '0;
          word[31:0]  = 32'(at >> 2);
          word[63:32] = 32'(at >> 2) + 32'd1;
          write_data  = 64'(stored(data[31:0])) << {at[1:0], 3'b000};
        end
      end else if (common.out) begin
        at                 = 34'(space.map_base) + 34'd4 + 34'(gs.index);
        own_value          = gs.state;
        status.gs_state    = gs.bad_state;
        status.gs_overflow = gs.overflow;
        access[0]          = gs.token;
        word[31:0]         = 32'(at >> 2);
        byte_enable[3:0]   = 4'd1 << at[1:0];
        write_data[31:0]   = {4{gs.token_value}};
      end
    end
  end

  // -----------------------------------------------------------------------------------------------
  // Default values
  // -----------------------------------------------------------------------------------------------
  default_value #(
      .ATTRIBUTE_DEFAULT (ATTRIBUTE_DEFAULT),
      .POSITION_W_DEFAULT(POSITION_W_DEFAULT)
  ) defaults (
      .defaulted(defaulted),
      .first_id (first_id),
      .value    (default_words)
  );

  assign value = default_words | 128'(own_value);

endmodule
