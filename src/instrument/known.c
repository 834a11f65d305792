/* SPDX-License-Identifier: MIT
 *
 * The functions of abi/intercepts.def and abi/effects.def, by name.
 */
#include "base/error.h"
#include "instrument/internal.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct row {
  const char *name;
  enum known known;
  const char *model;
};

static struct row rows[] = {
#define WRAP(name, model, words) {#name, KNOWN_WRAP, #model},
#define RENAME(name, model, words) {#name, KNOWN_RENAME, #model},
#define PLAIN(name) {#name, KNOWN_PLAIN, NULL},
#include "abi/intercepts.def"
#undef WRAP
#undef RENAME
#undef PLAIN
};

enum { ROWS = sizeof rows / sizeof *rows };

static int compare_rows(const void *a, const void *b) {
  return strcmp(((const struct row *)a)->name, ((const struct row *)b)->name);
}

static const struct row *find_row(const char *name) {
  static bool sorted;
  if (!sorted) qsort(rows, ROWS, sizeof *rows, compare_rows);
  sorted = true;
  const struct row key = {.name = name};
  return bsearch(&key, rows, ROWS, sizeof *rows, compare_rows);
}

enum known known_function(const char *name) {
  const struct row *row = find_row(name);
  if (row) return row->known;
  return known_is_plain_cxx(name) ? KNOWN_PLAIN : KNOWN_NOT;
}

static struct {
  const char *name;
  enum effects effects;
} effect_rows[] = {
#define EFFECTS(name, ...) {#name, EFFECTS_SOME},
#define NO_EFFECTS(name) {#name, EFFECTS_NONE},
#include "abi/effects.def"
#undef EFFECTS
#undef NO_EFFECTS
};

enum effects known_effects(const char *name) {
  for (size_t i = 0; i < sizeof effect_rows / sizeof *effect_rows; i++)
    if (strcmp(effect_rows[i].name, name) == 0) return effect_rows[i].effects;
  return EFFECTS_UNKNOWN;
}

/* The libraries themselves know best. */
bool known_in_library(const char *name) {
  if (known_is_of_cxx_library(name)) return true;
  static const char *const libraries[] = {"libc.so.6", "libm.so.6"};
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
    void *library = dlopen(libraries[i], RTLD_LAZY);
    if (library && dlsym(library, name)) return true;
  }
  return false;
}

static const char *const follows[] = {
#define FOLLOWS(name) #name,
#define PRINTS(name)
#include "abi/symbolic_functions.def"
#undef FOLLOWS
#undef PRINTS
    NULL};

static const char *const prints[] = {
#define FOLLOWS(name)
#define PRINTS(name) #name,
#include "abi/symbolic_functions.def"
#undef FOLLOWS
#undef PRINTS
    NULL};

static bool is_among(const char *const *names, const char *name) {
  for (size_t i = 0; names[i]; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

/* Those that leave nothing in thread-local storage but errno, and call back only what the program gave them. */
static const char *const models_without_storage[] = {
    "thread", "join",    "cancel",  "once", "key",  "mutex", "condition", "rwlock",  "spinlock", "barrier", "semaphore",
    "port",   "counter", "monitor", "c11",  "heap", "time",  "random",    "process", "strings",  "sort",    NULL};

bool known_needs_no_storage(const char *name) {
  const struct row *row = find_row(name);
  if (!row) return functions_starts_with(name, "__VERIFIER_");
  if (row->known == KNOWN_PLAIN)
    return strstr(name, "attr_") || strstr(name, "VERIFIER") || strstr(name, "reach_error");
  return is_among(models_without_storage, row->model);
}

bool known_to_heddle(const char *name) {
  return known_function(name) != KNOWN_NOT || functions_starts_with(name, "heddle_") ||
         functions_starts_with(name, "__heddle_");
}

bool known_follows(const char *name) {
  return is_among(follows, name);
}

bool known_prints(const char *name) {
  return is_among(prints, name);
}

const char *known_prefix(enum known known) {
  BUG_ON(known != KNOWN_WRAP && known != KNOWN_RENAME);
  return known == KNOWN_WRAP ? "__wrap_" : "__heddle_call_";
}
