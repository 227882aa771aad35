# SPDX-License-Identifier: Apache-2.0
"""The parts of the RTL's pass_engine.sv that decide about one pass, each a module of its own that a solver can take:
README.md, passes of an operation. Their text is that of the RTL, narrowed where it says so here."""
from __future__ import annotations

import pathlib
import re
from typing import Mapping

import smt2
from smt2 import ProofError

PARAMETERS = ("LINES", "BANKS", "BANK_MAP", "ACCESS_LINE", "WINNER_LOWEST")
# What the loops do for a lane, its name there, and on what condition.
STEPS = {"choose": ("lane", "candidates[lane]"), "claim": ("claimer", "served[claimer]")}
LOOP = r"      for \(int \w+ = .*\) begin\n(?:        .*\n)*      end\n"
STEP = r"(?<=        if \({}\) begin\n)(?:          .*\n)*(?=        end\n      end\n)"
COMB = r"  always_comb begin\n(?:.*\n)*?  end\n"
FLIP_FLOPS = r"  always_ff @\(posedge clk\) begin\n(?:.*\n)*?  end\n"


def only(pattern: str, text: str, having: str = "") -> str:
    """The match of the pattern that has this text."""
    found = [match.group(0) for match in re.finditer(pattern, text) if having in match.group(0)]
    if len(found) != 1:
        raise ProofError(f"pass_engine.sv: '{having or pattern}' is expected once, found {len(found)} times")
    return found[0]


class Engine:
    """pass_engine.sv up to the banks, without the data path after them."""

    def __init__(self, sources: pathlib.Path) -> None:
        text = smt2.source(sources, "pass_engine.sv").read_text()
        self.text = text[:text.index(only(r"  // -+\n  // The banks\n", text))]
        self.loops = {name: only(COMB, self.text, f"if ({condition}) begin") for name, (_, condition) in STEPS.items()}
        self.steps = {name: self.step(name, loop) for name, loop in self.loops.items()}
        self.component = only(COMB, self.text, " component = ")
        self.control = only(COMB, self.text, " remaining = ")
        self.registers = re.findall(FLIP_FLOPS, self.text)

    @staticmethod
    def step(name: str, text: str) -> str:
        """The loop's text for one lane. A proof of the steps proves the loop if the loop does nothing but decide about
        them, by values that they don't change."""
        lane, condition = STEPS[name]
        loop = only(LOOP, text, f"if ({condition}) begin")
        step = only(STEP.format(re.escape(condition)), loop)
        decision = loop.replace(step, "")
        fixed = {lane, condition.partition("[")[0]}
        changed = set(re.findall(r"(\w+)(?:\[.*\])? += ", step))
        known = {"int", "for", "if", "begin", "end", "i", "d31", "WINNER_LOWEST", *fixed}
        if set(re.findall(r"[A-Za-z_]\w*", decision)) - known or changed & fixed or \
                set(re.findall(r"(\w+)(?:\[.*\])? += ", decision)) - {lane, "i"}:
            raise ProofError(f"pass_engine.sv: the loop of {name} is expected to do nothing but decide about steps")
        return step

    def module(self, name: str, parts: Mapping[str, str], declared: str, shown: str = "") -> str:
        """The module with only these parts, so changed; signals that the other parts wrote may have any value."""
        text = self.text.replace("module pass_engine ", f"module {name} ")
        parts = {**parts, self.component: declared + parts.get(self.component, "")}  # after all declarations
        for part in (*self.loops.values(), self.component, self.control, *self.registers):
            text = text.replace(part, parts.get(part, ""))
        return f"{text}\n{shown}endmodule\n"


def control(engine: Engine, name: str) -> str:
    """The component, what remains, and what each clock edge gives to the registers, which may hold anything."""
    parts = {engine.component: engine.component, engine.control: engine.control}
    declared = ""
    for block in engine.registers:
        registers = list(dict.fromkeys(re.findall(r"(\w+)\s+<= ", block)))
        for register in registers:
            kind = only(rf"(?m)^  \w\S*(?: \[[^\]\n]*\])? +(?={register};)", engine.text).strip()
            declared += f"  {kind} next_{register};\n"
        kept = "".join(f"    next_{register} = {register};\n" for register in registers)
        body = re.sub(r"(\w+)\s+<= ", r"next_\1 = ", block)
        parts[block] = body.replace("always_ff @(posedge clk) begin\n", "always_comb begin\n" + kept)
    return engine.module(name, parts, declared, """
  logic [4095:0] word, data;
  logic [511:0] byte_enable;
  assign word = current.word;
  assign data = current_write_data.word;
  assign byte_enable = current.byte_enable;
""")


# Bytes are claimed in any pass: what it serves, and in which banks, does not depend on the claims.
ANY_PASS = "  logic [31:0] claiming;\n  logic [32*BANK_BITS-1:0] claimed_bank;\n"
ANY_BANK = "  logic [BANK_BITS-1:0] any_bank;\n"
SHOWN = {"choose": "  logic used;\n  logic [ROW_BITS-1:0] row_used;\n"
                   "  assign used = bank_used[any_bank];\n  assign row_used = bank_row[any_bank];\n",
         "claim": "  logic writes;\n  assign writes = current.write;\n"
                  "  logic [3:0] bytes;\n  logic [31:0] data_written;\n"
                  "  assign bytes = bank_bytes[any_bank];\n  assign data_written = bank_data[any_bank];\n"}


def any_pass(name: str, text: str) -> str:
    """Claims are of any pass."""
    if name == "claim":
        text = re.sub(r"\blane_bank\b", "claimed_bank", re.sub(r"\bserved\b", "claiming", text))
    return text


def whole(engine: Engine, step: str, name: str) -> str:
    """The loop over the lanes as it is."""
    loop = engine.loops[step]
    return engine.module(name, {loop: any_pass(step, loop)}, ANY_PASS + ANY_BANK, SHOWN[step])


def order(engine: Engine, step: str, name: str) -> str:
    """The loop with a number instead of its step: which turn it is of those that the loop takes."""
    loop = engine.loops[step]
    begin = "  always_comb begin\n"
    turn = f"          turn_of[6*{STEPS[step][0]}+:6] = turns; turns = turns + 6'd1;\n"
    numbered = loop.replace(engine.steps[step], turn).replace(begin, f"{begin}    turns = '0;\n    turn_of = '0;\n")
    declared = "  logic [5:0] turns;\n  logic [191:0] turn_of;\n"
    return engine.module(name, {loop: any_pass(step, numbered)}, declared + ANY_PASS,
                         "  logic writes;\n  assign writes = current.write;\n")


# What a loop works on, as anything may be before a step.
STATE = {"choose": """
          served    = any_served;
          lane_bank = any_lane_bank;
          line_used = any_line_used;
          line_row  = any_line_row;
          bank_used = any_used;
          for (int b = 0; b < 32'(COLUMNS); b++) bank_row[b] = any_row[ROW_BITS*b+:ROW_BITS];
          bank = other_bank;
          row  = other_row;
""", "claim": """
          lost = any_lost;
          for (int b = 0; b < 32'(COLUMNS); b++) begin
            bank_bytes[b] = any_bytes[4*b+:4];
            bank_data[b]  = any_data[32*b+:32];
          end
          claimed = other_bank;
          claims  = other_bytes;
"""}
ANY_STATE = {"choose": """
  logic [31:0] any_served;
  logic [32*BANK_BITS-1:0] any_lane_bank;
  logic any_line_used;
  logic [ROW_BITS-1:0] any_line_row;
  logic [COLUMNS-1:0] any_used;
  logic [COLUMNS*ROW_BITS-1:0] any_row;
  logic [BANK_BITS-1:0] other_bank;
  logic [ROW_BITS-1:0] other_row;
  logic used_before;
  logic [ROW_BITS-1:0] row_before;
  assign used_before = any_used[any_bank];
  assign row_before = any_row[ROW_BITS*any_bank+:ROW_BITS];
""", "claim": """
  logic [31:0] any_lost;
  logic [4*COLUMNS-1:0] any_bytes;
  logic [32*COLUMNS-1:0] any_data;
  logic [BANK_BITS-1:0] other_bank;
  logic [3:0] other_bytes;
  logic [3:0] bytes_before;
  logic [31:0] data_before;
  assign bytes_before = any_bytes[4*any_bank+:4];
  assign data_before = any_data[32*any_bank+:32];
"""}


def one_step(engine: Engine, step: str, name: str) -> str:
    """The loop's first values when it isn't `stepping`, else one step of it, of any lane and from any state."""
    loop = engine.loops[step]
    body = re.sub(rf"\b{STEPS[step][0]}\b", "any_lane", engine.steps[step])
    one = f"      if (stepping) begin{STATE[step]}{body}      end\n"
    changed = loop.replace(only(LOOP, loop, engine.steps[step]), one)
    declared = "  logic stepping;\n  logic [4:0] any_lane;\n" + ANY_PASS + ANY_BANK + ANY_STATE[step]
    return engine.module(name, {loop: any_pass(step, changed)}, declared, SHOWN[step])


def texts(engine: Engine) -> dict[str, str]:
    """Every module by its name."""
    modules = {"control": control(engine, "control")}
    for make in (order, one_step, whole):
        for step in STEPS:
            modules[f"{make.__name__}_{step}"] = make(engine, step, f"{make.__name__}_{step}")
    return modules


BANK = {"choose": ("candidates", "lane_word", "any_bank", "served", "lane_bank", "used", "row_used"),
        "claim": ("writes", "claiming", "claimed_bank", "lane_bytes", "lane_data", "any_bank", "lost", "bytes",
                  "data_written")}
BEFORE = {"choose": ("any_served", "any_lane_bank", "any_line_used", "any_line_row", "used_before", "row_before",
                     "line_used", "line_row"),
          "claim": ("any_lost", "bytes_before", "data_before")}
REGISTERS = ("busy", "waiting", "first_pass", "passes", "current", "current_write_data", "current_value",
             "current_port")
CONTROL = ("rst", "start", "start_access", "start_operation", "start_write_data", "start_value", "start_port",
           "can_grant", "candidates", "lane_word", "lane_bytes", "lane_data", "served", "remaining", "last_pass",
           "word", "data", "byte_enable", *REGISTERS, *(f"next_{name}" for name in REGISTERS))

# What each case of pass_proof is about, the slowest first.
CIRCUITS = {"pass.rows": "", "pass.winner": "one_step_claim", "pass.order.claim": "order_claim",
            "pass.lanes": "one_step_choose", "pass.control": "control", "pass.order.choose": "order_choose",
            "pass.map": ""}
WHOLE = {"pass.whole.winner": "whole_claim", "pass.whole.lanes": "whole_choose"}
SMALLEST = {"LINES": 8, "BANKS": 8, "ACCESS_LINE": 0}  # of which a solver can take a pass as a whole


def cases(parameters: Mapping[str, int], wanted: str) -> list[str]:
    """Those whose whole name matches."""
    small = all(parameters[name] == value for name, value in SMALLEST.items())
    return [name for name in [*(WHOLE if small else ()), *CIRCUITS] if re.fullmatch(wanted, name)]


def write_for(case: str, parameters: Mapping[str, int], folder: pathlib.Path, sources: pathlib.Path) -> None:
    """The circuit of a case."""
    name = (CIRCUITS | WHOLE)[case]
    if name:
        write(name, parameters, folder, sources)


def write(name: str, parameters: Mapping[str, int], folder: pathlib.Path, sources: pathlib.Path) -> None:
    """FOLDER/NAME.smt2"""
    kind, _, step = name.rpartition("_")
    wires: tuple[str, ...] = CONTROL if step == "control" else BANK[step]
    if kind == "order":
        wires = ("turns", "turn_of", "writes", "candidates", "claiming")
    elif kind == "one_step":
        wires = (*wires, *BEFORE[step], "stepping", "any_lane")
    text, output = folder / f"{name}.sv", folder / f"{name}.smt2"
    text.write_text(texts(Engine(sources))[name])
    smt2.yosys(name, [text], {key: parameters[key] for key in PARAMETERS}, output)
    output.write_text(smt2.equations(output.read_text(), name, {wire: wire for wire in wires}))
