/* SPDX-License-Identifier: MIT
 *
 * The core of a parallel file scanner, in the role of pfscan: one thread finds files and puts them into a bounded
 * queue, another one takes them out, looks for a word in each, and adds up what it found. Files are lines of text;
 * which word is looked for, and how many matches are enough, are inputs.
 *
 * The scanner decides that it is done when the queue is closed and it has had enough, without looking whether the queue
 * is empty: the finder may have put another file in.
 */
#include "heddle.h"

#include <assert.h>
#include <pthread.h>

enum { QUEUE_SIZE = 2, FILES = 4 };

struct file {
  const char *name, *text;
  int is_directory;
};

static const struct file files[FILES] = {
    {"a.txt", "xAa\nx", 0}, {"d", "", 1}, {"main.o", "\x7f\1", 0}, {"b.c", "aba", 0}};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static int queue[QUEUE_SIZE], count, first, last, closed;

static pthread_mutex_t result_lock = PTHREAD_MUTEX_INITIALIZER;
static int matches, scanned, put_in;

/* ---- the queue ---- */

static void put(int file) {
  int present;
  pthread_mutex_lock(&lock);
  while ((present = count) == QUEUE_SIZE) pthread_cond_wait(&not_full, &lock);
  queue[last] = file;
  if (++last == QUEUE_SIZE) last = 0;
  count = present + 1;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&lock);
}

/* -1: there is none, and there will be none. */
static int get(void) {
  int file = -1, present;
  pthread_mutex_lock(&lock);
  while ((present = count) == 0 && !closed) pthread_cond_wait(&not_empty, &lock);
  if (present > 0) {
    file = queue[first];
    if (++first == QUEUE_SIZE) first = 0;
    count = present - 1;
    pthread_cond_signal(&not_full);
  }
  pthread_mutex_unlock(&lock);
  return file;
}

static void close_queue(void) {
  pthread_mutex_lock(&lock);
  closed = 1;
  pthread_cond_broadcast(&not_empty);
  pthread_mutex_unlock(&lock);
}

/* ---- scanning ---- */

static char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static int is_at(const char *text, char letter, int twice) {
  if (lower(text[0]) != letter) return 0;
  return twice ? lower(text[1]) == letter : 1;
}

/* Files with characters that no text has are not looked at. */
static int is_binary(const char *text) {
  for (; *text; text++)
    if (*text < ' ' && *text != '\n' && *text != '\t') return 1;
  return 0;
}

static int count_lines(const char *text) {
  int lines = *text ? 1 : 0;
  for (; *text; text++)
    if (text[0] == '\n' && text[1]) lines++;
  return lines;
}

/* The longest line, for the width of the output. */
static int width_of(const char *text) {
  int width = 0, here = 0;
  for (; *text; text++) {
    if (*text == '\n')
      here = 0;
    else if (++here > width)
      width = here;
  }
  return width;
}

static int has_suffix(const char *name, const char *suffix) {
  int length = 0, end = 0;
  while (name[length]) length++;
  while (suffix[end]) end++;
  if (end > length) return 0;
  for (int i = 0; i < end; i++)
    if (lower(name[length - end + i]) != suffix[i]) return 0;
  return 1;
}

static int is_wanted(const struct file *file) {
  if (file->is_directory) return 0;
  if (has_suffix(file->name, ".o") || has_suffix(file->name, "~")) return 0;
  return !is_binary(file->text) && count_lines(file->text) > 0 && width_of(file->text) < 80;
}

static int count_matches(const char *text, char letter, int twice) {
  int found = 0;
  for (; *text; text++)
    if (is_at(text, letter, twice)) found++;
  return found;
}

static void add_result(int found) {
  pthread_mutex_lock(&result_lock);
  matches += found;
  scanned++;
  pthread_mutex_unlock(&result_lock);
}

static int is_closed(void) {
  pthread_mutex_lock(&lock);
  const int value = closed;
  pthread_mutex_unlock(&lock);
  return value;
}

static int all_put_in(void) {
  pthread_mutex_lock(&result_lock);
  const int value = put_in;
  pthread_mutex_unlock(&result_lock);
  return value;
}

static void *scan(void *unused) {
  const char letter = (char)heddle_input_int("letter");
  const int enough = heddle_input_int("enough");
  int done = 0, file;
  while ((file = get()) >= 0) {
    const int found = count_matches(files[file].text, letter, enough > 2);
    if (found > 0) add_result(found);
    done++;
    if (found < enough) continue;
    if (!is_closed()) continue;
    assert(all_put_in() == done);
    break;
  }
  return unused;
}

static void *find(void *unused) {
  for (int i = 0; i < FILES; i++) {
    if (!is_wanted(&files[i])) continue;
    put(i);
    pthread_mutex_lock(&result_lock);
    put_in++;
    pthread_mutex_unlock(&result_lock);
  }
  close_queue();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, find, NULL);
  pthread_create(&threads[1], NULL, scan, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
