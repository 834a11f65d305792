# SPDX-License-Identifier: MIT
"""Pseudo-random multithreaded programs with inputs and locks, as C functions: the same number, the same program.

A program has two or three threads, a few shared variables, and a few operations on them in each thread, so that `exhaustive`
comes to its end. Kinds of programs, by number modulo 4:

    0, 1   reads, writes, locks, branches on what was read and on inputs
    2      also atomic operations, an array, results of threads, memory that is passed along by a pointer
    3      also semaphores and trylock
"""
import random

PREFIX = """#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "heddle.h"
"""


class Generator:
    def __init__(self, number):
        self.number = number
        self.random = random.Random(number * 7919 + 17)
        self.kind = number % 4
        self.name = f"p{number}"
        self.n_variables = self.random.randint(1, 3)
        self.n_threads = 2 if self.random.random() < 0.75 else 3
        self.lines = []

    # --- expressions ---

    def constant(self):
        return str(self.random.randint(0, 3))

    def variable(self):
        return f"{self.name}_x[{self.random.randrange(self.n_variables)}]"

    def local(self):
        return f"l{self.random.randrange(2)}"

    def operand(self):
        return self.random.choice((self.local(), self.local(), self.constant(), "in"))

    def expression(self):
        form = self.random.randrange(5)
        if form == 0:
            return self.constant()
        if form == 1:
            return self.operand()
        return f"{self.operand()} {self.random.choice('+-^&')} {self.operand()}"

    def condition(self):
        left = self.local()
        if self.take(1) and self.random.random() < 0.4:
            self.budget -= 1
            left = self.variable()
        return f"{left} {self.random.choice(('==', '!=', '<', '>'))} {self.operand()}"

    # --- statements ---

    def take(self, count):
        """Whether there is room for so many more operations."""
        return self.budget >= count

    def emit(self, depth, text):
        self.lines.append("  " * depth + text)

    def branch(self, depth):
        self.emit(depth, f"if ({self.condition()}) {{")
        saved = self.budget
        self.block(depth + 1, self.random.randint(1, 2))
        left = self.budget
        if self.random.random() < 0.4:
            self.budget = saved
            self.emit(depth, "} else {")
            self.block(depth + 1, 1)
            left = min(left, self.budget)
        self.budget = left
        self.emit(depth, "}")

    def locked(self, depth):
        if self.holds or not self.take(3):
            return self.plain(depth)
        lock = f"{self.name}_m[{self.random.randrange(2)}]"
        self.holds = True
        self.budget -= 2
        self.emit(depth, f"pthread_mutex_lock(&{lock});")
        self.block(depth, self.random.randint(1, 3), nested=True)
        self.emit(depth, f"pthread_mutex_unlock(&{lock});")
        self.holds = False

    def plain(self, depth):
        if not self.take(1):
            self.emit(depth, f"{self.local()} = {self.expression()};")
            return
        self.budget -= 1
        form = self.random.randrange(4)
        if form == 0:
            self.emit(depth, f"{self.local()} = {self.variable()};")
        elif form == 1 and self.take(1):
            self.budget -= 1
            variable = self.variable()
            self.emit(depth, f"{variable} = {variable} + {self.random.choice((self.constant(), 'in', self.local()))};")
        else:
            self.emit(depth, f"{self.variable()} = {self.expression()};")

    def checked(self, depth):
        self.emit(depth, f"assert({self.local()} != {self.random.randint(2, 6)});")

    def atomic(self, depth):
        if not self.take(1):
            return self.plain(depth)
        self.budget -= 1
        cell = f"&{self.name}_a"
        form = self.random.randrange(4)
        if form == 0:
            self.emit(depth, f"{self.local()} = atomic_fetch_add({cell}, {self.operand()});")
        elif form == 1:
            self.emit(depth, f"{self.local()} = atomic_exchange({cell}, {self.operand()});")
        elif form == 2:
            self.emit(depth, f"if (atomic_compare_exchange_strong({cell}, &l0, {self.constant()})) l1 = 3;")
        else:
            self.emit(depth, f"{self.local()} = atomic_load({cell});")

    def indexed(self, depth):
        if not self.take(2):
            return self.plain(depth)
        self.budget -= 2
        cell = f"{self.name}_y[{self.variable()} & 1]"
        self.emit(depth, self.random.choice((f"{self.local()} = {cell};", f"{cell} = {self.operand()};")))

    def pointed(self, depth):
        if not self.take(2):
            return self.plain(depth)
        self.budget -= 2
        target = self.random.choice((f"{self.name}_p = &{self.variable()};", f"{self.local()} = *{self.name}_p;",
                                     f"*{self.name}_p = {self.operand()};"))
        self.emit(depth, target)

    def synchronised(self, depth):
        if self.holds or not self.take(2):
            return self.plain(depth)
        self.budget -= 2
        form = self.random.randrange(4)
        if form == 0:
            self.emit(depth, f"sem_post(&{self.name}_s);")
        elif form == 1:
            self.emit(depth, f"if (sem_trywait(&{self.name}_s) == 0) l0 = 2; else l1 = 1;")
        elif form == 2:
            self.emit(depth, f"if (pthread_mutex_trylock(&{self.name}_m[0]) == 0) {{")
            self.emit(depth + 1, f"{self.variable()} = {self.operand()};")
            self.emit(depth + 1, f"pthread_mutex_unlock(&{self.name}_m[0]);")
            self.emit(depth, "}")
        else:
            self.emit(depth, f"sem_wait(&{self.name}_s);")

    def statement(self, depth, nested):
        choices = [self.plain] * 4 + [self.checked]
        if depth < 4:
            choices += [self.branch] * 4
        if not nested:
            choices += [self.locked] * 2
        if self.kind == 2:
            choices += [self.atomic, self.indexed, self.pointed]
        if self.kind == 3:
            choices += [self.synchronised] * 2
        self.random.choice(choices)(depth)

    def block(self, depth, count, nested=False):
        for _ in range(count):
            self.statement(depth, nested or self.holds)

    # --- threads ---

    def thread(self, index):
        self.budget = 5 if self.n_threads == 2 else 3
        self.holds = False
        self.emit(0, f"static void *{self.name}_t{index}(void *argument) {{")
        self.emit(1, "int l0 = (int)(long)argument, l1 = 0;")
        has_input = self.random.random() < 0.7
        self.emit(1, f'const int in = {"(int)heddle_input_range(NULL, 0, 7)" if has_input else "2"};')
        self.block(1, self.random.randint(3, 5))
        self.emit(1, f"if (l0 == 5) {self.name}_seen[{index}] = l1 > 2;")
        self.emit(1, "return (void *)(long)l0;")
        self.emit(0, "}")

    def main(self):
        self.emit(0, f"static void {self.name}_main(void) {{")
        self.emit(1, f"pthread_t threads[{self.n_threads}];")
        self.emit(1, "void *result;")
        if self.kind == 2:
            self.emit(1, f"{self.name}_p = &{self.variable()};")
        if self.kind == 3:
            self.emit(1, f"sem_init(&{self.name}_s, 0, {self.random.randint(0, 1)});")
        if self.random.random() < 0.3:
            self.emit(1, f'{self.variable()} = (int)heddle_input_range(NULL, 0, 3);')
        for i in range(self.n_threads):
            self.emit(1, f"pthread_create(&threads[{i}], NULL, {self.name}_t{i}, (void *)(long){self.random.randint(0, 2)});")
        if self.random.random() < 0.3:
            self.emit(1, f"{self.variable()} = {self.constant()};")
        for i in range(self.n_threads):
            self.emit(1, f"pthread_join(threads[{i}], &result);")
        self.emit(1, f"if ({self.variable()} == {self.random.randint(1, 4)}) {self.name}_seen[0] = 2;")
        if self.kind >= 2:
            self.emit(1, f"if ((long)result == {self.random.randint(1, 4)}) {self.name}_seen[1] = 3;")
        self.emit(0, "}")

    def declare(self):
        self.emit(0, f"static int {self.name}_x[{self.n_variables}], {self.name}_y[2], {self.name}_seen[3], *{self.name}_p;")
        self.emit(0, f"static atomic_int {self.name}_a;")
        self.emit(0, f"static sem_t {self.name}_s;")
        self.emit(0, f"static pthread_mutex_t {self.name}_m[2] = {{PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}};")

    def source(self):
        self.declare()
        for index in range(self.n_threads):
            self.thread(index)
        self.main()
        return "\n".join(self.lines) + "\n"


def program(number, generator=Generator):
    return generator(number).source()


def programs(numbers, generator=Generator):
    """One C file; its argument says which program runs."""
    text = PREFIX + "\n".join(program(number, generator) for number in numbers)
    cases = "".join(f"  case {number}: {generator(number).name}_main(); break;\n" for number in numbers)
    return text + f"int main(int argc, char **argv) {{\n  switch (atoi(argv[1])) {{\n{cases}  }}\n  return argc - argc;\n}}\n"
