/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void memory_exhausted(void) {
  fputs("heddle: out of memory\n", stderr);
  exit(4);
}

void *memory_allocate(size_t size_bytes) {
  void *memory = calloc(1, size_bytes ? size_bytes : 1);
  if (!memory) memory_exhausted();
  return memory;
}

void *memory_resize(void *memory, size_t size_bytes) {
  void *moved = realloc(memory, size_bytes ? size_bytes : 1);
  if (!moved) memory_exhausted();
  return moved;
}

char *memory_copy_string(const char *string) {
  char *copy = strdup(string);
  if (!copy) memory_exhausted();
  return copy;
}

void *memory_grow(void *items, size_t *capacity, size_t item_bytes) {
  *capacity = *capacity ? *capacity * 2 : 8;
  return memory_resize(items, *capacity * item_bytes);
}
