# SPDX-License-Identifier: MIT
"""What the programs of world.c can do, worked out by going through all their interleavings, without heddle.

outcomes(text) of what `world NUMBER print` prints: a set of observations, "a=... b=...", and "deadlock" if there is one.
"""
import itertools

FAILED, TIMED_OUT = 9, 8
ANY = 3


class State:
    """Words, counters, and per thread: the next operation, what was observed, what it sleeps on (word, bits) or None."""

    def __init__(self, words, counters, tries, threads):
        self.words, self.counters, self.tries, self.threads = words, counters, tries, threads

    def key(self):
        return self.words, self.counters, self.tries, self.threads

    def after(self, thread, result=None, at=0, sleep=None, **changes):
        """The state after an operation of the thread: with a result it is over."""
        threads = list(self.threads)
        place, seen, _, _ = threads[thread]
        threads[thread] = (place + (result is not None), seen if result is None else seen * 10 + result, sleep, False)
        state = State(self.words, self.counters, self.tries, tuple(threads))
        for name, value in changes.items():
            setattr(state, name, value)
        return state


def put(values, at, value):
    return tuple(value if i == at else old for i, old in enumerate(values))


def asleep(state, word, bits):
    return [t for t, (_, _, sleep, woken) in enumerate(state.threads) if sleep and not woken and sleep[0] == word and sleep[1] & bits]


def wake(state, woken, moved=(), to=0):
    threads = list(state.threads)
    for t in woken:
        threads[t] = (*threads[t][:3], True)
    for t in moved:
        threads[t] = (*threads[t][:2], (to, *threads[t][2][1:]), False)
    return State(state.words, state.counters, state.tries, tuple(threads))


def waking(state, thread, word, bits, count, other=None):
    """Every way to wake `count` of those that sleep on the word; the rest moves to the other one."""
    found = asleep(state, word, bits)
    for chosen in itertools.combinations(found, min(count, len(found))):
        rest = [t for t in found if t not in chosen] if other is not None else []
        yield wake(state, chosen, rest, other).after(thread, len(found) if other is not None else len(chosen))


def steps(state, thread, operation):
    """The states after the thread's next step; none if it has to wait."""
    kind, at, value = operation
    _, _, sleep, woken = state.threads[thread]
    if sleep:
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
        yield state.after(thread, 0, counters=put(state.counters, at, state.counters[at] + 1))


def parse(text):
    threads = {}
    for line in text.splitlines():
        thread, kind, at, value = line.split()
        threads.setdefault(int(thread), []).append((kind, int(at), int(value)))
    return [threads[t] for t in sorted(threads)]


def outcomes(text):
    program = parse(text)
    start = State((0, 0), (0, 0), (1, 1), tuple((0, 1, None, False) for _ in program))
    todo, known, found = [start], {start.key()}, set()
    while todo:
        state = todo.pop()
        following = [after for t, operations in enumerate(program) if state.threads[t][0] < len(operations)
                     for after in steps(state, t, operations[state.threads[t][0]])]
        if not following:
            ended = all(thread[0] == len(program[t]) for t, thread in enumerate(state.threads))
            found.add(" ".join(f"{'abc'[t]}={thread[1]}" for t, thread in enumerate(state.threads)) if ended else "deadlock")
        for after in following:
            if after.key() not in known:
                known.add(after.key())
                todo.append(after)
    return found
