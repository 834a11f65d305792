/* SPDX-License-Identifier: MIT */
#include "explore/strategy/account.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void account_free(struct account *account) {
  for (size_t i = 0; i < account->warnings.count; i++) free(account->warnings.items[i]);
  vector_free(&account->reasons);
  vector_free(&account->warnings);
  vector_free(&account->figures);
  vector_free(&account->uncovered);
}

void account_add_reason(struct account *account, enum reason reason) {
  vector_push(&account->reasons, reason);
}

void account_add_warning(struct account *account, const char *format, ...) {
  char words[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  vector_push(&account->warnings, memory_copy_string(words));
}

void account_add_count(struct account *account, const char *name, uint64_t count) {
  vector_push(&account->figures, ((struct figure){.name = name, .count = count}));
}

void account_add_seconds(struct account *account, const char *name, double seconds) {
  vector_push(&account->figures, ((struct figure){.name = name, .seconds = seconds}));
}

void account_add_counts(struct account *account, const char *name, const uint64_t *counts, size_t n_counts) {
  vector_push(&account->figures, ((struct figure){.name = name, .counts = counts, .n_counts = n_counts}));
}

const struct figure *account_figure(const struct account *account, const char *name) {
  for (size_t i = 0; i < account->figures.count; i++)
    if (strcmp(account->figures.items[i].name, name) == 0) return &account->figures.items[i];
  return NULL;
}

uint64_t account_count(const struct account *account, const char *name) {
  const struct figure *figure = account_figure(account, name);
  return figure ? figure->count : 0;
}

double account_seconds(const struct account *account, const char *name) {
  const struct figure *figure = account_figure(account, name);
  return figure ? figure->seconds : 0;
}
