/* SPDX-License-Identifier: MIT */
#include "report/testcase.h"

#include "base/files.h"
#include "base/sha256.h"
#include "report/shown_inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static void append_head(struct text *xml, const char *root) {
  text_append_format(xml,
                     "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
                     "<!DOCTYPE %s PUBLIC \"+//IDN sosy-lab.org//DTD test-format %s 1.1//EN\" "
                     "\"https://sosy-lab.org/test-format/%s-1.1.dtd\">\n<%s>\n",
                     root, root, root, root);
}

/* XML has no way to write most control characters, and bytes above 127 may not be UTF-8. */
static void append_escaped(struct text *xml, const char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const unsigned char c = (unsigned char)bytes[i];
    if (c == '<' || c == '>' || c == '&' || c == '"')
      text_append_format(xml, "&#%u;", c);
    else
      text_append_bytes(xml, c < 0x20 || c > 0x7e ? "?" : (const char *)&c, 1);
  }
}

static void append_value(struct text *xml, const struct trace_view *trace, const struct input_record *input,
                         uint32_t i) {
  text_append(xml, "  <input type=\"");
  text_append(xml, input_c_type(input->type));
  text_append(xml, "\"");
  if (input->name_bytes > 0) {
    text_append(xml, " variable=\"");
    append_escaped(xml, trace->names + input->name_offset, input->name_bytes);
    if (input->count != 1 || input_is_text(input)) text_append_format(xml, "[%u]", i);
    text_append(xml, "\"");
  }
  text_append(xml, ">");
  input_append_number(xml, trace, input, i);
  text_append(xml, "</input>\n");
}

void testcase_append(struct text *xml, const struct trace_view *trace) {
  append_head(xml, "testcase");
  for (uint32_t i = 0; i < trace->record->n_inputs; i++)
    for (uint32_t k = 0; k < trace->inputs[i].count; k++) append_value(xml, trace, &trace->inputs[i], k);
  text_append(xml, "</testcase>\n");
}

/* The same input gives the same bytes: the time is the source's, not the clock's. */
static time_t time_of(const char *source) {
  const char *given = getenv("SOURCE_DATE_EPOCH");
  struct stat status;
  if (given && *given && given[strspn(given, "0123456789")] == 0) return (time_t)strtoll(given, NULL, 10);
  return stat(source, &status) == 0 ? status.st_mtime : 0;
}

void testcase_time(char when[TESTCASE_TIME_BYTES], const char *source) {
  const time_t seconds = time_of(source);
  struct tm parts;
  snprintf(when, TESTCASE_TIME_BYTES, "1970-01-01T00:00:00Z");
  if (gmtime_r(&seconds, &parts)) strftime(when, TESTCASE_TIME_BYTES, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

static void append_element(struct text *xml, const char *name, const char *content) {
  text_append_format(xml, "  <%s>", name);
  append_escaped(xml, content, strlen(content));
  text_append_format(xml, "</%s>\n", name);
}

bool testcase_append_metadata(struct text *xml, const char *source, struct error *error) {
  struct text contents = {0};
  char hash[SHA256_HEX_BYTES], when[TESTCASE_TIME_BYTES];
  if (!files_read(source, &contents, error)) return false;
  sha256_hex(hash, text_string(&contents), contents.length);
  text_free(&contents);
  testcase_time(when, source);
  append_head(xml, "test-metadata");
  append_element(xml, "sourcecodelang", "C");
  append_element(xml, "producer", "heddle");
  append_element(xml, "specification", "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )");
  append_element(xml, "programfile", source);
  append_element(xml, "programhash", hash);
  append_element(xml, "entryfunction", "main");
  append_element(xml, "architecture", "64bit");
  append_element(xml, "creationtime", when);
  text_append(xml, "</test-metadata>\n");
  return true;
}
