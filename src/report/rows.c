/* SPDX-License-Identifier: MIT
 *
 * One row per event, then one per thread for the end. A stretch is what one thread does while no other moves; of a long
 * one only the ends are shown, and what is marked. When even that is too much to read, the beginning goes.
 */
#include "report/rows.h"

#include "trace/tables.h"

#include <stdlib.h>

#define STRETCH_HEAD 2
#define STRETCH_TAIL 3
#define LEAST_LEFT_OUT 3
#define MOST_ROWS 60
#define LAST_ROWS 45

static const struct place nowhere = {"", "", "", 0};

/* --- what an event did --- */

/* What else an operation of the constructs in heddle.h is about. */
static void append_partner(struct text *text, const struct scene *scene, const struct event *event) {
  if (!(event->flags & EVENT_VALUE_KNOWN)) return; /* it was not performed */
  if (event_effect_of(event) == EFFECT_RECEIVES) {
    text_append(text, " from ");
    describe_thread(text, scene->knowledge, message_sender(event->value));
  }
  if (event_class_of(event) == CLASS_MONITOR && event_effect_of(event) != EFFECT_RESUMES && event->value) {
    text_append(text, ", ");
    describe_object_briefly(text, scene, event->value, event->site);
  }
}

static void append_what(struct text *text, const struct scene *scene, const struct event *event) {
  if (event->flags & EVENT_IN_SECTION) text_append(text, "  ");
  describe_operation(text, scene, event);
  append_partner(text, scene, event);
  if (event->alternatives > 1)
    text_append_format(text, " (way %u of %u)", event->alternative + 1u, event->alternatives);
}

static void append_value(struct text *text, const struct scene *scene, const struct event *event) {
  const enum event_class class = event_row(event->kind)->class;
  if (!(event->flags & EVENT_VALUE_KNOWN) || (class != CLASS_MEMORY && class != CLASS_SEMAPHORE)) return;
  if (describes_file(event)) return; /* it only counts changes */
  text_append(text, " = ");
  describe_value_in(text, scene, event);
}

/* A row of its own: the locks that the thread keeps while others move. */
static void add_held(row_list *rows, const struct scene *scene, const held_locks *held, thread_id thread) {
  struct row row = {.thread = thread, .event = NO_EVENT, .place = nowhere};
  for (size_t i = 0; i < held->count; i++) {
    if (held->items[i].thread != thread) continue;
    text_append(&row.what, row.what.length ? ", " : "  (holds ");
    describe_object_briefly(&row.what, scene, held->items[i].address, held->items[i].site);
  }
  if (row.what.length == 0) return;
  text_append(&row.what, ")");
  vector_push(rows, row);
}

static bool ends_stretch(const struct trace_view *trace, uint32_t i) {
  return i + 1 == trace->record->n_events || trace->events[i + 1].thread != trace->events[i].thread;
}

static void add_events(row_list *rows, const struct scene *scene, const bool *marks) {
  held_locks held = {0};
  uint32_t step = 0;
  for (uint32_t i = 0; i < scene->trace->record->n_events; i++) {
    const struct event *event = &scene->trace->events[i];
    struct row row = {.thread = event->thread, .event = i, .marked = marks[i]};
    if (event_is_step(event)) row.step = ++step;
    row.place = program_place(scene->program, event->site);
    append_what(&row.what, scene, event);
    append_value(&row.value, scene, event);
    vector_push(rows, row);
    held_note(&held, event);
    if (ends_stretch(scene->trace, i)) add_held(rows, scene, &held, event->thread);
  }
  vector_free(&held);
}

/* --- the end --- */

static void append_next_operation(struct text *text, const struct scene *scene, const struct pending *pending) {
  const struct event event = {
      .kind = pending->kind, .object = pending->object, .site = pending->site, .alternatives = 1};
  if (pending_loops(pending)) {
    text_append(text, "LOOPS forever");
    return;
  }
  text_append(text, pending->blocked == 2 ? "SPINS: " : pending->blocked ? "WAITS: " : "next: ");
  append_what(text, scene, &event);
}

static void add_end(row_list *rows, const struct scene *scene, const struct pending *pending, bool marked) {
  struct row row = {.thread = pending->thread, .event = NO_EVENT, .is_end = true, .marked = marked};
  row.place = pending_place(scene->program, pending);
  append_next_operation(&row.what, scene, pending);
  vector_push(rows, row);
}

static void add_failure(row_list *rows, const struct scene *scene) {
  struct row row = {.thread = scene->trace->record->thread, .event = NO_EVENT, .is_end = true, .marked = true};
  row.place = failure_place(scene);
  describe_outcome(&row.what, scene->trace->record);
  vector_push(rows, row);
}

static bool has_rows(const row_list *rows, thread_id thread) {
  for (size_t i = 0; i < rows->count; i++)
    if (rows->items[i].thread == thread) return true;
  return false;
}

/* Threads that stand before something when the run ends; the one that failed comes last. */
static void add_ends(row_list *rows, const struct scene *scene) {
  const struct trace *record = scene->trace->record;
  const bool is_about_waiting = record->outcome == OUTCOME_DEADLOCK || record->outcome == OUTCOME_LIVELOCK;
  for (uint32_t i = 0; i < record->n_pending; i++) {
    const struct pending *pending = &scene->trace->pendings[i];
    const bool has_operation = pending->kind || pending_loops(pending);
    if (!has_operation || (!is_about_waiting && pending->thread == record->thread)) continue;
    if (pending->blocked || has_rows(rows, pending->thread))
      add_end(rows, scene, pending, is_about_waiting && pending->blocked);
  }
  if (!is_about_waiting && record->thread < HEDDLE_MAX_THREADS) add_failure(rows, scene);
}

/* --- leaving out --- */

static void free_row(struct row *row) {
  text_free(&row->what);
  text_free(&row->value);
}

/* Replaces the rows from `from` to `to` by one. */
static void leave_out(row_list *rows, size_t from, size_t to, const char *words) {
  struct row *first = &rows->items[from];
  first->left_out = 0;
  for (size_t i = from; i < to; i++) first->left_out += rows->items[i].left_out ? rows->items[i].left_out : 1;
  first->step = 0;
  first->event = NO_EVENT;
  first->marked = false;
  first->place = nowhere;
  text_clear(&first->what);
  text_clear(&first->value);
  text_append_format(&first->what, "... %u %s", first->left_out, words);
  for (size_t i = from + 1; i < to; i++) free_row(&rows->items[i]);
  for (size_t i = to; i < rows->count; i++) rows->items[from + 1 + i - to] = rows->items[i];
  rows->count -= to - from - 1;
}

static size_t stretch_end(const row_list *rows, size_t from) {
  size_t end = from + 1;
  while (end < rows->count && rows->items[end].thread == rows->items[from].thread && !rows->items[end].is_end) end++;
  return end;
}

/* Leaves out rows between `from` and `to` that are not marked, where there are enough of them in a row. */
static size_t fold_between(row_list *rows, size_t from, size_t to, const char *words) {
  while (from < to) {
    size_t end = from;
    while (end < to && !rows->items[end].marked && !rows->items[end].is_end) end++;
    if (end - from >= LEAST_LEFT_OUT) {
      leave_out(rows, from, end, words);
      to -= end - from - 1;
      end = from + 1;
    }
    from = end + 1;
  }
  return to;
}

static void fold_stretches(row_list *rows) {
  for (size_t from = 0; from < rows->count;) {
    size_t end = stretch_end(rows, from);
    if (end - from > STRETCH_HEAD + STRETCH_TAIL)
      end = fold_between(rows, from + STRETCH_HEAD, end - STRETCH_TAIL, "operations") + STRETCH_TAIL;
    from = end;
  }
}

static void fold_beginning(row_list *rows) {
  if (rows->count > MOST_ROWS) fold_between(rows, 0, rows->count - LAST_ROWS, "operations of all threads");
}

static void drop_before(row_list *rows, uint64_t from_step) {
  size_t kept = 0;
  while (kept < rows->count && rows->items[kept].step < from_step && !rows->items[kept].is_end) kept++;
  for (size_t i = 0; i < kept; i++) free_row(&rows->items[i]);
  for (size_t i = kept; i < rows->count; i++) rows->items[i - kept] = rows->items[i];
  rows->count -= kept;
}

void rows_make(row_list *rows, const struct scene *scene, bool full, uint64_t from_step) {
  bool *marks = memory_allocate(scene->trace->record->n_events + 1);
  marks_find(scene, marks);
  add_events(rows, scene, marks);
  add_ends(rows, scene);
  free(marks);
  if (from_step > 0) drop_before(rows, from_step);
  if (full) return;
  fold_stretches(rows);
  fold_beginning(rows);
}

void rows_free(row_list *rows) {
  for (size_t i = 0; i < rows->count; i++) free_row(&rows->items[i]);
  vector_free(rows);
}
