/* SPDX-License-Identifier: MIT
 *
 * A buffered log writer, in the role of Apache's in BugBench: how much of the buffer is used is read without a lock,
 * once for the check whether there is room, and again for the place to copy to. The lengths of the messages are inputs.
 *
 * DRIVER 0: what finds the buffer empty is written to the file at once, so that overflowing it takes two messages of
 * the other thread, one before each look. DRIVER 1: one is enough.
 */
#include "heddle.h"

#include <assert.h>
#include <pthread.h>

#ifndef DRIVER
#define DRIVER 0
#endif

enum { SIZE = 6, LONGEST = 4 };

static pthread_mutex_t file_lock = PTHREAD_MUTEX_INITIALIZER;
static char buffer[SIZE];
static int used;
static int written, errors;

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
  copy(place, length, letter);
  used = place + length;
}

static void *first(void *unused) {
  write_log(length_of_message("first"), 'a', DRIVER == 0);
  return unused;
}

static void *second(void *unused) {
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
