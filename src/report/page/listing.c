/* SPDX-License-Identifier: MIT
 *
 * A row is a link to the line that it is at; a source has an id for every line. Of long sources only the neighbourhood
 * of lines that occur is there.
 */
#include "report/page/page.h"

#include "base/files.h"
#include "model/kinds.h"
#include "report/formats/formats.h"

#include <stdlib.h>
#include <string.h>

#define WHOLE_SOURCE_LINES 1500
#define LINES_AROUND 25

/* The files of the rows, in the order in which they occur. */
typedef VECTOR(const char *) file_list;

static size_t file_index(const file_list *files, const char *file) {
  for (size_t i = 0; i < files->count; i++)
    if (strcmp(files->items[i], file) == 0) return i;
  return SIZE_MAX;
}

static void list_files(file_list *files, const row_list *rows) {
  for (size_t i = 0; i < rows->count; i++)
    if (*rows->items[i].place.file && file_index(files, rows->items[i].place.file) == SIZE_MAX)
      vector_push(files, rows->items[i].place.file);
}

/* --- rows --- */

/* What a script needs to say what variables hold: name and value of a memory access. */
static void append_watched(struct text *html, const struct shown_run *run, const struct row *row) {
  if (row->event == NO_EVENT || row->value.length < 3) return;
  const struct event *event = &run->scene->trace->events[row->event];
  struct text name = {0};
  if (event_class_of(event) != CLASS_MEMORY) return;
  describe_operand(&name, run->scene, event);
  text_append(html, " data-name=\"");
  xml_append(html, text_string(&name));
  text_append(html, "\" data-value=\"");
  xml_append(html, row->value.string + strlen(" = "));
  text_append(html, "\"");
  text_free(&name);
}

static void append_place(struct text *html, const struct shown_run *run, struct place place, bool one_file) {
  struct text words = {0};
  if (*place.file && place.line && !one_file) {
    paths_append(&words, run->paths, place.file);
    text_append_format(&words, ":%u", place.line);
  } else if (place.line) {
    text_append_format(&words, "%u", place.line);
  }
  const char *slash = strrchr(text_string(&words), '/');
  text_append(html, "<span class=\"place\">");
  xml_append(html, slash ? slash + 1 : text_string(&words));
  text_append(html, "</span>");
  text_free(&words);
}

static void append_row(struct text *html, const struct shown_run *run, const file_list *files, size_t i) {
  const struct row *row = &run->rows.items[i];
  const size_t file = *row->place.file ? file_index(files, row->place.file) : SIZE_MAX;
  struct text name = {0};
  describe_thread(&name, run->scene->knowledge, row->thread);
  text_append_format(html, "<a class=\"row t%u%s%s\" id=\"b%ur%zu\"", row->thread % THREAD_COLOURS,
                     row->marked ? " marked" : "", row->is_end ? " end" : "", run->number, i);
  if (file != SIZE_MAX && row->place.line)
    text_append_format(html, " href=\"#b%uf%zul%u\"", run->number, file, row->place.line);
  append_watched(html, run, row);
  text_append(html, "><span class=\"step\">");
  if (row->step) text_append_format(html, "%u", row->step);
  text_append(html, "</span>");
  append_place(html, run, row->place, files->count == 1);
  text_append(html, "<span class=\"who\">");
  xml_append(html, text_string(&name));
  text_append(html, "</span><span class=\"what\">");
  xml_append(html, text_string(&row->what));
  text_append(html, "<b>");
  xml_append(html, text_string(&row->value));
  text_append(html, "</b></span></a>\n");
  text_free(&name);
}

void listing_append_rows(struct text *html, const struct shown_run *run) {
  file_list files = {0};
  list_files(&files, &run->rows);
  text_append(html, "<div class=\"rows\"><div class=\"row head\"><span class=\"step\">step</span><span class=\"place\">"
                    "line</span><span class=\"who\">thread</span><span class=\"what\">operation</span></div>\n");
  for (size_t i = 0; i < run->rows.count; i++) append_row(html, run, &files, i);
  text_append(html, "</div>\n");
  vector_free(&files);
}

/* --- sources --- */

static bool is_near(const row_list *rows, const char *file, uint32_t line) {
  for (size_t i = 0; i < rows->count; i++) {
    const struct place *place = &rows->items[i].place;
    if (strcmp(place->file, file) == 0 && line + LINES_AROUND >= place->line && line <= place->line + LINES_AROUND)
      return true;
  }
  return false;
}

static bool is_used(const row_list *rows, const char *file, uint32_t line, bool marked) {
  for (size_t i = 0; i < rows->count; i++)
    if (rows->items[i].place.line == line && rows->items[i].marked >= marked &&
        strcmp(rows->items[i].place.file, file) == 0)
      return true;
  return false;
}

static uint32_t count_lines(const char *contents) {
  uint32_t count = 0;
  for (; *contents; contents++) count += *contents == '\n';
  return count;
}

static void append_lines(struct text *html, const struct shown_run *run, size_t file, const char *name,
                         char *contents) {
  const bool is_whole = count_lines(contents) <= WHOLE_SOURCE_LINES;
  bool was_left_out = false;
  uint32_t line = 1;
  for (char *at = contents; *at; line++) {
    char *end = at + strcspn(at, "\n"), *next = *end ? end + 1 : end;
    const bool is_shown = is_whole || is_near(&run->rows, name, line);
    *end = 0;
    if (is_shown) {
      const bool marked = is_used(&run->rows, name, line, true),
                 used = marked || is_used(&run->rows, name, line, false);
      text_append_format(html, "<span class=\"line%s%s\" id=\"b%uf%zul%u\"><i>%u</i>", used ? " used" : "",
                         marked ? " marked" : "", run->number, file, line, line);
      xml_append(html, at);
      text_append(html, "\n</span>");
    } else if (!was_left_out) {
      text_append(html, "<span class=\"line\"><i></i>...\n</span>");
    }
    was_left_out = !is_shown;
    at = next;
  }
}

static void append_source(struct text *html, const struct shown_run *run, size_t i, const char *file) {
  struct text contents = {0}, name = {0};
  struct error ignored = {0};
  paths_append(&name, run->paths, file);
  text_append(html, "<h3>");
  xml_append(html, text_string(&name));
  text_append(html, "</h3>\n");
  if (files_read(file, &contents, &ignored) && contents.length > 0) {
    text_append(html, "<pre>");
    append_lines(html, run, i, file, contents.string);
    text_append(html, "</pre>\n");
  } else {
    text_append(html, "<p>This source was not there when the page was made.</p>\n");
  }
  text_free(&contents);
  text_free(&name);
}

void listing_append_sources(struct text *html, const struct shown_run *run) {
  file_list files = {0};
  list_files(&files, &run->rows);
  text_append(html, "<div class=\"source\">\n");
  for (size_t i = 0; i < files.count; i++) append_source(html, run, i, files.items[i]);
  text_append(html, "</div>\n");
  vector_free(&files);
}
