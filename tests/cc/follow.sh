#!/bin/bash
# SPDX-License-Identifier: MIT
# Inputs are followed into every object of a program, however it is linked, although objects that ask for none are compiled
# without code for that (abi/kept.h); where they cannot be, it is said.
. "$(dirname "$0")/library.bash"
cc=("$HEDDLE" cc -g)

cat > part.c << 'C'
int classify(const int *x) { return *x == 123456 ? 2 : *x > 10; }
C
cat > main.c << 'C'
#include <assert.h>
#include <heddle.h>
int classify(const int *x);
int main(void) {
  int x = heddle_input_int("x");
  assert(classify(&x) != 2);
  return 0;
}
C
cat > plain.c << 'C'
#include <stdio.h>
int classify(const int *x);
int main(int argc, char **argv) {
  int x = getchar() == 'x' ? 123456 : argc;
  return classify(&x) == 2;
}
C

# has FILE SECTION
has() { readelf -SW "$1" | grep -q " $2 "; }
# finds WHAT PROGRAM...: heddle finds the one input that fails
finds() {
  local what=$1
  shift
  "$HEDDLE" run "$@" > out 2>&1
  expect "$what" 1 $?
  says "int x = 123456"
}

works "${cc[@]}" -c main.c
works "${cc[@]}" -c part.c
works "${cc[@]}" -c plain.c
has main.o heddle_inputs && ! has main.o heddle_plain || fail "an object that asks for inputs does not follow them"
has part.o heddle_plain && has part.o .heddle.module || fail "an object that asks for none follows them"

works "${cc[@]}" -o program main.o part.o
finds "objects" ./program
has program heddle_plain && fail "some code of the program does not follow inputs"
works "${cc[@]}" -o program part.o main.c
finds "an object and a source" ./program
finds "an object and a source, by run" main.c part.o
finds "sources" main.c part.c
works "${cc[@]}" -ffunction-sections -O2 -c -o sections.o part.c
works "${cc[@]}" -o program main.o sections.o -Wl,--gc-sections -Wl,-s
finds "sections that are left out" ./program

# What is compiled again is kept, and not used if it is damaged.
export XDG_CACHE_HOME=$work/cache HEDDLE_CACHE_SIZE=1
for round in "compiled" "kept" "damaged"; do
  works "${cc[@]}" -o program main.o part.o
  finds "$round" ./program
  expect "entries" 1 "$(find cache/heddle -type f | wc -l)"
  [ "$round" = compiled ] || printf 'x' | dd of="$(echo cache/heddle/*)" bs=1 seek=2000 conv=notrunc status=none
done
unset XDG_CACHE_HOME
export HEDDLE_CACHE_SIZE=0

# Archives: members of one name, and one that is not heddle's.
mkdir -p library other
echo 'int unrelated(void) { return 1; }' > other/part.c
clang-19 -c -o foreign.o other/part.c
works "${cc[@]}" -Dunrelated=another -c -o other/part.o other/part.c
ar qcs library/libpart.a foreign.o other/part.o part.o
works "${cc[@]}" -o program main.o -Llibrary -lpart
finds "an archive by -l" ./program
works "${cc[@]}" -o program main.o -Llibrary -l:libpart.a
finds "an archive by -l:" ./program
works "${cc[@]}" -o program main.o library/libpart.a
finds "an archive by name" ./program
works "${cc[@]}" -o program main.o -Wl,--whole-archive library/libpart.a -Wl,--no-whole-archive
finds "a whole archive" ./program

# Relocatable objects and shared libraries follow inputs from the start.
works "${cc[@]}" -r -o relocatable.o part.o foreign.o
works "${cc[@]}" -o program main.o relocatable.o
finds "-r" ./program
works "${cc[@]}" -shared -o library/libshared.so part.o
works "${cc[@]}" -o program main.o -Llibrary -lshared
finds "-shared" ./program

# What something else has changed is not compiled again: that would undo the change.
ld -r -o joined.o part.o other/part.o
breaks "${cc[@]}" -o program main.o joined.o
says "compile them with --heddle-follow"
[ ! -e program ] || fail "a program that does not follow its inputs was linked"
objcopy --weaken-symbol=classify part.o weak.o
breaks "${cc[@]}" -o program main.o weak.o
says "compile them with --heddle-follow"
works "${cc[@]}" --heddle-follow -c -o followed.o part.c
objcopy --weaken-symbol=classify followed.o weak.o
works "${cc[@]}" -o program main.o weak.o
finds "--heddle-follow" ./program

# Asked for by an object that heddle did not compile: the runs stop there.
clang-19 -c -I"$(dirname "$HEDDLE")/include" -o foreign_main.o main.c
works "${cc[@]}" -o program foreign_main.o part.o
"$HEDDLE" run ./program > out 2>&1
expect "inputs that nobody announced" 3 $?
says "inputs in a program that is built without code that follows them"

# Without inputs, nothing is compiled again; options that bring inputs need code that follows them.
works "${cc[@]}" -o program plain.o part.o
has program heddle_plain || fail "a program without inputs follows them"
works "$HEDDLE" run ./program
for option in "--sym-stdin 1" "--sym-args 1 1" "--strategy con2colic"; do
  # shellcheck disable=SC2086
  "$HEDDLE" run $option ./program > out 2>&1
  expect "$option" 2 $?
  says "build it with 'heddle cc --heddle-follow'"
done
"$HEDDLE" replay --inputs /dev/null --sym-stdin 1 ./program > out 2>&1
expect "a replay" 2 $?
works "${cc[@]}" --heddle-follow -o program plain.o part.o
"$HEDDLE" run --sym-stdin 1 ./program > out 2>&1
expect "--sym-stdin" 1 $?
"$HEDDLE" run --sym-stdin 1 plain.c part.o > out 2>&1
expect "--sym-stdin, built by run" 1 $?
works "${cc[@]}" -o program plain.c part.c
"$HEDDLE" run --sym-stdin 1 ./program > out 2>&1
expect "--sym-stdin, compiled and linked at once" 1 $?

# An object that was damaged is an error, or as good as before.
size=$(stat -c %s part.o)
for at in $(seq 64 $((size / 40)) "$size"); do
  cp part.o damaged.o
  printf '\377' | dd of=damaged.o bs=1 seek="$at" conv=notrunc status=none
  "${cc[@]}" -o damaged main.o damaged.o > out 2>&1
  [ $? -le 1 ] || { cat out >&2; fail "a damaged object, at byte $at"; }
done
finish
