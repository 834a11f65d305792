# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Traces of runs with symbolic reads: symbols, terms, decisions, cells, and where a thread that goes on alone stops.
exec "$ROOT/tests/symbolic/run"
