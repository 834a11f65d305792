#!/bin/bash
# SPDX-License-Identifier: MIT
# What gcc 12 accepts with a warning is accepted with a warning.
. "$(dirname "$0")/library.bash"
cc=("$HEDDLE" cc)

cat > implicit.c << 'C'
main() {
  int *pointer = 5;
  char *text = "x";
  unsigned *other = text;
  printf("%d\n", undeclared(20) + !pointer + !other);
  return 0;
}
undeclared(n) int n; { return n + 1; }
C
works "${cc[@]}" implicit.c -o program
says "warning: .*implicit"
expect "implicit declarations" 21 "$(./program)"
breaks "${cc[@]}" -Werror=implicit-function-declaration implicit.c -o program

cat > old.c << 'C'
#include <stdio.h>
int add(a, b)
int a, b;
{ return a + b; }
void (*handler)();
void greet(x) int x; { printf("greet %d\n", x); }
int main(argc, argv) int argc; char **argv; {
  handler = greet;
  handler(add(2, 3));
  return 0;
}
C
works "${cc[@]}" old.c -o program
expect "K&R definitions" "greet 5" "$(./program)"

cat > inline.h << 'C'
inline int twice(int n) { return 2 * n; }
inline int four_times(int n) { return twice(twice(n)); }
C
printf '#include "inline.h"\n#include <stdio.h>\nint part(int);\nint main(void) { printf("%%d\\n", four_times(3) + part(1)); return 0; }\n' > a.c
printf '#include "inline.h"\nint (*function)(int) = twice;\nint part(int n) { return function(n) + four_times(n); }\n' > b.c
for level in -O0 -O2; do
  works "${cc[@]}" $level a.c b.c -o program
  expect "bare inline at $level" 18 "$(./program)"
done
printf '#include "inline.h"\nextern inline int twice(int n);\nextern inline int four_times(int n);\n' > c.c
works "${cc[@]}" a.c b.c c.c -o program
expect "inline with its external definition" 18 "$(./program)"
works "${cc[@]}" -std=gnu89 -DX b.c -c
finish
