# SPDX-License-Identifier: MIT
"""Pseudo-random sequential programs over two or three small inputs, for tests/inputs/run.

    program(number)     one, as a function of its number: C text of a function program_NUMBER and what it needs
    file(numbers)       a whole C file; its main runs the program that its argument names

They compute with integers of all widths and branch on the results; where a run came to is observed by LEAF. Nothing is
undefined in them but overflow of signed integers, which wraps around in what they are compared with.
"""
import random

TYPES = ["uint8_t", "int8_t", "uint16_t", "int16_t", "uint32_t", "int32_t", "uint64_t", "int64_t"]
WIDE_TYPES = ["__int128", "unsigned __int128"]
MOST_BRANCHES = 9


def bits_of(type_):
    return 128 if "128" in type_ else int("".join(c for c in type_ if c.isdigit()))


class Program:
    def __init__(self, number):
        self.random = random.Random(number)
        self.number = number
        self.lines, self.before = [], []
        self.indent, self.names, self.leaves, self.branches = 1, 0, 0, 0
        self.variables = []  # (name, type) that may be read here
        self.functions = []  # (name, result, parameters)

    # --- text ---

    def line(self, text):
        self.lines.append("  " * self.indent + text)

    def name(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def leaf(self):
        self.leaves += 1
        self.line(f"LEAF({self.leaves});")

    # --- expressions ---

    def type(self):
        return self.random.choice(WIDE_TYPES) if self.random.random() < 0.04 else self.random.choice(TYPES)

    def constant(self, type_):
        bits = bits_of(type_)
        value = self.random.choice([0, 1, 2, 3, 5, 7, 10, 16, 31, 77, 100, 127, 128, 200, 255, 256, 1000, 32767, 65535,
                                    self.random.getrandbits(min(bits, 32)), self.random.getrandbits(min(bits, 63))])
        return f"({type_}){value & ((1 << min(bits, 63)) - 1)}u" + ("l" if bits > 32 else "")

    def atom(self):
        if self.random.random() < 0.75:
            return self.random.choice(self.variables)
        type_ = self.type()
        return self.constant(type_), type_

    def expression(self, depth):
        """(C text, its type): always of exactly that type, through a cast."""
        r = self.random
        if depth == 0 or r.random() < 0.15:
            return self.atom()
        kind = r.choice(["binary"] * 6 + ["divide", "shift", "unary", "cast", "compare", "if", "builtin", "call"])
        return getattr(self, "make_" + kind)(depth - 1)

    def operand(self, depth, type_):
        text, own = self.expression(depth)
        return text if own == type_ else f"({type_})({text})"

    def make_binary(self, depth):
        type_, operator = self.type(), self.random.choice(["+", "-", "*", "&", "|", "^", "+", "-"])
        return f"({type_})({self.operand(depth, type_)} {operator} {self.operand(depth, type_)})", type_

    def make_divide(self, depth):
        type_, operator = self.random.choice(TYPES), self.random.choice(["/", "%"])
        return f"({type_})({self.operand(depth, type_)} {operator} (({self.operand(depth, type_)} & 63) | 1))", type_

    def make_shift(self, depth):
        type_, operator = self.type(), self.random.choice(["<<", ">>"])
        amount = f"({self.operand(depth, 'uint32_t')} & {bits_of(type_) - 1})"
        if self.random.random() < 0.5:
            amount = str(self.random.randrange(bits_of(type_)))
        return f"({type_})({self.operand(depth, type_)} {operator} {amount})", type_

    def make_unary(self, depth):
        type_, operator = self.type(), self.random.choice(["-", "~", "!"])
        return f"({type_})({operator}({self.operand(depth, type_)}))", type_

    def make_cast(self, depth):
        type_ = self.type()
        return f"({type_})({self.expression(depth)[0]})", type_

    def make_compare(self, depth):
        return f"(int32_t)({self.comparison(depth)})", "int32_t"

    def make_if(self, depth):
        type_ = self.type()
        self.branches += 1
        return f"({type_})({self.comparison(depth)} ? {self.operand(depth, type_)} : {self.operand(depth, type_)})", type_

    def make_builtin(self, depth):
        wide = self.operand(depth, "uint32_t")
        text = self.random.choice([
            f"__builtin_popcount({wide})", f"__builtin_clz(({wide}) | 1)", f"__builtin_ctz(({wide}) | 256)",
            f"(int32_t)__builtin_bswap32({wide})", f"(int32_t)__builtin_rotateleft32({wide}, 5)",
            f"__builtin_parity({wide})", f"__builtin_ctzll({self.operand(depth, 'uint64_t')} | 4096)",
            f"(int32_t)__builtin_bitreverse32({wide})", f"(int32_t)__builtin_elementwise_max({wide}, 99u)"])
        return f"(int32_t)({text})", "int32_t"

    def make_call(self, depth):
        if not self.functions:
            return self.make_binary(depth)
        name, result, parameters = self.random.choice(self.functions)
        return f"{name}({', '.join(self.operand(depth, type_) for type_ in parameters)})", result

    def comparison(self, depth):
        type_ = self.type()
        operator = self.random.choice(["<", "<=", ">", ">=", "==", "!=", "<", ">"])
        other = self.constant(type_) if self.random.random() < 0.4 else self.operand(depth, type_)
        return f"{self.operand(depth, type_)} {operator} {other}"

    def condition(self, depth):
        """Costs as many branches as it has comparisons."""
        parts = [self.comparison(depth)]
        if self.random.random() < 0.25:
            parts.append(self.comparison(depth))
        self.branches += len(parts)
        return f" {self.random.choice(['&&', '||'])} ".join(f"({part})" for part in parts)

    # --- statements ---

    def declare(self, depth=3):
        text, type_ = self.expression(depth)
        name = self.name("v")
        self.line(f"{type_} {name} = {text};")
        return name, type_

    def statement(self, depth):
        kinds = ["declare"] * 4 + ["assign", "memory", "index", "if", "if", "if", "switch", "loop", "structure"]
        getattr(self, "add_" + self.random.choice(kinds))(depth)

    def add_declare(self, _):
        self.variables.append(self.declare())

    def add_assign(self, _):
        own = [v for v in self.variables if v[0].startswith("v")]
        if not own:
            return self.add_declare(0)
        name, type_ = self.random.choice(own)
        self.line(f"{name} = {self.operand(2, type_)};")

    def add_memory(self, _):
        """Bytes written in one width and read in another."""
        name, type_ = self.declare(2)
        other = self.type()
        memory, result = self.name("m"), self.name("v")
        size = max(bits_of(type_), bits_of(other)) // 8 + 3
        self.line(f"unsigned char {memory}[{size}] = {{{self.random.randrange(256)}, 7, 9}};")
        self.line(f"memcpy({memory} + {self.random.randrange(3)}, &{name}, sizeof {name});")
        self.line(f"{other} {result};")
        self.line(f"memcpy(&{result}, {memory} + {self.random.randrange(3)}, sizeof {result});")
        self.variables.append((result, other))

    def add_structure(self, _):
        """A value that goes through a structure, by assignment and as a result."""
        name, type_ = self.declare(2)
        kept, result = self.name("s"), self.name("v")
        self.line(f"struct {{ uint8_t before; {type_} value; uint16_t after; }} {kept} = {{1, {name}, 2}}, {kept}_copy;")
        self.line(f"{kept}_copy = {kept};")
        self.line(f"{type_} {result} = ({type_})({kept}_copy.value + {kept}_copy.after);")
        self.variables.append((result, type_))

    def add_index(self, _):
        if self.branches + 2 > MOST_BRANCHES:
            return self.add_declare(0)
        self.branches += 2
        type_ = self.random.choice(TYPES)
        table, index, result = self.name("t"), self.name("i"), self.name("v")
        values = ", ".join(str(self.random.randrange(128)) for _ in range(4))
        self.line(f"{type_} {table}[4] = {{{values}}};")
        self.line(f"unsigned {index} = {self.operand(2, 'uint32_t')} & 3;")
        self.line(f"PATH_VALUE({index});")
        self.line(f"{table}[{index}] ^= {self.operand(1, type_)};")
        self.line(f"{type_} {result} = {table}[{self.random.choice([index, index, '1'])}];")
        self.variables.append((result, type_))

    def block(self, depth, statements):
        known = len(self.variables)
        self.indent += 1
        for _ in range(statements):
            self.statement(depth - 1)
        self.leaf()
        self.indent -= 1
        del self.variables[known:]

    def add_if(self, depth):
        if depth == 0 or self.branches >= MOST_BRANCHES:
            return self.add_declare(0)
        self.line(f"if ({self.condition(2)}) {{")
        self.block(depth, self.random.randrange(3))
        if self.random.random() < 0.6:
            self.line("} else {")
            self.block(depth, self.random.randrange(3))
        self.line("}")

    def add_switch(self, depth):
        if depth == 0 or self.branches + 3 > MOST_BRANCHES:
            return self.add_declare(0)
        self.branches += 3
        self.line(f"switch ({self.operand(2, self.random.choice(TYPES))} & 7) {{")
        cases = self.random.sample(range(8), 5)
        for group in (cases[:2], cases[2:3], cases[3:]):
            self.line(" ".join(f"case {value}:" for value in group) + " {")
            self.block(depth, self.random.randrange(2))
            self.line("} break;" if self.random.random() < 0.8 else "}")
        self.line("default: break;")
        self.line("}")

    def add_loop(self, depth):
        if depth == 0 or self.branches + 3 > MOST_BRANCHES:
            return self.add_declare(0)
        self.branches += 3
        counter, total = self.name("n"), self.name("v")
        type_ = self.random.choice(TYPES)
        self.line(f"{type_} {total} = {self.operand(1, type_)};")
        self.line(f"for (unsigned {counter} = 0; {counter} < ({self.operand(1, 'uint32_t')} & 3); {counter}++) {{")
        self.variables.append((total, type_))
        self.line(f"  {total} = ({type_})({total} * 3 + {counter});")
        self.line("}")

    # --- the whole ---

    def add_function(self):
        name = f"f{self.number}_{self.name('')}"
        result, parameters = self.type(), [self.type() for _ in range(self.random.randrange(1, 4))]
        kept = self.variables, self.lines
        self.variables, self.lines = [(f"p{i}", type_) for i, type_ in enumerate(parameters)], []
        self.line(f"return {self.operand(3, result)};")
        signature = ", ".join(f"{type_} p{i}" for i, type_ in enumerate(parameters))
        self.before += [f"static {result} {name}({signature}) {{", *self.lines, "}", ""]
        self.variables, self.lines = kept
        self.functions.append((name, result, parameters))

    def text(self):
        r = self.random
        for _ in range(r.randrange(3)):
            self.add_function()
        self.branches = min(self.branches, 3)
        self.line('const uint8_t x = heddle_input_uchar("x");')
        self.line('const int8_t y = heddle_input_schar("y");')
        self.variables = [("x", "uint8_t"), ("y", "int8_t")]
        if r.random() < 0.3:
            self.line('const int32_t z = (int32_t)heddle_input_range("z", -1, 2);')
            self.variables.append(("z", "int32_t"))
        for _ in range(r.randrange(3, 8)):
            self.statement(3)
        self.line(f"if ({self.condition(3)})")
        self.indent += 1
        self.leaf()
        self.indent -= 1
        return "\n".join([*self.before, f"static void program_{self.number}(void) {{", *self.lines, "}", ""])


def program(number):
    return Program(number).text()


def file(numbers):
    parts = ["#include \"input.h\"", "#include <stdint.h>", "#include <stdlib.h>", "#include <string.h>", ""]
    parts += [program(number) for number in numbers]
    parts += ["int main(int argc, char **argv) {", "  switch (atoi(argv[1])) {"]
    parts += [f"  case {number}: program_{number}(); break;" for number in numbers]
    parts += ["  }", "  return 0;", "}", ""]
    return "\n".join(parts)
