/* SPDX-License-Identifier: MIT
 *
 * Warnings in words. They are listed by kind and place, whatever the order in which runs showed them.
 *
 *     data race on total
 *         write at sum.c:12 in add, thread t2, holding no lock
 *         read at sum.c:19 in print, thread t1, holding output_lock
 */
#include "report/warnings.h"

#include "abi/layout.h"
#include "base/json.h"
#include "explore/executor/knowledge.h"
#include "report/describe.h"
#include "trace/tables.h"

#include <stdlib.h>
#include <string.h>

/* --- order --- */

static int compare_numbers(uint64_t a, uint64_t b) {
  return a < b ? -1 : a > b;
}

static int compare_places(struct place a, struct place b) {
  int order = strcmp(a.file, b.file);
  if (order == 0) order = compare_numbers(a.line, b.line);
  if (order == 0) order = strcmp(a.function, b.function);
  return order != 0 ? order : strcmp(a.variable, b.variable);
}

static int compare_warnings(const void *a, const void *b) {
  const struct told_warning *x = a, *y = b;
  int order = compare_numbers(x->warning.kind, y->warning.kind);
  if (order == 0) order = compare_places(x->place, y->place);
  if (order == 0) order = compare_places(x->other, y->other);
  if (order == 0) order = compare_numbers(x->warning.site, y->warning.site);
  return order != 0 ? order : compare_numbers(x->warning.other_site, y->warning.other_site);
}

static struct told_warning tell(const struct program *program, const struct warning *warning) {
  return (struct told_warning){*warning, program_place(program, warning->site),
                               program_place(program, warning->other_site)};
}

void warnings_list(warning_list *list, const struct program *program, const struct knowledge *knowledge) {
  const uint32_t count = knowledge_warnings(knowledge);
  for (uint32_t i = 0; i < count; i++) {
    struct warning warning;
    if (knowledge_warning(knowledge, i, &warning)) vector_push(list, tell(program, &warning));
  }
  if (list->count > 0) qsort(list->items, list->count, sizeof *list->items, compare_warnings);
}

/* --- what it is about --- */

static bool is_in_arenas(uint64_t address, thread_id *owner) {
  *owner = 0;
  if (address >= MAIN_ARENA_ADDRESS && address < MAIN_ARENA_ADDRESS + MAIN_ARENA_BYTES) return true;
  if (address < ARENAS_ADDRESS || address >= ARENAS_END) return false;
  *owner = (thread_id)arena_owner(address);
  return true;
}

static bool is_on_stack(uint64_t address, thread_id *owner) {
  if (address < STACKS_ADDRESS || address >= STACKS_END) return false;
  *owner = (thread_id)((address - STACKS_ADDRESS) / STACK_SLOT_BYTES);
  return true;
}

static void append_region(struct text *text, const struct knowledge *knowledge, const char *words, thread_id owner,
                          uint64_t offset) {
  text_append_format(text, "%s of ", words);
  describe_thread(text, knowledge, owner);
  text_append_format(text, " (+%#llx)", (unsigned long long)offset);
}

/* A static variable has a name; of other memory the source's own words say most. */
static void append_object(struct text *text, const struct warning_scene *scene, uint64_t address,
                          const char *variable) {
  uint64_t offset;
  thread_id owner;
  if (program_append_variable(scene->program, text, address, 0, NULL)) return;
  const char *symbol = program_symbol(scene->program, address, &offset);
  if (symbol && offset > 0)
    text_append_format(text, "%s+%llu", symbol, (unsigned long long)offset);
  else if (symbol)
    text_append(text, symbol);
  else if (*variable)
    text_append(text, variable);
  else if (is_in_arenas(address, &owner))
    append_region(text, scene->knowledge, "heap memory", owner, address - arena_address(owner));
  else if (is_on_stack(address, &owner))
    append_region(text, scene->knowledge, "local memory", owner, address - (STACKS_ADDRESS + owner * STACK_SLOT_BYTES));
  else
    text_append_format(text, "address %#llx", (unsigned long long)address);
}

void warning_append_variable(struct text *text, const struct warning_scene *scene, const struct told_warning *told) {
  if (told->warning.address) append_object(text, scene, told->warning.address, told->place.variable);
  if (told->warning.kind == WARNING_UNINITIALISED_LOCAL) text_append(text, told->place.variable);
}

/* Locks that are held, each named as where it was taken. */
struct held {
  const uint64_t *locks;
  const site_id *sites;
};

static void append_lock(struct text *text, const struct warning_scene *scene, const struct held *held, int i) {
  append_object(text, scene, held->locks[i], program_place(scene->program, held->sites[i]).variable);
}

static void append_locks(struct text *text, const struct warning_scene *scene, const struct held *held) {
  for (int i = 0; i < WARNING_LOCKS && held->locks[i]; i++) {
    if (i > 0) text_append(text, ", ");
    append_lock(text, scene, held, i);
  }
}

/* --- the two places --- */

struct side {
  const char *words; /* what happens there, "" for nothing in particular */
  struct place place;
  thread_id thread;
  const struct held *held; /* NULL: of no interest */
};

static void append_side(struct text *text, const struct warning_scene *scene, const struct side *side) {
  if (*side->words) text_append_format(text, "%s ", side->words);
  text_append(text, "at ");
  describe_place(text, side->place);
  if (*side->place.function) text_append_format(text, " in %s", side->place.function);
  if (side->thread != NO_THREAD) {
    text_append(text, ", thread ");
    describe_thread(text, scene->knowledge, side->thread);
  }
  if (!side->held) return;
  text_append(text, side->held->locks[0] ? ", holding " : ", holding no lock");
  append_locks(text, scene, side->held);
}

static const char *words_of_place(const struct warning *warning) {
  if (warning->kind == WARNING_DATA_RACE) return event_row(warning->event)->words;
  if (warning->kind == WARNING_EXIT_WITH_LOCK) return "taken";
  return warning->kind == WARNING_LEAK ? "allocated" : "";
}

static const char *words_of_other_place(const struct warning *warning) {
  if (warning->kind == WARNING_DATA_RACE) return event_row(warning->other_event)->words;
  return warning->kind == WARNING_UNINITIALISED_READ ? "allocated" : "";
}

static void append_lock_order_side(struct text *text, const struct warning_scene *scene, uint64_t taken,
                                   const struct side *side) {
  append_object(text, scene, taken, side->place.variable);
  text_append(text, " ");
  append_side(text, scene, side);
}

/* --- the whole --- */

static void append_head(struct text *text, const struct warning_scene *scene, const struct told_warning *told) {
  const struct warning *warning = &told->warning;
  text_append(text, warning_row(warning->kind)->words);
  struct text variable = {0};
  if (warning->kind != WARNING_LOCK_ORDER) warning_append_variable(&variable, scene, told);
  if (variable.length)
    text_append_format(text, "%s%s", warning->kind == WARNING_DATA_RACE ? " on " : ": ", text_string(&variable));
  text_free(&variable);
  if (*warning->message) text_append_format(text, ": %s", warning->message);
}

static void append_sides(struct text *text, const struct warning_scene *scene, const struct told_warning *told,
                         const char *first, const char *second) {
  const struct warning *warning = &told->warning;
  const bool with_locks = warning->kind == WARNING_DATA_RACE || warning->kind == WARNING_LOCK_ORDER;
  const struct held held = {warning->locks, warning->lock_sites};
  const struct held other_held = {warning->other_locks, warning->other_lock_sites};
  const struct side side = {words_of_place(warning), told->place, warning->thread, with_locks ? &held : NULL};
  const struct side other = {words_of_other_place(warning), told->other, warning->other_thread,
                             with_locks ? &other_held : NULL};
  text_append(text, first);
  if (warning->kind == WARNING_LOCK_ORDER) {
    append_lock_order_side(text, scene, warning->address, &side);
    text_append(text, second);
    append_lock_order_side(text, scene, warning->other_address, &other);
    return;
  }
  append_side(text, scene, &side);
  if (!warning->other_site && warning->other_thread == NO_THREAD) return;
  text_append(text, second);
  append_side(text, scene, &other);
}

void warning_describe(struct text *text, const struct warning_scene *scene, const struct told_warning *told) {
  append_head(text, scene, told);
  append_sides(text, scene, told, ": ", "; ");
}

void warning_describe_in_lines(struct text *text, const struct warning_scene *scene, const struct told_warning *told) {
  append_head(text, scene, told);
  append_sides(text, scene, told, "\n    ", "\n    ");
}

/* --- JSON --- */

static void append_json_string(struct text *json, const char *name, const char *value) {
  text_append_format(json, "\"%s\": ", name);
  json_append_string(json, value);
}

static void append_json_place(struct text *json, struct place place) {
  append_json_string(json, "file", place.file);
  text_append_format(json, ", \"line\": %u, ", place.line);
  append_json_string(json, "function", place.function);
}

static void append_json_thread(struct text *json, const struct warning_scene *scene, thread_id thread) {
  struct text name = {0};
  if (thread != NO_THREAD) describe_thread(&name, scene->knowledge, thread);
  json_append_string(json, text_string(&name));
  text_free(&name);
}

static void append_json_locks(struct text *json, const struct warning_scene *scene, const struct held *held) {
  text_append(json, "\"locks\": [");
  for (int i = 0; i < WARNING_LOCKS && held->locks[i]; i++) {
    struct text name = {0};
    append_lock(&name, scene, held, i);
    if (i > 0) text_append(json, ", ");
    json_append_string(json, text_string(&name));
    text_free(&name);
  }
  text_append(json, "]");
}

static void append_json_threads(struct text *json, const struct warning_scene *scene, const struct warning *warning) {
  text_append(json, "\"threads\": [");
  if (warning->thread != NO_THREAD) append_json_thread(json, scene, warning->thread);
  if (warning->thread != NO_THREAD && warning->other_thread != NO_THREAD) text_append(json, ", ");
  if (warning->other_thread != NO_THREAD) append_json_thread(json, scene, warning->other_thread);
  text_append(json, "]");
}

static void append_json_access(struct text *json, uint32_t event) {
  text_append(json, ", ");
  append_json_string(json, "access", event == EVENT_NONE ? "" : event_row(event)->words);
}

static void append_json_other(struct text *json, const struct warning_scene *scene, const struct told_warning *told) {
  const struct warning *warning = &told->warning;
  text_append(json, ", \"other\": {");
  append_json_place(json, told->other);
  append_json_access(json, warning->other_event);
  text_append(json, ", \"thread\": ");
  append_json_thread(json, scene, warning->other_thread);
  text_append(json, ", ");
  append_json_locks(json, scene, &(struct held){warning->other_locks, warning->other_lock_sites});
  text_append(json, "}");
}

void warning_append_json(struct text *json, const struct warning_scene *scene, const struct told_warning *told) {
  const struct warning *warning = &told->warning;
  struct text message = {0}, variable = {0};
  warning_describe(&message, scene, told);
  warning_append_variable(&variable, scene, told);
  text_append(json, "{");
  append_json_string(json, "kind", warning_row(warning->kind)->kind);
  text_append(json, ", ");
  append_json_string(json, "message", text_string(&message));
  text_append(json, ", ");
  append_json_place(json, told->place);
  append_json_access(json, warning->event);
  text_append(json, ", ");
  append_json_threads(json, scene, warning);
  append_json_other(json, scene, told);
  text_append(json, ", ");
  append_json_string(json, "variable", text_string(&variable));
  text_append(json, ", ");
  append_json_locks(json, scene, &(struct held){warning->locks, warning->lock_sites});
  text_append_format(json, ", \"seed\": %llu}", (unsigned long long)warning->seed);
  text_free(&message);
  text_free(&variable);
}
