/* SPDX-License-Identifier: MIT */
#include "report/page/page.h"

#include "base/files.h"
#include "base/version.h"
#include "report/advice.h"
#include "report/formats/formats.h"
#include "report/shown_inputs.h"
#include "report/terminal.h"
#include "trace/tables.h"

#include <stdlib.h>

#define MOST_WHOLE_ROWS 400

#pragma clang diagnostic ignored "-Wc23-extensions" /* #embed */

static const char style[] = {
#embed "src/report/page/page.css"
    , 0};

static const char script[] = {
#embed "src/report/page/page.js"
    , 0};

/* What a function prints to a stream, as contents of an element. */
typedef void printer(FILE *stream, const void *about);

static void append_printed(struct text *html, const struct paths *paths, printer *print, const void *about) {
  char *printed = NULL;
  size_t length = 0;
  struct text words = {0};
  FILE *stream = open_memstream(&printed, &length);
  BUG_ON(!stream);
  print(stream, about);
  fclose(stream);
  paths_append_words(&words, paths, printed);
  xml_append(html, text_string(&words));
  text_free(&words);
  free(printed);
}

static void print_failure(FILE *stream, const void *scene) {
  terminal_print_failure(stream, scene);
}

static void print_inputs(FILE *stream, const void *scene) {
  inputs_print(stream, scene, "", SIZE_MAX);
}

static void print_whole_table(FILE *stream, const void *scene) {
  table_print(stream, scene, &(struct table_settings){.full = true, .width = 160});
}

/* --- a run --- */

static int compare_threads(const void *a, const void *b) {
  return *(const thread_id *)a - *(const thread_id *)b;
}

static bool has_thread(const thread_list *threads, thread_id thread) {
  for (size_t i = 0; i < threads->count; i++)
    if (threads->items[i] == thread) return true;
  return false;
}

static void make_run(struct shown_run *run) {
  rows_make(&run->rows, run->scene, true, 0);
  if (run->rows.count > MOST_WHOLE_ROWS) {
    rows_free(&run->rows);
    run->rows = (row_list){0};
    rows_make(&run->rows, run->scene, false, 0);
    run->has_more = true;
  }
  for (size_t i = 0; i < run->rows.count; i++)
    if (!has_thread(&run->threads, run->rows.items[i].thread)) vector_push(&run->threads, run->rows.items[i].thread);
  if (run->threads.count > 0)
    qsort(run->threads.items, run->threads.count, sizeof *run->threads.items, compare_threads);
}

static void append_run(struct text *html, const struct scene *scene, const struct paths *paths, uint32_t number) {
  struct shown_run run = {.scene = scene, .paths = paths, .number = number};
  make_run(&run);
  text_append(html, "<pre class=\"failure\">");
  append_printed(html, paths, print_failure, scene);
  text_append(html, "</pre>\n");
  if (scene->trace->record->n_inputs > 0) {
    text_append(html, "<h3>Inputs</h3><pre>");
    append_printed(html, paths, print_inputs, scene);
    text_append(html, "</pre>\n");
  }
  waits_append(html, &run);
  text_append(html, "<div class=\"watch\" hidden></div>\n<div class=\"run\"><div class=\"trace\">\n");
  diagram_append(html, &run);
  listing_append_rows(html, &run);
  text_append(html, "</div>\n");
  listing_append_sources(html, &run);
  text_append(html, "</div>\n");
  if (run.has_more) {
    text_append(html, "<details><summary>All operations of the run</summary><pre class=\"all\">");
    append_printed(html, paths, print_whole_table, scene);
    text_append(html, "</pre></details>\n");
  }
  rows_free(&run.rows);
  vector_free(&run.threads);
}

/* --- the frame --- */

static void append_head(struct text *html, const char *name, const char *verdict) {
  text_append(html,
              "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
              "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
              "script-src 'unsafe-inline'; img-src data:\">\n<title>heddle: ");
  xml_append(html, name);
  text_append_format(html, ": %s</title>\n<style>\n%s</style>\n</head>\n<body class=\"%s\">\n", verdict, style,
                     verdict);
}

static void append_foot(struct text *html) {
  text_append_format(
      html,
      "<footer>heddle %s. Lines that are marked are what the failure rests on; arrows say what one thread "
      "got from another; hatches, that a thread could not move.<span class=\"keys\" hidden> Keys: &darr; or j, "
      "&uarr; or k, Home, End step through the operations.</span></footer>\n<script>\n%s</script>\n"
      "</body>\n</html>\n",
      HEDDLE_VERSION, script);
}

void page_append_bug(struct text *html, const struct scene *scene, const struct paths *paths, const char *name) {
  struct text message = {0};
  append_head(html, name, "bug");
  describe_outcome(&message, scene->trace->record);
  text_append(html, "<header><h1>");
  xml_append(html, text_string(&message));
  text_append(html, "</h1><p><code>");
  xml_append(html, name);
  text_append(html, "</code></p></header>\n<section class=\"bug\">\n");
  append_run(html, scene, paths, 1);
  text_append(html, "</section>\n");
  append_foot(html);
  text_free(&message);
}

/* --- an exploration --- */

static void append_bugs(struct text *html, const struct report *report, const struct summary *summary) {
  const struct findings *findings = summary->findings;
  for (size_t i = 0; i < findings->list.count; i++) {
    const struct finding *finding = findings->list.items[i];
    const struct scene scene = report_scene(report, finding);
    const char *directory = report_bug_directory(report, finding);
    struct text words = {0};
    describe_outcome(&words, finding->record);
    text_append_format(html, "<section class=\"bug\" id=\"bug-%u\"><h2>%s %u: ", finding->number,
                       report_is_sought(summary, finding) ? "Bug" : "Noted", finding->number);
    xml_append(html, text_string(&words));
    text_append(html, "</h2>\n");
    append_run(html, &scene, &report->paths, finding->number);
    if (directory) {
      text_clear(&words);
      text_append_word(&words, directory);
      text_append(html, "<p>Repeat it with <code>heddle replay ");
      xml_append(html, text_string(&words));
      text_append(html, "</code></p>\n");
    }
    text_append(html, "</section>\n");
    text_free(&words);
  }
}

static void append_verdict(struct text *html, const struct report *report, const struct summary *summary) {
  const enum verdict verdict = report_verdict(summary);
  const size_t bugs = report_bugs(summary);
  struct text advice = {0};
  if (verdict == VERDICT_BUG)
    text_append_format(html, "<header><h1>%zu bug%s found</h1>", bugs, bugs == 1 ? "" : "s");
  else if (verdict == VERDICT_CLEAN)
    text_append(html, "<header><h1>Clean: everything was explored, no bug</h1>");
  else
    text_append(html, "<header><h1>Incomplete: no bug found, but not everything was explored</h1>");
  text_append(html, "<p><code>");
  xml_append(html, report->name);
  text_append_format(html, "</code>: %llu runs with strategy %s", (unsigned long long)summary->runs, summary->strategy);
  if (summary->learning_runs > 0)
    text_append_format(html, " after %llu that learned what is shared", (unsigned long long)summary->learning_runs);
  text_append_format(html, ", %.2f s</p>", summary->seconds);
  if (verdict == VERDICT_INCOMPLETE) {
    text_append(html, "<p>Why: ");
    xml_append(html, advice_reason(summary));
    text_append(html, "</p>");
    advice_append(&advice, report, summary);
    if (advice.length > 0) {
      text_append(html, "<p>Try next: ");
      xml_append(html, text_string(&advice));
      text_append(html, "</p>");
    }
  }
  text_append(html, "</header>\n");
  text_free(&advice);
}

static void append_page(struct text *html, const struct report *report, const struct summary *summary) {
  struct text printed = {0}, words = {0};
  append_head(html, report->name, report_verdict_word(summary));
  append_verdict(html, report, summary);
  append_bugs(html, report, summary);
  formats_append_summary(&printed, report, summary);
  paths_append_words(&words, &report->paths, text_string(&printed));
  text_append(html, "<section><h2>Summary</h2><pre>");
  xml_append(html, text_string(&words));
  text_append(html, "</pre></section>\n");
  net_append(html, report, summary);
  covered_append(html, report, summary);
  append_foot(html);
  text_free(&printed);
  text_free(&words);
}

static void end(void *self, const struct summary *summary) {
  struct report *report = self;
  formats_write(report, summary, report->html, append_page);
}

struct observer page_observer(struct report *report) {
  return (struct observer){.self = report, .end = end};
}
