# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Small programs: events, outcomes, failures and deadlocks are those there are.
exec "$ROOT/tests/unfolding/run" random 40
