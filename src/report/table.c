/* SPDX-License-Identifier: MIT
 *
 * A run as a table: one column per thread that did something, one line per event, with its source line. Columns are as
 * wide as their contents.
 */
#include "report/terminal.h"

#include "trace/tables.h"

#include <stdlib.h>
#include <string.h>

struct column {
  thread_id thread;
  struct text head;
  size_t width;
};

struct row {
  uint32_t step; /* 0 = not a step */
  size_t column;
  struct text place, what;
};

struct table {
  VECTOR(struct column) columns;
  VECTOR(struct row) rows;
  size_t place_width;
};

/* Characters, not bytes: continuation bytes of UTF-8 take no room. */
static size_t width_of(const struct text *text) {
  size_t width = 0;
  for (size_t i = 0; i < text->length; i++) width += ((unsigned char)text->string[i] & 0xc0) != 0x80;
  return width;
}

static void widen(size_t *width, const struct text *text) {
  const size_t needed = width_of(text);
  if (needed > *width) *width = needed;
}

/* "t1 = worker": a thread with the function its first event stands in. */
static size_t column_of(struct table *table, const struct scene *scene, const struct event *event) {
  for (size_t i = 0; i < table->columns.count; i++)
    if (table->columns.items[i].thread == event->thread) return i;
  struct column column = {.thread = event->thread};
  const char *function = program_place(scene->program, event->site).function;
  describe_thread(&column.head, scene->knowledge, event->thread);
  if (event->thread != 0 && *function) text_append_format(&column.head, " = %s", function);
  widen(&column.width, &column.head);
  vector_push(&table->columns, column);
  return table->columns.count - 1;
}

static void append_what(struct text *text, const struct scene *scene, const struct event *event) {
  const struct event_row *kind = event_row(event->kind);
  if (event->flags & EVENT_IN_SECTION) text_append(text, "  ");
  text_append(text, kind->words);
  if (kind->class == CLASS_THREAD) {
    text_append(text, " ");
    describe_thread(text, scene->knowledge, (thread_id)event->object);
  } else if (kind->class == CLASS_DESCRIPTOR) {
    text_append_format(text, " %llu: %llu", (unsigned long long)event->object, (unsigned long long)event->value);
  } else if (kind->class != CLASS_NOTHING) {
    text_append(text, " ");
    describe_object_briefly(text, scene, event->object, event->site);
  }
  if (event->flags & EVENT_VALUE_KNOWN && (kind->class == CLASS_MEMORY || kind->class == CLASS_SEMAPHORE)) {
    text_append(text, " = ");
    describe_value(text, event);
  }
  if (event->alternatives > 1)
    text_append_format(text, " (way %u of %u)", event->alternative + 1u, event->alternatives);
}

static void append_short_place(struct text *text, struct place place) {
  const char *slash = strrchr(place.file, '/');
  if (slash) place.file = slash + 1;
  if (*place.file && place.line) describe_place(text, place);
}

static void add_row(struct table *table, const struct scene *scene, const struct event *event, uint32_t step) {
  struct row row = {.step = step, .column = column_of(table, scene, event)};
  append_short_place(&row.place, program_place(scene->program, event->site));
  append_what(&row.what, scene, event);
  widen(&table->place_width, &row.place);
  widen(&table->columns.items[row.column].width, &row.what);
  vector_push(&table->rows, row);
}

static int compare_columns(const void *a, const void *b) {
  const struct column *x = a, *y = b;
  return (x->thread > y->thread) - (x->thread < y->thread);
}

/* Columns stand in the order of thread ids; rows refer to them, so they are sorted before the rows are made. */
static void make_columns(struct table *table, const struct scene *scene) {
  for (uint32_t i = 0; i < scene->trace->record->n_events; i++) column_of(table, scene, &scene->trace->events[i]);
  if (table->columns.count > 0)
    qsort(table->columns.items, table->columns.count, sizeof *table->columns.items, compare_columns);
}

static void make_rows(struct table *table, const struct scene *scene) {
  uint32_t step = 0;
  for (uint32_t i = 0; i < scene->trace->record->n_events; i++) {
    const struct event *event = &scene->trace->events[i];
    add_row(table, scene, event, event_is_step(event) ? ++step : 0);
  }
}

static void print_padded(FILE *stream, const struct text *text, size_t width) {
  fputs(text_string(text), stream);
  for (size_t i = width_of(text); i < width; i++) fputc(' ', stream);
}

static void print_head(FILE *stream, const struct table *table) {
  fprintf(stream, "step  %-*s", (int)table->place_width, "");
  for (size_t i = 0; i < table->columns.count; i++) {
    fputs("  ", stream);
    print_padded(stream, &table->columns.items[i].head,
                 i + 1 < table->columns.count ? table->columns.items[i].width : 0);
  }
  fputs("\n", stream);
}

static void print_row(FILE *stream, const struct table *table, const struct row *row) {
  if (row->step)
    fprintf(stream, "%4u  ", row->step);
  else
    fputs("      ", stream);
  print_padded(stream, &row->place, table->place_width);
  for (size_t i = 0; i < row->column; i++) fprintf(stream, "  %*s", (int)table->columns.items[i].width, "");
  fprintf(stream, "  %s\n", text_string(&row->what));
}

static void free_table(struct table *table) {
  for (size_t i = 0; i < table->columns.count; i++) text_free(&table->columns.items[i].head);
  for (size_t i = 0; i < table->rows.count; i++) {
    text_free(&table->rows.items[i].place);
    text_free(&table->rows.items[i].what);
  }
  vector_free(&table->columns);
  vector_free(&table->rows);
}

void table_print(FILE *stream, const struct scene *scene) {
  struct table table = {0};
  make_columns(&table, scene);
  make_rows(&table, scene);
  print_head(stream, &table);
  for (size_t i = 0; i < table.rows.count; i++) print_row(stream, &table, &table.rows.items[i]);
  free_table(&table);
}
