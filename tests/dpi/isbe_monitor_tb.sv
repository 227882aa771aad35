// The RTL with a monitor bound to it, under random traffic. Runs in any simulator with DPI and timing:
//
//   +isbe_monitor_mode=data|order|cycles|latency +transactions=N +seed=S +apart
//
// The last line is "PASS" or "FAIL".
`ifndef ISBE_PARAMETERS
`define ISBE_PARAMETERS .LINES(64), .BANKS(8), .REQUEST_QUEUE_DEPTH(2), .RESPONSE_QUEUE_DEPTH(4), \
    .PIPELINE_LATENCY(5), .WRITE_LATENCY(4), .AL2P_LATENCY(2), .OUT_LATENCY(3), .CONTEXTS(4)
`endif
`ifndef ISBE_PORTS
`define ISBE_PORTS 2
`endif
`ifndef ISBE_MACHINE
`define ISBE_MACHINE "{\"isbe\": {\"lines\": 64, \"banks\": 8, \"contexts\": 4}}"
`endif

module isbe_monitor_tb;
  localparam int unsigned PORTS = `ISBE_PORTS;

  logic                  clk, rst;
  logic [PORTS-1:0]      req_valid, req_ready, req_space, req_skew, resp_valid, resp_ready, done;
  logic [PORTS*3-1:0]    req_op, req_region, req_size;
  logic [PORTS*2-1:0]    req_form, req_type;
  logic [PORTS*16-1:0]   req_context, resp_passes;
  logic [PORTS*32-1:0]   req_immediate, req_lanes;
  logic [PORTS*1024-1:0] req_address, req_handle;
  logic [PORTS*4096-1:0] req_data, resp_data;
  logic [PORTS*512-1:0]  resp_status;
  logic [PORTS*8-1:0]    resp_error;

  isbe_top #(`ISBE_PARAMETERS) block (.*);
  isbe_traffic #(.PORTS(PORTS), .MACHINE(`ISBE_MACHINE)) clients (.*);

  initial begin
    clk = 1'b0;
    forever #1 clk = !clk;
  end

  int unsigned quiet;  // cycles without a transfer
  initial begin
    rst = 1'b1;
    quiet = 0;
    @(posedge clk);
    @(posedge clk);
    rst <= 1'b0;
    @(posedge clk);
    while (done != '1 && quiet < 20000 && block.monitor.differences == 0) begin
      @(posedge clk);
      quiet = (req_valid & req_ready) != '0 || (resp_valid & resp_ready) != '0 ? 0 : quiet + 1;
    end
    if (quiet >= 20000) $display("nothing was transferred for 20000 cycles");
    $display("%s", done == '1 && block.monitor.differences == 0 ? "PASS" : "FAIL");
    $finish;
  end
endmodule

// The parameters are the block's own: nothing is said twice.
bind isbe_top isbe_monitor #(
    .LINES(LINES), .BANKS(BANKS), .BANK_MAP(BANK_MAP), .ACCESS_LINE(ACCESS_LINE), .SKEW(SKEW), .PORTS(PORTS),
    .REQUEST_QUEUE_DEPTH(REQUEST_QUEUE_DEPTH), .RESPONSE_QUEUE_DEPTH(RESPONSE_QUEUE_DEPTH),
    .PIPELINE_LATENCY(PIPELINE_LATENCY), .WRITE_LATENCY(WRITE_LATENCY), .AL2P_LATENCY(AL2P_LATENCY),
    .OUT_LATENCY(OUT_LATENCY), .FIXED_PRIORITY(FIXED_PRIORITY), .GS_BLOCKED(GS_BLOCKED),
    .WINNER_LOWEST(WINNER_LOWEST), .ATTRIBUTE_DEFAULT(ATTRIBUTE_DEFAULT), .POSITION_W_DEFAULT(POSITION_W_DEFAULT),
    .MAP_BYTE_SWAP(MAP_BYTE_SWAP), .CONTEXTS(CONTEXTS), .FATAL(0), .IDLE_AT_END(1)
) monitor (.*);
