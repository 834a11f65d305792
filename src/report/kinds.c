/* SPDX-License-Identifier: MIT */
#include "report/kinds.h"

#include "base/error.h"

#include <string.h>

static const struct kind kinds[] = {
#define KIND(name, level, ...) {name, LEVEL_##level, __VA_ARGS__},
#include "report/kinds.def"
#undef KIND
};

#define N_KINDS (sizeof kinds / sizeof *kinds)

const struct kind *kind_at(size_t i) {
  return i < N_KINDS ? &kinds[i] : NULL;
}

const struct kind *kind_named(const char *name) {
  for (size_t i = 0; i < N_KINDS; i++)
    if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
  return NULL;
}

size_t kind_index(const char *name) {
  const struct kind *kind = kind_named(name);
  BUG_ON(!kind);
  return (size_t)(kind - kinds);
}
