/* SPDX-License-Identifier: MIT
 *
 * Runs a sequential program with all values of its inputs and says which paths there are, without heddle. The program
 * is compiled by clang, with -fsanitize-coverage=bb,no-prune,trace-pc-guard and without optimisation, so that every
 * basic block calls __sanitizer_cov_trace_pc_guard: a path is the sequence of these calls. Its main is called
 * program_main
 * (-Dmain=program_main), and it must leave its static variables as it found them. It gets the arguments.
 *
 * Prints `paths N`, `discarded N` (runs in which an assumption failed: no path), `runs N`, and a line `observed ...`
 * for each distinct combination of values that heddle_observe got.
 */
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int program_main(int argc, char **argv);

#define MAX_INPUTS 16
#define TABLE_SIZE (1u << 22)

static struct { long long low, high, value; } inputs[MAX_INPUTS];
static int n_inputs, n_asked;
static int n_arguments;
static char **arguments;

static uint64_t path, *paths; /* hashes; a table with open addressing, 0 is free */
static size_t n_paths, n_runs, n_discarded;
static char observed[4096], (*outcomes)[4096];
static size_t n_outcomes;
static jmp_buf discard;

static void mix(uint64_t value) {
  path = (path ^ value) * 0x9e3779b97f4a7c15ull;
  path ^= path >> 29;
}

/* --- what the program calls --- */

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop);
void __sanitizer_cov_trace_pc_guard(uint32_t *guard);

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
  static uint32_t count;
  for (uint32_t *guard = start; guard < stop; guard++) *guard = ++count;
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
  mix(*guard);
}

long long enumerate_value(long long low, long long high);
void enumerate_path_value(long long value);
void heddle_observe(const char *label, long long value);
void heddle_assume(int condition);

long long enumerate_value(long long low, long long high) {
  if (n_asked == MAX_INPUTS) fprintf(stderr, "more than %d inputs\n", MAX_INPUTS), exit(2);
  if (n_asked == n_inputs) {
    inputs[n_inputs].low = inputs[n_inputs].value = low;
    inputs[n_inputs++].high = high;
  }
  return inputs[n_asked++].value;
}

void enumerate_path_value(long long value) {
  mix((uint64_t)value + 0x100000000ull);
}

void heddle_observe(const char *label, long long value) {
  const size_t used = strlen(observed);
  if (used > sizeof observed - 100) fprintf(stderr, "too much is observed\n"), exit(2);
  snprintf(observed + used, sizeof observed - used, " %s=%lld", label, value);
}

void heddle_assume(int condition) {
  if (!condition) longjmp(discard, 1);
}

#define SMALL_INPUT(name, type, low, high)                                                                             \
  type heddle_input_##name(const char *label);                                                                         \
  type heddle_input_##name(const char *label) {                                                                        \
    (void)label;                                                                                                       \
    return (type)enumerate_value(low, high);                                                                           \
  }
SMALL_INPUT(bool, _Bool, 0, 1)
SMALL_INPUT(char, char, -128, 127)
SMALL_INPUT(schar, signed char, -128, 127)
SMALL_INPUT(uchar, unsigned char, 0, 255)
SMALL_INPUT(short, short, -32768, 32767)
SMALL_INPUT(ushort, unsigned short, 0, 65535)

long long heddle_input_range(const char *label, long long low, long long high);
void heddle_input_bytes(const char *label, void *to, size_t size);

long long heddle_input_range(const char *label, long long low, long long high) {
  (void)label;
  return enumerate_value(low, high);
}

void heddle_input_bytes(const char *label, void *to, size_t size) {
  (void)label;
  for (size_t i = 0; i < size; i++) ((unsigned char *)to)[i] = (unsigned char)enumerate_value(0, 255);
}

/* --- all runs --- */

static void note_path(void) {
  if (path == 0) path = 1;
  size_t place = path % TABLE_SIZE;
  while (paths[place] && paths[place] != path) place = (place + 1) % TABLE_SIZE;
  if (paths[place]) return;
  paths[place] = path;
  if (++n_paths > TABLE_SIZE / 2) fprintf(stderr, "too many paths\n"), exit(2);
}

static void note_outcome(void) {
  for (size_t i = n_outcomes; i-- > 0;)
    if (strcmp(outcomes[i], observed) == 0) return;
  outcomes = realloc(outcomes, (n_outcomes + 1) * sizeof *outcomes);
  memcpy(outcomes[n_outcomes++], observed, sizeof observed);
}

static void run_once(void) {
  n_asked = 0;
  path = 0x123456789ull;
  observed[0] = 0;
  n_runs++;
  if (setjmp(discard)) {
    n_discarded++;
    return;
  }
  program_main(n_arguments, arguments);
  note_path();
  note_outcome();
}

/* The next values, the last input that was asked for counting fastest; later inputs depend on earlier ones. */
static bool next_values(void) {
  for (n_inputs = n_asked; n_inputs > 0; n_inputs--)
    if (inputs[n_inputs - 1].value++ < inputs[n_inputs - 1].high) return true;
  return false;
}

int main(int argc, char **argv) {
  n_arguments = argc;
  arguments = argv;
  paths = calloc(TABLE_SIZE, sizeof *paths);
  do run_once();
  while (next_values());
  printf("paths %zu\ndiscarded %zu\nruns %zu\n", n_paths, n_discarded, n_runs);
  for (size_t i = 0; i < n_outcomes; i++) printf("observed%s\n", outcomes[i]);
  return 0;
}
