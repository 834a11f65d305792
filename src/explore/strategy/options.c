/* SPDX-License-Identifier: MIT */
#include "explore/strategy/options.h"

#include <string.h>

const struct option_value *option_find(const struct option_source *source, const char *name) {
  const struct option_value *value = source->find(source->self, name);
  BUG_ON(!value);
  return value;
}

uint64_t option_number(const struct option_source *source, const char *name, uint64_t otherwise) {
  const struct option_value *value = option_find(source, name);
  return value->given ? value->number : otherwise;
}

bool option_refuse(const char *name, const char *text, size_t length, struct error *error) {
  return error_set(error, "--%s cannot be %.*s: see 'heddle run --help'", name, (int)length, text);
}

bool option_choose(const struct option_source *source, const char *name, const char *const *names, int *choice,
                   struct error *error) {
  const char *text = option_find(source, name)->text;
  for (*choice = 0; names[*choice]; (*choice)++)
    if (strcmp(names[*choice], text) == 0) return true;
  return option_refuse(name, text, strlen(text), error);
}

const char *const order_options[] = {"order", NULL};
const char *const symmetry_options[] = {"symmetry", NULL};

bool order_configure(void *own, const struct option_source *source, struct error *error) {
  static const char *const names[] = {"random", "first", NULL};
  struct order_settings *settings = own;
  int choice;
  if (!option_choose(source, "order", names, &choice, error)) return false;
  settings->takes_first = choice == 1;
  return true;
}

enum policy order_policy(const struct order_settings *own) {
  return own && own->takes_first ? POLICY_CONTINUE : POLICY_RANDOM;
}

bool bound_configure(void *own, const struct option_source *source, struct error *error) {
  struct bound_settings *settings = own;
  (void)error;
  settings->max_preemptions = option_number(source, "max-preemptions", UINT64_MAX);
  return true;
}

uint64_t bound_of(const struct bound_settings *own) {
  return own ? own->max_preemptions : UINT64_MAX;
}
