// SPDX-License-Identifier: MIT
// An index before a static array, by a pointer that walks.
// expect: exit=1 bug=memory line=BUG message~"4 bytes before the start of a variable: table"
static int table[16], count = 17;

int main(void) {
  int sum = 0;
  for (const int *place = table + 15; count > 0; place--, count--) sum += *place; /* BUG */
  return sum;
}
