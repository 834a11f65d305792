# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Executables of `heddle run` are kept: the compiler is called again exactly when the executable could be another one.
. "$ROOT/tests/helpers.bash"
export HEDDLE_CACHE_SIZE=100 XDG_CACHE_HOME=$PWD/cache
unset CPATH C_INCLUDE_PATH

clang=$(command -v clang-19)
mkdir bin
printf '#!/bin/sh\necho called >>"%s/calls"\nexec "%s" "$@"\n' "$PWD" "$clang" >bin/clang-19
chmod +x bin/clang-19
export PATH=$PWD/bin:$PATH
mkdir work && cd work || exit

# What was written in the same moment as the compiler started is not kept.
settle() { sleep 0.05; }

# expect_built WHY STATUS ARGUMENTS...; expect_kept WHY STATUS ARGUMENTS...: heddle run, with or without the compiler
expect_calls() { # WANTED WHY STATUS ARGUMENTS...
  local wanted=$1 why=$2 status=$3
  shift 3
  rm -f ../calls
  settle
  expect_status "$status" "$HEDDLE" run "$@"
  local calls=0
  [ ! -f ../calls ] || calls=$(wc -l <../calls)
  expect_equal "$why: calls of the compiler" "$calls" "$wanted"
}
expect_built() { expect_calls 1 "$@"; }
expect_kept() { expect_calls 0 "$@"; }

cat >program.c <<'END'
#include "value.h"
#include <assert.h>
int main(void) {
  assert(VALUE == 1);
  return 0;
}
END
echo '#define VALUE 1' >value.h

# A hit, with the same result.
expect_built "first" 0 program.c --json first.json
expect_kept "again" 0 program.c --json second.json
expect_kept "options of the exploration do not matter" 3 program.c --strategy random
[ "$(field first.json 'report["runs"], report["verdict"]')" = "$(field second.json 'report["runs"], report["verdict"]')" ] || fail "another result"
expect_built "--no-cache" 0 --no-cache program.c

# Headers and sources.
echo '#define VALUE 2' >value.h
expect_built "a changed header" 1 program.c
expect_kept "a changed header, again" 1 program.c
mkdir early
cp value.h late.h
echo '#define VALUE 1' >value.h
sed 's/"value.h"/<value.h>/' program.c >angle.c
expect_built "a header of a directory" 0 -I early -I . angle.c
expect_kept "a header of a directory, again" 0 -I early -I . angle.c
cp late.h early/value.h
expect_built "a header that appears in an earlier directory" 1 -I early -I . angle.c
rm early/value.h
expect_built "and goes" 0 -I early -I . angle.c
expect_built "a directory that is not there" 0 -I none -I . angle.c
expect_kept "a directory that is not there, again" 0 -I none -I . angle.c
mkdir none && cp late.h none/value.h
expect_built "a directory that appears" 1 -I none -I . angle.c
sed 's/== 1/== 1 || 1/' program.c >other.c
mv other.c program.c
expect_built "a changed source" 0 program.c
cat >asks.c <<'END'
#if __has_include("asked.h")
#error it is there
#endif
int main(void) { return 0; }
END
expect_built "a header that is asked for" 0 asks.c
expect_kept "a header that is asked for, again" 0 asks.c
touch asked.h
expect_built "a header that was asked for appears" 2 asks.c
mkdir directories
echo '#define VALUE 1' >directories/value.h
cp angle.c directories/program.c
expect_built "the same name elsewhere" 0 -I directories directories/program.c

# Flags, the environment, the current directory.
expect_built "another flag" 0 -DOTHER program.c
expect_built "another level" 0 -O1 program.c
expect_kept "the first flags again" 0 program.c
mkdir one two
echo '#define VALUE 1' >one/value.h
echo '#define VALUE 2' >two/value.h
mkdir apart
cp angle.c apart
export CPATH=one
expect_built "CPATH" 0 apart/angle.c
expect_kept "CPATH, again" 0 apart/angle.c
export CPATH=two
expect_built "another CPATH" 1 apart/angle.c
unset CPATH
export C_INCLUDE_PATH=one
expect_built "C_INCLUDE_PATH" 0 apart/angle.c
unset C_INCLUDE_PATH
cp -r ../work ../moved
cd ../moved || exit
expect_built "another directory: it is in the debug information" 0 program.c
cd ../work || exit
expect_kept "and back" 0 program.c
printf '#!/bin/sh\necho called >>"%s/../calls"\nexec "%s" "$@" \n' "$PWD" "$clang" >../bin/clang-19
expect_built "another compiler" 0 program.c

# What is not kept: times, warnings, flags that could make the compiler read more.
cat >times.c <<'END'
#include <stdio.h>
int main(void) { return puts(__TIME__) < 0; }
END
expect_built "__TIME__" 0 times.c
expect_built "__TIME__, again" 0 times.c
echo 'int main(void) { int unused; return 0; }' >warned.c
for time in first second; do
  expect_built "warnings, $time" 0 -Wall warned.c
  expect_text stderr "unused variable"
done
expect_built "-Wp" 0 -Wp,-DX program.c
expect_built "-Wp, again" 0 -Wp,-DX program.c
expect_refusal "$HEDDLE" run missing.c

# Several sources.
echo 'int two(void) { return 2; }' >two.c
echo 'int two(void); int main(void) { return two() != 2; }' >main.c
expect_calls 2 "two sources" 0 main.c two.c
expect_kept "two sources, again" 0 main.c two.c
echo 'int two(void) { return 3; }' >two.c
expect_calls 2 "one of two sources" 1 main.c two.c

# Every damage is seen; the entry is made again.
entry() { find "$XDG_CACHE_HOME/heddle" -type f -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d ' ' -f 2; }
expect_built "before damage" 0 -DDAMAGE program.c
whole=$(stat -c %s "$(entry)")
for at in 0 20 100 $((whole / 2)) $((whole - 1)); do
  expect_kept "before damage at $at" 0 -DDAMAGE program.c
  printf '\377' | dd of="$(entry)" bs=1 seek="$at" conv=notrunc status=none
  expect_built "damage at $at" 0 -DDAMAGE program.c
done
truncate -s $((whole / 2)) "$(entry)"
expect_built "half an entry" 0 -DDAMAGE program.c
truncate -s 0 "$(entry)"
expect_built "nothing of an entry" 0 -DDAMAGE program.c
expect_kept "after damage" 0 -DDAMAGE program.c

# Several at once.
for i in $(seq 8); do
  "$HEDDLE" run -DTOGETHER program.c -o "out-$i" >"together-$i" 2>&1 &
done
for job in $(jobs -p); do wait "$job" || fail "one of several at once"; done
expect_kept "after several at once" 0 -DTOGETHER program.c
[ -z "$(find "$XDG_CACHE_HOME/heddle" -name 'new-*')" ] || fail "something was left aside"

# The size is bounded; what was used last stays.
rm -r "$XDG_CACHE_HOME"
export HEDDLE_CACHE_SIZE=8
expect_built "used often" 0 -DOFTEN program.c
for i in 1 2 3 4; do
  expect_built "number $i" 0 -DN="$i" program.c
  expect_kept "used often, after $i" 0 -DOFTEN program.c
done
[ "$(du -sb "$XDG_CACHE_HOME/heddle" | cut -f 1)" -le 8010000 ] || fail "more than 8 MB"
expect_built "the oldest is gone" 0 -DN=1 program.c
export HEDDLE_CACHE_SIZE=0
expect_built "no cache" 0 -DOFTEN program.c
export HEDDLE_CACHE_SIZE=100

# A directory that cannot be used is not used.
echo file >"$PWD/occupied"
XDG_CACHE_HOME=$PWD/occupied expect_built "the cache's place is a file" 0 program.c
mkdir -m 777 shared shared/heddle
chmod 777 shared/heddle
XDG_CACHE_HOME=$PWD/shared expect_built "others could write there" 0 program.c
[ -z "$(ls shared/heddle)" ] || fail "written to a directory of others"
XDG_CACHE_HOME=/proc expect_built "a directory that nobody can write" 0 program.c
if [ "$(id -u)" != 0 ]; then
  mkdir -m 500 readonly
  XDG_CACHE_HOME=$PWD/readonly expect_built "a directory that cannot be written" 0 program.c
fi
unset XDG_CACHE_HOME HOME
expect_built "no home" 0 program.c
