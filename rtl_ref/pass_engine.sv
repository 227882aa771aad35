// SPDX-License-Identifier: Apache-2.0
// Pass engine (section 5.4 and "Passes of an operation"): takes an operation at the edge of its
// grant cycle g, serves its accesses in the passes g+1 .. g+P, and hands over the response in cycle
// g+P+1.
//
// Each bank is a single-ported SRAM. The words that a pass reads are at the outputs of the banks in
// the following cycle, the collect cycle of that pass, which overlaps the next pass.
module pass_engine #(
    parameter int unsigned LINES = 1024,
    parameter int unsigned BANKS = 32,
    parameter int unsigned BANK_MAP = 0,
    parameter int unsigned ACCESS_LINE = 0,
    parameter int unsigned WINNER_LOWEST = 0
) (
    input logic clk,
    input logic rst,

    output logic                 can_grant,  // idle, or in the last pass of an operation
    input  logic                 start,      // grant
    input  logic                 start_port,
    input  isbe_pkg::operation_t start_operation,
    input  logic [127:0]         start_access,
    input  isbe_pkg::words_t     start_write_data,
    input  isbe_pkg::words_t     start_value,

    output logic                finished,    // cycle g+P+1
    output logic                finished_port,
    output logic [2:0]          finished_op,
    output logic [7:0]           finished_error,
    output logic [15:0]          finished_passes,
    output logic [511:0]         finished_status,
    output isbe_pkg::words_t     finished_data
);

  // A line access needs all 32 words of a line at once: it has 32 columns and row = line, for any
  // BANKS and BANK_MAP.
  localparam int unsigned COLUMNS = ACCESS_LINE != 0 ? 32 : BANKS;
  localparam int unsigned MAP = ACCESS_LINE != 0 ? 0 : BANK_MAP;
  localparam int unsigned ROWS = LINES * 32 / COLUMNS;
  localparam int unsigned BANK_BITS = $clog2(COLUMNS);
  localparam int unsigned ROW_BITS = $clog2(ROWS);

  // -----------------------------------------------------------------------------------------------
  // The operation in the engine
  // -----------------------------------------------------------------------------------------------
  isbe_pkg::operation_t current;
  isbe_pkg::words_t     current_write_data;
  isbe_pkg::words_t     current_value;
  logic                 current_port;
  logic                 busy;
  logic                 first_pass;
  logic [127:0]         waiting;   // accesses not served yet
  logic [15:0]          passes;    // before this one
  logic                 last_pass;

  // -----------------------------------------------------------------------------------------------
  // One pass: the accesses that it serves, and its effect on each bank
  // -----------------------------------------------------------------------------------------------
  logic [1:0]           component;            // the lowest that has waiting accesses
  logic [31:0]          candidates;           // its waiting lanes
  logic [31:0]          served;
  logic [31:0]          lost;                 // lanes that lose a byte to another
  logic [127:0]         remaining;
  logic [COLUMNS-1:0]   bank_used;
  logic [ROW_BITS-1:0]  bank_row   [COLUMNS];
  logic [3:0]           bank_bytes [COLUMNS]; // written: bytes that a lane has claimed
  logic [31:0]          bank_data  [COLUMNS];
  logic                 line_used;
  logic [ROW_BITS-1:0]  line_row;

  // The component's values for each lane, selected from the operation once.
  logic [1023:0]           lane_word;         // word address / 4
  logic [127:0]            lane_bytes;        // byte enables
  logic [1023:0]           lane_data;
  logic [32*BANK_BITS-1:0] lane_bank;         // bank of each lane's word

  always_comb begin
    component = 2'd0;
    for (int c = 3; c >= 0; c--) begin
      if (waiting[32*c+:32] != '0) component = 2'(c);
    end
    case (component)
      2'd0: begin
        candidates = waiting[31:0];
        lane_word  = current.word[31:0];
        lane_bytes = current.byte_enable[31:0];
        lane_data  = current_write_data.word[31:0];
      end
      2'd1: begin
        candidates = waiting[63:32];
        lane_word  = current.word[63:32];
        lane_bytes = current.byte_enable[63:32];
        lane_data  = current_write_data.word[63:32];
      end
      2'd2: begin
        candidates = waiting[95:64];
        lane_word  = current.word[95:64];
        lane_bytes = current.byte_enable[95:64];
        lane_data  = current_write_data.word[95:64];
      end
      default: begin
        candidates = waiting[127:96];
        lane_word  = current.word[127:96];
        lane_bytes = current.byte_enable[127:96];
        lane_data  = current_write_data.word[127:96];
      end
    endcase
  end

  // Section 5, bank of a word: from the lowest bits of the numbers of the word and of its line.
  function automatic logic [BANK_BITS-1:0] bank_of(input logic [BANK_BITS-1:0] word,
      input logic [BANK_BITS-1:0] line);
    case (MAP)
      1: bank_of = word + line;
      2: bank_of = word ^ line;
      default: bank_of = word;
    endcase
  endfunction

  // Served lanes: the lowest numbered waiting lane chooses the row (of its bank, or of all banks);
  // lanes of the same row are served with it.
  logic [BANK_BITS-1:0] bank;
  logic [ROW_BITS-1:0]  row;

  always_comb begin
    served    = '0;
    bank_used = '0;
    line_used = 1'b0;
    line_row  = '0;
    lane_bank = '0;
    bank      = '0;
    row       = '0;
    for (int b = 0; b < 32'(COLUMNS); b++) bank_row[b] = '0;
    if (candidates != '0) begin
      for (int lane = 0; lane < 32; lane++) begin
        if (candidates[lane]) begin
          bank = bank_of(lane_word[32*lane+:BANK_BITS], lane_word[32*lane+5+:BANK_BITS]);
          row  = ROW_BITS'(lane_word[32*lane+:32] >> BANK_BITS);
          if (ACCESS_LINE != 0) served[lane] = !line_used || row == line_row;
          else served[lane] = !bank_used[bank] || row == bank_row[bank];
          if (served[lane]) begin
            bank_used[bank]                      = 1'b1;
            bank_row[bank]                       = row;
            line_used                            = 1'b1;
            line_row                             = row;
            lane_bank[BANK_BITS*lane+:BANK_BITS] = bank;
          end
        end
      end
    end
  end

  // Same word, several writers: lanes claim their bytes in the order of the winner rule.
  logic [4:0]           claimer;  // lane
  logic [BANK_BITS-1:0] claimed;  // its bank
  logic [3:0]           claims;   // its bytes

  always_comb begin
    lost    = '0;
    claimer = '0;
    claimed = '0;
    claims  = '0;
    for (int b = 0; b < 32'(COLUMNS); b++) begin
      bank_data[b]  = '0;
      bank_bytes[b] = '0;
    end
    if (current.write && served != '0) begin
      for (int i = 0; i < 32; i++) begin
        claimer = WINNER_LOWEST != 0 ? 5'(i) : 5'(31 - i);
        if (served[claimer]) begin
          claimed       = lane_bank[BANK_BITS*claimer+:BANK_BITS];
          claims        = lane_bytes[4*claimer+:4];
          lost[claimer] = (claims & bank_bytes[claimed]) != '0;
          claims        = claims & ~bank_bytes[claimed];
          for (int b = 0; b < 4; b++) begin
            if (claims[b]) bank_data[claimed][8*b+:8] = lane_data[32*claimer+8*b+:8];
          end
          bank_bytes[claimed] = bank_bytes[claimed] | claims;
        end
      end
    end
  end

  always_comb begin
    remaining = waiting;
    remaining[32*component+:32] = candidates & ~served;
    last_pass = busy && remaining == '0;
    can_grant = !busy || last_pass;
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      busy       <= 1'b0;
      waiting    <= '0;
      first_pass <= 1'b0;
      passes     <= '0;
    end else if (start) begin
      busy       <= 1'b1;
      waiting    <= start_access;
      first_pass <= 1'b1;
      passes     <= '0;
    end else begin
      busy       <= busy && !last_pass;
      waiting    <= remaining;
      first_pass <= 1'b0;
      passes     <= passes + 16'd1;
    end
  end

  always_ff @(posedge clk) begin
    if (start) begin
      current            <= start_operation;
      current_write_data <= start_write_data;
      current_value      <= start_value;
      current_port       <= start_port;
    end
  end

  // -----------------------------------------------------------------------------------------------
  // The banks
  // -----------------------------------------------------------------------------------------------
  logic [31:0] bank_read       [COLUMNS];
  logic        bank_overwritten[COLUMNS];

  for (genvar b = 0; b < 32'(COLUMNS); b++) begin : storage
    bank_sram #(
        .ROWS (ROWS)
    ) bank (
        .clk              (clk),
        .rst              (rst),  // before the first reset `waiting` and `current` are undefined
        .enable           (bank_used[b]),
        .write_bytes      (bank_bytes[b]),
        .row              (bank_row[b]),
        .write_data       (bank_data[b]),
        .write_overwritten(current.set_overwritten),
        .read_data        (bank_read[b]),
        .read_overwritten (bank_overwritten[b])
    );
  end

  // -----------------------------------------------------------------------------------------------
  // Collect: the words of a pass go to their lanes. `result_*` belongs to the operation of the pass
  // being collected, and is loaded by its first pass.
  // -----------------------------------------------------------------------------------------------
  logic                    collect;
  logic                    collect_last;
  logic [1:0]              collect_component;
  logic [31:0]             collect_read;      // lanes that read
  logic [31:0]             collect_lost;
  logic [32*BANK_BITS-1:0] collect_bank;

  logic [2:0]              result_op;
  logic                    result_port;
  logic [7:0]              result_error;
  logic [15:0]             result_passes;
  logic                    result_raw;
  logic [31:0]             result_raw_mask;
  logic                    result_check;
  logic [63:0]             result_first_byte; // two bits a lane
  isbe_pkg::words_t        result_value;
  logic [511:0]            result_status;     // 16 bits a lane

  logic [31:0]             overwritten;       // lanes that read an overwritten word
  isbe_pkg::words_t        value;             // with the words of this pass
  logic [511:0]            status;

  logic [1:0]              place;     // component that the words of this pass belong to
  logic [1023:0]           kept;      // words that the lanes already have there
  logic [1023:0]           delivered; // with the words of this pass

  assign place = result_raw ? 2'd0 : collect_component;

  always_comb begin
    case (place)
      2'd0: kept = result_value.word[31:0];
      2'd1: kept = result_value.word[63:32];
      2'd2: kept = result_value.word[95:64];
      default: kept = result_value.word[127:96];
    endcase
  end

  // Section 4.5: component 0 holds the first bytes of a raw value, component 1 its bytes that lie
  // in the next word.
  function automatic logic [31:0] of_raw(input logic [31:0] word, input logic [31:0] had,
      input logic [1:0] first);
    logic [5:0] shift;
    shift = {1'b0, first, 3'b000};
    if (collect_component == 2'd0) of_raw = word >> shift & result_raw_mask;
    else of_raw = had | (word << (6'd32 - shift) & result_raw_mask);
  endfunction

  always_comb begin
    delivered   = kept;
    overwritten = '0;
    if (collect_read != '0) begin
      for (int lane = 0; lane < 32; lane++) begin
        if (collect_read[lane]) begin
          delivered[32*lane+:32] = bank_read[collect_bank[BANK_BITS*lane+:BANK_BITS]];
          if (result_raw) begin
            delivered[32*lane+:32] =
                of_raw(delivered[32*lane+:32], kept[32*lane+:32], result_first_byte[2*lane+:2]);
          end
          if (result_check)
            overwritten[lane] = bank_overwritten[collect_bank[BANK_BITS*lane+:BANK_BITS]];
        end
      end
    end
  end

  always_comb begin
    value = result_value;
    case (place)
      2'd0: value.word[31:0] = delivered;
      2'd1: value.word[63:32] = delivered;
      2'd2: value.word[95:64] = delivered;
      default: value.word[127:96] = delivered;
    endcase
  end

  always_comb begin
    status = result_status;
    if ((overwritten | collect_lost) != '0) begin
      for (int lane = 0; lane < 32; lane++) begin
        if (overwritten[lane]) status[16*lane+8] = 1'b1;   // section 6
        if (collect_lost[lane]) status[16*lane+6] = 1'b1;
      end
    end
  end

  always_ff @(posedge clk) begin
    if (rst) collect <= 1'b0;
    else collect <= busy;
  end

  always_ff @(posedge clk) begin
    collect_last      <= last_pass;
    collect_component <= component;
    collect_read      <= current.write ? '0 : served;
    collect_lost      <= lost;
    collect_bank      <= lane_bank;
    result_passes     <= passes + 16'd1;
    if (first_pass) begin
      result_op         <= current.op;
      result_port       <= current_port;
      result_error      <= current.error;
      result_raw        <= current.raw;
      result_raw_mask   <= current.raw_mask;
      result_check      <= current.check_overwritten;
      result_first_byte <= current.first_byte;
      result_value      <= current_value;
      result_status     <= current.status;
    end else if (collect) begin
      result_value  <= value;
      result_status <= status;
    end
  end

  // -----------------------------------------------------------------------------------------------
  // Response
  // -----------------------------------------------------------------------------------------------
  assign finished      = collect && collect_last;
  assign finished_port = result_port;
  assign finished_op   = result_op;

  assign finished_error  = result_error;
  assign finished_passes = result_passes;
  assign finished_status = status;
  assign finished_data   = value;

`ifdef ISBESIM_ASSERT
  logic [4*COLUMNS-1:0]  written_bytes;
  logic [32*COLUMNS-1:0] written_data;

  for (genvar b = 0; b < 32'(COLUMNS); b++) begin : asserted
    assign written_bytes[4*b+:4]  = bank_bytes[b];
    assign written_data[32*b+:32] = bank_data[b];
  end

  pass_rules #(
      .COLUMNS      (COLUMNS),
      .BANK_MAP     (BANK_MAP),
      .ACCESS_LINE  (ACCESS_LINE),
      .WINNER_LOWEST(WINNER_LOWEST)
  ) pass_assertions (
      .clk, .rst, .start, .start_access, .busy, .waiting, .passes, .component, .lane_word,
      .lane_bytes, .lane_data, .served, .lost, .written_bytes, .written_data, .finished,
      .finished_port, .finished_passes,
      .start_word(start_operation.word),
      .port      (current_port),
      .write     (current.write)
  );
`endif

endmodule
