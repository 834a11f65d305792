/* SPDX-License-Identifier: MIT
 *
 * A parser of nested lists of numbers and names, "(12 ab (7) c)", over 32 bytes that are inputs: a branch on a byte at
 * nearly every step, and no threads. With -DCONCRETE the bytes are a fixed text: the same work, nothing symbolic.
 */
#include "heddle.h"

#include <string.h>

#define BYTES 32

static const char *at;
static int depth, items, numbers;

static int is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t';
}

static int is_digit(char c) {
  return c >= '0' && c <= '9';
}

static int is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int parse_number(void) {
  int value = 0;
  while (is_digit(*at)) value = value * 10 + (*at++ - '0');
  numbers++;
  return value <= 9999;
}

static int parse_item(void);

static int parse_list(void) {
  if (++depth > 4) return 0;
  for (at++; *at != ')';) {
    if (!*at || !parse_item()) return 0;
    items++;
  }
  at++;
  depth--;
  return 1;
}

static int parse_item(void) {
  while (is_space(*at)) at++;
  if (*at == '(') return parse_list();
  if (is_digit(*at)) return parse_number();
  if (!is_letter(*at)) return 0;
  while (is_letter(*at) || is_digit(*at)) at++;
  return 1;
}

int main(void) {
  char text[BYTES + 1] = {0};
#ifdef CONCRETE
  memcpy(text, "(12 ab (7 _x) (c (d 3)) 99) 5 zz", BYTES);
#else
  heddle_input_bytes("text", text, BYTES);
#endif
  at = text;
  if (!parse_item()) return 0;
  heddle_observe("parsed", 1);
  return 0;
}
