// SPDX-License-Identifier: Apache-2.0
// The form of the rules in the files of this folder: a clocked immediate assertion, which tools
// such as Verilator and Yosys read. It holds at every edge without reset. `kind`: assert, or
// assume for a duty of the client. `message`: the arguments of $error in parentheses. ISBESIM_COVER
// is a situation that a test should reach, for simulators that count them (../DV.md).
`ifdef YOSYS  // it has no assertion actions, and needs unique labels
`define ISBESIM_RULE(name, kind, condition, message) \
  always @(posedge clk) if (!rst) kind (condition);
`define ISBESIM_COVER(name, condition)
`else
`define ISBESIM_RULE(name, kind, condition, message) \
  always_ff @(posedge clk) if (!rst) name : kind (condition) else $error message;
`define ISBESIM_COVER(name, condition) \
  always_ff @(posedge clk) name : cover (condition);
`endif
