/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STATUS_OUT_OF_MEMORY 2

static void complain(const char *message) {
  fprintf(stderr, "heddle: %s\n", message);
}

static void (*say)(const char *message) = complain;

void memory_when_exhausted(void (*function)(const char *message)) {
  say = function;
}

/* What is registered with atexit ends processes and removes temporary files, and could itself need memory. */
void memory_exhausted(void) {
  static bool is_ending;
  if (is_ending) _exit(STATUS_OUT_OF_MEMORY);
  is_ending = true;
  say("out of memory (with a smaller --max-memory the exploration stops before this happens)");
  exit(STATUS_OUT_OF_MEMORY);
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

char *memory_copy_bytes(const char *bytes, size_t count) {
  char *copy = strndup(bytes, count);
  if (!copy) memory_exhausted();
  return copy;
}

void *memory_grow(void *items, size_t *capacity, size_t item_bytes) {
  *capacity = *capacity ? *capacity * 2 : 8;
  return memory_resize(items, *capacity * item_bytes);
}
