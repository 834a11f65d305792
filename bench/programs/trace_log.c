/* SPDX-License-Identifier: MIT
 *
 * A log with trace levels, in the role of the ctrace library: threads register, have a level and a set of units of
 * their own, and write lines to a log that can be turned on and off, and be closed. Whether the log is there is looked
 * at before its lock is taken, and not again.
 *
 * DRIVER 0: one thread writes lines while another one closes the log. DRIVER 1: both threads register and write, one
 * closes the log; more of the library is used.
 */
#include <assert.h>
#include <pthread.h>

#ifndef DRIVER
#define DRIVER 0
#endif

enum { MOST_THREADS = 2, MOST_LINES = 3, WIDTH = 24 };
enum { LEVEL_NONE, LEVEL_ERROR, LEVEL_WARNING, LEVEL_ALL };
enum { UNIT_NET = 1, UNIT_DISK = 2 };
enum { OK, NOT_READY, FULL, UNKNOWN, BAD_LEVEL };

struct member {
  int used, level, units;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, on, is_open;
static struct member members[MOST_THREADS];
static int lines[MOST_LINES], n_lines;

/* ---- words ---- */

static int is_word(const char *text, const char *word, int length) {
  int i = 0;
  while (i < length && word[i] && text[i] == word[i]) i++;
  return i == length && !word[i];
}

static int length_of_word(const char *text) {
  int length = 0;
  while (text[length] && text[length] != ',') length++;
  return length;
}

static int parse_level(const char *text) {
  const int length = length_of_word(text);
  if (is_word(text, "none", length)) return LEVEL_NONE;
  if (is_word(text, "error", length)) return LEVEL_ERROR;
  if (is_word(text, "warning", length)) return LEVEL_WARNING;
  return is_word(text, "all", length) ? LEVEL_ALL : -1;
}

/* "net,disk" */
static int parse_units(const char *text) {
  int units = 0;
  while (*text) {
    const int length = length_of_word(text);
    if (is_word(text, "net", length))
      units |= UNIT_NET;
    else if (is_word(text, "disk", length))
      units |= UNIT_DISK;
    text += length;
    if (*text == ',') text++;
  }
  return units;
}

static int append_text(char *to, int at, const char *text) {
  while (*text && at < WIDTH - 1) to[at++] = *text++;
  to[at] = 0;
  return at;
}

static int append_number(char *to, int at, int number) {
  char digits[12];
  int count = 0;
  if (number < 0) at = append_text(to, at, "-");
  do digits[count++] = (char)('0' + (number < 0 ? -(number % 10) : number % 10));
  while ((number /= 10) != 0);
  while (count > 0 && at < WIDTH - 1) to[at++] = digits[--count];
  to[at] = 0;
  return at;
}

static const char *name_of(int level) {
  if (level == LEVEL_ERROR) return "error";
  return level == LEVEL_WARNING ? "warning" : "note";
}

/* How long the line is as text. */
static int format_line(int id, int level, int unit, int line) {
  char text[WIDTH];
  int at = append_text(text, 0, name_of(level));
  at = append_text(text, at, unit == UNIT_NET ? " net " : " disk ");
  at = append_number(text, at, id);
  at = append_text(text, at, ": ");
  return append_number(text, at, line);
}

/* ---- under the lock ---- */

static struct member *find(int id) {
  return members[id].used ? &members[id] : NULL;
}

static int is_wanted(const struct member *member, int level, int unit) {
  if (!on) return 0;
  if (level > member->level) return 0;
  return (member->units & unit) != 0;
}

static int append(int line) {
  assert(is_open);
  if (n_lines == MOST_LINES) return FULL;
  lines[n_lines++] = line;
  return OK;
}

/* ---- the library ---- */

static int log_start(void) {
  if (ready) return NOT_READY;
  is_open = on = ready = 1;
  return OK;
}

static int log_end(void) {
  if (!ready) return NOT_READY;
  pthread_mutex_lock(&lock);
  ready = 0;
  is_open = 0;
  pthread_mutex_unlock(&lock);
  return OK;
}

static int log_register(int id, int level, int units) {
  if (!ready) return NOT_READY;
  if (level < LEVEL_NONE || level > LEVEL_ALL) return BAD_LEVEL;
  if (id < 0 || id >= MOST_THREADS) return UNKNOWN;
  pthread_mutex_lock(&lock);
  const int is_new = !find(id);
  if (is_new) members[id] = (struct member){1, level, units};
  pthread_mutex_unlock(&lock);
  return is_new ? OK : FULL;
}

static int log_line(int id, int level, int unit, int line) {
  if (!ready) return NOT_READY;
  const int length = format_line(id, level, unit, line);
  if (length == 0 || length >= WIDTH) return FULL;
  pthread_mutex_lock(&lock);
  int result = UNKNOWN;
  const struct member *member = find(id);
  if (member) result = is_wanted(member, level, unit) ? append(line) : OK;
  pthread_mutex_unlock(&lock);
  return result;
}

#if DRIVER == 1
static int log_remove(int id) {
  if (!ready) return NOT_READY;
  pthread_mutex_lock(&lock);
  struct member *member = find(id);
  if (member) member->used = 0;
  pthread_mutex_unlock(&lock);
  return member ? OK : UNKNOWN;
}

static int log_turn(int value) {
  if (!ready) return NOT_READY;
  pthread_mutex_lock(&lock);
  on = value;
  pthread_mutex_unlock(&lock);
  return OK;
}
#endif

/* ---- drivers ---- */

static void *writer(void *unused) {
  log_register(0, parse_level("warning"), parse_units("net,disk"));
  log_line(0, LEVEL_ERROR, UNIT_NET, 10);
#if DRIVER == 1
  log_turn(0);
  log_line(0, LEVEL_ALL, UNIT_DISK, 11);
  log_remove(0);
#endif
  return unused;
}

static void *closer(void *unused) {
#if DRIVER == 1
  if (log_register(1, parse_level("all"), parse_units("disk")) == OK) log_line(1, LEVEL_ERROR, UNIT_DISK, 20);
#endif
  log_end();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  log_start();
  pthread_create(&threads[0], NULL, writer, NULL);
  pthread_create(&threads[1], NULL, closer, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
