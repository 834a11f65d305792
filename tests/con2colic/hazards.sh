# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# con2colic testing finds what exhaustive finds between threads, or says that it has not looked at everything.
exec "$ROOT/tests/con2colic/hazards" 60
