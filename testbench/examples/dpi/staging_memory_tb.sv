// SPDX-License-Identifier: Apache-2.0
// Drives staging_memory with random reads and writes, with the adapter bound to it:
//
//   +isbe_monitor_mode=... +commands=N +bug=N
module staging_memory_tb;
  logic              clk, rst_n;
  logic              cmd_vld, cmd_rdy, cmd_we, rsp_vld, rsp_rdy;
  logic [31:0]       cmd_en, rsp_fault, rsp_lost;
  logic [31:0][15:0] cmd_word;
  logic [31:0][31:0] cmd_wdata, rsp_rdata;
  logic [7:0]        rsp_beats;
  int unsigned       left, under_way, quiet;

  staging_memory block (.i_clk(clk), .i_rst_n(rst_n), .*);

  initial begin
    clk = 1'b0;
    forever #1 clk = !clk;
  end

  function automatic logic [31:0] lanes();
    return $urandom % 4 == 0 ? $urandom : '1;
  endfunction

  task automatic draw();
    int unsigned base, step, kind;
    base = $urandom % 256;
    step = $urandom % 10;
    kind = $urandom % 5;
    cmd_vld <= 1'b1;
    cmd_we <= $urandom % 2 == 0;
    cmd_en <= lanes();
    for (int i = 0; i < 32; i++) begin
      cmd_word[i] <= 16'(kind == 0 ? $urandom % 256 : kind == 1 ? $urandom % 8 : (base + i * step) % (kind == 2 ? 300 : 256));
      cmd_wdata[i] <= $urandom;
    end
  endtask

  always @(posedge clk) begin
    if (!rst_n) begin
      cmd_vld <= 1'b0;
      rsp_rdy <= 1'b0;
      under_way <= 0;
      quiet <= 0;
    end else begin
      if (!cmd_vld || cmd_rdy) begin
        cmd_vld <= 1'b0;
        if (left != 0 && $urandom % 8 != 0) begin
          draw();
          left <= left - 1;
        end
      end
      rsp_rdy <= $urandom % 10 != 0;
      under_way <= under_way + 32'(cmd_vld && cmd_rdy) - 32'(rsp_vld && rsp_rdy);
      quiet <= left == 0 && under_way == 0 && !cmd_vld ? quiet + 1 : 0;
      if (quiet > 20) $finish;
    end
  end

  initial begin
    if (!$value$plusargs("commands=%d", left)) left = 1000;
    rst_n = 1'b0;
    @(posedge clk);
    @(posedge clk);
    rst_n <= 1'b1;
    #400000 $display("it takes too long");
    $finish;
  end
endmodule

bind staging_memory isbe_monitor_adapter #(.FATAL(0), .IDLE_AT_END(1)) monitor (.*);
