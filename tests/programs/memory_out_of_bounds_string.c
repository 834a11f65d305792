// SPDX-License-Identifier: MIT
// String functions are accesses like others: the zero byte has no room.
// expect: exit=1 bug=memory line=BUG message~"write of 6 bytes outside the heap block: heap block 1 of main"
#include <stdlib.h>
#include <string.h>

int main(int count, char **arguments) {
  const char *word = count > 5 ? arguments[1] : "words";
  char *copy = malloc(strlen(word));
  strcpy(copy, word); /* BUG */
  free(copy);
  return 0;
}
