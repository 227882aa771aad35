// SPDX-License-Identifier: Apache-2.0
// How the files beside this one state a rule: a clocked immediate assertion, which Verilator, Yosys
// and other tools read. It holds at every edge that is not one of reset. `kind`: assert, or assume
// where it is the client's duty. `message`: the arguments of $error in parentheses.
`ifdef YOSYS  // it knows no action of an assertion, and no two of one label
`define ISBESIM_RULE(name, kind, condition, message) \
  always @(posedge clk) if (!rst) kind (condition);
`else
`define ISBESIM_RULE(name, kind, condition, message) \
  always_ff @(posedge clk) if (!rst) name : kind (condition) else $error message;
`endif
