/* SPDX-License-Identifier: MIT */
#include "report/environment.h"

#include "base/files.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The C library names these itself; they say where things are on a machine, and would be wrong on another. */
static const char *const of_machine[] = {"PATH", "HOME",    "PWD",  "TMPDIR",   "SHELL",
                                         "USER", "LOGNAME", "TERM", "LANGUAGE", "POSIXLY_CORRECT"};
static const char *const prefixes_of_machine[] = {"LD_", "GLIBC_", "MALLOC_", "LOCPATH", "NLSPATH", "GCONV_"};

static bool is_of_machine(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof of_machine / sizeof *of_machine; i++)
    if (strlen(of_machine[i]) == length && memcmp(name, of_machine[i], length) == 0) return true;
  for (size_t i = 0; i < sizeof prefixes_of_machine / sizeof *prefixes_of_machine; i++)
    if (strncmp(name, prefixes_of_machine[i], strlen(prefixes_of_machine[i])) == 0) return true;
  return strncmp(name, "HEDDLE_", 7) == 0 && strncmp(name, "HEDDLE_TEST_CASE=", 17) != 0;
}

static bool is_name_character(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* As a whole string. */
static bool is_named(const struct text *program, const char *name, size_t length) {
  const char *at = program->string, *end = program->string + program->length;
  while ((at = memmem(at, (size_t)(end - at), name, length))) {
    const bool begins = at == program->string || !is_name_character(at[-1]);
    if (begins && at + length < end && at[length] == 0) return true;
    at += length;
  }
  return false;
}

bool environment_list_named(environment_list *list, const char *program, struct error *error) {
  struct text contents = {0};
  if (!files_read(program, &contents, error)) return false;
  for (char **entry = environ; *entry; entry++) {
    const size_t length = strcspn(*entry, "=");
    if (length > 0 && !is_of_machine(*entry, length) && is_named(&contents, *entry, length))
      vector_push(list, memory_copy_string(*entry));
  }
  text_free(&contents);
  return true;
}

bool environment_restore(const environment_list *list, const char *program, struct error *error) {
  environment_list now = {0};
  if (!environment_list_named(&now, program, error)) return false;
  for (size_t i = 0; i < now.count; i++) {
    now.items[i][strcspn(now.items[i], "=")] = 0;
    unsetenv(now.items[i]);
  }
  environment_free(&now);
  for (size_t i = 0; i < list->count; i++) {
    char *name = memory_copy_string(list->items[i]);
    name[strcspn(name, "=")] = 0;
    setenv(name, list->items[i] + strlen(name) + 1, 1);
    free(name);
  }
  return true;
}

void environment_free(environment_list *list) {
  for (size_t i = 0; i < list->count; i++) free(list->items[i]);
  vector_free(list);
}
