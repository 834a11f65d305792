# SPDX-License-Identifier: MIT
"""What the programs of program.c can do, worked out without heddle, by going through all their configurations.

    python3 tests/unfolding/model.py 's0 r0 w1 v0 | p0 r1 w0'

An event is known by its operation and by the events it comes right after: the one before in its thread, and those that
left the object as it finds it. In the ordinary unfolding a write comes after the last write and the last read of each
thread since, in the contextual one after the last write only. Operations on a semaphore are all dependent, as are those on a mutex. So
configurations that differ in the order of independent events only come to the same state, and events that several
configurations share are one.
"""
import re
import sys
from collections import namedtuple

INITIAL = 0  # stands for what there is before all events
Operation = namedtuple("Operation", "kind object forbidden")
State = namedtuple("State", "places last writers readers numbers seen")
Result = namedtuple("Result", "ordinary contextual last_events traces deadlocks failures outcomes ends")
# outcomes: what threads have observed at the end of runs that end by themselves, that is in which main reaches its end
# deadlocks: traces that end otherwise; ends: how far the threads come in all traces


def parse(text):
    """(initial values of the semaphores, threads as lists of operations)"""
    semaphores = {}
    found = re.match(r" *s(\d*)", text)
    if found:
        semaphores = {("s", i): int(digit) for i, digit in enumerate(found.group(1))}
        text = text[found.end():]
    threads = [[Operation(kind, int(number), forbidden) for kind, number, forbidden in re.findall(r"([rwlupvj])(\d)(?:f(\d\d))?", part)]
               for part in text.split("|")]
    return semaphores, threads


def object_of(operation):
    space = {"r": "x", "w": "x", "l": "m", "u": "m", "p": "s", "v": "s", "j": "t"}[operation.kind]
    return space, operation.object


def encode(values):
    number = 0
    for value in values:
        number = number * 64 + value
    return number


class Explorer:
    def __init__(self, text, contextual):
        self.semaphores, self.threads = parse(text)
        self.contextual = contextual
        self.events = {}  # what makes an event the same -> its number
        self.writes = {INITIAL: 0}  # the value that an event wrote
        self.joins = 0
        self.traces = self.deadlocks = 0
        self.failures = set()
        self.outcomes = set()
        self.ends = set()

    def event(self, thread, place, causes, kind):
        key = thread, place, causes
        if key not in self.events:
            self.events[key] = len(self.events) + 1
            self.joins += kind == "j"
        return self.events[key]

    def can_move(self, state, operation):
        number = state.numbers.get(object_of(operation), 0)
        if operation.kind == "l":
            return number == 0
        if operation.kind == "p":
            return number > 0
        if operation.kind == "j":
            return state.places[operation.object] == len(self.threads[operation.object])
        return True

    def causes(self, state, thread, operation):
        object_ = object_of(operation)
        causes = [state.last[thread]]
        if operation.kind == "j":
            causes.append(state.last[operation.object])
        elif operation.kind != "u":
            causes.append(state.writers.get(object_, INITIAL))
        if operation.kind == "w" and not self.contextual:
            causes.append(tuple(sorted(state.readers.get(object_, {}).items())))
        return tuple(causes)

    def step(self, state, t):
        """The state after the next operation of thread t, None where an assertion failed."""
        place = state.places[t]
        operation = self.threads[t][place]
        object_ = object_of(operation)
        event = self.event(t, place, self.causes(state, t, operation), operation.kind)
        writers, readers, numbers, seen = dict(state.writers), dict(state.readers), dict(state.numbers), list(state.seen)
        if operation.kind == "r":
            value = self.writes[writers.get(object_, INITIAL)]
            readers[object_] = {**readers.get(object_, {}), t: event}
            seen[t] += (value,)
            if operation.forbidden and value == 16 * int(operation.forbidden[0]) + int(operation.forbidden[1]):
                self.failures.add((t, place))
                return None
        elif operation.kind != "j":
            writers[object_] = event
            readers.pop(object_, None)
            self.writes[event] = 16 * t + place + 1
            numbers[object_] = numbers.get(object_, 0) + {"l": 1, "v": 1, "u": -1, "p": -1, "w": 0}[operation.kind]
        places = state.places[:t] + (place + 1,) + state.places[t + 1:]
        return State(places, state.last[:t] + (event,) + state.last[t + 1:], writers, readers, numbers, tuple(seen))

    def key(self, state):
        readers = () if self.contextual else tuple(sorted((o, tuple(sorted(r.items()))) for o, r in state.readers.items()))
        return state.last, tuple(sorted(state.writers.items())), readers

    def end(self, state):
        self.traces += 1
        self.ends.add(state.places)
        if state.places[-1] < len(self.threads[-1]):
            self.deadlocks += 1
            return
        for t, operations in enumerate(self.threads):
            if state.places[t] == len(operations):
                self.outcomes.add(f"t{t}={encode(state.seen[t])}")

    def explore(self):
        count = len(self.threads)
        states = [State((0,) * count, (INITIAL,) * count, {}, {}, dict(self.semaphores), ((),) * count)]
        while states:
            following = {}
            for state in states:
                movers = [t for t in range(count) if state.places[t] < len(self.threads[t])
                          and self.can_move(state, self.threads[t][state.places[t]])]
                if not movers:
                    self.end(state)
                for t in movers:
                    after = self.step(state, t)
                    if after:
                        following.setdefault(self.key(after), after)
            states = list(following.values())
        return self

    def last_events(self):
        """How many events are the last of their thread, for the thread that has most of them: so many runs are needed."""
        return max(sum(thread == t and place == len(operations) - 1 for thread, place, _ in self.events)
                   for t, operations in enumerate(self.threads))


def explore(text):
    ordinary, contextual = Explorer(text, False).explore(), Explorer(text, True).explore()
    return Result(len(ordinary.events) - ordinary.joins, len(contextual.events) - contextual.joins,
                  (ordinary.last_events(), contextual.last_events()), ordinary.traces, ordinary.deadlocks, ordinary.failures, ordinary.outcomes,
                  ordinary.ends)


if __name__ == "__main__":
    result = explore(sys.argv[1])
    print("ordinary", result.ordinary, "contextual", result.contextual, "last", *result.last_events, "traces", result.traces, "deadlocks", result.deadlocks)
