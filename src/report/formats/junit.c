/* SPDX-License-Identifier: MIT
 *
 * The exploration as one test case. A bug is a failure, with its run as `heddle show` prints it. A result that is not
 * complete is skipped: nothing failed, and nothing was proved.
 */
#include "report/formats/formats.h"

#include "report/advice.h"
#include "report/terminal.h"
#include "trace/tables.h"

#include <stdlib.h>
#include <string.h>

static void append_attribute(struct text *xml, const struct report *report, const char *name, const char *value) {
  struct text words = {0};
  paths_append_words(&words, &report->paths, value);
  text_append_format(xml, " %s=\"", name);
  xml_append(xml, text_string(&words));
  text_append(xml, "\"");
  text_free(&words);
}

static void append_contents(struct text *xml, const struct report *report, const char *contents) {
  struct text words = {0};
  paths_append_words(&words, &report->paths, contents);
  xml_append(xml, text_string(&words));
  text_free(&words);
}

static void append_run(struct text *xml, const struct report *report, const struct scene *scene) {
  char *printed = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&printed, &length);
  BUG_ON(!stream);
  table_print(stream, scene, &(struct table_settings){0});
  fputs("\n", stream);
  terminal_print_failure(stream, scene);
  fclose(stream);
  append_contents(xml, report, printed);
  free(printed);
}

static void append_failures(struct text *xml, const struct report *report, const struct summary *summary) {
  const struct findings *findings = summary->findings;
  for (size_t i = 0; i < findings->list.count; i++) {
    const struct finding *finding = findings->list.items[i];
    if (!report_is_sought(summary, finding)) continue;
    const struct scene scene = report_scene(report, finding);
    struct text message = {0};
    describe_failure(&message, &scene);
    text_append(xml, "      <failure");
    append_attribute(xml, report, "type", outcome_row(finding->record->outcome)->kind);
    append_attribute(xml, report, "message", text_string(&message));
    text_append(xml, ">");
    append_run(xml, report, &scene);
    text_append(xml, "</failure>\n");
    text_free(&message);
  }
}

static void append_properties(struct text *xml, const struct summary *summary) {
  text_append_format(xml,
                     "      <properties>\n"
                     "        <property name=\"verdict\" value=\"%s\"/>\n"
                     "        <property name=\"strategy\" value=\"%s\"/>\n"
                     "        <property name=\"runs\" value=\"%llu\"/>\n"
                     "        <property name=\"seed\" value=\"%llu\"/>\n"
                     "      </properties>\n",
                     report_verdict_word(summary), summary->strategy, (unsigned long long)summary->runs,
                     (unsigned long long)summary->seed);
}

/* Only with schema-less readers do several failures count: there is one per case, the others are in its output. */
static void append_case(struct text *xml, const struct report *report, const struct summary *summary) {
  struct text printed = {0};
  text_append(xml, "    <testcase classname=\"heddle\"");
  append_attribute(xml, report, "name", report->name);
  text_append_format(xml, " time=\"%.3f\">\n", summary->seconds);
  append_properties(xml, summary);
  append_failures(xml, report, summary);
  if (report_verdict(summary) == VERDICT_INCOMPLETE) {
    text_append(xml, "      <skipped");
    append_attribute(xml, report, "message", advice_reason(summary));
    text_append(xml, "/>\n");
  }
  formats_append_summary(&printed, report, summary);
  text_append(xml, "      <system-out>");
  append_contents(xml, report, text_string(&printed));
  text_append(xml, "</system-out>\n    </testcase>\n");
  text_free(&printed);
}

void junit_append(struct text *xml, const struct report *report, const struct summary *summary) {
  const enum verdict verdict = report_verdict(summary);
  struct text counts = {0};
  text_append_format(&counts, " tests=\"1\" failures=\"%d\" errors=\"0\" skipped=\"%d\" time=\"%.3f\"",
                     verdict == VERDICT_BUG, verdict == VERDICT_INCOMPLETE, summary->seconds);
  text_append(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
  text_append_format(xml, "%s>\n  <testsuite", text_string(&counts));
  append_attribute(xml, report, "name", report->name);
  text_append_format(xml, "%s>\n", text_string(&counts));
  append_case(xml, report, summary);
  text_append(xml, "  </testsuite>\n</testsuites>\n");
  text_free(&counts);
}
