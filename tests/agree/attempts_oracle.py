# SPDX-License-Identifier: MIT
"""What the programs of attempts.c can do, worked out without heddle: all interleavings, by search over states.

    outcomes(text)    of a program as `attempts NUMBER print` prints it: a set of (how the run ended, observations), where it
                      ended "finished", "deadlock" or "assertion"

A state is the places of the threads and the contents of the objects. A place is (phase, results of the operations performed so
far); phase 0 is before the next operation, the others are inside a wait on a condition variable.
"""
from collections import namedtuple

Operation = namedtuple("Operation", "name object value expected guard needs_success")
# Per object: 4 bytes, (owner, count) of the mutex, who writes and who reads, who has the spinlock, the semaphore's value.
Objects = namedtuple("Objects", "cells mutexes writers readers spinlocks semaphores")

ASLEEP, SIGNALLED, TIMED_OUT = 1, 2, 3
SUCCESS, RECURSIVE = 50, 1
FREE = (None, 0)


def parse_operation(text):
    words = text.split()
    guard = (int(words[6]), words[5] == "done") if len(words) > 4 else (None, None)
    return Operation(words[0], *(int(word) for word in words[1:4]), *guard)


def parse(text):
    semaphores, threads = (), []
    for line in text.splitlines():
        kind, _, rest = line.partition(":")
        if kind == "semaphores":
            semaphores = tuple(int(word) for word in rest.split())
        else:
            threads.append([parse_operation(words) for words in rest.split(";")])
    return semaphores, threads


def replaced(values, index, value):
    return values[:index] + (value,) + values[index + 1:]


def put(objects, field, index, value):
    return objects._replace(**{field: replaced(getattr(objects, field), index, value)})


def tell(value):
    return (value & 7) + 8 * (value >> 8 & 3) + 32 * (value >> 10 & 1)


# ---- accesses: (result, objects), or None for a failed assertion ----

def part(operation):
    """Which bits of a cell it accesses: (shift, mask)."""
    if operation.name.endswith("-byte"):
        return 8 * (operation.expected & 1), 0xff
    return 0, 0xffff if operation.name.endswith("-half") else 0xffffffff


def access(operation, objects):
    shift, mask = part(operation)
    cell = objects.cells[operation.object]
    found = cell >> shift & mask
    written = put(objects, "cells", operation.object, cell & ~(mask << shift) | operation.value << shift)
    kind = operation.name.replace("-byte", "").replace("-half", "").replace("-strong", "").replace("-weak", "")
    if kind in ("read", "load"):
        return tell(found), objects
    if kind in ("write", "store"):
        return 0, written
    if kind == "exchange":
        return tell(found), written
    if kind == "fetch-add":
        return tell(found), put(objects, "cells", operation.object, (cell + operation.value) & 0xffffffff)
    if kind == "check":
        return None if found == operation.value else (0, objects)
    done = found == operation.expected
    if kind == "section-copy":
        copied = put(objects, "cells", 1 - operation.object, operation.value)
        return SUCCESS * done + tell(found), copied if done else objects
    after = written if done else objects
    second = tell(after.cells[1 - operation.object]) % 8 if kind == "section-compare-exchange" else 0
    return SUCCESS * done + tell(found) + second, after


# ---- locks and semaphores: the objects, or None if it cannot be done now ----

def take(kind, o, t, objects):
    if kind == "lock":
        owner, count = objects.mutexes[o]
        can = owner is None or (owner == t and o == RECURSIVE)
        return put(objects, "mutexes", o, (t, count + 1)) if can else None
    if kind == "read":
        return None if objects.writers[o] is not None else put(objects, "readers", o, tuple(sorted(objects.readers[o] + (t,))))
    if kind == "write":
        can = objects.writers[o] is None and not objects.readers[o]
        return put(objects, "writers", o, t) if can else None
    if kind == "spin":
        return put(objects, "spinlocks", o, t) if objects.spinlocks[o] is None else None
    return put(objects, "semaphores", o, objects.semaphores[o] - 1) if objects.semaphores[o] else None


def give(kind, o, t, objects):
    if kind == "unlock":
        count = objects.mutexes[o][1] - 1
        return put(objects, "mutexes", o, (t, count) if count else FREE)
    if kind == "spin-unlock":
        return put(objects, "spinlocks", o, None)
    if objects.writers[o] == t:
        return put(objects, "writers", o, None)
    at = objects.readers[o].index(t)
    return put(objects, "readers", o, objects.readers[o][:at] + objects.readers[o][at + 1:])


BLOCKING = {"lock": "lock", "read-lock": "read", "write-lock": "write", "spin-lock": "spin", "wait": "wait"}


def step(operation, t, objects):
    """One step that is about no other thread's place: None if it cannot move, "assertion", or (result, objects)."""
    name, o = operation.name, operation.object
    if name in BLOCKING:
        taken = take(BLOCKING[name], o, t, objects)
        return None if taken is None else (1, taken)
    attempt, _, kind = name.partition("-")
    if attempt in ("try", "timed"):
        taken = take(kind, o, t, objects)
        return (0, objects) if taken is None else (1, taken)
    if name in ("unlock", "rw-unlock", "spin-unlock"):
        return 1, give(name, o, t, objects)
    if name == "post":
        return 1, put(objects, "semaphores", o, objects.semaphores[o] + 1)
    if name == "value":
        return objects.semaphores[o], objects
    return access(operation, objects) or "assertion"


# ---- condition variables ----

def sleepers(threads, places, o):
    return [u for u, (phase, results) in enumerate(places)
            if phase == ASLEEP and threads[u][len(results)].object == o]


def wake(threads, places, operation):
    """The places after a signal or broadcast: a signal wakes any one sleeper."""
    asleep = sleepers(threads, places, operation.object)
    if operation.name == "signal" and asleep:
        return [replaced(places, u, (SIGNALLED, places[u][1])) for u in asleep]
    for u in asleep:
        places = replaced(places, u, (SIGNALLED, places[u][1]))
    return [places]


def sleep(operation, t, places, objects):
    phase, results = places[t]
    o = operation.object
    if phase == 0:
        return [(replaced(places, t, (ASLEEP, results)), put(objects, "mutexes", o, FREE))]
    if phase == ASLEEP:
        return [(replaced(places, t, (TIMED_OUT, results)), objects)]
    if objects.mutexes[o] != FREE:
        return []
    return [(replaced(places, t, (0, results + (int(phase == SIGNALLED),))), put(objects, "mutexes", o, (t, 1)))]


# ---- the search ----

def succeeded(operation, result):
    if operation.name in ("compare-exchange-strong", "compare-exchange-weak"):
        return result >= SUCCESS
    return result == 1


def skip(thread, results):
    """The results, with 0 for those operations that are next but not performed."""
    performed = list(results)
    while len(performed) < len(thread):
        guard = thread[len(performed)].guard
        if guard is None or is_done(thread, performed, guard) == thread[len(performed)].needs_success:
            break
        performed.append(0)
    return tuple(performed)


def is_done(thread, results, index):
    guard = thread[index].guard
    is_performed = guard is None or is_done(thread, results, guard) == thread[index].needs_success
    return is_performed and succeeded(thread[index], results[index])


def settle(threads, places):
    return tuple((phase, skip(threads[t], results)) for t, (phase, results) in enumerate(places))


def successors_of(threads, t, places, objects):
    """Where one step of thread t leads to: a list; "assertion" is one of the places to end."""
    _, results = places[t]
    operation = threads[t][len(results)]
    if operation.name == "timed-sleep":
        return sleep(operation, t, places, objects)
    if operation.name in ("signal", "broadcast"):
        return [(replaced(woken, t, (0, results + (1,))), objects) for woken in wake(threads, places, operation)]
    after = step(operation, t, objects)
    if after is None or after == "assertion":
        return [after] if after else []
    return [(replaced(places, t, (0, results + (after[0],))), after[1])]


def digits(results):
    seen = 0
    for result in results:
        seen = seen * 100 + result
    return seen


def describe(threads, places, objects):
    words = [f"t{t + 1}={digits(results)}" for t, (_, results) in enumerate(places)]
    end = 0
    for cell, value in zip(objects.cells, objects.semaphores):
        end = (end * 100 + tell(cell)) * 10 + value
    return " ".join(sorted([*words, f"end={end}"]))


def outcomes(text):
    semaphores, threads = parse(text)
    objects = Objects((0, 0), (FREE, FREE), (None, None), ((), ()), (None, None), semaphores)
    start = (settle(threads, ((0, ()),) * len(threads)), objects)
    seen, stack, found = {start}, [start], set()
    while stack:
        places, objects = stack.pop()
        left = [t for t, (_, results) in enumerate(places) if len(results) < len(threads[t])]
        successors = [one for t in left for one in successors_of(threads, t, places, objects)]
        if not successors:
            found.add(("deadlock", "") if left else ("finished", describe(threads, places, objects)))
        for successor in successors:
            if successor == "assertion":
                found.add(("assertion", ""))
                continue
            state = (settle(threads, successor[0]), successor[1])
            if state not in seen:
                seen.add(state)
                stack.append(state)
    return found
