# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Threads that are the same, explored once, show what they show when each is explored: on 60 random programs, and on 60 that also tell
# threads apart.
"$ROOT/tests/symmetry/run" 60 && exec "$ROOT/tests/symmetry/run" apart 60
