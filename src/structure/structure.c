/* SPDX-License-Identifier: MIT */
#include "structure/structure.h"

#include "trace/tables.h"

#include <stdlib.h>
#include <string.h>

void structure_free(struct structure *structure) {
  if (structure->owns_terms) terms_destroy(structure->terms);
  vector_free(&structure->program.arguments);
  vector_free(&structure->threads);
  vector_free(&structure->shared);
  vector_free(&structure->objects);
  vector_free(&structure->events);
  vector_free(&structure->conditions);
  vector_free(&structure->tails);
  vector_free(&structure->left);
  vector_free(&structure->inputs);
  vector_free(&structure->ids);
  for (size_t i = 0; i < structure->strings.count; i++) free(structure->strings.items[i]);
  vector_free(&structure->strings);
  vector_free(&structure->string_table);
  *structure = (struct structure){0};
}

/* --- strings --- */

static uint64_t hash_string(const char *string) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (; *string; string++) hash = (hash ^ (unsigned char)*string) * 0x100000001b3ull;
  return hash ^ hash >> 32;
}

/* Where the string is in the table, or belongs. Entries are 1 + the string's number. */
static uint32_t *find_entry(const struct structure *structure, const char *string) {
  const size_t mask = structure->string_table.count - 1;
  for (size_t i = hash_string(string) & mask;; i = (i + 1) & mask) {
    uint32_t *entry = &structure->string_table.items[i];
    if (!*entry || strcmp(structure->strings.items[*entry - 1], string) == 0) return entry;
  }
}

static void grow_table(struct structure *structure) {
  const size_t size = structure->string_table.count ? 4 * structure->string_table.count : 256;
  structure->string_table.count = 0;
  while (structure->string_table.count < size) vector_push(&structure->string_table, 0);
  memset(structure->string_table.items, 0, size * sizeof *structure->string_table.items);
  for (size_t i = 0; i < structure->strings.count; i++)
    *find_entry(structure, structure->strings.items[i]) = (uint32_t)i + 1;
}

const char *structure_string(struct structure *structure, const char *string) {
  if (2 * structure->strings.count >= structure->string_table.count) grow_table(structure);
  uint32_t *entry = find_entry(structure, string);
  if (!*entry) {
    vector_push(&structure->strings, memory_copy_string(string));
    *entry = (uint32_t)structure->strings.count;
  }
  return structure->strings.items[*entry - 1];
}

/* --- causes --- */

static void append_cause(event_numbers *causes, uint32_t event) {
  if (event) vector_push(causes, event);
}

static void append_makers(const struct structure *structure, struct structure_slice slice, event_numbers *causes) {
  for (uint32_t i = 0; i < slice.count; i++)
    append_cause(causes, structure->conditions.items[structure->ids.items[slice.first + i] - 1].event);
}

void structure_append_causes(const struct structure *structure, const struct structure_event *event,
                             event_numbers *causes) {
  append_cause(causes, event->previous);
  append_makers(structure, event->reads, causes);
  append_makers(structure, event->consumes, causes);
  for (uint32_t i = 0; i < event->after.count; i++) append_cause(causes, structure->ids.items[event->after.first + i]);
}

/* --- kinds --- */

bool structure_ends_thread(const struct structure_event *event) {
  return strcmp(event->kind, event_row(EVENT_THREAD_END)->words) == 0 ||
         strcmp(event->kind, event_row(EVENT_PROCESS_EXIT)->words) == 0;
}

void structure_append_variables(const struct structure *structure, object_numbers *objects) {
  for (size_t i = 0; i < structure->objects.count; i++) {
    const struct structure_object *object = &structure->objects.items[i];
    if (strcmp(object->kind, "variable") == 0 && object->size >= 1 && object->size <= 8)
      vector_push(objects, (uint32_t)i + 1);
  }
}
