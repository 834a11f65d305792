#!/bin/bash
# SPDX-License-Identifier: MIT
# The probes of a configure script get the answers that cc would give.
. "$(dirname "$0")/library.bash"
cc=("$HEDDLE" cc)

# probe_link NAME LIBRARIES: as AC_CHECK_FUNCS and AC_CHECK_LIB write it
probe_link() {
  cat > conftest.c << C
#ifdef __cplusplus
extern "C"
#endif
char $1 ();
int main (void) { return $1 (); ; return 0; }
C
  "${cc[@]}" -o conftest -g -O2 conftest.c $2 > out 2>&1
}

for name in printf strlen malloc pthread_create fork memcpy mmap clock_gettime strcasecmp getaddrinfo; do
  probe_link $name || { cat out; fail "function $name should be found"; }
done
for name in strlcpy_of_nowhere gethostbyhand pthread_flurb; do
  probe_link $name && fail "function $name should not be found"
done
probe_link cos -lm || fail "cos in -lm should be found"
probe_link deflate_of_nowhere -lm && fail "deflate_of_nowhere should not be found in -lm"
probe_link cos -lmissing_library && fail "-lmissing_library should not be found"

echo '#include <stdint.h>
#include <stdio.h>
int main (void) { FILE *f = fopen ("conftest.out", "w"); return ferror (f) || fclose (f) != 0 || sizeof (long) != 8; }' > conftest.c
works "${cc[@]}" -o conftest conftest.c
works ./conftest
[ -e conftest.out ] || fail "the probe that runs wrote no file"
echo '#include <no/such/header.h>' > conftest.c
breaks "${cc[@]}" -c conftest.c
echo 'int main (void) { return 3; }' > conftest.c
works "${cc[@]}" conftest.c
./a.out
expect "status of a run" 3 $?
echo 'choke me' > conftest.c
breaks "${cc[@]}" -c conftest.c
printf 'int main (void) { static int test_array [1 - 2 * !(((long int) (sizeof (int))) <= 2)]; return test_array [0]; }\n' > conftest.c
breaks "${cc[@]}" -c conftest.c
for flag in -qversion -V; do breaks "${cc[@]}" $flag; done
works "${cc[@]}" -v
finish
