# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# With a bound on preemptions, the search with reduction shows what the one without it shows.
exec "$ROOT/tests/agree/bounds" 20
