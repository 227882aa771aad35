// SPDX-License-Identifier: Apache-2.0
// One client port (section 2): the pins of its two channels, its request queue and its response
// queue.
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
    input  logic [93:0]   req_control,  // isbe_pkg::request_t, op .. lanes
    input  logic [1023:0] req_address,
    input  logic [1023:0] req_handle,
    input  logic [4095:0] req_data,

    output logic          resp_valid,
    input  logic          resp_ready,
    output logic [4095:0] resp_data,
    output logic [511:0]  resp_status,
    output logic [7:0]    resp_error,
    output logic [15:0]   resp_passes,

    output logic               queued,    // a request waits for a grant
    output logic               has_room,  // for its response (section 5.2)
    output isbe_pkg::request_t head,
    input  logic               grant,

    input logic                finished,
    input logic [2:0]          finished_op,
    input logic [7:0]          finished_error,
    input logic [15:0]         finished_passes,
    input logic [511:0]        finished_status,
    input isbe_pkg::words_t    finished_data
);

  request_queue #(
      .DEPTH(REQUEST_QUEUE_DEPTH)
  ) requests (
      .clk       (clk),
      .rst       (rst),
      .valid     (req_valid),
      .ready     (req_ready),
      .control   (req_control),
      .address   (req_address),
      .handle    (req_handle),
      .data      (req_data),
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
      .finished_error   (finished_error),
      .finished_passes  (finished_passes),
      .finished_status  (finished_status),
      .finished_data    (finished_data),
      .valid            (resp_valid),
      .ready            (resp_ready),
      .error            (resp_error),
      .passes           (resp_passes),
      .status           (resp_status),
      .data             (resp_data)
  );

endmodule
