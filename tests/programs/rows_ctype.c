// SPDX-License-Identifier: MIT
// The functions of <ctype.h>, and numbers in strings.
// expect: exit=0 verdict=clean runs=1 warnings=0
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One bit per class. */
static unsigned classes(int c) {
  const int answers[] = {isalnum(c), isalpha(c), isblank(c), iscntrl(c), isdigit(c), isgraph(c),
                         islower(c), isprint(c), ispunct(c), isspace(c), isupper(c), isxdigit(c)};
  unsigned bits = 0;
  for (unsigned i = 0; i < sizeof answers / sizeof *answers; i++) bits |= (answers[i] != 0) << i;
  return bits;
}

int main(void) {
  assert(classes('a') == (1 | 2 | 32 | 64 | 128 | 2048));
  assert(classes('G') == (1 | 2 | 32 | 128 | 1024));
  assert(classes('7') == (1 | 16 | 32 | 128 | 2048));
  assert(classes(' ') == (4 | 128 | 512));
  assert(classes('\n') == (8 | 512));
  assert(classes('%') == (32 | 128 | 256));
  assert(classes(EOF) == 0);
  assert(tolower('Q') == 'q' && tolower('q') == 'q' && toupper('q') == 'Q' && toupper('1') == '1');

  char text[] = "  -42x", large[] = "99999999999999999999", *end;
  assert(atoi(text) == -42 && atol(text) == -42 && atoll(text) == -42);
  assert(strtol(text, &end, 10) == -42 && end == strchr(text, 'x'));
  assert(strtoll("+17", NULL, 0) == 17 && strtoul("0x1f", NULL, 0) == 31 && strtoull("077", NULL, 8) == 63);
  errno = 0;
  assert(strtol(large, NULL, 10) == LONG_MAX && errno == ERANGE);
  return 0;
}
