# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# scripts/deps is quick and quiet when everything is there; without root and sudo it prints the command.
. "$ROOT/tests/helpers.bash"
expect_status 0 "$ROOT/scripts/deps"
expect_equal output "$(cat stdout stderr)" ""
mkdir bin
printf '#!/bin/sh\necho 1000\n' >bin/id
printf '#!/bin/sh\nexit 1\n' >bin/dpkg-query
printf '#!/bin/sh\nexit 1\n' >bin/sudo
chmod +x bin/*
expect_status 2 env PATH="$PWD/bin:$PATH" "$ROOT/scripts/deps"
expect_text stderr "apt-get install -y --no-install-recommends clang-19"
