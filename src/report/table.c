/* SPDX-License-Identifier: MIT
 *
 * A run as a table: a column per thread that takes part, and the source line of what it does.
 *
 *      step  line  main                    t1 save           t2 spend           source
 *
 * Columns are as wide as their contents while the line has room; then the widest give way first. With more threads than
 * there is room for, one column has all of them, and another says who it is.
 */
#include "report/terminal.h"

#include "report/rows.h"
#include "report/sources.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LEAST_COLUMN 13
#define LEAST_SOURCE 22
#define KEPT_HEAD 6 /* characters of an operation that is cut short in its middle */
#define MOST_SOURCE 60
#define STEP_WIDTH 6

struct column {
  thread_id thread;
  struct text head;
  size_t width;
};

struct table {
  const struct table_settings *settings;
  row_list rows;
  VECTOR(struct column) columns;
  VECTOR(struct text) places;  /* of the rows */
  VECTOR(struct text) sources; /* of the rows */
  struct sources files;
  size_t place_width, source_width;
  bool is_one_file; /* places are lines of it */
  bool is_list;     /* one column for all threads */
};

/* --- colours --- */

static const char *const thread_colours[] = {"\033[36m", "\033[33m", "\033[35m", "\033[32m", "\033[34m"};

static const char *paint(const struct table *table, const char *colour) {
  return table->settings->colours ? colour : "";
}

static const char *colour_of(const struct table *table, thread_id thread) {
  return paint(table, thread_colours[thread % (sizeof thread_colours / sizeof *thread_colours)]);
}

struct table_settings table_settings_for(FILE *stream) {
  struct table_settings settings = {0};
  struct winsize size;
  const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
  if (!isatty(fileno(stream))) return settings;
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) settings.width = size.ws_col;
  settings.colours = !(no_color && *no_color) && !(terminal && strcmp(terminal, "dumb") == 0);
  return settings;
}

/* --- contents --- */

/* Characters, not bytes: continuation bytes of UTF-8 take no room. */
static bool starts_character(char byte) {
  return ((unsigned char)byte & 0xc0) != 0x80;
}

static size_t width_of(const struct text *text) {
  size_t width = 0;
  for (size_t i = 0; i < text->length; i++) width += starts_character(text->string[i]);
  return width;
}

static void widen(size_t *width, const struct text *text) {
  const size_t needed = width_of(text);
  if (needed > *width) *width = needed;
}

static void widen_for_row(size_t *width, const struct row *row) {
  const size_t needed = width_of(&row->what) + width_of(&row->value);
  if (needed > *width) *width = needed;
}

static struct column *column_of(struct table *table, thread_id thread) {
  for (size_t i = 0; i < table->columns.count; i++)
    if (table->columns.items[i].thread == thread) return &table->columns.items[i];
  return NULL;
}

static void add_column(struct table *table, const struct scene *scene, thread_id thread) {
  if (column_of(table, thread)) return;
  struct column column = {.thread = thread};
  const char *start = thread_start_routine(scene, thread);
  describe_thread(&column.head, scene->knowledge, thread);
  if (*start) text_append_format(&column.head, " %s", start);
  widen(&column.width, &column.head);
  vector_push(&table->columns, column);
}

static int compare_columns(const void *a, const void *b) {
  const struct column *x = a, *y = b;
  return (x->thread > y->thread) - (x->thread < y->thread);
}

static void make_columns(struct table *table, const struct scene *scene) {
  for (size_t i = 0; i < table->rows.count; i++) add_column(table, scene, table->rows.items[i].thread);
  if (table->columns.count > 0)
    qsort(table->columns.items, table->columns.count, sizeof *table->columns.items, compare_columns);
  for (size_t i = 0; i < table->rows.count; i++)
    widen_for_row(&column_of(table, table->rows.items[i].thread)->width, &table->rows.items[i]);
}

/* Where everything is in one file, the line says enough. */
static bool has_one_file(const row_list *rows) {
  const char *file = "";
  for (size_t i = 0; i < rows->count; i++) {
    const char *other = rows->items[i].place.file;
    if (*file && *other && strcmp(file, other) != 0) return false;
    if (*other) file = other;
  }
  return true;
}

static void append_short_place(struct text *text, struct place place, bool only_line) {
  const char *slash = strrchr(place.file, '/');
  if (slash) place.file = slash + 1;
  if (!*place.file || !place.line) return;
  if (only_line)
    text_append_format(text, "%4u", place.line);
  else
    describe_place(text, place);
}

static void make_places(struct table *table) {
  table->is_one_file = has_one_file(&table->rows);
  table->place_width = table->is_one_file ? strlen("line") : strlen("place");
  for (size_t i = 0; i < table->rows.count; i++) {
    struct text place = {0}, source = {0};
    append_short_place(&place, table->rows.items[i].place, table->is_one_file);
    sources_append_line(&table->files, &source, table->rows.items[i].place.file, table->rows.items[i].place.line);
    widen(&table->place_width, &place);
    widen(&table->source_width, &source);
    vector_push(&table->places, place);
    vector_push(&table->sources, source);
  }
}

/* --- room --- */

static size_t width_of_columns(const struct table *table) {
  size_t width = 0;
  for (size_t i = 0; i < table->columns.count; i++) width += 2 + table->columns.items[i].width;
  return width;
}

static struct column *widest_column(struct table *table) {
  struct column *widest = &table->columns.items[0];
  for (size_t i = 1; i < table->columns.count; i++)
    if (table->columns.items[i].width > widest->width) widest = &table->columns.items[i];
  return widest;
}

/* All threads in one column, with another for their names. */
static void become_list(struct table *table) {
  size_t names = 0, contents = 0;
  for (size_t i = 0; i < table->columns.count; i++) widen(&names, &table->columns.items[i].head);
  for (size_t i = 0; i < table->rows.count; i++) widen_for_row(&contents, &table->rows.items[i]);
  table->is_list = true;
  table->columns.items[0].width = names;
  table->columns.items[1].width = contents;
}

static void fit(struct table *table, size_t width) {
  const size_t fixed = STEP_WIDTH + 2 + table->place_width;
  const size_t room = width > fixed + LEAST_SOURCE + 2 ? width - fixed - 2 : LEAST_SOURCE;
  if (table->source_width > MOST_SOURCE) table->source_width = MOST_SOURCE;
  const size_t least_source = table->source_width < LEAST_SOURCE ? table->source_width : LEAST_SOURCE;
  const size_t for_columns = room - least_source;
  if (table->columns.count > 1 && table->columns.count * (LEAST_COLUMN + 2) > for_columns) become_list(table);
  size_t used =
      table->is_list ? 4 + table->columns.items[0].width + table->columns.items[1].width : width_of_columns(table);
  while (used > for_columns) {
    struct column *widest = table->is_list ? &table->columns.items[1] : widest_column(table);
    if (widest->width <= LEAST_COLUMN) break;
    widest->width--;
    used--;
  }
  if (used + table->source_width > room) table->source_width = room > used ? room - used : 0;
}

/* --- printing --- */

/* At most `width` characters, the last of them a dot when something is missing, and blanks up to `padded`. */
static void print_fitted(FILE *stream, const struct text *text, size_t width, size_t padded) {
  const size_t whole = width_of(text);
  size_t kept = whole <= width ? whole : width > 2 ? width - 2 : 0, printed = 0;
  for (size_t i = 0; i < text->length; i++) {
    if (starts_character(text->string[i]) && printed++ == kept) break;
    fputc(text->string[i], stream);
  }
  if (kept < whole) {
    fputs(width >= 2 ? ".." : "", stream);
    kept = width;
  }
  for (; kept < padded; kept++) fputc(' ', stream);
}

static const char *skip_characters(const char *string, size_t count) {
  for (; *string && (count > 0 || !starts_character(*string)); string++) count -= starts_character(*string);
  return string;
}

/* The verb's beginning and the object's end say most. */
static void print_without_middle(FILE *stream, const struct text *text, size_t width) {
  const size_t whole = width_of(text);
  if (whole <= width || width < 2 * KEPT_HEAD) {
    print_fitted(stream, text, width, 0);
    return;
  }
  const char *string = text_string(text), *head_end = skip_characters(string, KEPT_HEAD);
  fprintf(stream, "%.*s..%s", (int)(head_end - string), string,
          skip_characters(string, whole - (width - KEPT_HEAD - 2)));
}

static void begin_cell(FILE *stream, const struct table *table, const struct row *row) {
  fputs("  ", stream);
  fputs(row->left_out ? paint(table, "\033[2m") : colour_of(table, row->thread), stream);
  if (row->marked) fputs(paint(table, "\033[1m"), stream);
}

static void print_name(FILE *stream, const struct table *table, const struct row *row, const struct text *name) {
  begin_cell(stream, table, row);
  print_fitted(stream, name, table->columns.items[0].width, table->columns.items[0].width);
  fputs(paint(table, "\033[0m"), stream);
}

/* What does not fit is cut off before the value. */
static void print_operation(FILE *stream, const struct table *table, const struct row *row, size_t width) {
  const size_t value = width_of(&row->value), what = width_of(&row->what);
  const size_t left = width > value ? width - value : 0;
  begin_cell(stream, table, row);
  print_without_middle(stream, &row->what, left);
  print_fitted(stream, &row->value, width - (what < left ? what : left), width - (what < left ? what : left));
  fputs(paint(table, "\033[0m"), stream);
}

static void print_blank(FILE *stream, size_t width) {
  fprintf(stream, "  %*s", (int)width, "");
}

static void print_cells(FILE *stream, struct table *table, const struct row *row) {
  if (table->is_list) {
    print_name(stream, table, row, &column_of(table, row->thread)->head);
    print_operation(stream, table, row, table->columns.items[1].width);
    return;
  }
  for (size_t i = 0; i < table->columns.count; i++) {
    const struct column *column = &table->columns.items[i];
    if (column->thread == row->thread)
      print_operation(stream, table, row, column->width);
    else
      print_blank(stream, column->width);
  }
}

static void print_row(FILE *stream, struct table *table, size_t i) {
  const struct row *row = &table->rows.items[i];
  const struct text *source = &table->sources.items[i];
  struct text number = {0};
  if (row->step) text_append_format(&number, "%u", row->step);
  fprintf(stream, "%s%4s %s", row->is_end ? paint(table, "\033[31m") : "", text_string(&number),
          row->marked ? "*" : " ");
  text_free(&number);
  print_fitted(stream, &table->places.items[i], table->place_width, table->place_width);
  fputs(row->is_end ? paint(table, "\033[0m") : "", stream);
  print_cells(stream, table, row);
  if (source->length > 0 && table->source_width > 0) {
    fprintf(stream, "  %s", paint(table, "\033[2m"));
    print_fitted(stream, source, table->source_width, 0);
    fputs(paint(table, "\033[0m"), stream);
  }
}

/* Without the blanks at its end. */
static void print_line(FILE *stream, struct table *table, void (*print)(FILE *, struct table *, size_t), size_t i) {
  char *line = NULL;
  size_t length = 0;
  FILE *memory = open_memstream(&line, &length);
  if (!memory) memory_exhausted();
  print(memory, table, i);
  fclose(memory);
  while (length > 0 && line[length - 1] == ' ') length--;
  fprintf(stream, "%.*s\n", (int)length, line);
  free(line);
}

static void print_head(FILE *stream, struct table *table, size_t unused) {
  static const struct text thread = {.string = (char *)"thread", .length = 6};
  static const struct text operation = {.string = (char *)"operation", .length = 9};
  (void)unused;
  fprintf(stream, "%sstep  %-*s", paint(table, "\033[1m"), (int)table->place_width,
          table->is_one_file ? "line" : "place");
  for (size_t i = 0; i < table->columns.count && (!table->is_list || i < 2); i++) {
    const struct column *column = &table->columns.items[i];
    fputs("  ", stream);
    print_fitted(stream, table->is_list ? i == 0 ? &thread : &operation : &column->head, column->width, column->width);
  }
  if (table->source_width > 0) fputs("  source", stream);
  fputs(paint(table, "\033[0m"), stream);
}

static void free_texts(struct text *texts, size_t count) {
  for (size_t i = 0; i < count; i++) text_free(&texts[i]);
}

static void free_table(struct table *table) {
  for (size_t i = 0; i < table->columns.count; i++) text_free(&table->columns.items[i].head);
  free_texts(table->places.items, table->places.count);
  free_texts(table->sources.items, table->sources.count);
  vector_free(&table->columns);
  vector_free(&table->places);
  vector_free(&table->sources);
  rows_free(&table->rows);
  sources_free(&table->files);
}

void table_print(FILE *stream, const struct scene *scene, const struct table_settings *settings) {
  struct table table = {.settings = settings, .files = {.built_at = settings->built_at}};
  rows_make(&table.rows, scene, settings->full, settings->from_step);
  make_columns(&table, scene);
  make_places(&table);
  if (table.columns.count > 0) fit(&table, settings->width ? settings->width : TABLE_WIDTH);
  print_line(stream, &table, print_head, 0);
  for (size_t i = 0; i < table.rows.count; i++) print_line(stream, &table, print_row, i);
  if (table.files.changed) fputs("\nnote: sources have changed since the program was built\n", stream);
  free_table(&table);
}
