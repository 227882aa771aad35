// SPDX-License-Identifier: Apache-2.0
// Types and widths that the modules of the diagram share. The section numbers in these sources
// refer to README.md, the micro-architecture page.
//
// The sources use only SystemVerilog that both Verilator 5.006 and Yosys 0.23 read. This decides
// four matters of style: names of this package are written in full (no import), arrays cross module
// boundaries as packed vectors or in a structure, a function assigns its name instead of returning,
// and one whose result is a structure has the type of a vector of as many bits.
package isbe_pkg;

  // Section 2: op
  typedef enum logic [2:0] {
    ALD = 3'd0,
    AST = 3'd1,
    AL2P = 3'd2,
    OUT = 3'd3,
    ISBERD = 3'd4,
    ISBEWR = 3'd5,
    BIND = 3'd6
  } op_t;

  // Section 2: region. 5..7 are never sent
  typedef enum logic [2:0] {
    REGION_MAP = 3'd0,
    REGION_PATCH = 3'd1,
    REGION_PRIM = 3'd2,
    REGION_ATTR = 3'd3,
    REGION_PHYSICAL = 3'd4
  } region_t;

  // Section 2: form. 3 is never sent
  typedef enum logic [1:0] {
    FORM_LOGICAL = 2'd0,
    FORM_PATCH = 2'd1,
    FORM_PHYS = 2'd2
  } form_t;

  // Section 2: type of OUT
  typedef enum logic [1:0] {
    OUT_FINAL = 2'd0,
    OUT_EMIT = 2'd1,
    OUT_CUT = 2'd2,
    OUT_EMIT_THEN_CUT = 2'd3
  } out_type_t;

  // Section 3: stage, word 0 of a context
  typedef enum logic [3:0] {
    STAGE_NONE = 4'd0,
    STAGE_VSA = 4'd1,
    STAGE_VSB = 4'd2,
    STAGE_TI = 4'd3,
    STAGE_TS = 4'd4,
    STAGE_GS = 4'd5,
    STAGE_TASK = 4'd6,
    STAGE_MESH = 4'd7
  } stage_t;

  // Section 6: errors
  localparam logic [7:0] ERROR_NONE = 8'h00;
  localparam logic [7:0] ERROR_ENCODING = 8'h09;
  localparam logic [7:0] ERROR_COMBINATION = 8'h0a;

  // Sections 4.2 and 4.4: fields of an AL2P result
  localparam logic [7:0] AL2P_TAG = 8'ha2;
  localparam int unsigned AL2P_ENABLED = 16;
  localparam int unsigned AL2P_OUT_OF_RANGE = 17;
  localparam int unsigned AL2P_SPACE = 18;
  localparam int unsigned AL2P_PRIMITIVE = 19;

  // Section 4.2: generated attributes
  localparam logic [7:0] PRIMITIVE_ID = 8'd24;
  localparam logic [7:0] INSTANCE_ID = 8'd190;
  localparam logic [7:0] VERTEX_ID = 8'd191;

  // Ports carry arrays in a structure: Yosys takes no packed array of two dimensions as a port.
  typedef struct packed { logic [127:0][31:0] word; } words_t;

  // Section 2: one request. `.SKEW` changes nothing (section 4.5) and stays at the port.
  typedef struct packed {
    logic [2:0]         op;
    logic               space;
    logic [2:0]         region;
    logic [1:0]         form;
    logic [1:0]         out_type;
    logic [2:0]         size;
    logic [15:0]        slot;       // the field `context`; that name is a keyword
    logic [31:0]        immediate;
    logic [31:0]        lanes;
    logic [31:0][31:0]  address;
    logic [31:0][31:0]  handle;
    logic [127:0][31:0] data;
  } request_t;

  // Section 3: one space of a context. vertex_count, patch_words and patch_count have the widths of
  // their bounds.
  typedef struct packed {
    logic [7:0][31:0] allocated;
    logic [7:0][31:0] enabled;
    logic [31:0]      attr_base;
    logic [31:0]      attr_bytes;
    logic [31:0]      map_base;
    logic [31:0]      map_bytes;
    logic [31:0]      prim_base;
    logic [31:0]      prim_bytes;
    logic [31:0]      patch_base;
    logic [15:0]      vertex_count;
    logic [7:0]       patch_words;
    logic [8:0]       patch_count;
  } space_t;

  // Section 3: one context
  typedef struct packed {
    logic [3:0]       stage;
    logic             fast_geometry;
    logic             shared_spaces;
    logic [15:0]      maximum;      // output vertices of a geometry thread
    logic [5:0]       threads;      // geometry threads in the warp
    logic [3:0]       stream_mask;
    logic [31:0][7:0] prim_index;   // primitive of each lane
    space_t           input_space;
    space_t           output_space;
  } context_t;

  // Section 6: the status of a lane
  typedef struct packed {
    logic [6:0] zero;            // bits 15:9
    logic       overwritten;
    logic       not_al2p;
    logic       write_conflict;
    logic       gs_overflow;
    logic       gs_state;
    logic       handle_range;
    logic       out_of_range;
    logic       dropped_map;
    logic       defaulted;
  } status_t;

  // Section 4: the kind and the parameters of a request, which are the same for all of its lanes
  typedef struct packed {
    logic             ald;
    logic             ast;
    logic             al2p;
    logic             out;
    logic             raw;            // ISBERD or ISBEWR
    logic             form_phys;
    logic             form_patch;
    logic             output_space;   // it uses the output space
    logic             by_handle;      // ALD of a stage whose vertices are handles
    logic             ast_by_state;   // AST of a geometry shader that is not fast
    logic             map_write;      // ISBEWR in MAP
    logic [1:0]       out_type;
    logic [2:0]       size;
    logic [31:0]      immediate;
    logic [33:0]      region_base;    // section 4.5: the allowed range of a raw access
    logic [33:0]      region_bytes;
    logic [7:0]       size_bytes;     // byte enables of `size` bytes at byte 0 of a word
    logic             fast_geometry;
    logic [15:0]      maximum;
    logic [5:0]       threads;
    logic [3:0]       stream_mask;
    logic [7:0]       ids;            // section 3: n
  } common_t;

  // Section 4.6: the results for the state word of a lane
  typedef struct packed {
    logic        bad_state;    // status gs_state
    logic        overflow;     // status gs_overflow
    logic        token;        // OUT: a token is written
    logic [7:0]  token_value;
    logic [31:0] index;        // AST: output vertex of the slot. OUT: number of the token
    logic [31:0] state;        // OUT: the new state
  } gs_result_t;

  // Section 4: the address unit's result for a request. The accesses, the store data and the load
  // values that do not come from storage are separate outputs.
  typedef struct packed {
    logic [2:0]         op;
    logic [7:0]         error;
    // The accesses write (AST, ISBEWR, OUT) or read (ALD, ISBERD)
    logic               write;
    logic               raw;               // ISBERD: bytes go to component 0 (section 4.5)
    logic [31:0]        raw_mask;          // ISBERD: the bits that `size` covers
    logic               set_overwritten;   // section 4.7, writes
    logic               check_overwritten; // section 4.7, loads
    logic [31:0][15:0]  status;            // of each lane
    // ISBERD: byte of the word at which the lane's value starts
    logic [31:0][1:0]   first_byte;
    logic [127:0][3:0]  byte_enable;
    logic [127:0][31:0] word;              // word address / 4
  } operation_t;

endpackage
