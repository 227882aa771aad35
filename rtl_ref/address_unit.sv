// SPDX-License-Identifier: Apache-2.0
// Address unit (section 4): in the grant cycle it turns a whole request into an operation: the word
// that each lane and component accesses, if any, load values that do not come from storage, status
// and error. Each lane is an instance of address_lane: Yosys does not finish with one process for
// all lanes.
module address_unit #(
    parameter int unsigned LINES = 1024,
    parameter int unsigned SKEW = 1,
    parameter int unsigned GS_BLOCKED = 0,
    parameter int unsigned ATTRIBUTE_DEFAULT = 14,
    parameter int unsigned POSITION_W_DEFAULT = 32'h3f80_0000,
    parameter int unsigned MAP_BYTE_SWAP = 0
) (
    input  logic                 enable,         // the grant cycle
    input  isbe_pkg::request_t   request,
    input  logic                 context_known,  // the slot exists
    input  isbe_pkg::context_t   ctx,            // its contents
    output isbe_pkg::operation_t operation,
    output logic [127:0]         access,         // word i is accessed
    output isbe_pkg::words_t     write_data,
    output isbe_pkg::words_t     value           // loads: values that do not come from storage
);

  // -----------------------------------------------------------------------------------------------
  // Kind of the request
  // -----------------------------------------------------------------------------------------------
  logic             ald, ast, out, isbewr, raw;
  logic             physical_region;
  logic             form_phys;
  logic             form_patch;
  logic             output_space;
  isbe_pkg::space_t space;  // the space that the request uses

  assign ald             = request.op == isbe_pkg::ALD;
  assign ast             = request.op == isbe_pkg::AST;
  assign out             = request.op == isbe_pkg::OUT;
  assign isbewr          = request.op == isbe_pkg::ISBEWR;
  assign raw             = request.op == isbe_pkg::ISBERD || isbewr;
  assign physical_region = raw && request.region == isbe_pkg::REGION_PHYSICAL;
  assign form_phys       = (ald || ast) && request.form == isbe_pkg::FORM_PHYS;
  assign form_patch      = (ald || ast) && request.form == isbe_pkg::FORM_PATCH;
  assign output_space    = request.space || ast || out;
  assign space           = !enable ? '0 : output_space ? ctx.output_space : ctx.input_space;

  // -----------------------------------------------------------------------------------------------
  // Section 4.1: errors, in the order of the table
  // -----------------------------------------------------------------------------------------------
  logic [7:0] error;
  logic       has_own_output;  // ALD can read the output space

  assign has_own_output = ctx.stage != isbe_pkg::STAGE_GS && ctx.stage != isbe_pkg::STAGE_TASK &&
      ctx.stage != isbe_pkg::STAGE_MESH;

  always_comb begin
    error = isbe_pkg::ERROR_NONE;
    if (request.op == isbe_pkg::BIND) begin
      if (!context_known) error = isbe_pkg::ERROR_COMBINATION;
    end else if (physical_region) begin
      error = isbe_pkg::ERROR_NONE;
    end else if (!context_known || ctx.stage == isbe_pkg::STAGE_NONE) begin
      error = isbe_pkg::ERROR_COMBINATION;
    end else if (isbewr && !request.space) begin
      error = isbe_pkg::ERROR_ENCODING;
    end else if (form_phys && request.size > 3'd1) begin
      error = isbe_pkg::ERROR_ENCODING;
    end else if (ald && form_patch &&
        ctx.stage != (output_space ? isbe_pkg::STAGE_TI : isbe_pkg::STAGE_TS)) begin
      error = isbe_pkg::ERROR_COMBINATION;
    end else if (ald && !form_patch && output_space && !has_own_output) begin
      error = isbe_pkg::ERROR_COMBINATION;
    end else if (ast && form_patch && ctx.stage != isbe_pkg::STAGE_TI) begin
      error = isbe_pkg::ERROR_COMBINATION;
    end else if (out && ctx.stage != isbe_pkg::STAGE_GS) begin
      error = isbe_pkg::ERROR_COMBINATION;
    end
  end

  // Lanes that take effect
  logic [31:0] active;
  assign active = enable && error == isbe_pkg::ERROR_NONE ? request.lanes : '0;

  // -----------------------------------------------------------------------------------------------
  // Values that all lanes share
  // -----------------------------------------------------------------------------------------------
  isbe_pkg::common_t common;
  logic [63:0]       rank_of_word;

  always_comb begin
    common       = '0;
    rank_of_word = '0;
    if (enable) begin
      common.ald           = ald;
      common.ast           = ast;
      common.al2p          = request.op == isbe_pkg::AL2P;
      common.out           = out;
      common.raw           = raw;
      common.form_phys     = form_phys;
      common.form_patch    = form_patch;
      common.output_space  = output_space;
      common.by_handle     = ald &&
          (ctx.stage == isbe_pkg::STAGE_TI || ctx.stage == isbe_pkg::STAGE_TS ||
                                     ctx.stage == isbe_pkg::STAGE_GS);
      common.ast_by_state  = ast && ctx.stage == isbe_pkg::STAGE_GS && !ctx.fast_geometry;
      common.map_write     = isbewr && request.region == isbe_pkg::REGION_MAP;
      common.out_type      = request.out_type;
      common.size          = request.size;
      common.immediate     = request.immediate;
      common.size_bytes    = request.size == 3'd1 ? 8'h01 : request.size == 3'd2 ? 8'h03 : 8'h0f;
      common.fast_geometry = ctx.fast_geometry;
      common.maximum       = ctx.maximum;
      common.threads       = ctx.threads;
      common.stream_mask   = ctx.stream_mask;

      // Section 3: n, and the rank of the first id of each word of the set
      common.ids = 8'd0;
      for (int i = 0; i < 8; i++) begin
        rank_of_word[8*i+:8] = common.ids;
        common.ids           = common.ids + 8'($countones(space.allocated[i]));
      end

      // Section 4.5
      case (request.region)
        isbe_pkg::REGION_MAP: begin
          common.region_base  = 34'(space.map_base);
          common.region_bytes = 34'(space.map_bytes);
        end
        isbe_pkg::REGION_PATCH: begin
          common.region_base  = 34'(space.patch_base);
          common.region_bytes = 34'(space.patch_words) * 34'(space.patch_count) << 2;
        end
        isbe_pkg::REGION_PRIM: begin
          common.region_base  = 34'(space.prim_base);
          common.region_bytes = 34'(space.prim_bytes);
        end
        isbe_pkg::REGION_ATTR: begin
          common.region_base  = 34'(space.attr_base);
          common.region_bytes = 34'(space.attr_bytes);
        end
        default: begin
          common.region_base  = '0;
          common.region_bytes = 34'(LINES * 128);
        end
      endcase
    end
  end

  // -----------------------------------------------------------------------------------------------
  // Sections 4.2 to 4.6, lane by lane
  // -----------------------------------------------------------------------------------------------
  logic [31:0] access_0, access_1, access_2, access_3;  // lanes, by component
  logic [255:0] byte_enables;
  logic [63:0]  first_bytes;
  logic [511:0] statuses;

  for (genvar lane = 0; lane < 32; lane++) begin : lanes
    logic [127:0] lane_word;
    logic [7:0]   lane_byte_enable;
    logic [63:0]  lane_write_data;
    logic [127:0] lane_value;
    logic [1:0]   lane_first_byte;
    logic [15:0]  lane_status;

    address_lane #(
        .SKEW              (SKEW),
        .GS_BLOCKED        (GS_BLOCKED),
        .ATTRIBUTE_DEFAULT (ATTRIBUTE_DEFAULT),
        .POSITION_W_DEFAULT(POSITION_W_DEFAULT),
        .MAP_BYTE_SWAP     (MAP_BYTE_SWAP)
    ) address_of (
        .lane        (5'(lane)),
        .active      (active[lane]),
        .common      (common),
        .space       (space),
        .rank_of_word(rank_of_word),
        .prim_index  (ctx.prim_index[lane]),
        .address     (request.address[lane]),
        .handle      (request.handle[lane]),
        .data        ({request.data[32+lane], request.data[lane]}),
        .access      ({access_3[lane], access_2[lane], access_1[lane], access_0[lane]}),
        .word        (lane_word),
        .byte_enable (lane_byte_enable),
        .write_data  (lane_write_data),
        .value       (lane_value),
        .first_byte  (lane_first_byte),
        .status      (lane_status)
    );

    always_comb begin
      for (int c = 0; c < 4; c++) begin
        if (enable) begin
          operation.word[32*c+lane] = lane_word[32*c+:32];
          value.word[32*c+lane]     = lane_value[32*c+:32];
        end else begin
          operation.word[32*c+lane] = '0;
          value.word[32*c+lane]     = '0;
        end
      end
      for (int c = 0; c < 2; c++) begin
        if (enable) write_data.word[32*c+lane] = lane_write_data[32*c+:32];
        else write_data.word[32*c+lane] = '0;
      end
    end

    assign byte_enables[4*lane+:4]     = lane_byte_enable[3:0];
    assign byte_enables[128+4*lane+:4] = lane_byte_enable[7:4];
    assign first_bytes[2*lane+:2]      = lane_first_byte;
    assign statuses[16*lane+:16]       = lane_status;
  end

  always_comb begin
    access                      = '0;
    operation.byte_enable[63:0] = '0;
    operation.first_byte        = '0;
    operation.status            = '0;
    if (enable) begin
      access                      = {access_3, access_2, access_1, access_0};
      operation.byte_enable[63:0] = byte_enables;
      operation.first_byte        = first_bytes;
      operation.status            = statuses;
    end
  end

  assign operation.byte_enable[127:64]   = '1;
  assign write_data.word[127:64]         = enable ? request.data[127:64] : '0;
  assign operation.op                    = request.op;
  assign operation.error                 = error;
  assign operation.write                 = ast || isbewr || out;
  assign operation.raw                   = raw;
  assign operation.raw_mask              =
      {{16{common.size_bytes[2]}}, {8{common.size_bytes[1]}}, 8'hff};
  assign operation.set_overwritten       = ctx.shared_spaces && output_space && !physical_region;
  assign operation.check_overwritten     = ctx.shared_spaces && !output_space && !physical_region;

  logic unused_slot;  // used by the context table
  assign unused_slot = &{1'b0, request.slot};

endmodule
