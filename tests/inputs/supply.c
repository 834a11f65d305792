/* SPDX-License-Identifier: MIT
 *
 * Gives a sequential program, compiled by any compiler, the inputs that a file says: numbers in the order in which the
 * program asks for them, one a line. The environment variable INPUTS names the file. An input that is not there is an
 * error: the program went another way than under heddle.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *file;

static unsigned __int128 next_value(void) {
  char line[64];
  if (!file) file = fopen(getenv("INPUTS"), "r");
  if (!file || !fgets(line, sizeof line, file)) fprintf(stderr, "there is no such input\n"), exit(99);
  const int negative = line[0] == '-';
  unsigned __int128 value = 0;
  for (const char *at = line + negative; *at >= '0' && *at <= '9'; at++) value = value * 10 + (unsigned)(*at - '0');
  return negative ? -value : value;
}

#define SUPPLY(name, type)                                                                                             \
  type heddle_input_##name(const char *label);                                                                         \
  type heddle_input_##name(const char *label) {                                                                        \
    (void)label;                                                                                                       \
    return (type)next_value();                                                                                         \
  }
SUPPLY(bool, _Bool)
SUPPLY(schar, signed char)
SUPPLY(uchar, unsigned char)
SUPPLY(ushort, unsigned short)
SUPPLY(int, int)
SUPPLY(uint, unsigned)
SUPPLY(long, long)
SUPPLY(ulong, unsigned long)
SUPPLY(int128, __int128)

long long heddle_input_range(const char *label, long long low, long long high);
void heddle_input_bytes(const char *label, void *to, size_t size);
void heddle_observe(const char *label, long long value);
void heddle_assume(int condition);

long long heddle_input_range(const char *label, long long low, long long high) {
  (void)label;
  const long long value = (long long)next_value();
  if (value < low || value > high) fprintf(stderr, "an input out of its range\n"), exit(99);
  return value;
}

void heddle_input_bytes(const char *label, void *to, size_t size) {
  (void)label;
  for (size_t i = 0; i < size; i++) ((unsigned char *)to)[i] = (unsigned char)next_value();
}

void heddle_observe(const char *label, long long value) {
  (void)label;
  (void)value;
}

void heddle_assume(int condition) {
  if (!condition) fprintf(stderr, "an assumption does not hold\n"), exit(99);
}
