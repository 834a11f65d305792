# SPDX-License-Identifier: MIT
"""Pseudo-random programs in which something goes wrong between threads, or does not: the same number, the same program.

Like those of generate.py, with fewer assertions. By number modulo 5:

    0   locks taken while others are held, attempts to lock
    1   condition variables and semaphores, with locks
    2   indices and divisors from inputs and from what was read, blocks that threads free, pointers to them
    3   barriers, reader-writer locks, pthread_once, spin locks, loops that wait for a variable
    4   mutexes and semaphores that threads make and destroy, locks
"""
import random

import generate

PREFIX = generate.PREFIX


class Generator(generate.Generator):
    def __init__(self, number):
        super().__init__(number)
        self.random = random.Random(number * 104729 + 5)
        self.kind = number % 5
        self.name = f"h{number}"
        self.n_variables = self.random.randint(1, 2)
        self.n_threads = 2 if self.random.random() < 0.7 else 3
        self.held = []

    def room(self, count):
        if not self.take(count):
            return False
        self.budget -= count
        return True

    def checked(self, depth):
        if self.random.random() < 0.3:
            self.emit(depth, f"assert({self.local()} != {self.random.randint(3, 6)});")
        else:
            self.plain(depth)

    # --- locks in locks ---

    def locked(self, depth):
        free = [i for i in range(3) if i not in self.held] if self.random.random() < 0.97 else [0]
        if len(self.held) > 1 or not self.room(2):
            return self.plain(depth)
        lock = self.random.choice(free)
        attempt = self.random.random() < 0.2
        name = f"{self.name}_m[{lock}]"
        self.held.append(lock)
        self.emit(depth, f"if (pthread_mutex_trylock(&{name}) == 0) {{" if attempt else f"pthread_mutex_lock(&{name});")
        self.block(depth + attempt, self.random.randint(1, 2))
        forgets = self.random.random() < 0.04
        if not forgets:
            self.emit(depth + attempt, f"pthread_mutex_unlock(&{name});")
        if attempt:
            self.emit(depth, "}")
        self.held.remove(lock)

    # --- waiting ---

    def waiting(self, depth):
        if self.held or not self.room(3):
            return self.plain(depth)
        m, c, x = f"&{self.name}_m[0]", f"&{self.name}_c", self.variable()
        self.emit(depth, f"pthread_mutex_lock({m});")
        form = self.random.randrange(6)
        if form == 0:
            self.emit(depth, f"pthread_cond_wait({c}, {m});")
        elif form == 1:
            self.emit(depth, f"while ({x} == {self.random.randint(0, 1)}) pthread_cond_wait({c}, {m});")
        elif form == 2:
            self.emit(depth, f"if ({x} == 0) pthread_cond_wait({c}, {m});")
        else:
            self.emit(depth, f"{x} = {self.operand()};")
            self.emit(depth, f"pthread_cond_{self.random.choice(('signal', 'broadcast'))}({c});")
        self.emit(depth, f"pthread_mutex_unlock({m});")

    def token(self, depth):
        if not self.room(1):
            return self.plain(depth)
        self.emit(depth, self.random.choice((f"sem_post(&{self.name}_s);", f"sem_wait(&{self.name}_s);",
                                             f"if (sem_trywait(&{self.name}_s) == 0) l0 = 2;")))

    # --- addresses, divisors, blocks ---

    def addressed(self, depth):
        if not self.room(2):
            return self.plain(depth)
        index = self.random.choice(("in", self.variable(), f"{self.local()}", f"({self.variable()} & 1)", f"(in & {self.random.randint(1, 3)})"))
        if self.random.random() < 0.5:
            self.emit(depth, f"if ({index} >= 0 && {index} < {self.random.randint(2, 5)})")
        self.emit(depth, self.random.choice((f"{self.name}_block[{index}] = l0;", f"l1 = {self.name}_block[{index}];")))

    def divided(self, depth):
        if not self.room(1):
            return self.plain(depth)
        self.emit(depth, f"l1 = {self.random.randint(5, 9)} {self.random.choice('/%')} ({self.random.choice((self.variable(), 'in', self.local()))} "
                  f"{self.random.choice('+-')} {self.random.randint(1, 9)});")

    def freed(self, depth):
        if not self.room(2):
            return self.plain(depth)
        p = f"{self.name}_p"
        self.emit(depth, self.random.choice((f"if ({p}) {p}[1] = l0;", f"l0 = {p} ? *{p} : 1;", f"if ({self.variable()} == 1) {{ free({p}); {p} = NULL; }}",
                                             f"{{ int *q = {p}; {p} = NULL; free(q); }}")))

    # --- other synchronisation ---

    def others(self, depth):
        if self.held or not self.room(2):
            return self.plain(depth)
        form = self.random.randrange(6)
        n = self.name
        if form == 0:
            self.emit(depth, f"pthread_barrier_wait(&{n}_b);")
        elif form == 1:
            self.emit(depth, f"pthread_rwlock_{self.random.choice(('rd', 'wr'))}lock(&{n}_rw);")
            self.held.append(9)
            self.block(depth, 1)
            self.held.remove(9)
            self.emit(depth, f"pthread_rwlock_unlock(&{n}_rw);")
        elif form == 2:
            self.emit(depth, f"pthread_once(&{n}_o, {n}_once);")
        elif form == 3:
            self.emit(depth, f"while (atomic_load(&{n}_a) == {self.random.randint(0, 1)}) {{}}")
        elif form == 4:
            self.emit(depth, f"atomic_store(&{n}_a, {self.random.choice((self.constant(), self.local()))});")
        else:
            self.emit(depth, f"pthread_spin_lock(&{n}_spin);")
            self.held.append(9)
            self.block(depth, 1)
            self.held.remove(9)
            self.emit(depth, f"pthread_spin_unlock(&{n}_spin);")

    def lives(self, depth):
        if self.held or not self.room(2):
            return self.plain(depth)
        n = self.name
        self.emit(depth, self.random.choice((
            f"if ({self.variable()} == 2) pthread_mutex_destroy(&{n}_m[0]);",
            f"{{ pthread_mutex_lock(&{n}_m[0]); {self.variable()} = l0; pthread_mutex_unlock(&{n}_m[0]); }}",
            f"if ({self.variable()} == 1) sem_destroy(&{n}_s);", f"sem_post(&{n}_s);", f"sem_wait(&{n}_s);")))

    def statement(self, depth, nested):
        special = ([self.locked], [self.waiting, self.token, self.locked], [self.addressed, self.divided, self.freed],
                   [self.others], [self.lives, self.locked])[self.kind]
        choices = [self.plain] * 2 + [self.checked] + special * (6 // len(special))
        if depth < 3:
            choices += [self.branch]
        self.random.choice(choices)(depth)

    def thread(self, index):
        self.budget = 6 if self.n_threads == 2 else 4
        self.holds = False
        self.emit(0, f"static void *{self.name}_t{index}(void *argument) {{")
        self.emit(1, "int l0 = (int)(long)argument, l1 = 0;")
        has_input = self.random.random() < 0.4
        self.emit(1, f'const int in = {"(int)heddle_input_range(NULL, 0, 3)" if has_input else "1"};')
        self.block(1, self.random.randint(2, 4))
        self.emit(1, f"if (l0 == 3) {self.name}_seen[{index}] = l1 > 2;")
        self.emit(1, "return NULL;")
        self.emit(0, "}")

    def main(self):
        n = self.name
        self.emit(0, f"static void {n}_main(void) {{")
        self.emit(1, f"pthread_t threads[{self.n_threads}];")
        self.emit(1, f"{n}_block = malloc({self.random.randint(2, 5)} * sizeof(int));")
        self.emit(1, f"for (int i = 0; i < 2; i++) {n}_block[i] = i;")
        self.emit(1, f"{n}_p = calloc(2, sizeof(int));")
        self.emit(1, f"sem_init(&{n}_s, 0, {self.random.randint(0, 1)});")
        self.emit(1, f"pthread_barrier_init(&{n}_b, NULL, {2 if self.random.random() < 0.8 else self.n_threads});")
        self.emit(1, f"pthread_spin_init(&{n}_spin, 0);")
        self.emit(1, f"for (int i = 0; i < 3; i++) pthread_mutex_init(&{n}_m[i], NULL);")
        for i in range(self.n_threads):
            self.emit(1, f"pthread_create(&threads[{i}], NULL, {n}_t{i}, (void *)(long){self.random.randint(0, 2)});")
        self.budget = 3
        self.emit(1, "int l0 = 1, l1 = 0; const int in = 1;")
        if self.random.random() < 0.5:
            self.block(1, self.random.randint(1, 2))
        joined = [i for i in range(self.n_threads) if self.random.random() < 0.95]
        for i in joined:
            self.emit(1, f"pthread_join(threads[{i}], NULL);")
        self.emit(1, f"if ({self.variable()} == {self.random.randint(1, 3)}) {n}_seen[0] = 2 + l0 + l1 + in;")
        self.emit(0, "}")

    def declare(self):
        n = self.name
        self.emit(0, f"static int {n}_x[{self.n_variables}], {n}_seen[3], *{n}_p, *{n}_block;")
        self.emit(0, f"static atomic_int {n}_a;")
        self.emit(0, f"static sem_t {n}_s;")
        self.emit(0, f"static pthread_mutex_t {n}_m[3];")
        self.emit(0, f"static pthread_cond_t {n}_c = PTHREAD_COND_INITIALIZER;")
        self.emit(0, f"static pthread_rwlock_t {n}_rw = PTHREAD_RWLOCK_INITIALIZER;")
        self.emit(0, f"static pthread_barrier_t {n}_b;")
        self.emit(0, f"static pthread_spinlock_t {n}_spin;")
        self.emit(0, f"static pthread_once_t {n}_o = PTHREAD_ONCE_INIT;")
        self.emit(0, f"static void {n}_once(void) {{ {n}_x[0] = 1; }}")


def program(number):
    return generate.program(number, Generator)


def programs(numbers):
    return generate.programs(numbers, Generator)
