#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Deadlocks of pseudo-random programs: unfolding and contextual find those that exhaustive finds.
set -eu
"$ROOT/tests/unfolding/deadlocks" 60 1
