// SPDX-License-Identifier: MIT
// A matcher of regular expressions over four bytes of a small alphabet.
#include "input.h"

static int match_here(const char *pattern, const char *text);

static int match_star(char c, const char *pattern, const char *text) {
  do
    if (match_here(pattern, text)) return 1;
  while (*text && (*text++ == c || c == '.'));
  return 0;
}

static int match_here(const char *pattern, const char *text) {
  if (!pattern[0]) return 1;
  if (pattern[1] == '*') return match_star(pattern[0], pattern + 2, text);
  if (pattern[0] == '$' && !pattern[1]) return !*text;
  if (*text && (pattern[0] == '.' || pattern[0] == *text)) return match_here(pattern + 1, text + 1);
  return 0;
}

int main(void) {
  char text[5] = {0};
  for (int i = 0; i < 4; i++) {
    const long long symbol = heddle_input_range("symbol", 0, 7);
    text[i] = (char)(symbol ? 'a' + symbol - 1 : 0);
  }
  LEAF((match_here("ab*c$", text) ? 1 : 0) + (match_here(".a*d", text) ? 2 : 0));
  return 0;
}
