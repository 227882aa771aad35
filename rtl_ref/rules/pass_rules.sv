// SPDX-License-Identifier: Apache-2.0
// Assertions of the passes (section 5 of ../README.md, which lists them): the number that an
// operation takes, the lanes that each pass serves, and the data that it writes. The number is
// computed from all accesses at once, not pass by pass.
module pass_rules #(
    parameter int unsigned COLUMNS = 32,      // a pass serves one row of each
    // Columns are banks, except with ACCESS_LINE
    parameter int unsigned BANK_MAP = 0,
    parameter int unsigned ACCESS_LINE = 0,
    parameter int unsigned WINNER_LOWEST = 0,
    localparam int unsigned BANK_BITS = $clog2(COLUMNS)
) (
    input logic clk,
    input logic rst,

    input logic                  start,
    input logic [127:0]          start_access,
    input logic [4095:0]         start_word,     // word address / 4 of each access

    input logic                  busy,
    input logic                  port,
    input logic                  write,
    input logic [127:0]          waiting,
    input logic [15:0]           passes,         // before this one
    input logic [1:0]            component,
    input logic [1023:0]         lane_word,      // of the component
    input logic [127:0]          lane_bytes,
    input logic [1023:0]         lane_data,
    input logic [31:0]           served,
    input logic [31:0]           lost,
    input logic [4*COLUMNS-1:0]  written_bytes,  // of each bank
    input logic [32*COLUMNS-1:0] written_data,

    input logic                  finished,
    input logic                  finished_port,
    input logic [15:0]           finished_passes
);

  logic [63:0] cycle;  // since reset
  always_ff @(posedge clk) cycle <= rst ? '0 : cycle + 64'd1;

  // Bank of a word, by division: it does not rely on single bits of the numbers.
  function automatic logic [BANK_BITS-1:0] bank_of(input logic [31:0] word);
    logic [31:0] line;
    line    = ACCESS_LINE != 0 || BANK_MAP == 0 ? '0 : word / 32;
    bank_of = BANK_BITS'(BANK_MAP == 2 ? (word % 32'(COLUMNS)) ^ (line % 32'(COLUMNS))
                                       : (word + line) % 32'(COLUMNS));
  endfunction

  // -----------------------------------------------------------------------------------------------
  // Passes of an operation: a component takes as many as the fullest bank has distinct rows, or as
  // it has distinct lines
  // -----------------------------------------------------------------------------------------------
  logic [15:0] expected;       // of the operation in the engine
  logic        wrong_count;
  logic [15:0] counted;        // of the operation that starts
  logic [15:0] was_expected;   // in the previous cycle: finished comes a cycle after the last pass

  // One component: every turn removes one word, or one line, from all lanes that access it.
  function automatic logic [15:0] passes_of(input logic [31:0] access, input logic [1023:0] words);
    logic [31:0]          left;
    logic [31:0]          word;
    logic [BANK_BITS-1:0] bank;
    logic [15:0]          rows[COLUMNS];
    passes_of = '0;
    left      = access;
    for (int b = 0; b < 32'(COLUMNS); b++) rows[b] = '0;
    for (int first = 0; first < 32; first++) begin
      if (left[first]) begin
        word = words[32*first+:32];
        for (int lane = first; lane < 32; lane++) begin
          if (ACCESS_LINE != 0 ? words[32*lane+5+:27] == word[31:5] : words[32*lane+:32] == word)
            left[lane] = 1'b0;
        end
        bank       = ACCESS_LINE != 0 ? '0 : bank_of(word);
        rows[bank] = rows[bank] + 16'd1;
        if (rows[bank] > passes_of) passes_of = rows[bank];
      end
    end
  endfunction

  always_comb begin
    wrong_count = 1'b0;
    if (finished && finished_passes != was_expected) wrong_count = 1'b1;
    counted = 16'd1;
    if (start && start_access != '0) begin
      counted = passes_of(start_access[31:0], start_word[1023:0]) +
                passes_of(start_access[63:32], start_word[2047:1024]) +
                passes_of(start_access[95:64], start_word[3071:2048]) +
                passes_of(start_access[127:96], start_word[4095:3072]);
    end
  end

  always_ff @(posedge clk) begin
    if (start) expected <= counted;
    was_expected <= expected;
  end

  `ISBESIM_RULE(pass_count, assert, !wrong_count,
                ("port %0d, cycle %0d: %0d passes, the accesses take %0d (section 5, passes)",
                    finished_port, cycle,
                 finished_passes, was_expected))

  // -----------------------------------------------------------------------------------------------
  // One pass
  // -----------------------------------------------------------------------------------------------
  logic [1:0]  lowest_component;
  logic [31:0] lanes;           // waiting lanes of the component
  logic [31:0] expected_served;
  logic        wrong_component;
  logic        wrong_lanes;

  always_comb begin
    lowest_component = 2'd3;
    if (waiting[95:64] != '0) lowest_component = 2'd2;
    if (waiting[63:32] != '0) lowest_component = 2'd1;
    if (waiting[31:0] != '0) lowest_component = 2'd0;
    lanes = waiting[32*component+:32];
  end

  // The lowest waiting lane of a bank, or of all banks, selects the row.
  function automatic logic [31:0] served_of(input logic [31:0] wanted);
    logic [COLUMNS-1:0]    taken;
    logic [31-BANK_BITS:0] row;
    logic [31-BANK_BITS:0] rows[COLUMNS];
    logic [BANK_BITS-1:0]  bank;
    served_of = '0;
    taken     = '0;
    for (int b = 0; b < 32'(COLUMNS); b++) rows[b] = '0;
    for (int lane = 0; lane < 32; lane++) begin
      bank = ACCESS_LINE != 0 ? '0 : bank_of(lane_word[32*lane+:32]);
      row  = lane_word[32*lane+BANK_BITS+:32-BANK_BITS];
      if (wanted[lane]) begin
        if (!taken[bank]) rows[bank] = row;
        taken[bank]     = 1'b1;
        served_of[lane] = rows[bank] == row;
      end
    end
  endfunction

  always_comb begin
    expected_served = '0;
    wrong_component = 1'b0;
    wrong_lanes     = 1'b0;
    if (busy) begin
      expected_served = served_of(lanes);
      wrong_component = waiting != '0 && component != lowest_component;
      wrong_lanes     = served != expected_served;
    end
  end

  `ISBESIM_RULE(pass_component, assert, !wrong_component,
                ("port %0d, cycle %0d: component %0d before component %0d (section 5, passes)",
                    port, cycle, component,
                 lowest_component))

  // At most one pass per access: each pass serves the first waiting access, and often others.
  logic [6:0] first_waiting;
  logic [4:0] first_lane;

  always_comb begin
    first_waiting = '0;
    for (int i = 127; i >= 0; i--) begin
      if (waiting[i]) first_waiting = 7'(i);
    end
    first_lane = first_waiting[4:0];
  end

  `ISBESIM_RULE(pass_serves, assert, !(busy && waiting != '0) || served[first_lane],
                ("port %0d, cycle %0d: a pass does not serve lane %0d (section 5, passes)", port,
                    cycle, first_lane))

  `ISBESIM_RULE(pass_bound, assert, !busy || passes <= 16'(first_waiting),
                ("port %0d, cycle %0d: %0d passes were not enough for %0d accesses (section 5, passes)", port, cycle, passes,
                 first_waiting))

  `ISBESIM_RULE(pass_lanes, assert, !wrong_lanes,
                ("port %0d, cycle %0d: a pass serves lanes %h, expected %h (section 5, passes)",
                    port, cycle, served,
                 expected_served))

  // -----------------------------------------------------------------------------------------------
  // Same word, several writers
  // -----------------------------------------------------------------------------------------------
  logic [31:0] expected_lost;
  logic        wrong_data;
  logic        wrong_lost;

  // In the order of the rule, so that the winner comes last; one byte of every word at a time.
  always_comb begin
    logic [COLUMNS-1:0]   written;
    logic [4:0]           winner[COLUMNS];
    logic [BANK_BITS-1:0] bank;
    logic [4:0]           lane;
    expected_lost = '0;
    wrong_data    = 1'b0;
    wrong_lost    = 1'b0;
    written       = '0;
    bank          = '0;
    lane          = '0;
    for (int b = 0; b < 32'(COLUMNS); b++) winner[b] = '0;
    if (busy && write) begin
      for (int n = 0; n < 4; n++) begin
        written = '0;
        for (int i = 0; i < 32; i++) begin
          lane = WINNER_LOWEST != 0 ? 5'(31 - i) : 5'(i);
          bank = bank_of(lane_word[32*lane+:32]);
          if (served[lane] && lane_bytes[4*lane+n]) begin
            if (written[bank]) expected_lost[winner[bank]] = 1'b1;
            winner[bank]  = lane;
            written[bank] = 1'b1;
          end
        end
        for (int b = 0; b < 32'(COLUMNS); b++) begin
          if (written_bytes[4*b+n] != written[b]) wrong_data = 1'b1;
          if (written[b] && written_data[32*b+8*n+:8] != lane_data[32*winner[b]+8*n+:8])
            wrong_data = 1'b1;
        end
      end
      wrong_lost = lost != expected_lost;
    end
  end

  `ISBESIM_RULE(write_winner, assert, !wrong_data,
                ("port %0d, cycle %0d: a byte that is not the winning lane's (section 5, several writers)", port, cycle))

  `ISBESIM_RULE(write_conflict, assert, !wrong_lost,
                ("port %0d, cycle %0d: lanes %h lose a byte, expected %h (section 5, several writers)", port, cycle, lost,
                 expected_lost))

endmodule
