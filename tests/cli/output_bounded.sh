# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# What a failing program prints is kept, but not without bound: past a megabyte its writes fail.
. "$ROOT/tests/helpers.bash"

cat >program.c <<'C'
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  static char block[65536];
  for (unsigned i = 0; i < sizeof block; i++) block[i] = "0123456789abcde\n"[i % 16];
  for (int i = 0; i < 64; i++)
    if (write(1, block, sizeof block) != sizeof block) {
      close(open("bounded", O_CREAT | O_WRONLY, 0600));
      break;
    }
  assert(0);
}
C
expect_status 1 "$HEDDLE" run --files real -o out program.c
[ -e bounded ] || fail "the program could print four megabytes"
[ "$(stat -c %s out/bug-1/output)" = 1048576 ] || fail "kept $(stat -c %s out/bug-1/output) bytes"
