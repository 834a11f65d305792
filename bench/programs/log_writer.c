/* SPDX-License-Identifier: MIT
 *
 * A buffered log writer, in the role of Apache's in BugBench: how much of the buffer is used is read without a lock,
 * once for the check whether there is room, and again for the place to copy to. The lengths of the messages are inputs.
 *
 * DRIVER 0: what finds the buffer empty is written to the file at once, so that overflowing it takes two messages of
 * the other thread, one before each look. DRIVER 1: one is enough. COPIES 0: messages are not copied, only counted.
 */
#include "heddle.h"

#include <assert.h>
#include <pthread.h>

#ifndef DRIVER
#define DRIVER 0
#endif
#ifndef COPIES
#define COPIES 1
#endif

enum { SIZE = 6, LONGEST = 4, WIDTH = 32 };

static pthread_mutex_t file_lock = PTHREAD_MUTEX_INITIALIZER;
static char buffer[SIZE];
static int used;
static int written, errors;

/* ---- lines ---- */

static int append(char *to, int at, const char *text) {
  while (*text && at < WIDTH - 1) to[at++] = *text++;
  return at;
}

static int append_two_digits(char *to, int at, int number) {
  if (at + 2 >= WIDTH) return at;
  to[at++] = (char)('0' + number / 10 % 10);
  to[at++] = (char)('0' + number % 10);
  return at;
}

static int append_escaped(char *to, int at, const char *text) {
  for (; *text && at < WIDTH - 2; text++) {
    if (*text == '"' || *text == '\\')
      to[at++] = '\\';
    else if (*text < ' ')
      continue;
    to[at++] = *text;
  }
  return at;
}

static int status_class(int status) {
  if (status < 100 || status > 599) return -1;
  return status / 100;
}

/* "12:05 "GET /x" 200": the length of a line as it would stand in the log. */
static int format_line(int minutes, const char *request, int status) {
  char line[WIDTH];
  int at = append_two_digits(line, 0, minutes / 60);
  at = append(line, at, ":");
  at = append_two_digits(line, at, minutes % 60);
  at = append(line, at, " \"");
  at = append_escaped(line, at, request);
  at = append(line, at, status_class(status) == 2 ? "\" ok" : "\" failed");
  return at;
}

/* ---- the file ---- */

static void write_file(int length) {
  pthread_mutex_lock(&file_lock);
  if (length > 0)
    written += length;
  else
    errors++;
  pthread_mutex_unlock(&file_lock);
}

static int length_of_message(const char *name) {
  const int length = heddle_input_int(name);
  if (length < 1) return 1;
  return length > LONGEST ? LONGEST : length;
}

static void copy(int to, int length, char letter) {
  for (int i = 0; i < LONGEST; i++)
    if (i < length) buffer[to + i] = letter;
}

/* The first thread of DRIVER 0 writes what finds the buffer empty to the file. */
static void write_log(int length, char letter, int direct) {
  const int present = used;
  if (direct && present == 0) {
    write_file(length);
    return;
  }
  if (present + length > SIZE) {
    write_file(present);
    used = 0;
  }
  const int place = used;
  assert(place + length <= SIZE);
  if (COPIES) copy(place, length, letter);
  used = place + length;
}

static void *first(void *unused) {
  if (format_line(725, "GET /\"x\"", 200) >= WIDTH) return unused;
  write_log(length_of_message("first"), 'a', DRIVER == 0);
  return unused;
}

static void *second(void *unused) {
  if (format_line(3, "PUT /a\tb", 404) >= WIDTH) return unused;
  write_log(length_of_message("second"), 'b', 0);
  if (heddle_input_bool("more")) write_log(2, 'c', 0);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
