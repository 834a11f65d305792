# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The runtime lets threads move when the state machines of src/model say that they can, and only then.
exec "$ROOT/tests/model/run"
