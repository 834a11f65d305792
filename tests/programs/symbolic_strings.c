// SPDX-License-Identifier: MIT
// String functions over symbolic bytes: each byte they look at is a decision, and what they say is so on every path.
// Paths: strcmp 4, strncmp 3, memcmp 5, strlen 4, strchr 7, strstr 18, strrchr 7, copies 4.
// heddle: --check-solver
// expect: exit=0 verdict=clean paths=52
#include "heddle.h"
#include <assert.h>
#include <string.h>

char s[4];

static void compare(void) {
  const int result = strcmp(s, "ab");
  if (result == 0)
    assert(s[0] == 'a' && s[1] == 'b' && s[2] == 0);
  else
    assert(s[0] != 'a' || s[1] != 'b' || s[2] != 0);
}

static void compare_some(void) {
  const int result = strncmp(s, "abc", 2);
  if (result == 0)
    assert(s[0] == 'a' && s[1] == 'b');
  else
    assert(s[0] != 'a' || s[1] != 'b');
}

static void compare_memory(void) {
  const int result = memcmp(s, "xy", 2);
  const unsigned char *u = (const unsigned char *)s;
  if (result < 0)
    assert(u[0] < 'x' || (u[0] == 'x' && u[1] < 'y'));
  else if (result > 0)
    assert(u[0] > 'x' || (u[0] == 'x' && u[1] > 'y'));
  else
    assert(u[0] == 'x' && u[1] == 'y');
}

static void length(void) {
  const size_t n = strlen(s);
  heddle_observe("length", (long)n);
  assert(s[n] == 0);
  for (size_t i = 0; i < n; i++) assert(s[i] != 0);
}

static void find(void) {
  const char *found = strchr(s, ',');
  heddle_observe("comma", found ? found - s : -1);
  if (found) assert(*found == ',');
}

static void find_string(void) {
  const char *found = strstr(s, "ab");
  heddle_observe("ab", found ? found - s : -1);
  if (found) assert(found[0] == 'a' && found[1] == 'b');
}

static void find_last(void) {
  char two[3] = {s[0], s[1], 0};
  const char *found = strrchr(two, ',');
  heddle_observe("last", found ? found - two : -1);
  if (found) assert(*found == ',' && found[1] != ',');
}

static void copy(void) {
  char long_one[8], *end = strcpy(long_one, s) + strlen(s);
  strcat(long_one, "!");
  assert(*end == '!' && end[1] == 0 && long_one[0] == (end == long_one ? '!' : s[0]));
}

int main(void) {
  static void (*const checks[])(void) = {compare, compare_some, compare_memory, length,
                                         find,    find_string,  find_last,      copy};
  heddle_input_bytes("s", s, 3);
  switch (heddle_input_range("which", 0, 7)) {
  case 0: checks[0](); break;
  case 1: checks[1](); break;
  case 2: checks[2](); break;
  case 3: checks[3](); break;
  case 4: checks[4](); break;
  case 5: checks[5](); break;
  case 6: checks[6](); break;
  default: checks[7](); break;
  }
  return 0;
}
// observe: length=0
// observe: length=1
// observe: length=2
// observe: length=3
// observe: comma=-1
// observe: comma=0
// observe: comma=1
// observe: comma=2
// observe: ab=-1
// observe: ab=0
// observe: ab=1
// observe: last=-1
// observe: last=0
// observe: last=1
