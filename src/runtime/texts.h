/* SPDX-License-Identifier: MIT
 *
 * Putting texts together where nothing may be allocated: names below /proc. Each returns where the text ends.
 */
#ifndef HEDDLE_RUNTIME_TEXTS_H
#define HEDDLE_RUNTIME_TEXTS_H

static inline char *put_text(char *at, const char *text) {
  while (*text) *at++ = *text++;
  *at = 0;
  return at;
}

static inline char *put_number(char *at, unsigned long number) {
  char digits[24];
  int n = 0;
  do digits[n++] = (char)('0' + number % 10);
  while (number /= 10);
  while (n > 0) *at++ = digits[--n];
  *at = 0;
  return at;
}

#endif
