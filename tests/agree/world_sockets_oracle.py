# SPDX-License-Identifier: MIT
"""What the programs of world_sockets.c can do, worked out by going through all their interleavings, without heddle.

outcomes(text) of what `world_sockets NUMBER print` prints: a set of observations, "a=... b=...", and "deadlock" if there is one.
"""
import collections

FAILED = 9
# What is in the streams and the queues of datagrams, whether streams are shut, who waits to be accepted (thread numbers of heddle,
# from 1), timers (None, "set" or "expired"), per thread the locks of both halves ("", "r", "w"), and per thread the next operation
# and what was observed.
State = collections.namedtuple("State", "streams shut queues waiting timers locks next seen")
WAITS = object()


def put(values, at, value):
    return tuple(value if i == at else old for i, old in enumerate(values))


def halves(at, value):
    return (0, 1) if value else (at,)


def conflicts(state, thread, at, value, mode):
    others = [locks[half] for t, locks in enumerate(state.locks) if t != thread for half in halves(at, value)]
    return any(lock == "w" or (lock and mode == "w") for lock in others)


def set_lock(state, thread, at, value, mode):
    own = tuple(mode if half in halves(at, value) else old for half, old in enumerate(state.locks[thread]))
    return state._replace(locks=put(state.locks, thread, own))


def ready(state):
    return bool(state.waiting) | 2 * bool(state.streams[0] or state.shut[0]) | 4 * (state.timers[0] == "expired")


def perform(state, thread, operation):
    """What the operation gives, and the state after it; WAITS if it cannot be performed."""
    kind, at, value = operation
    if kind == "send":
        if state.shut[at]:
            return FAILED, state
        return 0, state._replace(streams=put(state.streams, at, state.streams[at] + (thread + 1,)))
    if kind in ("receive", "try-receive"):
        if state.streams[at]:
            return state.streams[at][0], state._replace(streams=put(state.streams, at, state.streams[at][1:]))
        return (0 if state.shut[at] else FAILED if kind == "try-receive" else WAITS), state
    if kind == "shut":
        return 0, state._replace(shut=put(state.shut, at, True))
    if kind == "datagram":
        return 0, state._replace(queues=put(state.queues, at, state.queues[at] + (thread + 1,)))
    if kind == "take-datagram":
        if state.queues[at]:
            return state.queues[at][0], state._replace(queues=put(state.queues, at, state.queues[at][1:]))
        return (FAILED if value else WAITS), state
    if kind == "connect":
        return (0, state._replace(waiting=state.waiting + (thread + 1,))) if not state.waiting else (WAITS, state)
    if kind == "accept":
        return (state.waiting[0], state._replace(waiting=state.waiting[1:])) if state.waiting else (WAITS, state)
    if kind in ("look", "await"):
        return (ready(state) or (WAITS if kind == "await" else 0)), state
    if kind == "set":
        return 0, state._replace(timers=put(state.timers, at, "set"))
    if kind == "read-timer":
        return (1, state._replace(timers=put(state.timers, at, None))) if state.timers[at] == "expired" else (WAITS, state)
    if kind == "try-timer":
        return int(state.timers[at] == "expired"), state
    if kind in ("lock", "share", "try-lock"):
        mode = "r" if kind == "share" else "w"
        if conflicts(state, thread, at, value, mode):
            return (FAILED if kind == "try-lock" else WAITS), state
        return 0, set_lock(state, thread, at, value, mode)
    assert kind == "unlock"
    return 0, set_lock(state, thread, at, value, "")


def following(state, program):
    for timer, is_set in enumerate(state.timers):
        if is_set == "set":
            yield state._replace(timers=put(state.timers, timer, "expired"))
    for thread, operations in enumerate(program):
        if state.next[thread] == len(operations):
            continue
        result, after = perform(state, thread, operations[state.next[thread]])
        if result is not WAITS:
            yield after._replace(next=put(state.next, thread, state.next[thread] + 1),
                                 seen=put(state.seen, thread, state.seen[thread] * 10 + result))


def read_program(text):
    threads = {}
    for line in text.splitlines():
        thread, kind, at, value = line.split()
        threads.setdefault(int(thread), []).append((kind, int(at), int(value)))
    return [threads[t] for t in sorted(threads)]


def outcomes(text):
    program = read_program(text)
    n = len(program)
    start = State(((), ()), (False, False), ((), ()), (), (None, None), (("", ""),) * n, (0,) * n, (1,) * n)
    todo, known, found = [start], {start}, set()
    while todo:
        state = todo.pop()
        ended = all(place == len(operations) for place, operations in zip(state.next, program))
        after = [] if ended else list(following(state, program))
        if not after:
            found.add(" ".join(f"{'abc'[t]}={seen}" for t, seen in enumerate(state.seen)) if ended else "deadlock")
        for one in after:
            if one not in known:
                known.add(one)
                todo.append(one)
    return found
