# SPDX-License-Identifier: MIT
"""Random small programs, whose states a model finds by trying every interleaving, and `heddle query` about states that
are and are not among them.

    query_random.py HEDDLE SEED PROGRAMS QUESTIONS      works in the current directory
"""
import json
import random
import subprocess
import sys

VARIABLES = ["a", "b"]


def make_thread(rng):
    """Operations: ("read", v), ("write", v, k) writes local + k or k, ("if", k) skips the next unless local == k."""
    operations, locked = [], False
    for _ in range(rng.randint(2, 4)):
        kind = rng.choice(["read", "write", "store", "if", "lock"])
        if kind == "read":
            operations.append(("read", rng.choice(VARIABLES)))
        elif kind == "write":
            operations.append(("write", rng.choice(VARIABLES), rng.randint(1, 2)))
        elif kind == "store":
            operations.append(("store", rng.choice(VARIABLES), rng.randint(0, 2)))
        elif kind == "if":
            operations.append(("if", rng.randint(0, 2)))
            operations.append(("store", rng.choice(VARIABLES), rng.randint(3, 4)))
        elif not locked:
            operations.append(("lock",))
            locked = True
    if locked:
        operations.append(("unlock",))
    return operations


C = {"read": "  l = {1};", "write": "  {1} = l + {2};", "store": "  {1} = {2};", "if": "  if (l == {1})",
     "lock": "  pthread_mutex_lock(&m);", "unlock": "  pthread_mutex_unlock(&m);"}


def write_program(threads, path):
    """Returns the line of every operation."""
    lines = ["#include <pthread.h>", "int a, b;", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"]
    places = []
    for number, operations in enumerate(threads):
        lines += [f"static void *thread{number}(void *unused) {{", "  int l = 0;"]
        places.append([])
        for operation in operations:
            lines.append(C[operation[0]].format(*operation))
            places[-1].append(len(lines))
        lines += ["  return (void *)(long)(l * 0);", "}"]
    lines += ["int main(void) {", f"  pthread_t t[{len(threads)}];"]
    lines += [f"  pthread_create(&t[{i}], 0, thread{i}, 0);" for i in range(len(threads))]
    lines += [f"  pthread_join(t[{i}], 0);" for i in range(len(threads))] + ["  return 0;", "}"]
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")
    return places


def settle(operations, position, local):
    """Passes what is not visible."""
    while position < len(operations) and operations[position][0] == "if":
        position += 1 if operations[position][1] == local else 2
    return position


def all_states(threads):
    """States: positions, locals, values, who has the lock."""
    start = (tuple(settle(t, 0, 0) for t in threads), (0,) * len(threads), (0,) * len(VARIABLES), None)
    seen, work = {start}, [start]
    while work:
        positions, local_values, values, owner = work.pop()
        for thread, operations in enumerate(threads):
            if positions[thread] == len(operations):
                continue
            operation = operations[positions[thread]]
            local, now, holder = local_values[thread], list(values), owner
            if operation[0] == "read":
                local = values[VARIABLES.index(operation[1])]
            elif operation[0] == "write":
                now[VARIABLES.index(operation[1])] = local + operation[2]
            elif operation[0] == "store":
                now[VARIABLES.index(operation[1])] = operation[2]
            elif operation[0] == "lock":
                if owner is not None:
                    continue
                holder = thread
            else:
                holder = None
            after = list(positions), list(local_values)
            after[0][thread] = settle(operations, positions[thread] + 1, local)
            after[1][thread] = local
            state = (tuple(after[0]), tuple(after[1]), tuple(now), holder)
            if state not in seen:
                seen.add(state)
                work.append(state)
    return seen


def shared(threads):
    """Variables that two threads use, one of them writing: only these does heddle know."""
    names = []
    for name in VARIABLES:
        users = [{o[0] == "read" for o in t if len(o) > 1 and o[1] == name and o[0] != "if"} for t in threads]
        users = [u for u in users if u]
        if len(users) > 1 and any(False in u for u in users):
            names.append(name)
    return names


def ask(rng, threads, places, states, names):
    """An expression, and whether it holds in a state. Half of the time taken from one that exists."""
    positions, _, values, _ = rng.choice(sorted(states, key=repr))
    values, positions = list(values), list(positions)
    if rng.random() < 0.6:
        for _ in range(rng.randint(1, 2)):
            if rng.random() < 0.5:
                values[rng.randrange(len(values))] = rng.randint(0, 5)
            else:
                thread = rng.randrange(len(threads))
                positions[thread] = rng.choice([p[0][thread] for p in sorted(states, key=repr)])
    wanted = [("value", name, values[VARIABLES.index(name)]) for name in names if rng.random() < 0.8]
    wanted += [("place", thread, positions[thread]) for thread in range(len(threads)) if rng.random() < 0.8]
    words, keys = [], []
    for kind, what, value in wanted:
        if kind == "value":
            words.append(f"{what} == {value}")
        elif value == len(threads[what]):
            words.append(f"t{what + 1}.ended")
        elif threads[what][value][0] in ("read", "write", "store") and threads[what][value][1] not in names:
            continue  # not visible
        else:
            words.append(f"t{what + 1}@{places[what][value]}")
        keys.append((kind, what, value))

    def holds(state):
        return all(state[2][VARIABLES.index(what)] == value if kind == "value" else state[0][what] == value
                   for kind, what, value in keys)

    return " && ".join(words) or "1", any(holds(state) for state in states)


def run(*command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)


def test_program(heddle, seed, questions):
    rng = random.Random(seed)
    threads = [make_thread(rng) for _ in range(rng.randint(2, 3))]
    names = shared(threads)
    while len(names) < len(VARIABLES):
        threads = [make_thread(rng) for _ in range(rng.randint(2, 3))]
        names = shared(threads)
    places = write_program(threads, "random.c")
    states = all_states(threads)
    for strategy in ("unfolding", "contextual"):
        made = run(heddle, "run", "--strategy", strategy, "--races", "off", "--unfolding", "random.json", "random.c")
        if made.returncode != 0:
            sys.exit(f"seed {seed}: status {made.returncode} of {strategy}: {made.stdout}{made.stderr}")
        with open("random.json") as file:
            objects = [o["name"] for o in json.load(file)["objects"]]
        if not set(VARIABLES) <= set(objects):
            return 0  # one is only written where no run comes to: heddle does not call it shared
        for _ in range(questions):
            expression, expected = ask(rng, threads, places, states, names)
            answer = run(heddle, "query", "-o", "state", "random.json", expression)
            if answer.returncode != (0 if expected else 1):
                sys.exit(f"seed {seed}, {strategy}: {expression} should be {'' if expected else 'un'}reachable: "
                         f"{answer.stdout}{answer.stderr}")
    return len(states)


def main():
    heddle, seed, programs, questions = sys.argv[1], *map(int, sys.argv[2:])
    states = sum(test_program(heddle, seed + i, questions) for i in range(programs))
    print(f"{programs} programs, {states} states")


main()
