// SPDX-License-Identifier: Apache-2.0
// An independently written block for the monitor: a memory of 256 words in 8 banks that a warp of 32 lanes reads and
// writes. Each bank serves one word per beat. If several lanes write one word, the highest wins; a lane beyond the end
// faults. The block has its own names and encoding, and takes two cycles longer than rtl_ref/README.md requires with
// PIPELINE_LATENCY 5 and WRITE_LATENCY 4.
//
// +bug=1: the lowest lane wins   +bug=2: lane 31 reads the neighbouring word   +bug=3: the order is kept, but every 50th
// answer comes three cycles late
module staging_memory (
    input  logic              i_clk,
    input  logic              i_rst_n,
    input  logic              cmd_vld,
    output logic              cmd_rdy,
    input  logic              cmd_we,
    input  logic [31:0]       cmd_en,
    input  logic [31:0][15:0] cmd_word,
    input  logic [31:0][31:0] cmd_wdata,
    output logic              rsp_vld,
    input  logic              rsp_rdy,
    output logic [31:0][31:0] rsp_rdata,
    output logic [31:0]       rsp_fault,
    output logic [31:0]       rsp_lost,
    output logic [7:0]        rsp_beats
);

  localparam int unsigned READ_CYCLES = 7;
  localparam int unsigned WRITE_CYCLES = 6;

  typedef struct packed {
    logic              we;
    logic [31:0]       en;
    logic [31:0][15:0] where;
    logic [31:0][31:0] wdata;
  } command_t;

  typedef struct packed {
    logic [31:0]       due;
    logic [31:0][31:0] rdata;
    logic [31:0]       fault;
    logic [31:0]       lost;
    logic [7:0]        beats;
  } answer_t;

  int unsigned bug;
  initial if (!$value$plusargs("bug=%d", bug)) bug = 0;

  logic [31:0] words[256];
  initial for (int i = 0; i < 256; i++) words[i] = '0;

  // Up to two commands wait, and up to 32 answers are in flight.
  command_t    waiting[2];
  logic [1:0]  waits;
  answer_t     answers[32];
  logic [5:0]  under_way;
  logic [4:0]  first;
  logic [7:0]  beats_left;  // including this one
  logic [31:0] now;
  logic [31:0] count;

  assign cmd_rdy   = waits < 2;
  assign rsp_vld   = under_way != 0 && answers[first].due <= now;
  assign rsp_rdata = answers[first].rdata;
  assign rsp_fault = answers[first].fault;
  assign rsp_lost  = answers[first].lost;
  assign rsp_beats = answers[first].beats;

  logic       start;
  command_t   c;
  answer_t    a;
  assign start = waits != 0 && beats_left <= 1 && under_way < 32;
  assign c     = waiting[0];

  always_comb begin : serve
    logic [7:0] in_bank[8];
    logic       seen;
    logic       higher;
    a = '0;
    for (int b = 0; b < 8; b++) in_bank[b] = '0;
    for (int i = 0; i < 32; i++) begin
      seen   = 1'b0;
      higher = 1'b0;
      for (int j = 0; j < 32; j++) begin
        if (c.en[j] && c.where[j] == c.where[i]) begin
          if (j < i) seen = 1'b1;
          if (bug == 1 ? j < i : j > i) higher = 1'b1;
        end
      end
      if (c.en[i] && c.where[i] >= 256) a.fault[i] = 1'b1;
      else if (c.en[i]) begin
        if (!seen) in_bank[c.where[i][2:0]] = in_bank[c.where[i][2:0]] + 1;
        if (c.we) a.lost[i] = higher;
        else a.rdata[i] = words[bug == 2 && i == 31 ? c.where[i][7:0] ^ 8'd1 : c.where[i][7:0]];
      end
    end
    a.beats = 8'd1;
    for (int b = 0; b < 8; b++) if (in_bank[b] > a.beats) a.beats = in_bank[b];
    a.due = now + 32'(a.beats) + (c.we ? WRITE_CYCLES : READ_CYCLES) + (bug == 3 && count % 50 == 49 ? 3 : 0);
  end

  always_ff @(posedge i_clk) begin
    if (!i_rst_n) begin
      waits <= '0;
      under_way <= '0;
      first <= '0;
      beats_left <= '0;
      now <= '0;
      count <= '0;
    end else begin
      now <= now + 1;
      if (start) begin
        waiting[0] <= waiting[1];
        answers[first+5'(under_way)] <= a;
        beats_left <= a.beats;
        count <= count + 1;
        for (int i = 0; i < 32; i++)
          if (c.we && c.en[i] && !a.fault[i] && !a.lost[i]) words[c.where[i][7:0]] <= c.wdata[i];
      end else if (beats_left != 0) begin
        beats_left <= beats_left - 1;
      end
      if (cmd_vld && cmd_rdy) waiting[1'(waits-2'(start))] <= '{we: cmd_we, en: cmd_en, where: cmd_word, wdata: cmd_wdata};
      waits <= waits + 2'(cmd_vld && cmd_rdy) - 2'(start);
      under_way <= under_way + 6'(start) - 6'(rsp_vld && rsp_rdy);
      if (rsp_vld && rsp_rdy) first <= first + 1;
    end
  end

endmodule
