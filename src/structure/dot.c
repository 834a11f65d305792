/* SPDX-License-Identifier: MIT
 *
 * An unfolding for graphviz: a column and a colour for each thread, boxes for events, circles for conditions; dashed
 * arrows for what is read and stays, dotted ones for reads that a write comes after.
 */
#include "structure/structure.h"

#include <stdlib.h>
#include <string.h>

static const char *const colours[] = {"#fff2b2", "#cfe8ff", "#d5f2cf", "#ffd9d6", "#e6dcfa",
                                      "#ffe3bf", "#d3f2f0", "#f2d5ea", "#e8e8d0", "#dfe3ea"};

#define N_COLOURS (sizeof colours / sizeof *colours)

static void append_escaped(struct text *dot, const char *string) {
  for (; *string; string++) {
    if (*string == '"' || *string == '\\') text_append(dot, "\\");
    text_append_bytes(dot, *string == '\n' ? " " : string, 1);
  }
}

static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void append_event(struct text *dot, const struct structure *structure, uint32_t number) {
  const struct structure_event *event = &structure->events.items[number - 1];
  text_append_format(dot, "  e%u [label=\"", number);
  append_escaped(dot, structure->threads.items[event->thread].name);
  text_append(dot, ": ");
  append_escaped(dot, event->words);
  if (*event->place.file) {
    text_append(dot, "\\n");
    append_escaped(dot, file_name(event->place.file));
    text_append_format(dot, ":%u", event->place.line);
  }
  text_append_format(dot, "\", group=t%u, fillcolor=\"%s\"%s];\n", event->thread, colours[event->thread % N_COLOURS],
                     event->is_step ? "" : ", style=\"filled,rounded\"");
}

/* "7", "free", "t1": what the object is then. */
static void append_state(struct text *dot, const struct structure *structure, const struct structure_object *object,
                         uint64_t value) {
  const unsigned unused = object->size > 0 && object->size < 8 ? 64 - 8 * object->size : 0;
  if (strcmp(object->kind, "mutex") == 0)
    append_escaped(dot,
                   value > 0 && value <= structure->threads.count ? structure->threads.items[value - 1].name : "free");
  else if (object->is_signed)
    text_append_format(dot, "%lld", (long long)((int64_t)(value << unused) >> unused));
  else
    text_append_format(dot, "%llu", (unsigned long long)value);
}

static void append_condition(struct text *dot, const struct structure *structure, uint32_t number) {
  const struct structure_condition *condition = &structure->conditions.items[number - 1];
  const struct structure_object *object = &structure->objects.items[condition->object - 1];
  text_append_format(dot, "  c%u [label=\"", number);
  append_escaped(dot, object->name);
  if (condition->term) {
    struct text term = {0};
    term_print(structure->terms, condition->term, &term);
    text_append(dot, "\\n");
    append_escaped(dot, text_string(&term));
    text_free(&term);
  } else if (condition->is_known) {
    text_append(dot, "\\n");
    append_state(dot, structure, object, condition->value);
  }
  text_append(dot, "\"];\n");
}

static void append_arrows(struct text *dot, const struct structure *structure, uint32_t number, const bool *shown) {
  const struct structure_event *event = &structure->events.items[number - 1];
  const uint32_t *ids = structure->ids.items;
  if (event->previous) {
    const bool same = structure->events.items[event->previous - 1].thread == event->thread;
    text_append_format(dot, "  e%u -> e%u [weight=%d, penwidth=1.6];\n", event->previous, number, same ? 20 : 1);
  }
  for (uint32_t i = 0; i < event->consumes.count; i++)
    if (shown[ids[event->consumes.first + i]])
      text_append_format(dot, "  c%u -> e%u;\n", ids[event->consumes.first + i], number);
  for (uint32_t i = 0; i < event->reads.count; i++)
    if (shown[ids[event->reads.first + i]])
      text_append_format(dot, "  c%u -> e%u [style=dashed, arrowhead=none];\n", ids[event->reads.first + i], number);
  for (uint32_t i = 0; i < event->produces.count; i++)
    if (shown[ids[event->produces.first + i]])
      text_append_format(dot, "  e%u -> c%u;\n", number, ids[event->produces.first + i]);
  for (uint32_t i = 0; i < event->after.count; i++)
    text_append_format(dot, "  e%u -> e%u [style=dotted];\n", ids[event->after.first + i], number);
}

static bool says_something(const struct structure *structure, const struct structure_condition *condition) {
  return condition->object && strcmp(structure->objects.items[condition->object - 1].kind, "thread") != 0;
}

/* Whether a thread has ended shows in its events; other objects where an event made or needs them. */
static void find_shown(const struct structure *structure, bool *shown) {
  for (uint32_t i = 1; i <= structure->conditions.count; i++)
    shown[i] =
        structure->conditions.items[i - 1].event && says_something(structure, &structure->conditions.items[i - 1]);
  for (size_t i = 0; i < structure->events.count; i++) {
    const struct structure_event *event = &structure->events.items[i];
    const struct structure_slice slices[] = {event->reads, event->consumes};
    for (size_t k = 0; k < 2; k++)
      for (uint32_t j = 0; j < slices[k].count; j++) {
        const uint32_t condition = structure->ids.items[slices[k].first + j];
        shown[condition] = says_something(structure, &structure->conditions.items[condition - 1]);
      }
  }
}

void structure_append_dot(const struct structure *structure, struct text *dot) {
  bool *shown = memory_allocate(structure->conditions.count + 1);
  find_shown(structure, shown);
  text_append(dot, "digraph unfolding {\n"
                   "  rankdir=TB; nodesep=0.25; ranksep=0.35;\n"
                   "  node [fontname=\"Helvetica\", fontsize=10];\n"
                   "  edge [arrowsize=0.6, color=\"#555555\"];\n"
                   "  node [shape=box, style=filled, margin=\"0.08,0.04\", height=0.2];\n");
  for (uint32_t i = 1; i <= structure->events.count; i++) append_event(dot, structure, i);
  text_append(dot, "  node [shape=circle, style=\"\", fontsize=8, width=0.2, height=0.2, margin=\"0.01,0.01\"];\n");
  for (uint32_t i = 1; i <= structure->conditions.count; i++)
    if (shown[i]) append_condition(dot, structure, i);
  for (uint32_t i = 1; i <= structure->events.count; i++) append_arrows(dot, structure, i, shown);
  text_append(dot, "}\n");
  free(shown);
}
