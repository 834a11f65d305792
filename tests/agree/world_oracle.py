# SPDX-License-Identifier: MIT
"""What the programs of world.c can do, worked out by going through all their interleavings, without heddle.

outcomes(text) of what `world NUMBER print` prints: a set of observations, "a=... b=...", and "deadlock" if there is one.
"""
import itertools

FAILED, TIMED_OUT, INTERRUPTED = 9, 8, 7
ANY = 3
MEMBERS = "next seen sleep woken pending blocked due phase handled".split()
NEXT, SEEN, SLEEP, WOKEN, PENDING, BLOCKED, DUE, PHASE, HANDLED = range(9)


class State:
    """Words, counters, what can be tried (other counters, then whether the edge-triggered set has news), and per thread: the next operation, what was observed, what it sleeps on (word, bits, can it time out) or
    None, whether it was woken; whether a signal is pending, whether it is blocked, whether it comes before the next step; inside a
    handler, what comes of the operation then, as a tuple (None: it begins); how many signals were handled."""

    def __init__(self, words, counters, tries, threads):
        self.words, self.counters, self.tries, self.threads = words, counters, tries, threads

    def key(self):
        return self.words, self.counters, self.tries, self.threads

    def change(self, thread, **changes):
        """The same with members of the thread changed."""
        changed = tuple(changes.get(name, old) for name, old in zip(MEMBERS, self.threads[thread]))
        return State(self.words, self.counters, self.tries, put(self.threads, thread, changed))

    def after(self, thread, result=None, sleep=None, **changes):
        """The state after an operation of the thread: with a result it is over."""
        place, seen = self.threads[thread][NEXT], self.threads[thread][SEEN]
        state = self.change(thread, next=place + (result is not None), seen=seen if result is None else seen * 10 + result, sleep=sleep, woken=False)
        for name, value in changes.items():
            setattr(state, name, value)
        return state


def put(values, at, value):
    return tuple(value if i == at else old for i, old in enumerate(values))


def asleep(state, word, bits):
    return [t for t, thread in enumerate(state.threads)
            if thread[SLEEP] and not thread[WOKEN] and not thread[PHASE] and thread[SLEEP][0] == word and thread[SLEEP][1] & bits]


def wake(state, woken, moved=(), to=0):
    for t in woken:
        state = state.change(t, woken=True)
    for t in moved:
        state = state.change(t, sleep=(to, *state.threads[t][SLEEP][1:]))
    return state


def signal(state, target, is_over):
    """Sent to another thread, which may block it; one that has ended does not notice."""
    if is_over:
        return state
    return state.change(target, pending=True, due=state.threads[target][DUE] or not state.threads[target][BLOCKED])


def begin_handler(state, thread, result, program):
    """What comes of the operation when the handler has returned: None, it begins again."""
    state = state.change(thread, pending=False, due=False, phase=(result,), handled=state.threads[thread][HANDLED] + 1)
    return state if program.handler_is_step else end_handler(state, thread, program)


def arrive(state, thread, operation, program):
    """A signal comes before the thread's operation: one that has to wait is interrupted."""
    kind, at, _ = operation
    sleep, woken = state.threads[thread][SLEEP], state.threads[thread][WOKEN]
    waits = (sleep and not woken) or (kind == "take" and not state.counters[at]) or (kind == "await" and not any(state.counters))
    state = state.change(thread, sleep=None) if waits else state
    state = begin_handler(state, thread, INTERRUPTED if waits else None, program)
    return state


def end_handler(state, thread, program):
    """It writes a word; a signal that came meanwhile, and was blocked, comes then."""
    result, pending = state.threads[thread][PHASE][0], state.threads[thread][PENDING]
    state = state.change(thread, phase=None)
    state.words = put(state.words, 1, 1)
    if pending and not state.threads[thread][BLOCKED]:
        return begin_handler(state, thread, result, program)
    return state if result is None else state.after(thread, result)


def waking(state, thread, word, bits, count, other=None):
    """Every way to wake `count` of those that sleep on the word; the rest moves to the other one."""
    found = asleep(state, word, bits)
    for chosen in itertools.combinations(found, min(count, len(found))):
        rest = [t for t in found if t not in chosen] if other is not None else []
        yield wake(state, chosen, rest, other).after(thread, len(found) if other is not None else len(chosen))


def steps(state, thread, program):
    """The states after the thread's next step; none if it has to wait."""
    kind, at, value = operation = program[thread][state.threads[thread][NEXT]]
    sleep, woken, pending, blocked = (state.threads[thread][member] for member in (SLEEP, WOKEN, PENDING, BLOCKED))
    if state.threads[thread][PHASE]:
        yield end_handler(state, thread, program)
    elif state.threads[thread][DUE]:
        yield arrive(state, thread, operation, program)
    elif sleep:
        if woken:
            yield state.after(thread, 0)
        elif sleep[2]:
            yield state.after(thread, TIMED_OUT)
    elif kind == "load":
        yield state.after(thread, state.words[at])
    elif kind == "store":
        yield state.after(thread, 0, words=put(state.words, at, value))
    elif kind in ("wait", "wait-timed", "wait-bits"):
        expected, bits = (0, 1 + value) if kind == "wait-bits" else (value, ANY)
        if state.words[at] == expected:
            yield state.after(thread, sleep=(at, bits, kind == "wait-timed"))
        else:
            yield state.after(thread, FAILED)
    elif kind in ("wake", "wake-all"):
        yield from waking(state, thread, at, ANY, 1 if kind == "wake" else 99)
    elif kind == "wake-bits":
        yield from waking(state, thread, at, 1 + value, 1)
    elif kind == "requeue":
        if state.words[at] != value:
            yield state.after(thread, FAILED)
        else:
            yield from waking(state, thread, at, ANY, 1, 1 - at)
    elif kind == "take":
        if state.counters[at]:
            yield state.after(thread, state.counters[at], counters=put(state.counters, at, 0))
    elif kind == "try-take":
        yield state.after(thread, state.tries[at] or FAILED, tries=put(state.tries, at, 0))
    elif kind == "add":
        yield state.after(thread, 0, counters=put(state.counters, at, state.counters[at] + 1), tries=put(state.tries, 2 + at, True))
    elif kind in ("ready", "await"):
        mask = sum(1 << i for i, count in enumerate(state.counters) if count)
        if mask or kind == "ready":
            yield state.after(thread, mask)
    elif kind == "edge":
        told = [i for i, count in enumerate(state.counters) if count and state.tries[2 + i]]
        yield state.after(thread, sum(1 << i for i in told), tries=tuple(old if i - 2 not in told else False for i, old in enumerate(state.tries)))
    elif kind == "kill" and thread == 0:
        yield state.change(0, pending=True).after(0, 0) if blocked else begin_handler(state, 0, 0, program)
    elif kind == "kill":
        target = value % thread
        yield signal(state, target, state.threads[target][NEXT] == len(program[target])).after(thread, 0)
    elif kind == "block":
        yield state.change(thread, blocked=True).after(thread, 0)
    elif kind == "unblock":
        state = state.change(thread, blocked=False)
        yield begin_handler(state, thread, 0, program) if pending else state.after(thread, 0)
    elif kind == "sigwait":
        yield state.change(thread, pending=False).after(thread, 1 if pending else FAILED)


class Program(list):
    """The operations of each thread. What a handler does is a step if several threads touch what it writes."""

    def __init__(self, text):
        threads = {}
        for line in text.splitlines():
            thread, kind, at, value = line.split()
            threads.setdefault(int(thread), []).append((kind, int(at), int(value)))
        super().__init__(threads[t] for t in sorted(threads))
        touch = {t for t, operations in enumerate(self) for kind, at, _ in operations if self.touches_second(kind, at)}
        handle = {value % t if t else 0 for t, operations in enumerate(self) for kind, _, value in operations if kind == "kill"}
        self.handler_is_step = len(touch | handle) > 1

    @staticmethod
    def touches_second(kind, at):
        return at == 1 and kind in ("load", "store", "wait", "wait-timed", "wait-bits", "requeue")


def outcomes(text):
    program = Program(text)
    start = State((0, 0), (0, 0), (1, 1, True, True), tuple((0, 1, None, False, False, False, False, None, 0) for _ in program))
    todo, known, found = [start], {start.key()}, set()
    while todo:
        state = todo.pop()
        following = [after for t, operations in enumerate(program) if state.threads[t][NEXT] < len(operations) for after in steps(state, t, program)]
        if not following:
            ended = all(thread[NEXT] == len(program[t]) for t, thread in enumerate(state.threads))
            found.add(" ".join(f"{'abc'[t]}={thread[SEEN] * 10 + thread[HANDLED]}" for t, thread in enumerate(state.threads)) if ended else "deadlock")
        for after in following:
            if after.key() not in known:
                known.add(after.key())
                todo.append(after)
    return found
