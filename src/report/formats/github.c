/* SPDX-License-Identifier: MIT */
#include "report/formats/formats.h"

#include "report/advice.h"
#include "report/kinds.h"
#include "report/warnings.h"
#include "trace/tables.h"

#include <stdlib.h>
#include <string.h>

/* Bytes that would end the command, or a property of it, are written %XX. */
static void append_escaped(struct text *text, const char *string, const char *special) {
  for (; *string; string++)
    if (strchr(special, *string))
      text_append_format(text, "%%%02X", (unsigned char)*string);
    else
      text_append_bytes(text, string, 1);
}

static void append_property(struct text *text, const char *name, const char *value) {
  text_append_format(text, "%s=", name);
  append_escaped(text, value, "%\r\n:,");
}

static void append_command(struct text *text, const struct report *report, const char *level, struct place place,
                           const char *title, const char *message) {
  struct text words = {0}, file = {0};
  paths_append(&file, &report->paths, place.file);
  paths_append_words(&words, &report->paths, message);
  text_append_format(text, "::%s ", level);
  if (*place.file) {
    append_property(text, "file", text_string(&file));
    text_append_format(text, ",line=%u,", place.line);
  }
  append_property(text, "title", title);
  text_append(text, "::");
  append_escaped(text, text_string(&words), "%\r\n");
  text_append(text, "\n");
  text_free(&words);
  text_free(&file);
}

static void append_bugs(struct text *text, const struct report *report, const struct summary *summary) {
  const struct findings *findings = summary->findings;
  for (size_t i = 0; i < findings->list.count; i++) {
    const struct finding *finding = findings->list.items[i];
    const struct scene scene = report_scene(report, finding);
    struct text message = {0};
    describe_failure_in_lines(&message, &scene);
    append_command(text, report, report_is_sought(summary, finding) ? "error" : "notice", failure_place(&scene),
                   kind_named(outcome_row(finding->record->outcome)->kind)->title, text_string(&message));
    text_free(&message);
  }
}

static void append_warnings(struct text *text, const struct report *report, const struct summary *summary) {
  const struct warning_scene scene = {report->program, summary->knowledge};
  warning_list list = {0};
  warnings_list(&list, report->program, summary->knowledge);
  for (size_t i = 0; i < list.count; i++) {
    const struct kind *kind = kind_named(warning_row(list.items[i].warning.kind)->kind);
    struct text message = {0};
    warning_describe_in_lines(&message, &scene, &list.items[i]);
    append_command(text, report, kind->level == LEVEL_NOTE ? "notice" : "warning", list.items[i].place, kind->title,
                   text_string(&message));
    text_free(&message);
  }
  vector_free(&list);
}

void github_append(struct text *text, const struct report *report, const struct summary *summary) {
  append_bugs(text, report, summary);
  append_warnings(text, report, summary);
  if (report_verdict(summary) == VERDICT_INCOMPLETE)
    append_command(text, report, "notice", (struct place){"", "", "", 0}, "heddle: not everything was explored",
                   advice_reason(summary));
}
