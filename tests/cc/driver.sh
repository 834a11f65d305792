#!/bin/bash
# SPDX-License-Identifier: MIT
# heddle cc takes the command lines that cc takes.
. "$(dirname "$0")/library.bash"
cc=("$HEDDLE" cc)

cat > main.c << 'C'
#include "part.h"
#include <stdio.h>
int main(void) { printf("part %d\n", part(NUMBER)); return 0; }
C
mkdir -p include library
echo 'int part(int n);' > include/part.h
printf '#include "part.h"\nint part(int n) { return n + 1; }\n' > part.c
printf '.globl answer\n.text\nanswer: movl $42, %%eax\nret\n' > answer.s
printf '#define VALUE 43\n.globl other\n.text\nother: movl $VALUE, %%eax\nret\n' > other.S

# Several files at once, and one by one.
works "${cc[@]}" -Iinclude -DNUMBER=4 main.c part.c -o program
expect "several files" "part 5" "$(./program)"
works "${cc[@]}" -I include -D NUMBER=5 -c main.c
works "${cc[@]}" -Iinclude -c -o p.o part.c
works "${cc[@]}" main.o p.o -o program
expect "objects" "part 6" "$(./program)"
works "${cc[@]}" main.o p.o
expect "a.out" "part 6" "$(./a.out)"
works "${cc[@]}" -Iinclude -c -DNUMBER=1 main.c part.c
works "${cc[@]}" -o program main.o part.o
expect "two objects of one command" "part 2" "$(./program)"

# Archives and libraries.
ar rcs library/libpart.a part.o
works "${cc[@]}" -o program main.o -Llibrary -lpart -lm -lpthread -pthread
expect "archive by -l" "part 2" "$(./program)"
works "${cc[@]}" -o program main.o library/libpart.a -Wl,--gc-sections -Xlinker -s
expect "archive by name" "part 2" "$(./program)"
breaks "${cc[@]}" -o program main.o -Llibrary -lmissing
says "cannot find -lmissing"
breaks "${cc[@]}" -o program main.o
says "undefined reference to .part"

# A shared library becomes part of the program.
works "${cc[@]}" -Iinclude -fPIC -c -o pic.o part.c
works "${cc[@]}" -shared -o library/libshared.so pic.o -Wl,-soname,libshared.so.1 -lc
works "${cc[@]}" -o program main.o -Llibrary -lshared
expect "shared library by -l" "part 2" "$(./program)"
works "${cc[@]}" -o program main.o -L library -l shared
expect "messages of a link" "" "$(cat out)"
expect "shared library by separate words" "part 2" "$(./program)"
works "${cc[@]}" -o program main.o library/libshared.so
expect "shared library by name" "part 2" "$(./program)"
works "${cc[@]}" -r -o both.o main.o part.o
works "${cc[@]}" both.o -o program
expect "-r" "part 2" "$(./program)"

# A library that heddle did not build, and that exists as a shared object only.
clang-19 -Iinclude -shared -fPIC -o library/libforeign.so part.c
works "${cc[@]}" -o program main.o -Llibrary -lforeign -Wl,-rpath,"$work/library"
says "heddle cc: note: -lforeign exists only as a shared library"
expect "foreign shared library" "part 2" "$(./program)"

# Assembly.
printf 'int answer(void), other(void);\nint main(void) { return answer() + other() - 85; }\n' > use.c
works "${cc[@]}" use.c answer.s other.S -o program
works ./program

# Dependencies.
works "${cc[@]}" -Iinclude -DNUMBER=1 -MD -MF main.dep -c main.c
expect "-MF target" "main.o:" "$(head -c 7 main.dep)"
grep -q part.h main.dep && grep -q stdio.h main.dep || fail "-MD lacks headers"
mkdir -p objects
works "${cc[@]}" -Iinclude -DNUMBER=1 -MMD -MP -c main.c -o objects/main.o
expect "default target" "objects/main.o:" "$(head -c 15 objects/main.d)"
grep -q stdio.h objects/main.d && fail "-MMD lists system headers"
works "${cc[@]}" -Iinclude -DNUMBER=1 -MMD -MT 'a b' -MF x.d -c main.c
expect "-MT" "a b:" "$(head -c 4 x.d)"
works "${cc[@]}" -Iinclude -MM part.c
says "^part.o: part.c"

# Passed through.
works "${cc[@]}" --version
says clang
works "${cc[@]}" -dumpmachine
works "${cc[@]}" -print-search-dirs
works "${cc[@]}" -v
works "${cc[@]}" -Iinclude -E part.c
says "return n + 1"
works "${cc[@]}" -Iinclude -S part.c
[ -e part.s ] || fail "-S made no part.s"
works "${cc[@]}" -Iinclude -fsyntax-only part.c

# Standard input, response files, -x.
echo 'int main(void) { return 3; }' | "${cc[@]}" -x c - -o program || fail "standard input"
./program
expect "standard input" 3 $?
cp part.c part.text
printf -- '-Iinclude "-DNUMBER=8"\n main.c -x c part.text -o program\n' > words
works "${cc[@]}" @words
expect "response file" "part 9" "$(./program)"
works "${cc[@]}" -Iinclude -E -o part.i part.c
works "${cc[@]}" -c part.i -o part.o
works "${cc[@]}" -Iinclude -DNUMBER=2 -flto -fPIE -pie -O2 -g3 -march=native -std=c11 -Wall main.c part.o -o program
expect "flags" "part 3" "$(./program)"

# What is wrong is said, with the status of cc.
echo 'int main(void) { return missing; }' > wrong.c
"${cc[@]}" wrong.c -o wrong > out 2>&1
expect "status of a compile error" 1 $?
says "wrong.c:1:.*error: use of undeclared identifier"
[ -e wrong ] && fail "a failed compilation left its output"
touch wrong.o
breaks "${cc[@]}" -c wrong.c
[ -e wrong.o ] && fail "a failed compilation left an old object"
breaks "${cc[@]}" -c -o /dev/null wrong.c
works "${cc[@]}" -Iinclude -c -o /dev/null part.c
[ -c /dev/null ] || fail "/dev/null is gone"
breaks "${cc[@]}" -Iinclude -c -o nowhere/part.o part.c
says "heddle cc: .*nowhere/part.o"
breaks "${cc[@]}" nowhere.c
says "nowhere.c"
breaks "${cc[@]}" -fsanitize=thread main.c
says "fsanitize=thread is not supported"
breaks "${cc[@]}" -c -o x.o main.c part.c
breaks "${cc[@]}"

# heddle.h is found.
printf '#include <heddle.h>\nint main(void) { return 0; }\n' > header.c
works "${cc[@]}" header.c -o program

# Same input, same bytes.
works "${cc[@]}" -O2 -Iinclude -DNUMBER=1 main.c part.c -o first
works "${cc[@]}" -O2 -Iinclude -DNUMBER=1 main.c part.c -o second
cmp first second || fail "two builds differ"
finish
