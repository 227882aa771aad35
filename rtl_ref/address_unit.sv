// Address unit (section 4): in the grant cycle it turns a whole request into an operation, which says for each lane and
// component which word is accessed, if any, and gives load values that do not come from storage, status and error.
module address_unit #(
    parameter int unsigned LINES = 512,
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
    output logic [127:0]         access,         // word i has an access
    output isbe_pkg::words_t     write_data,
    output isbe_pkg::words_t     value           // loads: what does not come from storage
);

  // -------------------------------------------------------------------------------------------------------------------
  // What the request is
  // -------------------------------------------------------------------------------------------------------------------
  logic             ald, ast, al2p, out, isbewr, raw;
  logic             physical_region;
  logic             form_phys;
  logic             form_patch;
  logic             output_space;
  isbe_pkg::space_t space;  // the one that the request works on

  assign ald             = request.op == isbe_pkg::ALD;
  assign ast             = request.op == isbe_pkg::AST;
  assign al2p            = request.op == isbe_pkg::AL2P;
  assign out             = request.op == isbe_pkg::OUT;
  assign isbewr          = request.op == isbe_pkg::ISBEWR;
  assign raw             = request.op == isbe_pkg::ISBERD || isbewr;
  assign physical_region = raw && request.region == isbe_pkg::REGION_PHYSICAL;
  assign form_phys       = (ald || ast) && request.form == isbe_pkg::FORM_PHYS;
  assign form_patch      = (ald || ast) && request.form == isbe_pkg::FORM_PATCH;
  assign output_space    = request.space || ast || out;
  assign space           = output_space ? ctx.output_space : ctx.input_space;

  // -------------------------------------------------------------------------------------------------------------------
  // Section 4.1: errors, in the order of the table
  // -------------------------------------------------------------------------------------------------------------------
  logic [7:0] error;

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
    end else if (ald && form_patch && ctx.stage != (output_space ? isbe_pkg::STAGE_TI : isbe_pkg::STAGE_TS)) begin
      error = isbe_pkg::ERROR_COMBINATION;
    end else if (ald && !form_patch && output_space && ctx.stage == isbe_pkg::STAGE_GS) begin
      error = isbe_pkg::ERROR_COMBINATION;
    end else if (ast && form_patch && ctx.stage != isbe_pkg::STAGE_TI) begin
      error = isbe_pkg::ERROR_COMBINATION;
    end else if (out && ctx.stage != isbe_pkg::STAGE_GS) begin
      error = isbe_pkg::ERROR_COMBINATION;
    end
  end

  // Lanes that do something: the only ones looked at below.
  logic [31:0] active;
  assign active = enable && error == isbe_pkg::ERROR_NONE ? (isbe_pkg::FAULT == 11 ? '1 : request.lanes) : '0;

  // -------------------------------------------------------------------------------------------------------------------
  // Section 3: rank(id) = allocated ids below id = those of the whole words below, plus those below it in its word
  // -------------------------------------------------------------------------------------------------------------------
  logic [63:0] rank_of_word;  // of id 32*i in byte i
  logic [ 7:0] n;

  always_comb begin
    n            = 8'd0;
    rank_of_word = '0;
    for (int i = 0; i < 8; i++) begin
      rank_of_word[8*i+:8] = n;
      n                    = n + 8'($countones(space.allocated[i]));
    end
  end

  function automatic logic [7:0] rank(input logic [7:0] id, input logic [31:0] members);
    logic [31:0] below;
    below = (isbe_pkg::FAULT == 1 ? 32'd2 << id[4:0] : 32'd1 << id[4:0]) - 32'd1;
    rank  = rank_of_word[8*id[7:5]+:8] + 8'($countones(members & below));
  endfunction

  // Section 4.2, offset of rank 0: what the vertex adds
  function automatic logic [33:0] vertex_offset(input logic [15:0] v, input logic [7:0] ids);
    logic [33:0] group;
    group = isbe_pkg::FAULT == 26 ? 34'd0 : 34'(v[15:5]);
    if (SKEW != 0) vertex_offset = (group * 34'(ids) << 7) + 34'({v[4:0], 2'b00});
    else vertex_offset = 34'(v) * 34'(ids) << 2;
  endfunction

  // Section 4.2, alignment by size
  function automatic logic signed [33:0] aligned(input logic signed [33:0] sum, input logic [2:0] size);
    if (size == 3'd1) aligned = sum & ~34'sd3;
    else if (size == 3'd2 || (size == 3'd3 && isbe_pkg::FAULT == 13)) aligned = sum & ~34'sd7;
    else aligned = sum & ~34'sd15;
  endfunction

  // -------------------------------------------------------------------------------------------------------------------
  // Section 4.6: geometry state
  // -------------------------------------------------------------------------------------------------------------------
  logic                  ast_by_state;  // AST of a geometry shader that is not fast
  isbe_pkg::lane_words_t states;
  isbe_pkg::lane_bytes_t streams;
  isbe_pkg::gs_result_t  gs;

  assign ast_by_state = ast && ctx.stage == isbe_pkg::STAGE_GS && !ctx.fast_geometry;
  assign states       = request.handle;

  always_comb begin
    for (int lane = 0; lane < 32; lane++) streams.lane[lane] = {6'd0, request.address[lane][1:0]};
  end

  gs_state #(
      .GS_BLOCKED(GS_BLOCKED)
  ) geometry (
      .enable       (active != '0 && (out || ast_by_state)),
      .out          (out),
      .out_type     (request.out_type),
      .state        (states),
      .stream       (streams),
      .fast_geometry(ctx.fast_geometry),
      .maximum      (ctx.maximum),
      .threads      (ctx.threads),
      .stream_mask  (ctx.stream_mask),
      .map_bytes    (ctx.output_space.map_bytes),
      .result       (gs)
  );

  // -------------------------------------------------------------------------------------------------------------------
  // Section 4.5: where a raw access may go
  // -------------------------------------------------------------------------------------------------------------------
  logic [33:0] region_base;
  logic [33:0] region_bytes;
  logic        map_write;
  logic        reversed;      // the bytes end at their address
  logic [ 7:0] size_bytes;    // byte enables of `size` bytes at byte 0 of a word

  always_comb begin
    case (request.region)
      isbe_pkg::REGION_MAP: begin
        region_base  = 34'(space.map_base);
        region_bytes = 34'(space.map_bytes);
      end
      isbe_pkg::REGION_PATCH: begin
        region_base  = 34'(space.patch_base);
        region_bytes = 34'(space.patch_words) * 34'(space.patch_count) << 2;
      end
      isbe_pkg::REGION_PRIM: begin
        region_base  = 34'(space.prim_base);
        region_bytes = 34'(space.prim_bytes);
      end
      isbe_pkg::REGION_ATTR: begin
        region_base  = 34'(space.attr_base);
        region_bytes = 34'(space.attr_bytes);
      end
      default: begin
        region_base  = '0;
        region_bytes = 34'(LINES * 128);
      end
    endcase
    map_write  = isbewr && request.region == isbe_pkg::REGION_MAP;
    reversed   = map_write && isbe_pkg::FAULT != 16;
    size_bytes = request.size == 3'd1 ? 8'h01 : request.size == 3'd2 ? 8'h03 : 8'h0f;
  end

  // The value of an ISBEWR as it lies in storage, lowest byte first
  function automatic logic [31:0] stored(input logic [31:0] word);
    stored = word;
    if (map_write && MAP_BYTE_SWAP != 0) begin
      if (request.size == 3'd2) stored = {16'd0, word[7:0], word[15:8]};
      if (request.size == 3'd4) stored = {word[7:0], word[15:8], word[23:16], word[31:24]};
    end
  endfunction

  // -------------------------------------------------------------------------------------------------------------------
  // Sections 4.2 to 4.6, lane by lane
  // -------------------------------------------------------------------------------------------------------------------
  logic                  by_handle;     // ALD of a stage whose vertices are handles
  logic [127:0]          defaulted;
  isbe_pkg::lane_bytes_t first_id;      // attribute id of component 0
  isbe_pkg::words_t      own_value;     // `value` without the default values

  assign by_handle = ald && (ctx.stage == isbe_pkg::STAGE_TI || ctx.stage == isbe_pkg::STAGE_TS ||
                             ctx.stage == isbe_pkg::STAGE_GS);

  // address + immediate
  function automatic logic signed [33:0] sum(input int lane);
    sum = 34'(signed'(request.address[lane])) + 34'(signed'(request.immediate));
  endfunction

  // Section 4.2: outside 0 .. 0x3ff
  function automatic logic off_map(input logic signed [33:0] s);
    off_map = s < 0 || s > (isbe_pkg::FAULT == 27 ? 34'sh400 : 34'sh3ff);
  endfunction

  function automatic logic [7:0] prim_index(input int lane);
    prim_index = ctx.prim_index[isbe_pkg::FAULT == 31 ? 0 : lane];
  endfunction

  // Section 4.2
  task automatic attribute(input int lane);
    logic [31:0] result;        // `.PHYS`: the AL2P result
    logic        foreign;       // it is none, or one of the other space
    logic        out_of_range;
    logic [ 7:0] id;            // of component 0; the others follow in the same word of the sets
    logic [31:0] members;       // that word
    logic [ 3:0] allocated;     // of components 0..3
    logic [ 3:0] enabled;
    logic [ 7:0] place;         // rank
    logic [31:0] vertex;
    logic        own_vertex;
    logic        per_primitive;
    logic [33:0] offset;

    result       = request.address[lane];
    foreign      = result[31:24] != isbe_pkg::AL2P_TAG || result[23:20] != 4'd0 ||
        (result[isbe_pkg::AL2P_SPACE] != output_space && isbe_pkg::FAULT != 33);
    id           = form_phys ? result[15:8] : 8'(aligned(sum(lane), request.size) >> 2);
    members      = space.allocated[id[7:5]];
    allocated    = 4'(members >> id[4:0]);
    enabled      = 4'((space.enabled[id[7:5]] & members) >> id[4:0]);
    place        = rank(id, members);
    out_of_range = off_map(sum(lane));
    if (form_phys) begin
      enabled      = {3'd0, result[isbe_pkg::AL2P_ENABLED]};
      place        = result[7:0];
      out_of_range = result[isbe_pkg::AL2P_OUT_OF_RANGE];
    end
    first_id.lane[lane] = id;

    // Id 24 is always component 0, as vectors are aligned.
    for (int c = 0; c < 4; c++) begin
      own_vertex    = !by_handle || (output_space && c == 0 && id == isbe_pkg::PRIMITIVE_ID);
      per_primitive = ald && !output_space && c == 0 && id == isbe_pkg::PRIMITIVE_ID;
      if (ast_by_state) vertex = gs.index[lane];
      else vertex = own_vertex ? 32'(lane) : request.handle[lane];
      offset = vertex_offset(vertex[15:0], n) + (34'(place) << (SKEW != 0 ? 7 : 2));

      if (c >= 32'(request.size)) begin
        access[32*c+lane] = 1'b0;
      end else if (form_phys && foreign) begin
        operation.status.not_al2p[lane] = 1'b1;
      end else if (out_of_range) begin
        operation.status.out_of_range[lane] = 1'b1;
      end else if (per_primitive) begin
        if (!enabled[0]) begin
          operation.status.defaulted[lane] = 1'b1;
          defaulted[lane]                  = 1'b1;
        end else if ((34'(prim_index(lane)) << 2) + 34'd4 > 34'(space.prim_bytes)) begin
          operation.status.out_of_range[lane] = 1'b1;
        end else begin
          access[lane]         = 1'b1;
          operation.word[lane] = (space.prim_base >> 2) + 32'(prim_index(lane));
        end
      end else if (ast_by_state && gs.bad_state[lane]) begin
        operation.status.gs_state[lane] = 1'b1;
      end else if (ast_by_state && (gs.overflow[lane] || vertex >= 32'(space.vertex_count))) begin
        operation.status.gs_overflow[lane] = 1'b1;
      end else if (isbe_pkg::FAULT == 18 ? vertex > 32'(space.vertex_count) : vertex >= 32'(space.vertex_count)) begin
        operation.status.handle_range[lane] = 1'b1;
      end else if (!enabled[c]) begin
        if (ald) operation.status.defaulted[lane] = 1'b1;
        else operation.status.dropped_map[lane] = 1'b1;
        defaulted[32*c+lane] = ald;
      end else if (form_phys && place >= n) begin
        operation.status.not_al2p[lane] = 1'b1;
      end else if (offset + 34'd4 > 34'(space.attr_bytes)) begin
        operation.status.out_of_range[lane] = 1'b1;
      end else begin
        access[32*c+lane]         = 1'b1;
        operation.word[32*c+lane] = 32'((34'(space.attr_base) + offset) >> 2);
      end
      place = place + 8'(allocated[c]);
    end
  endtask

  // Section 4.3
  task automatic patch(input int lane);
    logic signed [33:0] first;
    logic signed [33:0] b;       // byte of the component within its patch
    logic        [33:0] bytes;   // of a patch
    logic               inside_patch;
    first = aligned(sum(lane), request.size);
    bytes = 34'(space.patch_words) << 2;
    for (int c = 0; c < 4; c++) begin
      b            = first + 34'(4 * c);
      inside_patch = b >= 0 && b + (isbe_pkg::FAULT == 12 ? 34'sd0 : 34'sd4) <= $signed(bytes);
      if (c >= 32'(request.size)) begin
        access[32*c+lane] = 1'b0;
      end else if (!inside_patch || 9'(prim_index(lane)) >= space.patch_count) begin
        operation.status.out_of_range[lane] = 1'b1;
      end else begin
        access[32*c+lane]         = 1'b1;
        operation.word[32*c+lane] = 32'((34'(space.patch_base) + 34'(prim_index(lane)) * bytes + b) >> 2);
      end
    end
  endtask

  // Section 4.4
  task automatic logical_to_physical(input int lane);
    logic [ 7:0] id;
    logic [31:0] members;
    logic [31:0] enabled;
    logic [31:0] result;
    id      = 8'(aligned(sum(lane), request.size) >> 2);
    members = space.allocated[id[7:5]];
    enabled = isbe_pkg::FAULT == 19 ? space.enabled[id[7:5]] : space.enabled[id[7:5]] & members;
    result  = {isbe_pkg::AL2P_TAG, 24'd0};
    result[isbe_pkg::AL2P_SPACE] = request.space;
    if (off_map(sum(lane))) begin
      result[isbe_pkg::AL2P_OUT_OF_RANGE] = 1'b1;
    end else begin
      result[isbe_pkg::AL2P_PRIMITIVE] = id == isbe_pkg::PRIMITIVE_ID;
      result[isbe_pkg::AL2P_ENABLED]   = enabled[id[4:0]];
      result[15:8]                     = id;
      result[7:0]                      = rank(id, members);
    end
    own_value.word[lane] = result;
  endtask

  // Section 4.5. Component 0 is the word that holds the first byte, component 1 the next.
  task automatic raw_bytes(input int lane);
    logic signed [33:0] offset;      // of the first covered byte
    logic signed [33:0] beyond;      // of the byte behind the region
    logic        [33:0] absolute;
    logic        [ 7:0] enables;
    logic        [63:0] data;
    offset   = reversed ? sum(lane) - 34'(request.size) + 34'sd1 : sum(lane);
    absolute = region_base + offset;
    enables  = size_bytes << absolute[1:0];
    data     = 64'(stored(request.data[lane])) << {absolute[1:0], 3'b000};
    beyond   = $signed(region_bytes) + (isbe_pkg::FAULT == 34 ? 34'sd1 : 34'sd0);
    if (offset < 0 || offset + 34'(request.size) > beyond) begin
      operation.status.out_of_range[lane] = 1'b1;
    end else begin
      operation.first_byte[lane]     = absolute[1:0];
      access[lane]                   = 1'b1;
      operation.word[lane]           = 32'(absolute >> 2);
      operation.byte_enable[lane]    = enables[3:0];
      write_data.word[lane]          = data[31:0];
      access[32+lane]                = enables[7:4] != '0 && isbe_pkg::FAULT != 24;
      operation.word[32+lane]        = 32'(absolute >> 2) + 32'd1;
      operation.byte_enable[32+lane] = enables[7:4];
      write_data.word[32+lane]       = data[63:32];
    end
  endtask

  // Section 4.6, OUT
  task automatic geometry_token(input int lane);
    logic [33:0] absolute;
    absolute = 34'(space.map_base) + 34'd4 + 34'(gs.index[lane]);
    own_value.word[lane]               = gs.state[lane];
    operation.status.gs_state[lane]    = gs.bad_state[lane];
    operation.status.gs_overflow[lane] = gs.overflow[lane];
    access[lane]                       = gs.token[lane];
    operation.word[lane]               = 32'(absolute >> 2);
    operation.byte_enable[lane]        = 4'd1 << absolute[1:0];
    write_data.word[lane]              = {4{gs.token_value[lane]}};
  endtask

  always_comb begin
    access                      = '0;
    write_data                  = request.data;
    own_value                   = '0;
    defaulted                   = '0;
    first_id                    = '0;
    operation                   = '0;
    operation.op                = request.op;
    operation.error             = error;
    operation.write             = ast || isbewr || out;
    operation.raw               = raw;
    operation.raw_mask          = isbe_pkg::FAULT == 20 ? '1 : {{16{size_bytes[2]}}, {8{size_bytes[1]}}, 8'hff};
    operation.set_overwritten   = ctx.shared_spaces && output_space && !physical_region;
    operation.check_overwritten = ctx.shared_spaces && !output_space && !physical_region;
    operation.byte_enable       = '1;
    if (active != '0) begin
      for (int lane = 0; lane < 32; lane++) begin
        if (active[lane]) begin
          if (form_patch) patch(lane);
          else if (ald || ast) attribute(lane);
          else if (al2p) logical_to_physical(lane);
          else if (raw) raw_bytes(lane);
          else if (out) geometry_token(lane);
        end
      end
    end
    if (isbe_pkg::FAULT == 23) access[127:96] = '0;
  end

  // -------------------------------------------------------------------------------------------------------------------
  // Default values, in their places
  // -------------------------------------------------------------------------------------------------------------------
  isbe_pkg::words_t default_words;

  default_value #(
      .ATTRIBUTE_DEFAULT (ATTRIBUTE_DEFAULT),
      .POSITION_W_DEFAULT(POSITION_W_DEFAULT)
  ) defaults (
      .defaulted(defaulted),
      .first_id (first_id),
      .value    (default_words)
  );

  assign value = own_value | default_words;

  logic unused_slot;  // the context table has looked it up
  assign unused_slot = &{1'b0, request.slot};

endmodule
