# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Traces of runs with symbolic reads: symbols, terms, decisions, cells, and where a thread that continues alone stops.
exec "$ROOT/tests/symbolic/run"
