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
  id_index_free(&structure->string_index);
  *structure = (struct structure){0};
}

/* --- strings --- */

static uint64_t hash_string(const char *string) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (; *string; string++) hash = (hash ^ (unsigned char)*string) * 0x100000001b3ull;
  return hash ^ hash >> 32;
}

const char *structure_string(struct structure *structure, const char *string) {
  const uint64_t hash = hash_string(string);
  struct id_search search = id_index_search(&structure->string_index, hash);
  for (uint32_t id; (id = id_search_next(&search));)
    if (strcmp(structure->strings.items[id - 1], string) == 0) return structure->strings.items[id - 1];
  vector_push(&structure->strings, memory_copy_string(string));
  id_index_add(&structure->string_index, (uint32_t)structure->strings.count, hash);
  return structure->strings.items[structure->strings.count - 1];
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
