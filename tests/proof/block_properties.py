# SPDX-License-Identifier: Apache-2.0
"""The rules of rtl_ref/rules about queues, arbiter and engine, proved for all traffic by induction: README.md says
which, and what stands in the place of the rest. Yosys reads, and its solver decides."""
from __future__ import annotations

import functools
import pathlib
import re
import subprocess
import time
from typing import NamedTuple, Sequence

import pass_circuits
import smt2
from smt2 import HERE, ProofError

REQUEST_BITS, RESPONSE_BITS = 97, 26  # as they are narrowed below
CONTEXTS = 2
BOUND = 8                             # cycles of the search for a violation when the induction fails


class Block(NamedTuple):
    ports: int
    requests: int   # depth of the queues
    responses: int
    fixed: int      # FIXED_PRIORITY


BLOCKS = (Block(2, 2, 3, 0), Block(2, 1, 1, 1), Block(1, 3, 2, 0))


class Field(NamedTuple):
    mine: str    # memory of the queue
    theirs: str  # of the rules, which has it as bits from `low` on of `whole`
    bits: int
    low: int
    whole: int


def cut(text: str, begin: str, end: str) -> str:
    """The text without the part from `begin` to `end`, both included."""
    if text.count(begin) != 1:
        raise ProofError(f"'{begin}' is expected once")
    first = text.index(begin)
    return text[:first] + text[text.index(end, first) + len(end):]


def replaced(text: str, pairs: Sequence[tuple[str, str]]) -> str:
    for old, new in pairs:
        if old not in text:
            raise ProofError(f"'{old}' is expected in the RTL")
        text = text.replace(old, new)
    return text


# Data, addresses, handles and status have one bit each: no proof depends on them, and queues and pins
# hand all their bits on alike.
PINS = [(form.replace("N", bits), form.replace("N", "1"))
        for bits in ("4096", "1024", "512") for form in ("*N-1", "N*p", ":N]")]
NARROW: dict[str, list[tuple[str, str]]] = {
    "isbe_pkg.sv": [("logic [31:0][31:0]  address", "logic address"), ("logic [31:0][31:0]  handle", "logic handle"),
                    ("    logic [127:0][31:0] data;", "    logic data;")],
    "isbe_top.sv": [("request.data[63:0]", "{2048{request.data}}"), ("[4095:0]", ""), ("[511:0]", ""),
                    ("isbe_pkg::words_t              finished", "logic finished"),
                    ("4632", str(RESPONSE_BITS)), *PINS],
    "client_port.sv": [("4095", "0"), ("1023", "0"), ("511", "0"), ("isbe_pkg::words_t", "logic")],
    "rules/grant_rules.sv": [("6237", str(REQUEST_BITS - 1)), ("6238", str(REQUEST_BITS)),
                             ("4631", str(RESPONSE_BITS - 1)), ("4632", str(RESPONSE_BITS))],
    "rules/port_rules.sv": [("6238", str(REQUEST_BITS)), ("4631", str(RESPONSE_BITS - 1)),
                            ("4096*p+1024*c+32*lane+:32", "p"), ("512*p+16*lane+:16", "p"), *PINS],
    # That a pass serves the first access that waits is assumed: it follows from the parts cut out of the engine.
    "rules/pass_rules.sv": [("RULE(pass_serves, assert", "RULE(pass_serves, assume"),
                            ("      expected_served = served_of(lanes);\n", "")],
    "request_queue.sv": [("4095", "0"), ("1023", "0")],
    "response_queue.sv": [("4095", "0"), ("511", "0"), ("isbe_pkg::words_t", "logic")],
    "arbiter.sv": [], "context_table.sv": [],
    # A wire for each rule: an example then says which are broken.
    "rules/rule.sv": [("  always @(posedge clk) if (!rst) kind (condition);",
                       "  wire broken_``name = !rst && !(condition); \\\n  always @(*) kind (!broken_``name);")]}
ENGINE = [("finished_data   = value;", "finished_data   = any_data;"),
          ("finished_status = status;", "finished_status = any_status;"),
          ("output isbe_pkg::words_t     finished_data", "output logic finished_data"),
          ("output logic [511:0]         finished_status", "output logic finished_status"),
          ("  logic [BANK_BITS-1:0] bank;\n",
           "  logic [BANK_BITS-1:0] bank;\n  (* anyseq *) logic [31:0] any_served;\n"
           "  (* anyseq *) logic any_data, any_status;\n")]
# Words, and what becomes of those that a pass reads: no rule that is left depends on them, and Yosys reads them slowly.
# Not part of NARROW, with whose package tests/mutation compares the queues.
WORDS = [("logic [127:0][31:0] word;", "logic [127:0] word;")]
DATA_PATH = ("kept = result_value.word", "delivered   = kept;", "value = result_value;", "status = result_status;")
# Not proved: what looks at the data, and at the words that a pass is about.
LEFT_OUT = {"rules/port_rules.sv": ("response_zero", "response_earliest"),
            "rules/pass_rules.sv": ("pass_count", "pass_lanes", "write_winner", "write_conflict")}


def narrowed(sources: pathlib.Path, folder: pathlib.Path) -> list[pathlib.Path]:
    texts = {name: replaced(smt2.source(sources, name).read_text(), pairs) for name, pairs in NARROW.items()}
    for name, rules in LEFT_OUT.items():
        for rule in rules:
            texts[name], found = re.subn(rf"`ISBESIM_RULE\({rule},.*?\)\)\n", "\n", texts[name], flags=re.DOTALL)
            if found != 1:
                raise ProofError(f"{name}: {rule} is expected once")
    steps = pass_circuits.Engine(sources).steps
    engine = [(steps["choose"], "          served[lane] = any_served[lane];\n"), (steps["claim"], "          ;\n")]
    texts["pass_engine.sv"] = replaced(smt2.source(sources, "pass_engine.sv").read_text(), [*engine, *ENGINE])
    texts["isbe_pkg.sv"] = replaced(texts["isbe_pkg.sv"], WORDS)
    for begin in DATA_PATH:
        whole = pass_circuits.only(pass_circuits.COMB, texts["pass_engine.sv"], begin)
        texts["pass_engine.sv"] = texts["pass_engine.sv"].replace(whole, "")
    texts["rules/port_rules.sv"] = cut(texts["rules/port_rules.sv"], "      surplus = 1'b0;", "64'(latency);\n")
    passes = texts["rules/pass_rules.sv"]
    passes = cut(passes, "  function automatic logic [15:0] passes_of", "  endfunction")
    passes = cut(passes, "    if (start && start_access != '0) begin", "    end\n")
    passes = cut(passes, "  function automatic logic [31:0] served_of", "  endfunction")
    texts["rules/pass_rules.sv"] = cut(passes, "  always_comb begin\n    logic [COLUMNS-1:0]   written;", "\n  end\n")
    files = []
    order = ["isbe_pkg.sv", "rules/rule.sv"]
    for name in order + [name for name in texts if name not in order]:
        files.append(folder / pathlib.Path(name).name)
        files[-1].write_text(texts[name])
    return files + [HERE / "any_modules.sv"]


class Harness:
    """The block, its rules, the assumptions, and the invariants that the induction needs."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.wires: dict[str, int] = {}
        self.claims: list[str] = []
        self.engine()
        slots = [self.wire(f"block.{name}.bound", CONTEXTS) for name in ("contexts", "grant_assertions")]
        self.claims.append(f"{slots[0]} == {slots[1]}")
        for p in range(block.ports):
            self.queues(p)

    def wire(self, name: str, bits: int = 1) -> str:
        self.wires[name] = bits
        return f"\\{name} "

    def engine(self) -> None:
        grants = "block.grant_assertions."
        busy, collect, last = (self.wire(f"block.engine.{name}") for name in ("busy", "collect", "collect_last"))
        port, result_port = self.wire("block.engine.current_port"), self.wire("block.engine.result_port")
        result_op, first = self.wire("block.engine.result_op", 3), self.wire("block.engine.first_pass")
        passes, result = self.wire("block.engine.passes", 16), self.wire("block.engine.result_passes", 16)
        op = self.wire("block.engine.current", 1263) + "[1262:1260]"
        cycle = self.wire("block.cycle", 64)
        oldest, newest = self.wire(grants + "oldest", 68), self.wire(grants + "newest", 68)
        self.busy, self.cycle, self.passes, self.port, self.result_port = busy, cycle, passes, port, result_port
        self.finished = f"({collect}&& {last})"
        now = f"{{{port}, {op}, {cycle}- 64'd1 - 64'({passes})}}"
        self.claims += [
            f"{self.wire(grants + 'unfinished', 2)} == 2'({busy}) + 2'({self.finished})",
            f"!{self.finished} || {oldest} == {{{result_port}, {result_op}, {cycle}- 64'd1 - 64'({result})}}",
            f"!({busy} && !{self.finished}) || {oldest} == {now}",
            f"!({busy} && {self.finished}) || {newest} == {now}",
            f"!{first} || ({busy} && {passes} == 16'd0)",
            f"!({busy} && !{first}) || ({collect} && !{last} && {result_op} == {op} && {result_port} == {port})",
            f"!({first} && {collect}) || {last}", f"!{self.finished} || !{busy} || {first}",
            f"!({collect} && !{last}) || {busy}", f"!{self.finished} || {result} != 0",
            f"{self.wire(grants + 'was_busy')} == {collect}", f"{self.wire(grants + 'was_granted')} == {first}"]
        if self.block.ports == 1:
            self.claims += [f"!{busy} || !{port}", f"!{self.finished} || !{result_port}"]
        elif not self.block.fixed:  # the rules look at it then only
            above = self.wire("block.arbitration.above_last", 2)
            self.claims.append(f"{above} == ({self.wire(grants + 'last_port')} ? 2'b00 : 2'b10)")

    def queue(self, own: str, rules: str, depth: int, names: Sequence[tuple[str, str, int]],
              fields: Sequence[Field]) -> tuple[str, str, list[str]]:
        """A queue holds what the rules' own count says; first place, number, and whether each place is in use."""
        for mine, theirs, bits in names:
            self.claims.append(f"{self.wire(own + mine, bits)} == {self.wire(rules + theirs, bits)}")
        first, following, number = (f"\\{own}{mine} " for mine, _, _ in names[:3])
        after = f"6'({first}) + 6'({number})"
        self.claims += [f"{number} <= {depth}", f"{first} < {depth}",
                        f"6'({following}) == ({after} >= {depth} ? {after} - 6'd{depth} : {after})"]
        used = []
        for i in range(depth):
            place = f"(6'd{i} >= 6'({first}) ? 6'd{i} - 6'({first}) : 6'd{i + depth} - 6'({first}))"
            used.append(f"({place} < 6'({number}))")
            for field in fields:
                here = self.wire(f"{own}{field.mine}[{i}]", field.bits)
                there = self.wire(f"{rules}{field.theirs}[{i}]", field.whole)
                at = f"[{field.low + field.bits - 1}:{field.low}]"
                self.claims.append(f"!{used[-1]} || {here} == {there}{at}")
        return first, number, used

    def queues(self, p: int) -> None:
        block, rules = self.block, f"block.grant_assertions.port[{p}]."
        index, count = (block.requests - 1).bit_length() or 1, block.requests.bit_length()
        own = f"block.ports[{p}].client.requests."
        _, queued, _ = self.queue(own, rules, block.requests, (
            ("first", "request_first", index), ("next", "request_next", index), ("count", "queued", count)),
            (Field("entries", "requests", REQUEST_BITS, 0, REQUEST_BITS),))
        index, count = (block.responses - 1).bit_length() or 1, block.responses.bit_length()
        own = f"block.ports[{p}].client.responses."
        _, held, used = self.queue(own, rules, block.responses, (
            ("first", "response_first", index), ("next", "response_next", index), ("held", "held", count),
            ("in_flight", "in_flight", count)), (
            Field("errors", "responses", 8, 18, RESPONSE_BITS), Field("counts", "responses", 16, 2, RESPONSE_BITS),
            Field("statuses", "responses", 1, 1, RESPONSE_BITS), Field("words", "responses", 1, 0, RESPONSE_BITS),
            Field("due", "due", 64, 0, 64)))
        flying = f"\\{own}in_flight "
        for i, valid in enumerate(used):
            self.claims += [f"!{valid} || \\{own}due[{i}] <= {self.cycle} + 64'd998",
                            f"!{valid} || \\{own}counts[{i}] != 0"]
        working = f"6'({self.busy} && {self.port} == 1'd{p}) + 6'({self.finished} && {self.result_port} == 1'd{p})"
        outstanding = self.wire(f"pins.port[{p}].outstanding", (block.requests + block.responses).bit_length())
        self.claims += [f"{flying} <= {block.responses}", f"9'({flying}) == 9'({held}) + 9'({working})",
                        f"9'({outstanding}) == 9'({queued}) + 9'({flying})"]
        if block.ports == 2 and not block.fixed:
            overtaken, last = self.wire(rules + "overtaken", 2), "\\block.grant_assertions.last_port "
            self.claims.append(f"{overtaken} == 0 || ({overtaken} == 1 && {last} == 1'd{1 - p})")

    def text(self, claims: bool) -> str:
        """The module `proof`; without the claims besides the rules, it reads only the registers of assumptions."""
        block = self.block
        inputs = {"req_valid": 1, "req_op": 3, "req_space": 1, "req_region": 3, "req_form": 2, "req_type": 2,
                  "req_size": 3, "req_skew": 1, "req_context": 16, "req_immediate": 32, "req_lanes": 32,
                  "req_address": 1, "req_handle": 1, "req_data": 1, "resp_ready": 1}
        outputs = {"req_ready": 1, "resp_valid": 1, "resp_data": 1, "resp_status": 1, "resp_error": 8,
                   "resp_passes": 16}
        parameters = (f".PORTS({block.ports}), .REQUEST_QUEUE_DEPTH({block.requests}), "
                      f".RESPONSE_QUEUE_DEPTH({block.responses}), .PIPELINE_LATENCY(5), .WRITE_LATENCY(4), "
                      ".AL2P_LATENCY(2), .OUT_LATENCY(3)")
        lines = ["module proof (input logic clk, input logic rst"]
        lines += [f"  , input logic [{block.ports * bits - 1}:0] {name}" for name, bits in inputs.items()]
        lines += [");"]
        lines += [f"  logic [{block.ports * bits - 1}:0] {name};" for name, bits in outputs.items()]
        lines += [f"  isbe_top #({parameters}, .LINES(8), .BANKS(8), .CONTEXTS({CONTEXTS}), "
                  f".FIXED_PRIORITY({block.fixed})) block (.*);", f"  port_rules #({parameters}) pins (.*);"]
        lines += [f"  (* hierconn *) wire [{bits - 1}:0] \\{name} ;" for name, bits in self.wires.items()
                  if claims or f"\\{name} " == self.cycle]
        lines += ["  logic started = 1'b0;", "  always_ff @(posedge clk) started <= 1'b1;",
                  "  always_comb assume(started || rst);", f"  always_comb assume(!{self.cycle}[63]);"]
        lines += [f"  always_comb if (started) assert({claim});" for claim in self.claims if claims]
        return "\n".join([*lines, "endmodule", ""])


def yosys(script: Sequence[str]) -> str:
    done = subprocess.run(["yosys", "-p", "; ".join(script)], capture_output=True, text=True)
    if done.returncode != 0:
        raise ProofError(f"yosys: {(done.stderr or done.stdout).strip().splitlines()[-1]}")
    return done.stdout


SAT = "sat -prove-asserts -set-assumes"


@functools.cache
def lowered() -> tuple[str, ...]:
    """Newer Yosys has one cell for all kinds of properties, of which `sat` knows only those that it was before."""
    return ("chformal -lower",) if "-lower" in yosys(("help chformal",)) else ()


def read_design(files: Sequence[pathlib.Path], harness: str, folder: pathlib.Path) -> str:
    """The command that reads the design, which it makes."""
    (folder / "proof.sv").write_text(harness)
    names = " ".join(f'"{file}"' for file in [*files, folder / "proof.sv"])
    design = folder / "design.il"
    # No memory_dff: it gives a memory's reader registers of its own, about which nothing would be claimed.
    yosys((f"read_verilog -sv -formal -D ISBESIM_ASSERT {names}", "hierarchy -check -top proof", "proc -norom",
           "opt_reduce", "opt_clean", "memory_collect", "memory_map", "flatten", "opt_clean",
           "setundef -undriven -anyseq", *lowered(), "chformal -early", "opt -fast", "opt_clean",
           f'write_rtlil "{design}"'))
    return f'read_rtlil "{design}"'


# Bit by bit, and without what no rule looks at: half the time of a search.
SMALLER = ("setattr -set keep 1 w:*broken_*", "opt_clean -purge", "simplemap", "opt_expr", "opt_merge",
           "opt_clean -purge", "opt_dff", "opt_merge", "opt_clean -purge")
BROKEN = re.compile(r"^ +(?P<cycle>\d+) \\\S*\bbroken_(?P<rule>\w+) +(?P<value>\d)", re.MULTILINE)


def broken_rules(files: Sequence[pathlib.Path], harness: Harness, folder: pathlib.Path,
                 trace: pathlib.Path | None) -> list[str]:
    """Names of the rules that the shortest example of at most BOUND cycles breaks; of none without one."""
    dump = f'-dump_vcd "{trace}"' if trace else ""
    done = yosys((read_design(files, harness.text(claims=False), folder), *SMALLER,
                  f"{SAT} -tempinduct-baseonly -maxsteps {BOUND} -show-public {dump} proof"))
    if "model found for base case: FAIL" not in done:
        return []
    found = [match for match in BROKEN.finditer(done) if match["value"] == "1"]
    last = max((int(match["cycle"]) for match in found), default=0)
    rules = sorted({match["rule"] for match in found if int(match["cycle"]) == last})
    if not rules:
        raise ProofError("an example breaks rules, but it does not say which")
    return rules


def prove_block(block: Block, sources: pathlib.Path, folder: pathlib.Path,
                trace: pathlib.Path | None) -> tuple[str, str]:
    """Verdict and a line of the table. Only rules can differ: when another claim fails, the verdict is `open`."""
    started = time.monotonic()
    files = narrowed(sources, folder)
    harness = Harness(block)
    failure: ProofError | None = None
    done = ""
    try:
        done = yosys((read_design(files, harness.text(claims=True), folder), f"{SAT} -tempinduct -maxsteps 1 proof"))
    except ProofError as error:  # the claims may name a register that changed RTL does not have; the rules name none
        failure = error
    verdict, how = "proved", "induction, depth 1"
    if "Induction step proven: SUCCESS!" not in done:
        rules = broken_rules(files, harness, folder, trace)
        if failure is not None and not rules:
            raise failure
        how = f"no rule is broken in {BOUND} cycles, but the induction fails"
        verdict = "differs" if rules else "open"
        if rules:
            how = f"broken in at most {BOUND} cycles: {' '.join(rules)}"
    about = f"PORTS={block.ports} depths {block.requests} and {block.responses} FIXED_PRIORITY={block.fixed}"
    return verdict, f"block, {about}: {verdict}; {how}; MiniSat of Yosys, {time.monotonic() - started:.0f} s"
