/* SPDX-License-Identifier: MIT */
#include "report/bundle_place.h"

#include "base/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_BUGS 1000000

/* bug-N, or .bug-N: one that a heddle did not finish. */
static bool is_bug_name(const char *name) {
  if (*name == '.') name++;
  return strncmp(name, "bug-", 4) == 0 && name[4] && strspn(name + 4, "0123456789") == strlen(name + 4);
}

/* Nothing that heddle did not make: of directories with another content, not even an empty one. */
static void remove_bug(const char *directory, const char *name) {
  char *bug = files_join(directory, name), *schedule = files_join(bug, "schedule");
  if (*name == '.' || files_exists(schedule))
    files_remove_tree(bug);
  else
    rmdir(bug); /* taken, and never filled */
  free(schedule);
  free(bug);
}

static void remove_old(const char *directory) {
  DIR *entries = opendir(directory);
  if (!entries) return;
  VECTOR(char *) names = {0};
  for (const struct dirent *entry; (entry = readdir(entries));)
    if (is_bug_name(entry->d_name)) vector_push(&names, memory_copy_string(entry->d_name));
  closedir(entries);
  for (size_t i = 0; i < names.count; i++) {
    remove_bug(directory, names.items[i]);
    free(names.items[i]);
  }
  vector_free(&names);
}

static bool lock(struct bundle_place *place, int how) {
  if (place->lock < 0) place->lock = open(place->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return place->lock >= 0 && flock(place->lock, how | LOCK_NB) == 0;
}

void bundle_place_open(struct bundle_place *place, char *directory) {
  *place = (struct bundle_place){.directory = directory, .lock = -1};
  if (lock(place, LOCK_EX)) remove_old(directory);
  lock(place, LOCK_SH);
}

static char *numbered(const struct bundle_place *place, const char *prefix, unsigned long number) {
  struct text path = {0};
  text_append_format(&path, "%s/%sbug-%lu", place->directory, prefix, number);
  return path.string;
}

static bool cannot_keep(const char *path, struct error *error) {
  return error_set(error, "the bug is not kept: cannot make directory %s: %s: name another one with -o DIR", path,
                   strerror(errno));
}

/* Takes the first number from this one on that nobody has. */
static char *take_from(const struct bundle_place *place, unsigned long *number, struct error *error) {
  for (; *number < MOST_BUGS; ++*number) {
    char *path = numbered(place, "", *number);
    if (mkdir(path, 0777) == 0) return path;
    const bool is_taken = errno == EEXIST;
    if (!is_taken) cannot_keep(path, error);
    free(path);
    if (!is_taken) return NULL;
  }
  error_set(error, "the bug is not kept: %s is full of bugs: name another directory with -o DIR", place->directory);
  return NULL;
}

bool bundle_place_take(struct bundle_place *place, uint32_t number, char **aside, struct error *error) {
  unsigned long taken = number;
  struct error ignored = {0};
  if (!files_make_directory(place->directory, &ignored)) return cannot_keep(place->directory, error);
  lock(place, LOCK_SH);
  char *path = take_from(place, &taken, error);
  if (!path) return false;
  while (place->numbers.count <= number) vector_push(&place->numbers, NULL);
  place->numbers.items[number] = path;
  *aside = numbered(place, ".", taken);
  return true;
}

bool bundle_place_put(const struct bundle_place *place, uint32_t number, const char *aside, struct error *error) {
  return rename(aside, place->numbers.items[number]) == 0 || cannot_keep(place->numbers.items[number], error);
}

const char *bundle_place_of(const struct bundle_place *place, uint32_t number) {
  return number < place->numbers.count ? place->numbers.items[number] : NULL;
}

void bundle_place_drop(struct bundle_place *place, uint32_t number, const char *aside) {
  files_remove_tree(aside);
  rmdir(place->numbers.items[number]);
  free(place->numbers.items[number]);
  place->numbers.items[number] = NULL;
}

void bundle_place_close(struct bundle_place *place) {
  for (size_t i = 0; i < place->numbers.count; i++) free(place->numbers.items[i]);
  vector_free(&place->numbers);
  if (place->lock >= 0) close(place->lock);
  free(place->directory);
}
