// SPDX-License-Identifier: Apache-2.0
// The checker of libisbesim_model.so (isbesim_checker.h documents the functions). A packed vector of SystemVerilog is
// an array of 32-bit words of C with bit 0 first.
package isbesim_pkg;

  import "DPI-C" function string isbesim_version();
  import "DPI-C" function string isbesim_checker_error();

  import "DPI-C" function chandle isbesim_checker_create(input string machine, input string mode);
  import "DPI-C" function void isbesim_checker_destroy(input chandle self);
  import "DPI-C" function int unsigned isbesim_checker_ports(input chandle self);

  import "DPI-C" function void isbesim_checker_request(
      input chandle self, input int unsigned port, input int unsigned op, input int unsigned space,
      input int unsigned region, input int unsigned form, input int unsigned kind, input int unsigned size,
      input int unsigned skew, input int unsigned slot, input int unsigned immediate, input int unsigned lanes,
      input bit [1023:0] address, input bit [1023:0] handle, input bit [4095:0] data);
  import "DPI-C" function void isbesim_checker_response(
      input chandle self, input int unsigned port, input bit [4095:0] data, input bit [511:0] status,
      input int unsigned error, input int unsigned passes);
  import "DPI-C" function int unsigned isbesim_checker_clock(
      input chandle self, input int unsigned reset, input int unsigned req_ready, input int unsigned resp_ready);
  import "DPI-C" function int unsigned isbesim_checker_finish(input chandle self, input int unsigned idle);
  import "DPI-C" function string isbesim_checker_text(input chandle self);

  import "DPI-C" function chandle isbesim_traffic_create(
      input string machine, input int unsigned seed, input int unsigned transactions);
  import "DPI-C" function void isbesim_traffic_destroy(input chandle self);
  import "DPI-C" function int unsigned isbesim_traffic_next(
      input chandle self, input int unsigned port, output int unsigned earliest, output int unsigned hold,
      output int unsigned op, output int unsigned space, output int unsigned region, output int unsigned form,
      output int unsigned kind, output int unsigned size, output int unsigned skew, output int unsigned slot,
      output int unsigned immediate, output int unsigned lanes, output bit [1023:0] address,
      output bit [1023:0] handle, output bit [4095:0] data);

  // The machine of a block with these parameters (rtl_ref/README.md, section 7), as the library reads it.
  function automatic string machine_of(
      int unsigned lines, int unsigned banks, int unsigned bank_map, int unsigned access_line, int unsigned skew,
      int unsigned ports, int unsigned request_queue_depth, int unsigned response_queue_depth,
      int unsigned pipeline_latency, int unsigned write_latency, int unsigned al2p_latency, int unsigned out_latency,
      int unsigned fixed_priority, int unsigned gs_blocked, int unsigned winner_lowest, int unsigned attribute_default,
      int unsigned position_w_default, int unsigned map_byte_swap, int unsigned contexts);
    string text;
    text = $sformatf("{\"isbe\": {\"lines\": %0d, \"banks\": %0d, \"ports\": %0d, \"contexts\": %0d, ", lines, banks, ports,
                     contexts);
    text = {text, $sformatf("\"request_queue_depth\": %0d, \"response_queue_depth\": %0d, ", request_queue_depth,
                            response_queue_depth)};
    text = {text, $sformatf("\"pipeline_latency\": %0d, \"write_latency\": %0d, ", pipeline_latency, write_latency)};
    text = {text, $sformatf("\"al2p_latency\": %0d, \"out_latency\": %0d, ", al2p_latency, out_latency)};
    text = {text, "\"bank_map\": ", bank_map == 0 ? "\"modulo\"" : bank_map == 1 ? "\"rotate\"" : "\"xor\""};
    text = {text, ", \"access\": ", access_line != 0 ? "\"line\"" : "\"banked\""};
    text = {text, ", \"skew\": ", skew != 0 ? "true" : "false"};
    text = {text, ", \"arbitration\": ", fixed_priority != 0 ? "\"fixed_priority\"" : "\"round_robin\""};
    text = {text, ", \"gs_slot_order\": ", gs_blocked != 0 ? "\"blocked\"" : "\"interleaved\""};
    text = {text, ", \"map_byte_swap\": ", map_byte_swap != 0 ? "true" : "false", "}"};
    text = {text, ", \"patch_winner\": ", winner_lowest != 0 ? "\"lowest\"" : "\"highest\""};
    text = {text, $sformatf(", \"attribute_default\": %0d, \"position_w_default\": %0d}", attribute_default,
                            position_w_default)};
    return text;
  endfunction

endpackage
