/* SPDX-License-Identifier: MIT */
#include "report/paths.h"

#include "base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What follows the working directory in a path below it; NULL: it is not. */
static const char *below_working_directory(const char *file) {
  char directory[PATH_MAX];
  if (!getcwd(directory, sizeof directory)) return NULL;
  const size_t length = strlen(directory);
  return strncmp(file, directory, length) == 0 && file[length] == '/' ? file + length + 1 : NULL;
}

static void append_absolute(struct text *text, const char *file) {
  char directory[PATH_MAX];
  if (*file && *file != '/' && getcwd(directory, sizeof directory)) text_append_format(text, "%s/", directory);
  text_append(text, file);
}

void paths_append(struct text *text, const struct paths *paths, const char *file) {
  if (paths->absolute) return append_absolute(text, file);
  if (*file != '/') return text_append(text, file);
  const char *below = below_working_directory(file);
  text_append(text, below ? below : strrchr(file, '/') + 1);
}

static bool is_of_path(char c) {
  return c && !strchr(" \t\n\"'`:;,()<>[]{}|&*?", c);
}

/* Only files that exist: "/2" in an expression is none. */
static bool is_file(const char *start, size_t length) {
  char path[PATH_MAX];
  if (length < 2 || length >= sizeof path) return false;
  memcpy(path, start, length);
  path[length] = 0;
  return access(path, F_OK) == 0;
}

void paths_append_words(struct text *text, const struct paths *paths, const char *words) {
  for (const char *at = words; *at;) {
    size_t length = 0;
    if (*at == '/' && (at == words || !is_of_path(at[-1])))
      while (is_of_path(at[length])) length++;
    if (!paths->absolute && is_file(at, length)) {
      char *file = memory_copy_bytes(at, length);
      paths_append(text, paths, file);
      free(file);
      at += length;
    } else {
      text_append_bytes(text, at++, 1);
    }
  }
}
