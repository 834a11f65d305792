/* SPDX-License-Identifier: MIT
 *
 * An entry is one file, named by its key:
 *
 *     heddle cache 1 SUM          the sum of all that follows the line
 *     file ..., absent ...        cache_inputs.h
 *     executable
 *     (its bytes)
 *
 * or, for an object that was compiled again, `object` and its bytes instead of the lines after the first.
 *
 * Entries are written aside and renamed, so that another heddle sees all of an entry or nothing. An entry whose sum is
 * wrong is removed. Using an entry makes it young; the oldest go when all together are too large.
 */
#include "cli/cache.h"

#include "base/files.h"
#include "base/hash.h"
#include "cli/cache_inputs.h"
#include "cli/cache_key.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_MEGABYTES 256

static const char format[] = "heddle cache 1";
static const char executable_follows[] = "\nexecutable\n"; /* every other line has several words */
static const char object_follows[] = "object\n";

struct cache {
  const struct options *options;
  char *directory, *entry; /* paths */
  uint64_t most_bytes;
  struct timespec start;
};

/* --- where, and how much --- */

static char *cache_directory(void) {
  const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (base && base[0] == '/') return files_join(base, "heddle");
  return home && home[0] == '/' ? files_join(home, ".cache/heddle") : NULL;
}

/* 0: no cache. */
static uint64_t most_bytes(void) {
  const char *given = getenv("HEDDLE_CACHE_SIZE");
  return (given && *given ? strtoull(given, NULL, 10) : DEFAULT_MEGABYTES) * 1000000;
}

/* Entries are programs that will be run: nobody else may put them there. */
static bool is_own_directory(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && status.st_uid == geteuid() && !(status.st_mode & (S_IWGRP | S_IWOTH));
}

static bool make_own_directory(const char *path) {
  const mode_t mask = umask(0077);
  const bool made = files_make_directory(path, &(struct error){0});
  umask(mask);
  return made && is_own_directory(path) && access(path, W_OK | X_OK) == 0;
}

static struct cache *open_entry(const struct options *options, const char *key) {
  char *directory = cache_directory();
  if (!directory || !make_own_directory(directory)) {
    free(directory);
    return NULL;
  }
  struct cache *cache = memory_allocate(sizeof *cache);
  *cache = (struct cache){options, directory, files_join(directory, key), most_bytes(), {0}};
  /* The clock that files are stamped with: what changes from now on is not older than this. */
  clock_gettime(CLOCK_REALTIME_COARSE, &cache->start);
  return cache;
}

struct cache *cache_open(const struct options *options) {
  char key[SHA256_HEX_BYTES];
  if (options->values[OPTION_NO_CACHE].given || most_bytes() == 0 || !cache_key_fits(options)) return NULL;
  return cache_key_make(options, key) ? open_entry(options, key) : NULL;
}

struct cache *cache_open_object(const void *record, size_t bytes) {
  char key[SHA256_HEX_BYTES];
  if (most_bytes() == 0) return NULL;
  return cache_key_make_object(record, bytes, key) ? open_entry(NULL, key) : NULL;
}

void cache_close(struct cache *cache) {
  if (!cache) return;
  free(cache->directory);
  free(cache->entry);
  free(cache);
}

/* --- taking --- */

static uint64_t sum_of(const char *bytes, size_t count) {
  uint64_t sum = count;
  for (; count >= sizeof sum; bytes += sizeof sum, count -= sizeof sum) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    sum = hash_mix(sum, word);
  }
  for (; count > 0; bytes++, count--) sum = hash_mix(sum, (unsigned char)*bytes);
  return sum;
}

static void append_head(struct text *head, uint64_t sum) {
  text_append_format(head, "%s %016llx\n", format, (unsigned long long)sum);
}

/* What follows the first line, or NULL if the entry is damaged. */
static char *body_of(struct text *entry) {
  char *line_end = strchr(text_string(entry), '\n');
  if (!line_end) return NULL;
  char *body = line_end + 1;
  struct text head = {0};
  append_head(&head, sum_of(body, entry->length - (size_t)(body - entry->string)));
  const bool whole = strncmp(entry->string, head.string, head.length) == 0;
  text_free(&head);
  return whole ? body : NULL;
}

static bool write_executable(const char *path, const char *bytes, size_t count) {
  return files_write(path, bytes, count, &(struct error){0}) && chmod(path, 0755) == 0;
}

/* The lines about inputs end where the executable begins. */
static bool use_body(char *body, const char *end, const char *executable) {
  char *mark = strstr(body, executable_follows);
  if (!mark) return false;
  const char *bytes = mark + strlen(executable_follows);
  *mark = 0;
  return cache_inputs_hold(body) && write_executable(executable, bytes, (size_t)(end - bytes));
}

/* An object depends on nothing that could have changed. */
static bool use_object(char *body, const char *end, const char *object) {
  const size_t length = strlen(object_follows);
  return strncmp(body, object_follows, length) == 0 &&
         files_write(object, body + length, (size_t)(end - body) - length, &(struct error){0});
}

typedef bool use_entry(char *body, const char *end, const char *path);

static bool take(struct cache *cache, use_entry *use, const char *path) {
  struct text entry = {0};
  if (!files_read(cache->entry, &entry, &(struct error){0})) return false;
  char *body = body_of(&entry);
  if (!body) unlink(cache->entry);
  const bool taken = body && use(body, entry.string + entry.length, path);
  if (taken) utimensat(AT_FDCWD, cache->entry, NULL, 0);
  text_free(&entry);
  return taken;
}

bool cache_take(struct cache *cache, const char *executable) {
  return take(cache, use_body, executable);
}

bool cache_take_object(struct cache *cache, const char *object) {
  return cache && take(cache, use_object, object);
}

/* --- keeping --- */

struct kept {
  char *path;
  uint64_t size_bytes;
  struct timespec used;
};

typedef VECTOR(struct kept) kept_list;

static void list_kept(const char *directory, kept_list *list) {
  DIR *stream = opendir(directory);
  if (!stream) return;
  for (const struct dirent *each; (each = readdir(stream));) {
    struct stat status;
    char *path = files_join(directory, each->d_name);
    if (lstat(path, &status) < 0 || !S_ISREG(status.st_mode)) {
      free(path);
      continue;
    }
    const struct kept kept = {path, (uint64_t)status.st_size, status.st_mtim};
    vector_push(list, kept);
  }
  closedir(stream);
}

/* The oldest first. */
static int compare_ages(const void *a, const void *b) {
  const struct timespec x = ((const struct kept *)a)->used, y = ((const struct kept *)b)->used;
  if (x.tv_sec != y.tv_sec) return x.tv_sec < y.tv_sec ? -1 : 1;
  return x.tv_nsec < y.tv_nsec ? -1 : x.tv_nsec > y.tv_nsec;
}

/* What an interrupted heddle was writing goes like an entry that nobody uses. */
static void remove_oldest(const struct cache *cache) {
  kept_list list = {0};
  uint64_t total = 0;
  list_kept(cache->directory, &list);
  for (size_t i = 0; i < list.count; i++) total += list.items[i].size_bytes;
  if (list.count) qsort(list.items, list.count, sizeof *list.items, compare_ages);
  for (size_t i = 0; i < list.count; i++) {
    if (total > cache->most_bytes && unlink(list.items[i].path) == 0) total -= list.items[i].size_bytes;
    free(list.items[i].path);
  }
  vector_free(&list);
}

static void write_entry(const struct cache *cache, const struct text *entry) {
  char *aside = files_join(cache->directory, "new-XXXXXX");
  const int file = mkostemp(aside, O_CLOEXEC);
  if (file >= 0) {
    close(file);
    if (!files_write(aside, entry->string, entry->length, &(struct error){0}) || rename(aside, cache->entry) < 0)
      unlink(aside);
    remove_oldest(cache);
  }
  free(aside);
}

/* The body so far, and then the file. */
static void keep(const struct cache *cache, struct text *body, const char *path) {
  struct text entry = {0};
  if (!files_read(path, body, &(struct error){0})) return;
  append_head(&entry, sum_of(body->string, body->length));
  text_append_bytes(&entry, body->string, body->length);
  write_entry(cache, &entry);
  text_free(&entry);
}

void cache_keep(struct cache *cache, const char *executable, const char *directory) {
  struct text body = {0};
  if (cache_inputs_record(cache->options, directory, cache->start, &body)) {
    text_append(&body, executable_follows + 1); /* the line before has ended */
    keep(cache, &body, executable);
  }
  text_free(&body);
}

void cache_keep_object(struct cache *cache, const char *object) {
  struct text body = {0};
  if (!cache) return;
  text_append(&body, object_follows);
  keep(cache, &body, object);
  text_free(&body);
}
