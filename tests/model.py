# SPDX-License-Identifier: MIT
"""Counts the interleavings of small straight-line programs, by hand so to speak: an oracle for exact counts of runs.

A program is threads separated by "|", a thread is operations separated by ";":

    read x   write x   lock m   unlock m   wait c m   signal c   broadcast c   post s   acquire s
    init s N           (first thread only: the semaphore s starts at N; not an operation)

read and write stand for any visible operation that never blocks. `wait c m` is two steps, as in heddle: unlock and
sleep, then wake up and relock. A signal with k sleepers is k runs.

count_traces counts the runs up to reordering of operations that commute, of programs with read, write, lock and unlock.

    python3 tests/model.py 'lock m; read x; write x; unlock m | lock m; unlock m'     prints runs and deadlocks
"""
import sys
from functools import lru_cache


def parse(text):
    threads, semaphores = [], {}
    for part in text.split("|"):
        operations = []
        for operation in part.split(";"):
            words = operation.split()
            if not words:
                continue
            if words[0] == "init":
                semaphores[words[1]] = int(words[2])
            else:
                operations.append(tuple(words))
        threads.append(tuple(operations))
    return tuple(threads), semaphores


def count_runs(text):
    """(runs, runs that end in a deadlock) of a program."""
    threads, semaphores = parse(text)

    # A state: per thread (next operation, phase); phase 0 normal, 1 asleep in wait, 2 signalled.
    @lru_cache(maxsize=None)
    def count(places, held, values):
        holder, value = dict(held), dict(values)
        runs = deadlocks = 0
        moved = False
        for t, (at, phase) in enumerate(places):
            if at == len(threads[t]) or phase == 1:
                continue
            operation = threads[t][at]
            kind, object_ = operation[0], operation[1]
            successors = []

            def go(phase_after=0, step=1, holder_after=None, value_after=None, wake=()):
                after = list(places)
                after[t] = (at + step, phase_after)
                for w in wake:
                    after[w] = (places[w][0], 2)
                successors.append((tuple(after), tuple(sorted((holder_after if holder_after is not None else holder).items())),
                                   tuple(sorted((value_after if value_after is not None else value).items()))))

            if phase == 2:
                if operation[2] not in holder:
                    go(holder_after={**holder, operation[2]: t})
            elif kind in ("read", "write"):
                go()
            elif kind == "lock":
                if object_ not in holder:
                    go(holder_after={**holder, object_: t})
            elif kind == "unlock":
                assert holder[object_] == t
                go(holder_after={m: h for m, h in holder.items() if m != object_})
            elif kind == "wait":
                assert holder[operation[2]] == t
                go(phase_after=1, step=0, holder_after={m: h for m, h in holder.items() if m != operation[2]})
            elif kind in ("signal", "broadcast"):
                asleep = [w for w, (a, p) in enumerate(places) if p == 1 and threads[w][a][1] == object_]
                if kind == "broadcast" or not asleep:
                    go(wake=asleep)
                else:
                    for w in asleep:
                        go(wake=(w,))
            elif kind == "post":
                go(value_after={**value, object_: value.get(object_, 0) + 1})
            elif kind == "acquire":
                if value.get(object_, 0) > 0:
                    go(value_after={**value, object_: value[object_] - 1})
            else:
                raise ValueError(kind)
            for successor in successors:
                moved = True
                r, d = count(*successor)
                runs += r
                deadlocks += d
        if not moved:
            return 1, int(any(at < len(threads[t]) for t, (at, _) in enumerate(places)))
        return runs, deadlocks

    return count(tuple((0, 0) for _ in threads), (), tuple(sorted(semaphores.items())))


def count_traces(text):
    """(Mazurkiewicz traces, those that end in a deadlock) of a program of reads, writes, locks and unlocks.

    An event is identified by what happens before it, so that equivalent beginnings of runs come to the same state, and
    every trace to one state at the end.
    """
    threads, _ = parse(text)
    numbers = {}  # of events

    def moves(state):
        last, written, read, held = state
        for t, operations in enumerate(threads):
            at = last[t][0]
            if at == len(operations):
                continue
            kind, object_ = operations[at][:2]
            if kind == "lock" and object_ in held:
                continue
            reads = kind == "read"
            past = (t, last[t], written.get(object_), () if reads else read.get(object_, ()))
            event = numbers.setdefault(past, len(numbers) + 1)
            after_written, after_read, after_held = dict(written), dict(read), held
            if reads:
                after_read[object_] = tuple(sorted(read.get(object_, ()) + (event,)))
            else:
                after_written[object_] = event
                after_read.pop(object_, None)
            if kind in ("lock", "unlock"):
                after_held = held ^ {object_}
            yield last[:t] + ((at + 1, event),) + last[t + 1:], after_written, after_read, after_held

    def key(state):
        return state[0], tuple(sorted(state[1].items())), tuple(sorted(state[2].items())), state[3]

    traces = deadlocks = 0
    states = [(((0, 0),) * len(threads), {}, {}, frozenset())]
    while states:
        following = {}
        for state in states:
            found = list(moves(state))
            following.update((key(successor), successor) for successor in found)
            if not found:
                traces += 1
                deadlocks += any(at < len(threads[t]) for t, (at, _) in enumerate(state[0]))
        states = list(following.values())
    return traces, deadlocks


if __name__ == "__main__":
    print(*count_runs(sys.argv[1]))
