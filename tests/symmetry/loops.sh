# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Threads that are the same and wait in loops, use a file, or handle signals: --symmetry auto shows what off does.
"$ROOT/tests/symmetry/loops" plain 12 && "$ROOT/tests/symmetry/loops" files 8 && "$ROOT/tests/symmetry/loops" signals 8
