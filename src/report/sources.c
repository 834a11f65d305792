/* SPDX-License-Identifier: MIT */
#include "report/sources.h"

#include "base/files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void sources_free(struct sources *sources) {
  for (size_t i = 0; i < sources->files.count; i++) {
    free(sources->files.items[i].name);
    text_free(&sources->files.items[i].contents);
  }
  vector_free(&sources->files);
}

static const struct source_file *find_file(struct sources *sources, const char *name) {
  for (size_t i = 0; i < sources->files.count; i++)
    if (strcmp(sources->files.items[i].name, name) == 0) return &sources->files.items[i];
  struct source_file file = {.name = memory_copy_string(name)};
  struct stat status;
  if (stat(name, &status) == 0 && S_ISREG(status.st_mode) && files_read(name, &file.contents, NULL))
    sources->changed |= sources->built_at && status.st_mtime > sources->built_at;
  vector_push(&sources->files, file);
  return &sources->files.items[sources->files.count - 1];
}

/* Blanks, and bytes a terminal might obey. */
static bool is_blank(char character) {
  return (unsigned char)character <= ' ' || character == 127;
}

void sources_append_line(struct sources *sources, struct text *text, const char *file, uint32_t line) {
  const char *at = text_string(&find_file(sources, file)->contents);
  for (; line > 1 && at; line--) {
    at = strchr(at, '\n');
    if (at) at++;
  }
  if (!at || line == 0) return;
  const char *end = at + strcspn(at, "\n");
  while (at < end && is_blank(*at)) at++;
  while (end > at && is_blank(end[-1])) end--;
  for (; at < end; at++) text_append_bytes(text, is_blank(*at) ? " " : at, 1);
}
