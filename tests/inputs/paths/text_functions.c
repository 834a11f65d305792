// SPDX-License-Identifier: MIT
// Functions of strings over a few bytes.
// paths: at least
#include "input.h"

#include <string.h>

static char symbol(void) {
  const long long choice = heddle_input_range("symbol", 0, 3);
  return (char)(choice ? 'a' + choice - 1 : 0);
}

int main(void) {
  char text[4] = {0}, copy[8];
  for (int i = 0; i < 3; i++) text[i] = symbol();
  switch (strlen(text)) {
  case 0: LEAF(0); break;
  case 1: LEAF(1); break;
  case 2: LEAF(2); break;
  default: LEAF(3);
  }
  const int order = strcmp(text, "ab");
  if (order < 0) LEAF(4);
  if (order == 0) LEAF(5);
  if (strncmp(text, "cca", 2) == 0) LEAF(6);
  if (strchr(text, 'b')) LEAF(7);
  if (strchr(text, 'b') == text + 2) LEAF(8);
  if (strrchr(text, 'a') == text + 1) LEAF(9);
  if (strstr(text, "bc")) LEAF(10);
  strcpy(copy, text);
  strcat(copy, "z");
  if (strcmp(copy, "abz") == 0) LEAF(11);
  if (memchr(text, 'c', 2)) LEAF(12);
  if (strspn(text, "ab") == 3) LEAF(13);
  return 0;
}
