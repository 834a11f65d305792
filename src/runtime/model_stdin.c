/* SPDX-License-Identifier: MIT
 *
 * Standard input whose bytes are inputs (--sym-stdin). The functions here and read() hand out the bytes with their
 * terms. The descriptor is a file of the same bytes, so that what is not followed reads them as well: scanf pins them.
 * Without the option, and for other streams, all of them are the C library's.
 */
#include "executor.h"
#include "files.h"
#include "input_values.h"
#include "models.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>

#define BYTES ((unsigned char *)STANDARD_INPUT_ADDRESS)

void __heddle_slow_range(const void *address, uint64_t size, const struct site *site, int writes);

static uint64_t size_bytes(void) {
  return rt->channel->symbolic_stdin_bytes;
}

bool standard_input_is_symbolic(void) {
  return controlled && size_bytes();
}

static bool is_followed(const FILE *file) {
  return standard_input_is_symbolic() && file == stdin;
}

/* ---- the file behind the descriptor ---- */

void standard_input_initialise(void) {
  if (!size_bytes()) return;
  const long file = system_call(SYS_memfd_create, "heddle-stdin", 0);
  if (file < 0 || system_call(SYS_dup2, file, 0) < 0) executor_die("cannot make its standard input");
  if (file != 0) system_call(SYS_close, file);
}

void standard_input_begin_run(void) {
  inputs_make_standard_input();
  if (!size_bytes()) return;
  system_call(SYS_pwrite64, 0, BYTES, size_bytes(), 0);
  system_call(SYS_lseek, 0, 0, SEEK_SET);
}

/* ---- bytes ---- */

static uint64_t left(void) {
  return size_bytes() - rt->standard_input_at;
}

static uint64_t take_bytes(void *buffer, uint64_t wanted, site_id site) {
  const uint64_t at = rt->standard_input_at, count = wanted < left() ? wanted : left();
  if (!count) return 0;
  __heddle_slow_range(buffer, count, (const struct site *)(uint64_t)site, 1);
  memcpy(buffer, BYTES + at, count);
  if (rt->standard_input) term_memory_place((uint64_t)buffer, rt->standard_input, (uint32_t)at, count);
  rt->standard_input_at = at + count;
  return count;
}

ssize_t standard_input_read(void *buffer, size_t wanted) {
  return (ssize_t)take_bytes(buffer, wanted, take_site());
}

static uint32_t term_at(uint64_t at) {
  const struct block_input *input = rt->standard_input;
  return input ? term_input(input->index + (uint32_t)at, input->thread, 8, BYTES[at]) : 0;
}

static int next_byte(uint32_t *term) {
  *term = 0;
  if (!left()) {
    rt->standard_input_ended = true;
    return EOF;
  }
  *term = term_extend(TERM_ZERO_EXTEND, term_at(rt->standard_input_at), 32);
  return BYTES[rt->standard_input_at++];
}

#define GETS_BYTE(name, parameters, arguments, stream)                                                                 \
  WRAPPED(int, name, parameters, arguments) {                                                                          \
    uint32_t term = 0;                                                                                                 \
    files_take_stream(stream, call_site());                                                                            \
    const int byte = is_followed(stream) ? next_byte(&term) : __real_##name arguments;                                 \
    call_return_term((const void *)__wrap_##name, term);                                                               \
    return byte;                                                                                                       \
  }

GETS_BYTE(getchar, (void), (), stdin)
GETS_BYTE(getc, (FILE * file), (file), file)
GETS_BYTE(fgetc, (FILE * file), (file), file)

/* Only what was read last is put back; a program that puts back something else gets what was read. */
WRAPPED(int, ungetc, (int byte, FILE *file), (byte, file)) {
  files_take_stream(file, call_site());
  if (!is_followed(file)) return __real_ungetc(byte, file);
  if (byte == EOF || !rt->standard_input_at) return EOF;
  rt->standard_input_ended = false;
  return BYTES[--rt->standard_input_at];
}

WRAPPED(int, feof, (FILE * file), (file)) {
  files_take_stream(file, call_site());
  return is_followed(file) ? rt->standard_input_ended : __real_feof(file);
}

/* ---- lines and blocks ---- */

/* How many bytes a line of at most `most` has, with its end: every byte decides whether it is the last. */
static uint64_t line_bytes(uint64_t most, int delimiter, site_id site) {
  const uint64_t start = rt->standard_input_at;
  uint64_t count = 0;
  while (count < most && count < left()) {
    const uint32_t term = term_at(start + count);
    if (term) decide_branch(term_is(COMPARE_EQUAL, term, term_constant((unsigned char)delimiter, 8)), site);
    if (BYTES[start + count++] == (unsigned char)delimiter) return count;
  }
  if (count < most) rt->standard_input_ended = true;
  return count;
}

WRAPPED(char *, fgets, (char *line, int size, FILE *file), (line, size, file)) {
  if (!is_followed(file)) return (char *)FOLLOWED_REAL(fgets, line, size, file);
  const site_id site = take_site();
  if (size < 1) return NULL;
  const uint64_t count = line_bytes((uint64_t)size - 1, '\n', site);
  if (!count && size > 1) return NULL;
  take_bytes(line, count, site);
  __heddle_slow_range(line + count, 1, (const struct site *)(uint64_t)site, 1);
  line[count] = 0;
  return line;
}

void *__wrap_realloc(void *old, size_t size);

/* Room for a line: the program's own, or more of it. */
static bool make_room(char **line, size_t *size, uint64_t needed, site_id site) {
  model_reads(line, sizeof *line, site);
  model_reads(size, sizeof *size, site);
  if (*line && *size >= needed) return true;
  char *larger = __wrap_realloc(*line, needed);
  if (!larger) return false;
  model_store(line, &larger, sizeof larger, site);
  model_store(size, &needed, sizeof needed, site);
  return true;
}

ssize_t __real_getdelim(char **line, size_t *size, int delimiter, FILE *file);
void __wrap_free(void *block);

/* The real function gets a line of its own; what becomes of the program's is seen. */
static ssize_t get_line(char **line, size_t *size, int delimiter, FILE *file, site_id site) {
  char *read = NULL;
  size_t room = 0;
  files_take_stream(file, site);
  const ssize_t count = __real_getdelim(&read, &room, delimiter, file);
  const bool fits = count >= 0 && make_room(line, size, (uint64_t)count + 1, site);
  if (fits) model_store(*line, read, (uint64_t)count + 1, site);
  __wrap_free(read);
  return fits ? count : -1;
}

WRAPPED(ssize_t, getdelim, (char **line, size_t *size, int delimiter, FILE *file), (line, size, delimiter, file)) {
  const site_id site = take_site();
  if (!is_followed(file)) return get_line(line, size, delimiter, file, site);
  const uint64_t count = line_bytes(UINT64_MAX, delimiter, site);
  if (!count || !make_room(line, size, count + 1, site)) return -1;
  take_bytes(*line, count, site);
  __heddle_slow_range(*line + count, 1, (const struct site *)(uint64_t)site, 1);
  (*line)[count] = 0;
  return (ssize_t)count;
}

WRAPPED(ssize_t, getline, (char **line, size_t *size, FILE *file), (line, size, file)) {
  return model_getdelim(line, size, '\n', file);
}

WRAPPED(size_t, fread, (void *buffer, size_t size, size_t count, FILE *file), (buffer, size, count, file)) {
  if (!is_followed(file)) return FOLLOWED_REAL(fread, buffer, size, count, file);
  if (!size || !count) return 0;
  const uint64_t most = left() / size, items = count < most ? count : most;
  if (items < count) rt->standard_input_ended = true;
  take_bytes(buffer, items * size, take_site());
  return items;
}

/* ---- scanf ---- */

static void pin_rest(site_id site) {
  for (uint64_t at = rt->standard_input_at; at < size_bytes(); at++) decide_pin(term_at(at), PIN_MODEL, site);
}

typedef int scanner(FILE *file, const char *format, va_list list);
int vfscanf(FILE *file, const char *format, va_list list);
int __isoc99_vfscanf(FILE *file, const char *format, va_list list);

extern const struct effect_row __heddle_effects_vfscanf;

/* Outside of a run, and in one: with what it writes. */
static int scan_real(scanner *function, FILE *file, const char *format, va_list list) {
  const uint64_t arguments[6] = {(uint64_t)file, (uint64_t)format, (uint64_t)list};
  return (int)effects_call_real(&__heddle_effects_vfscanf, (const void *)function, arguments);
}

static int scan(scanner *function, FILE *file, const char *format, va_list list) {
  if (!is_followed(file)) return scan_real(function, file, format, list);
  pin_rest(call_site());
  fseek(stdin, (long)rt->standard_input_at, SEEK_SET);
  const int result = scan_real(function, stdin, format, list);
  const long at = ftell(stdin);
  if (at >= 0) rt->standard_input_at = (uint64_t)at < size_bytes() ? (uint64_t)at : size_bytes();
  if (!left()) rt->standard_input_ended = true;
  return result;
}

#define SCANS(name, parameters, last, file, function)                                                                  \
  EXPORTED int __wrap_##name parameters;                                                                               \
  int __wrap_##name parameters {                                                                                       \
    va_list list;                                                                                                      \
    va_start(list, last);                                                                                              \
    const int result = scan(function, file, format, list);                                                             \
    va_end(list);                                                                                                      \
    return result;                                                                                                     \
  }

SCANS(scanf, (const char *format, ...), format, stdin, vfscanf)
SCANS(fscanf, (FILE * file, const char *format, ...), format, file, vfscanf)
SCANS(__isoc99_scanf, (const char *format, ...), format, stdin, __isoc99_vfscanf)
SCANS(__isoc99_fscanf, (FILE * file, const char *format, ...), format, file, __isoc99_vfscanf)
