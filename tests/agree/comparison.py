# SPDX-License-Identifier: MIT
"""Comparing strategies on the programs of attempts.c; tests/agree/attempts and tests/agree/campaign use it.

`exhaustive` is the reference, and is itself compared with what attempts_oracle.py works out without heddle. The others are run with several seeds, `optimal` with both orders. What is compared:

    oracle      the reference itself: its observations and findings are those of the oracle
    findings    (kind and line), of all others; but con2colic does not promise deadlocks
    classes     whole observations; and the strategy makes one run per Mazurkiewicz trace besides its blocked runs, where
                tests/traces/count.c counts the traces among the runs of `exhaustive`
    covers      whole observations, and at least one run per trace
    optimal     whole observations, one run per trace, and no run is blocked unless assertions fail
    observations  whole observations only
    local       what each thread observes, not what all of them observe together
    branches    the sides of branches that are covered, of the program that branches on everything its operations give; where
                con2colic says that it does not know an operation, no others than those of `exhaustive`

What others did before a thread fails is shown in one order only, if at all: in programs with failing assertions, the runs of
`classes` are compared as those of `covers`, and only those that end by themselves or in a deadlock.
"""
import collections
import json
import os
import re
import subprocess
import tempfile

import attempts_oracle

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.abspath(os.environ.get("BUILD", os.path.join(ROOT, "build")))
MOST_RUNS = 20000  # programs of more interleavings are left out

# A strategy joins by a line: how its results relate to those of the reference.
STRATEGIES = {
    "exhaustive": "oracle",
    "optimal": "optimal",
    "bounded": "covers",
    "dpor": "covers",
    "dpor-cr": "covers",
    "dpor-cr-sleep": "classes",
    "dpor-1": "classes",
    "dpor-2": "classes",
    "race-flip": "covers",
    "reachability": "covers",
    "unfolding": "local",
    "contextual": "local",
    "con2colic": "branches",
}
FAMILY = ["dpor", "dpor-cr", "dpor-cr-sleep", "dpor-1", "dpor-2", "race-flip"]
OPTIONS = {"optimal": [["--order", "random"], ["--order", "first"]], "reachability": [["--check-once"]]}

Traces = collections.namedtuple("Traces", "all failing")
Result = collections.namedtuple("Result", "explorations runs blocked problems")  # of one strategy on one program


def run(command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=600)
    return result.returncode, result.stdout.decode(errors="replace")


def build(place):
    program = os.path.join(place, "attempts")
    subprocess.run([os.path.join(BUILD, "heddle"), "cc", "-g", "-o", program, os.path.join(HERE, "attempts.c")], check=True)
    return program


def explore(program, arguments, *options):
    """The JSON of one exploration, with the covered sides of branches."""
    with tempfile.TemporaryDirectory() as place:
        report, coverage = os.path.join(place, "report.json"), os.path.join(place, "coverage")
        command = [os.path.join(BUILD, "heddle"), "run", "--keep-going", "--minimise", "0", "--json", report, "--coverage", coverage,
                   "-o", os.path.join(place, "out"), *options, program, "--", *arguments]
        status, text = run(command)
        if status not in (0, 1, 3):
            raise RuntimeError(f"status {status}: {' '.join(command)}\n{text}")
        with open(report) as file:
            data = json.load(file)
        with open(coverage) as file:
            sides = [line.rsplit(",", 1) for line in file.read().splitlines() if line.startswith("BRDA:")]
        return {**data, "covered": {side for side, times in sides if times not in ("-", "0")}}


def count_traces(program, number):
    """All traces of a program, and those that end with a failed assertion."""
    status, text = run([os.path.join(BUILD, "tests/count-traces"), "exhaustive", program, "1", str(number)])
    match = re.fullmatch(r"runs \d+ blocked 0 traces (\d+) deadlocks \d+ failures (\d+)\n", text)
    if status != 0 or not match:
        raise RuntimeError(f"count-traces, {number}: status {status}: {text}")
    return Traces(int(match.group(1)), int(match.group(2)))


def findings(relation, data):
    kinds = ("deadlock", "livelock") if relation == "branches" else ()
    return {f"{bug['kind']}:{bug['line']}" for bug in data["bugs"] if bug["kind"] not in kinds}


def observed(relation, data):
    if relation == "branches":
        return data["covered"]
    outcomes = {" ".join(sorted(observation["outcome"].split())) for observation in data["observations"]}
    if relation != "local":
        return outcomes
    return {word for outcome in outcomes for word in outcome.split() if not word.startswith("end=")}


def describe(outcomes):
    return "; ".join(sorted(outcomes)[:3]) + (f"; {len(outcomes) - 3} more" if len(outcomes) > 3 else "")


def runs_to_the_end(data):
    return sum(observation["runs"] for observation in data["observations"]) + data["deadlocked_runs"]


def count_fits(relation, data, traces):
    """Are the runs of an exploration as many as there are traces?"""
    runs, blocked = data["runs"], data["blocked_runs"]
    if relation == "optimal":
        return runs - blocked == traces.all and (blocked == 0 or traces.failing > 0)
    if relation in ("local", "branches", "observations"):
        return True
    if traces.failing:
        return runs_to_the_end(data) >= traces.all - traces.failing
    return runs >= traces.all if relation == "covers" else runs - blocked == traces.all


def is_not_modelled(data):
    return any(warning["kind"] == "engine" and "does not know how this affects" in warning["message"] for warning in data["warnings"])


def disagreements(relation, data, reference, traces):
    """What is wrong with an exploration, as texts."""
    actual, wanted = (observed(relation, one) | findings(relation, one) for one in (data, reference))
    problems, is_partial = [], relation == "branches" and not data["complete"] and is_not_modelled(data)
    if not data["complete"] and not is_partial:
        problems.append("is not complete")
    if data["divergences"]:
        problems.append(f"has {data['divergences']} divergences")
    if wanted - actual and not is_partial:
        problems.append(f"misses {len(wanted - actual)} of {len(wanted)}: {describe(wanted - actual)}")
    if actual - wanted:
        problems.append(f"shows what exhaustive does not: {describe(actual - wanted)}")
    if not count_fits(relation, data, traces):
        problems.append(f"makes {data['runs']} runs, {data['blocked_runs']} blocked, of {traces.all} traces, {traces.failing} failing")
    return problems


def text_of(executable, number):
    return subprocess.run([executable, str(number), "print"], stdout=subprocess.PIPE, check=True).stdout.decode()


def compare_with_oracle(executable, number, reference):
    """What is wrong with the reference, as lines."""
    outcomes = attempts_oracle.outcomes(text_of(executable, number))
    wanted = {outcome for ended, outcome in outcomes if ended == "finished"} | {ended for ended, _ in outcomes if ended != "finished"}
    actual = observed("", reference) | {bug["kind"] for bug in reference["bugs"]}
    return [f"{number}: exhaustive {what}: {describe(difference)}"
            for what, difference in (("misses", wanted - actual), ("shows what cannot be", actual - wanted)) if difference]


class Program:
    """One of the programs; its reference explorations are made when they are needed."""

    def __init__(self, executable, number):
        self.executable, self.number = executable, number
        self.references = {}
        self.is_large = not self.reference("")["complete"]
        self.traces = None if self.is_large else count_traces(executable, number)

    def arguments(self, relation):
        return [str(self.number), *(["branches"] if relation == "branches" else [])]

    def reference(self, relation):
        key = relation == "branches"
        if key not in self.references:
            self.references[key] = explore(self.executable, self.arguments(relation), "--strategy", "exhaustive", "--max-runs", str(MOST_RUNS))
        return self.references[key]

    def compare(self, name, seeds):
        """One strategy with the seeds 1 .. seeds: a Result."""
        if STRATEGIES[name] == "oracle":
            reference = self.reference("")
            return Result(1, reference["runs"], 0, compare_with_oracle(self.executable, self.number, reference))
        relation, explorations, runs, blocked, problems = STRATEGIES[name], 0, 0, 0, []
        for options in OPTIONS.get(name, [[]]):
            for seed in range(1, seeds + 1):
                words = ["--strategy", name, *options, "--seed", str(seed)]
                data = explore(self.executable, self.arguments(relation), *words)
                found = disagreements(relation, data, self.reference(relation), self.traces)
                problems += [f"{self.number}: {' '.join(words)} {problem}" for problem in found]
                explorations, runs, blocked = explorations + 1, runs + data["runs"], blocked + data["blocked_runs"]
        return Result(explorations, runs, blocked, problems)
