/* SPDX-License-Identifier: MIT
 *
 * A buffered log writer, in the role of Apache's in BugBench: how much of the buffer is used is read several times
 * without a lock, for the check whether there is room, for the place to copy to, and for the new end. The lengths of
 * the messages are inputs.
 *
 * DRIVER 0: a message that is lost leaves a hole in what is flushed, which needs two threads to see each other's work.
 * DRIVER 1: the buffer can overflow.
 */
#include "heddle.h"

#include <assert.h>
#include <pthread.h>

#ifndef DRIVER
#define DRIVER 0
#endif

#if DRIVER == 0
enum { SIZE = 8, LONGEST = 4 }; /* two messages fit */
#else
enum { SIZE = 6, LONGEST = 4 };
#endif

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

#if DRIVER == 0

static void flush(void) {
  const int length = used;
  for (int i = 0; i < SIZE; i++)
    if (i < length) assert(buffer[i] != 0);
  write_file(length);
  used = 0;
}

static void write_log(int length, char letter) {
  if (used + length > SIZE) {
    write_file(length);
    return;
  }
  copy(used, length, letter);
  used += length;
}

#else

static void write_log(int length, char letter) {
  if (used + length > SIZE) {
    write_file(used);
    used = 0;
  }
  const int place = used;
  assert(place + length <= SIZE);
  copy(place, length, letter);
  used = place + length;
}

#endif

static void *first(void *unused) {
  write_log(length_of_message("first"), 'a');
  return unused;
}

static void *second(void *unused) {
  write_log(length_of_message("second"), 'b');
#if DRIVER == 0
  if (heddle_input_bool("flush")) flush();
#else
  if (heddle_input_bool("more")) write_log(1, 'c');
#endif
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
