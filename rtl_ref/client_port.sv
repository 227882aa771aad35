// One client port (section 2): the pins of its two channels, its request queue and its response queue.
module client_port #(
    parameter int unsigned REQUEST_QUEUE_DEPTH = 4,
    parameter int unsigned RESPONSE_QUEUE_DEPTH = 32,
    parameter int unsigned PIPELINE_LATENCY = 22,
    parameter int unsigned WRITE_LATENCY = 22,
    parameter int unsigned AL2P_LATENCY = 10,
    parameter int unsigned OUT_LATENCY = 18
) (
    input logic        clk,
    input logic        rst,
    input logic [63:0] cycle,

    input  logic          req_valid,
    output logic          req_ready,
    input  logic [2:0]    req_op,
    input  logic          req_space,
    input  logic [2:0]    req_region,
    input  logic [1:0]    req_form,
    input  logic [1:0]    req_type,
    input  logic [2:0]    req_size,
    input  logic          req_skew,
    input  logic [15:0]   req_context,
    input  logic [31:0]   req_immediate,
    input  logic [31:0]   req_lanes,
    input  logic [1023:0] req_address,
    input  logic [1023:0] req_handle,
    input  logic [4095:0] req_data,

    output logic          resp_valid,
    input  logic          resp_ready,
    output logic [4095:0] resp_data,
    output logic [511:0]  resp_status,
    output logic [7:0]    resp_error,
    output logic [15:0]   resp_passes,

    output logic               queued,    // there is a request to grant
    output logic               has_room,  // and a place for its response (section 5.2)
    output isbe_pkg::request_t head,
    input  logic               grant,

    input logic                finished,
    input logic [2:0]          finished_op,
    input isbe_pkg::response_t finished_response
);

  isbe_pkg::request_t  request;
  isbe_pkg::response_t response;

  assign request.op        = req_op;
  assign request.space     = req_space;
  assign request.region    = req_region;
  assign request.form      = req_form;
  assign request.out_type  = req_type;
  assign request.size      = req_size;
  assign request.slot      = req_context;
  assign request.immediate = req_immediate;
  assign request.lanes     = req_lanes;
  assign request.address   = req_address;
  assign request.handle    = req_handle;
  assign request.data      = req_data;

  logic unused_skew;  // `.SKEW` changes nothing (section 4.5)
  assign unused_skew = &{1'b0, req_skew};

  request_queue #(
      .DEPTH(REQUEST_QUEUE_DEPTH)
  ) requests (
      .clk       (clk),
      .rst       (rst),
      .valid     (req_valid),
      .ready     (req_ready),
      .request   (request),
      .head_valid(queued),
      .head      (head),
      .pop       (grant)
  );

  response_queue #(
      .DEPTH           (RESPONSE_QUEUE_DEPTH),
      .PIPELINE_LATENCY(PIPELINE_LATENCY),
      .WRITE_LATENCY   (WRITE_LATENCY),
      .AL2P_LATENCY    (AL2P_LATENCY),
      .OUT_LATENCY     (OUT_LATENCY)
  ) responses (
      .clk              (clk),
      .rst              (rst),
      .cycle            (cycle),
      .granted          (grant),
      .has_room         (has_room),
      .finished         (finished),
      .finished_op      (finished_op),
      .finished_response(finished_response),
      .valid            (resp_valid),
      .ready            (resp_ready),
      .response         (response)
  );

  assign resp_data   = response.data;
  assign resp_status = response.status;
  assign resp_error  = response.error;
  assign resp_passes = response.passes;

endmodule
