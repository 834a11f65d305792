# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The names of the JSON object, with their types; on standard output with "-".
. "$ROOT/tests/helpers.bash"
expect_status 1 "$HEDDLE" run --json - "$(example bank)"
python3 - <<'PYTHON' || fail "the JSON object"
import json
report = json.load(open("stdout"))
wanted = {
    "verdict": str, "complete": bool, "strategy": str, "seed": int, "runs": int, "learning_runs": int, "blocked_runs": int,
    "deadlocked_runs": int, "truncated_runs": int, "events": int, "thread_events": int, "structure_bytes": int, "deadlock_seconds": (int, float),
    "visible_operations": int, "threads": int, "seconds": (int, float),
    "runs_per_second": (int, float), "peak_rss_kb": int, "solver": dict, "branches": dict, "bugs": list, "warnings": list,
    "observations": list, "inputs": int, "paths": int, "concretised": list, "tests": int,
}
for name, kind in wanted.items():
    assert name in report, f"no {name}"
    assert isinstance(report[name], kind), f"{name} is {report[name]!r}"
assert set(report["solver"]) >= {"queries", "z3_queries", "sat", "unsat", "unknown", "seconds", "stages"}, report["solver"]
assert set(report["branches"]) >= {"covered", "total"}, report["branches"]
assert report["verdict"] == "bug" and len(report["bugs"]) == 1
bug = report["bugs"][0]
assert set(bug) >= {"kind", "message", "file", "line", "function", "threads", "inputs", "directory"}, bug
assert bug["kind"] == "deadlock" and bug["file"].endswith("bank.c") and bug["function"] == "transfer"
PYTHON
