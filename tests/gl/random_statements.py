# SPDX-License-Identifier: Apache-2.0
"""Random GLSL statements whose results no driver may choose.

Floating point values are multiples of 1/16 below 64 wherever a statement ends, so that every operation on them is
exact, fused or not, in any order. Integers are any; what GLSL leaves open for them (shifts by more than 31, remainders
of negative numbers, quotients by 0) is not there, and no bits of a zero, whose sign compilers choose. Nor are constants
-(2^n + 1) and -(2^n - 1), with which nouveau's compiler multiplies wrongly, and none that is all ones, whose high
product it leaves out (version 22.3, ConstantFolding).
"""

import random

# Exact for multiples of 1/16 below 64; the rest of a value is what `wrap` leaves of it.
FLOAT_RULES = ["{f} + {f}", "{f} - {f}", "{f} * {f}", "{f} * {f} + {f}", "{f} - {f} * {f}", "min({f}, {f})",
               "max({f}, {f})", "clamp({f}, 1.5, 20.25)", "abs({f} - {f})", "floor({f})", "ceil({f})", "trunc(-{f})",
               "roundEven({f})", "fract({f}) * 8.0", "sign({f} - {f})", "step({f}, {f})", "mix({f}, {f}, 0.5)",
               "mod({f}, 8.0)", "{f} * 0.25 + {f}", "{f} / float(1 << ({i} & 3))", "float({i} & 1023)",
               "float({u} >> 24u)", "({c} ? {f} : {f})", "dot({v}.xy, {v}.zw)", "dot({v}, {v}) * 0.5", "float({c})",
               "ldexp({f}, {i} & 3)", "(mat2({v}.wzyx) * {v}.xz).y", "uintBitsToFloat(floatBitsToUint(abs({f})))",
               "-{f}", "fa[{i} & 7]", "constants[{i} & 7].{s}", "f_helper({f}, {i})", "{v}[{i} & 3]",
               "cross({v}.xyz, {v}.yzw).x"]
INT_RULES = ["{i} + {i}", "{i} - {i}", "{i} * {i}", "{i} / (({i} & 15) + 1)", "{i} << ({i} & 31)", "{i} >> ({i} & 31)",
             "{i} & {i}", "{i} | {i}", "{i} ^ ~{i}", "-({i})", "abs({i})", "sign({i})", "min({i}, {i})",
             "max({i}, {i})", "clamp({i}, -100, 1000)", "bitfieldExtract({i}, {i} & 15, {i} & 15)", "bitCount({i})",
             "findLSB({i})", "findMSB({i})", "bitfieldReverse({i})", "bitfieldInsert({i}, {i}, {i} & 15, {i} & 15)",
             "int({f} * 16.0)", "int({f})", "int({u})", "({c} ? {i} : {i})", "floatBitsToInt(max({f}, 0.0625))",
             "int({c})", "ia[{i} & 7]", "i_helper({i}, {f})", "{w}[{i} & 3]", "({i} & 0xffff) % (({i} & 31) + 1)",
             "{i} * 3 + {i}", "{i} * -1640531535"]
UINT_RULES = ["{u} + {u}", "{u} - {u}", "{u} * {u}", "{u} / (({u} & 255u) + 1u)", "{u} % (({u} & 1023u) + 1u)",
              "{u} << ({u} & 31u)", "{u} >> ({u} & 31u)", "{u} & {u}", "{u} | {u}", "{u} ^ {u}", "~{u}",
              "min({u}, {u})", "max({u}, {u})", "bitfieldExtract({u}, {i} & 15, {i} & 15)", "uint(bitCount({u}))",
              "bitfieldReverse({u})", "uint(findMSB({u}))", "uint({f})", "uint({i})", "({c} ? {u} : {u})",
              "floatBitsToUint(max({f}, 0.0625))", "high({u}, {u})", "carry({u}, {u})", "packed_words[{i} & 7]",
              "{u} * 2654435761u", "({u} >> 16u) * ({u} & 0xffffu)",
              "uint((uint64_t({u}) * uint64_t({u})) >> ({i} & 63))", "folded(double({i}) * double({i}))",
              "uint((uint64_t({u}) << 20) / uint64_t(({u} & 255u) + 3u))", "folded(double({i}) + 0.1lf)",
              "folded(double({f}) - double({u}))", "folded(floor(double({i}) * 0.0625lf))",
              "folded(max(double({f}), double({i}) * 0.25lf))", "floatBitsToUint(abs(float({i} | 1) * 0.1))",
              "floatBitsToUint(abs(float({u}) + 0.3))", "floatBitsToUint(abs({f} - 0.7))"]
CONDITIONS = ["{f} < {f}", "{f} >= {f}", "{i} == {i}", "{i} < {i}", "{u} > {u}", "({i} & 1) != 0", "{f} != {f}",
              "({c}) && ({c})", "({c}) || ({c})", "!({c})", "({c}) ^^ ({c})", "any(lessThan({v}, {v}))",
              "all(greaterThanEqual({w}, {w}))", "{v} == {v}.wzyx", "double({i}) < double({f})",
              "int64_t({i}) * 3 > int64_t({u})"]
# Statements on several components at once.
WIDE = ["f0 = wrap(f1 * f2.wzyx + f3);", "i0 = i1.yxwz * i2 - i3;", "u1 = u0.wzyx ^ (u2 >> 3u);",
        "f3 = wrap(mat4(f0, f1, f2, f3.wzyx) * (floor(f1) * 0.25));", "i2 = ivec4(u0) & i1;",
        "f2 = vec4(lessThan(f1, f3)) + vec4(notEqual(i0, i1));", "i3 = u0.x > u1.y ? i0 : i1;",
        "u3 = uvec4(f0 * 16.0) + u3;"]

# In front of every stage. The body works on f0..f3, i0..i3, u0..u3 and two arrays that it declares.
COMMON = """#version 430
#extension GL_ARB_gpu_shader_int64 : enable
uniform vec4 constants[8];
uniform uint packed_words[8];
float wrap(float x) { return floor(fract(x * 0.015625) * 1024.0) * 0.0625; }
vec2 wrap(vec2 x) { return floor(fract(x * 0.015625) * 1024.0) * 0.0625; }
vec3 wrap(vec3 x) { return floor(fract(x * 0.015625) * 1024.0) * 0.0625; }
vec4 wrap(vec4 x) { return floor(fract(x * 0.015625) * 1024.0) * 0.0625; }
uint high(uint a, uint b) { uint h, l; umulExtended(a, b, h, l); return h ^ l; }
uint carry(uint a, uint b) { uint c, d; uint s = uaddCarry(a, b, c); return usubBorrow(s, b, d) + c * 2u + d; }
uint folded(double x) { uvec2 parts = unpackDouble2x32(max(abs(x), 0.0625lf)); return parts.x ^ parts.y * 31u; }
float f_helper(float x, int n) { for (int k = 0; k < (n & 3); ++k) x = wrap(x * 1.5 + 0.25); return x; }
int i_helper(int n, float x) { if (x > 20.0) return n * 5 - 1; while (n > 1000) n >>= 3; return n; }
"""
START = """vec4 f0 = constants[0], f1 = constants[1], f2 = constants[2], f3 = constants[3];
ivec4 i0 = ivec4(packed_words[0]), i1 = ivec4(1, 2, 3, 4), i2 = ivec4(packed_words[1]), i3 = ivec4(-6, 6, -10, 8);
uvec4 u0 = uvec4(packed_words[2]), u1 = uvec4(9u), u2 = uvec4(packed_words[3]), u3 = uvec4(1u, 3u, 5u, 7u);
float fa[8]; int ia[8];
for (int k = 0; k < 8; ++k) { fa[k] = float(k) * 1.25; ia[k] = k * 77 - 200; }
"""


class Body:
    """Statements on the variables of START."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.loops = 0

    def leaf(self, kind: str) -> str:
        letter = self.dice.choice("0123")
        swizzle = self.dice.choice("xyzw")
        constants = {"f": ["0.5", "3.0", "17.25", "63.9375"], "i": ["1", "-6", "255", "0x7fffffff"],
                     "u": ["1u", "0x80000000u", "12345u", "0xfffffff0u"]}
        if kind == "s":
            return swizzle
        if kind in "vw":
            return ("f" if kind == "v" else "i") + letter
        if self.dice.random() < 0.15:
            return self.dice.choice(constants[kind])
        return f"{kind}{letter}.{swizzle}"

    def fill(self, rule: str, depth: int = 0) -> str:
        """The operands of a rule: variables, and for conditions and integers sometimes more of them."""
        result = ""
        while "{" in rule:
            front, rule = rule.split("{", 1)
            kind, rule = rule.split("}", 1)
            result += front
            deeper = depth < 2 and self.dice.random() < 0.3
            if kind == "c":
                simple = [each for each in CONDITIONS if "{c}" not in each]
                result += "(" + self.fill(self.dice.choice(CONDITIONS if deeper else simple), depth + 1) + ")"
            elif kind in "iu" and deeper:
                result += "(" + self.fill(self.dice.choice(INT_RULES if kind == "i" else UINT_RULES), depth + 1) + ")"
            elif kind == "f" and deeper:
                result += "wrap(" + self.fill(self.dice.choice(FLOAT_RULES), depth + 1) + ")"
            else:
                result += self.leaf(kind)
        return result + rule

    def statement(self, depth: int) -> list[str]:
        choice = self.dice.random()
        if depth < 3 and choice < 0.22:
            return self.block(depth + 1)
        letter, swizzle = self.dice.choice("0123"), self.dice.choice("xyzw")
        kind = self.dice.choice("ffiiu")
        rules = {"f": FLOAT_RULES, "i": INT_RULES, "u": UINT_RULES}[kind]
        value = self.fill(self.dice.choice(rules))
        if choice < 0.3 and kind != "u":
            place = f"{kind}a[{self.fill('{i}')} & 7]"
        else:
            place = f"{kind}{letter}.{swizzle}"
        if choice > 0.92:
            return [self.dice.choice(WIDE)]
        return [f"{place} = wrap({value});" if kind == "f" else f"{place} = {value};"]

    def inside(self, depth: int, most: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self.dice.randint(1, most)):
            lines += self.statement(depth)
        return ["    " + line for line in lines]

    def block(self, depth: int) -> list[str]:
        self.loops += 1
        name = f"k{self.loops}"
        kind = self.dice.choice(["if", "if", "else", "for", "for", "while", "switch"])
        condition = self.fill("{c}")
        if kind == "if":
            return [f"if ({condition}) {{", *self.inside(depth, 3), "}"]
        if kind == "else":
            return [f"if ({condition}) {{", *self.inside(depth, 3), "} else {", *self.inside(depth, 3), "}"]
        if kind == "for":
            way_out = f"    if ({self.fill('{c}')}) {self.dice.choice(['break', 'continue'])};"
            escape = [way_out] * self.dice.randint(0, 1)
            first = self.inside(depth, 2)
            return [f"for (int {name} = 0; {name} < ({self.fill('{i}')} & 7); ++{name}) {{",
                    f"    i0.x += {name};", *first, *escape, *self.inside(depth, 2), "}"]
        if kind == "while":
            return ["{", f"int {name} = {self.fill('{i}')} & 15;", f"while ({name} > 0) {{", *self.inside(depth, 2),
                    f"    {name} -= ({self.fill('{i}')} & 3) + 1;", "}", "}"]
        cases = [line for case in range(3) for line in
                 [f"case {case}:", *self.inside(depth, 2), *(["    break;"] if self.dice.random() < 0.7 else [])]]
        return [f"switch ({self.fill('{i}')} & 3) {{", *cases, "default:", *self.inside(depth, 1), "}"]

    def lines(self, count: int) -> list[str]:
        statements: list[str] = []
        while len(statements) < count:
            statements += self.statement(0)
        return statements
