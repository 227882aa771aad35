// SPDX-License-Identifier: Apache-2.0
// The form of the rules in the files of this folder: a clocked immediate assertion, which tools
// such as Verilator and Yosys read. It holds at every edge without reset. `kind`: assert, or
// assume for a duty of the client. `message`: the arguments of $error in parentheses.
`ifdef YOSYS  // it has no assertion actions, and needs unique labels
`define ISBESIM_RULE(name, kind, condition, message) \
  always @(posedge clk) if (!rst) kind (condition);
`else
`define ISBESIM_RULE(name, kind, condition, message) \
  always_ff @(posedge clk) if (!rst) name : kind (condition) else $error message;
`endif
