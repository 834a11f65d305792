# SPDX-License-Identifier: MIT
"""What the programs of agree.c can do, worked out without heddle: all interleavings, by search over states.

    outcomes(text)    of a program as `agree NUMBER print` prints it: a set of (how the run ended, observations), where it
                      ended "finished", "deadlock" or "assertion"
"""


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


def step(operation, phase, register, t, plain, atomics, held, semaphores):
    """One step of a thread: None if it cannot move, "assertion", or (done, what it saw, register, state...)."""
    name, o, value = operation
    if name == "read":
        return True, plain[o], 0, plain, atomics, held, semaphores
    if name == "write":
        return True, 0, 0, replaced(plain, o, value), atomics, held, semaphores
    if name == "add":
        if phase == 0:
            return False, 0, plain[o], plain, atomics, held, semaphores
        return True, 0, 0, replaced(plain, o, register + value), atomics, held, semaphores
    if name == "atomic-add":
        return True, atomics[o], 0, plain, replaced(atomics, o, atomics[o] + value), held, semaphores
    if name == "compare-exchange":
        done = atomics[o] == 0
        return True, int(done), 0, plain, replaced(atomics, o, value) if done else atomics, held, semaphores
    if name == "lock":
        return None if held[o] is not None else (True, 0, 0, plain, atomics, replaced(held, o, t), semaphores)
    if name == "unlock":
        return True, 0, 0, plain, atomics, replaced(held, o, None), semaphores
    if name == "trylock":
        if phase == 1:
            return True, 1, 0, plain, atomics, replaced(held, o, None), semaphores
        if held[o] is not None:
            return True, 0, 0, plain, atomics, held, semaphores
        return False, 0, 0, plain, atomics, replaced(held, o, t), semaphores
    if name == "wait":
        return None if semaphores[o] == 0 else (True, 0, 0, plain, atomics, held, replaced(semaphores, o, semaphores[o] - 1))
    if name == "post":
        return True, 0, 0, plain, atomics, held, replaced(semaphores, o, semaphores[o] + 1)
    if name == "check":
        return "assertion" if plain[o] == value else (True, 0, 0, plain, atomics, held, semaphores)
    raise ValueError(name)


def condition_steps(operation, phase, t, places, plain, atomics, held, semaphores):
    """Successors of a step on a condition variable. In phase 1 a thread sleeps, in phase 2 it was signalled."""
    name, o, _ = operation
    at, _, _, seen = places[t]
    done = (at + 1, 0, 0, seen * 16)
    if name == "sleep":
        if phase == 0:
            return [(replaced(places, t, (at, 1, "asleep on " + str(o), seen)), plain, atomics, replaced(held, o, None), semaphores)]
        if phase == 2 and held[o] is None:
            return [(replaced(places, t, done), plain, atomics, replaced(held, o, t), semaphores)]
        return []
    return [(replaced(woken, t, done), plain, atomics, held, semaphores) for woken in wake(operation, places)]


def wake(operation, places):
    """The places of all threads after a signal or broadcast: a signal wakes any one sleeper."""
    asleep = [u for u, place in enumerate(places) if place[1:3] == (1, "asleep on " + str(operation[1]))]
    if operation[0] == "signal" and asleep:
        return [replaced(places, u, (places[u][0], 2, 0, places[u][3])) for u in asleep]
    for u in asleep:
        places = replaced(places, u, (places[u][0], 2, 0, places[u][3]))
    return [places]


def describe(threads, places, plain, atomics, with_final):
    words = [f"t{t + 1}={seen}" for t, (at, _, _, seen) in enumerate(places) if at == len(threads[t])]
    if with_final:
        words.append(f"final={plain[0] + 16 * plain[1] + 256 * atomics[0] + 4096 * atomics[1]}")
    return " ".join(sorted(words))


def outcomes(text):
    initial, threads = parse(text)
    start = (tuple((0, 0, 0, 0) for _ in threads), (0, 0), (0, 0), (None, None), initial)
    seen_states, stack, found = {start}, [start], set()
    while stack:
        places, *state = stack.pop()
        moved = False
        for t, (at, phase, register, seen) in enumerate(places):
            if at == len(threads[t]):
                continue
            if threads[t][at][0] in ("sleep", "signal", "broadcast"):
                for successor in condition_steps(threads[t][at], phase, t, places, *state):
                    moved = True
                    if successor not in seen_states:
                        seen_states.add(successor)
                        stack.append(successor)
                continue
            result = step(threads[t][at], phase, register, t, *state)
            if result is None:
                continue
            moved = True
            if result == "assertion":
                found.add(("assertion", describe(threads, places, *state[:2], False)))
                continue
            done, value, register_after, *after = result
            place = (at + 1, 0, 0, seen * 16 + value) if done else (at, 1, register_after, seen)
            successor = (replaced(places, t, place), *after)
            if successor not in seen_states:
                seen_states.add(successor)
                stack.append(successor)
        if not moved:
            ended = all(at == len(threads[t]) for t, (at, *_) in enumerate(places))
            found.add(("finished" if ended else "deadlock", describe(threads, places, *state[:2], ended)))
    return found
