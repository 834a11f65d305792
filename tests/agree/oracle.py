# SPDX-License-Identifier: MIT
"""What the programs of agree.c can do, worked out without heddle: all interleavings, by search over states.

    outcomes(text)    of a program as `agree NUMBER print` prints it: a set of (how the run ended, observations), where it
                      ended "finished", "deadlock" or "assertion". Where it names inputs, for all their values together.

A state is the places of the threads and the contents of the objects. A place is (next operation, phase, register, what
the thread saw so far); phase 0 is before the operation, the others are inside it.
"""
from collections import namedtuple

# Per object: plain and atomic variables, who holds the mutex or spinlock, the semaphore's value, who writes and who reads.
Objects = namedtuple("Objects", "plain atomics held spinning semaphores writer readers")

ASLEEP, SIGNALLED, TIMED_OUT = 1, 2, 3
ABOUT_OTHERS = ("sleep", "timed-sleep", "signal", "broadcast", "arrive")


def parse(text):
    semaphores, threads = (), []
    for line in text.splitlines():
        kind, _, rest = line.partition(":")
        if kind == "semaphores":
            semaphores = tuple(int(word) for word in rest.split())
        else:
            operations = [operation.split() for operation in rest.split(";") if operation.strip()]
            threads.append([(name, int(object_), int(value)) for name, object_, value in operations])
    return semaphores, threads


def replaced(values, index, value):
    return values[:index] + (value,) + values[index + 1:]


def put(objects, field, index, value):
    return objects._replace(**{field: replaced(getattr(objects, field), index, value)})


def without(readers, t):
    at = readers.index(t)
    return readers[:at] + readers[at + 1:]


def take(objects, name, o, t):
    """The objects after thread t took a lock, or None if it has to wait."""
    if name in ("lock", "trylock"):
        return None if objects.held[o] is not None else put(objects, "held", o, t)
    if name == "spin-lock":
        return None if objects.spinning[o] is not None else put(objects, "spinning", o, t)
    if objects.writer[o] is not None:
        return None
    if name in ("rd-lock", "try-read"):
        return put(objects, "readers", o, tuple(sorted(objects.readers[o] + (t,))))
    return None if objects.readers[o] else put(objects, "writer", o, t)


def give_back(objects, name, o, t):
    if name in ("unlock", "trylock"):
        return put(objects, "held", o, None)
    if name == "spin-unlock":
        return put(objects, "spinning", o, None)
    if t in objects.readers[o]:
        return put(objects, "readers", o, without(objects.readers[o], t))
    return put(objects, "writer", o, None)


def step(operation, phase, register, t, objects):
    """One step of a thread: None if it cannot move, "assertion", or (done, what it saw, register, objects)."""
    name, o, value = operation
    if name == "read":
        return True, objects.plain[o], 0, objects
    if name == "write":
        return True, 0, 0, put(objects, "plain", o, value)
    if name == "add":
        if phase == 0:
            return False, 0, objects.plain[o], objects
        return True, 0, 0, put(objects, "plain", o, register + value)
    if name == "atomic-add":
        return True, objects.atomics[o], 0, put(objects, "atomics", o, objects.atomics[o] + value)
    if name == "compare-exchange":
        done = objects.atomics[o] == 0
        return True, int(done), 0, put(objects, "atomics", o, value) if done else objects
    if name in ("lock", "spin-lock", "rd-lock", "wr-lock"):
        taken = take(objects, name, o, t)
        return None if taken is None else (True, 0, 0, taken)
    if name in ("unlock", "spin-unlock", "rw-unlock"):
        return True, 0, 0, give_back(objects, name, o, t)
    if name in ("trylock", "try-read", "try-write"):
        if phase == 1:
            return True, 1, 0, give_back(objects, name, o, t)
        taken = take(objects, name, o, t)
        return (True, 0, 0, objects) if taken is None else (False, 0, 0, taken)
    if name in ("wait", "trywait"):
        if objects.semaphores[o] == 0:
            return None if name == "wait" else (True, 0, 0, objects)
        return True, int(name == "trywait"), 0, put(objects, "semaphores", o, objects.semaphores[o] - 1)
    if name == "post":
        return True, 0, 0, put(objects, "semaphores", o, objects.semaphores[o] + 1)
    if name == "check":
        return "assertion" if objects.plain[o] == value else (True, 0, 0, objects)
    raise ValueError(name)


def done(place, value):
    return place[0] + 1, 0, 0, place[3] * 16 + value


def steps_about_others(operation, t, places, objects):
    """Successors of a step on a condition variable or barrier, which threads wait at."""
    name, o, _ = operation
    at, phase, _, seen = places[t]
    if name == "arrive":
        return [(arrive(o, t, places), objects)] if phase == 0 else []
    if name in ("signal", "broadcast"):
        return [(replaced(woken, t, done(woken[t], 0)), objects) for woken in wake(operation, places)]
    if phase == 0:
        return [(replaced(places, t, (at, ASLEEP, f"asleep on {o}", seen)), put(objects, "held", o, None))]
    successors = []
    if phase == ASLEEP and name == "timed-sleep":
        successors.append((replaced(places, t, (at, TIMED_OUT, 0, seen)), objects))
    if phase in (SIGNALLED, TIMED_OUT) and objects.held[o] is None:
        successors.append((replaced(places, t, done(places[t], int(phase == TIMED_OUT))), put(objects, "held", o, t)))
    return successors


def arrive(o, t, places):
    """The second one to arrive at a barrier opens it; of the two, the one with the lower number is the serial one."""
    waiting = [u for u, place in enumerate(places) if place[2] == f"at barrier {o}"]
    if not waiting:
        return replaced(places, t, (places[t][0], ASLEEP, f"at barrier {o}", places[t][3]))
    for u in [*waiting, t]:
        places = replaced(places, u, done(places[u], int(u == min([*waiting, t]))))
    return places


def wake(operation, places):
    """The places of all threads after a signal or broadcast: a signal wakes any one sleeper."""
    asleep = [u for u, place in enumerate(places) if place[1:3] == (ASLEEP, f"asleep on {operation[1]}")]
    if operation[0] == "signal" and asleep:
        return [replaced(places, u, (places[u][0], SIGNALLED, 0, places[u][3])) for u in asleep]
    for u in asleep:
        places = replaced(places, u, (places[u][0], SIGNALLED, 0, places[u][3]))
    return [places]


def describe(threads, places, objects, with_final):
    words = [f"t{t + 1}={seen}" for t, (at, _, _, seen) in enumerate(places) if at == len(threads[t])]
    if with_final:
        plain, atomics = objects.plain, objects.atomics
        words.append(f"final={plain[0] + 16 * plain[1] + 256 * atomics[0] + 4096 * atomics[1]}")
    return " ".join(sorted(words))


def successors_of(operation, t, places, objects):
    """Where one step of thread t leads to: a list; "assertion" is one of the places to end."""
    if operation[0] in ABOUT_OTHERS:
        return steps_about_others(operation, t, places, objects)
    at, phase, register, seen = places[t]
    result = step(operation, phase, register, t, objects)
    if result is None or result == "assertion":
        return [result] if result else []
    is_done, value, register_after, after = result
    return [(replaced(places, t, done(places[t], value) if is_done else (at, 1, register_after, seen)), after)]


INPUT_VALUES = range(4)


def outcomes(text):
    for name in ("input1", "input2"):
        if name in text:
            return set().union(*(outcomes(text.replace(name, str(value))) for value in INPUT_VALUES))
    return outcomes_of_numbers(text)


def outcomes_of_numbers(text):
    initial, threads = parse(text)
    nobody = (None, None)
    objects = Objects((0, 0), (0, 0), nobody, nobody, initial, nobody, ((), ()))
    start = (tuple((0, 0, 0, 0) for _ in threads), objects)
    seen_states, stack, found = {start}, [start], set()
    while stack:
        places, objects = stack.pop()
        moved = False
        for t, (at, *_) in enumerate(places):
            if at == len(threads[t]):
                continue
            for successor in successors_of(threads[t][at], t, places, objects):
                moved = True
                if successor == "assertion":
                    found.add(("assertion", describe(threads, places, objects, False)))
                elif successor not in seen_states:
                    seen_states.add(successor)
                    stack.append(successor)
        if not moved:
            ended = all(at == len(threads[t]) for t, (at, *_) in enumerate(places))
            found.add(("finished" if ended else "deadlock", describe(threads, places, objects, ended)))
    return found
