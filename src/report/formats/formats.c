/* SPDX-License-Identifier: MIT */
#include "report/formats/formats.h"

#include "base/files.h"
#include "report/terminal.h"

#include <stdlib.h>

void formats_append_summary(struct text *text, const struct report *report, const struct summary *summary) {
  char *printed = NULL;
  size_t length = 0;
  struct report copy = *report;
  copy.stream = open_memstream(&printed, &length);
  BUG_ON(!copy.stream);
  terminal_print_summary(&copy, summary);
  fclose(copy.stream);
  text_append_bytes(text, printed, length);
  free(printed);
}

/* --- XML --- */

/* The bytes of the character that starts here, 0 if XML cannot have it. */
static size_t character_bytes(const unsigned char *at) {
  if (*at < 0x80) return *at >= 0x20 || *at == '\t' || *at == '\n' || *at == '\r';
  const size_t count = *at >= 0xf0 && *at < 0xf5   ? 4
                       : *at >= 0xe0 && *at < 0xf0 ? 3
                       : *at >= 0xc2 && *at < 0xe0 ? 2
                                                   : 0;
  uint32_t code = count == 4 ? *at & 7 : count == 3 ? *at & 15 : *at & 31;
  for (size_t i = 1; i < count; i++) {
    if ((at[i] & 0xc0) != 0x80) return 0;
    code = code << 6 | (at[i] & 0x3f);
  }
  const bool is_long = (count == 3 && code < 0x800) || (count == 4 && code < 0x10000);
  const bool is_none = (code >= 0xd800 && code < 0xe000) || (code & 0xfffe) == 0xfffe || code > 0x10ffff;
  return is_long || is_none ? 0 : count;
}

static const char *entity_of(char c) {
  switch (c) {
  case '&': return "&amp;";
  case '<': return "&lt;";
  case '>': return "&gt;";
  case '"': return "&quot;";
  case '\'': return "&#39;";
  default: return NULL;
  }
}

void xml_append(struct text *xml, const char *string) {
  while (*string) {
    const size_t bytes = character_bytes((const unsigned char *)string);
    if (bytes == 0)
      text_append(xml, "\xef\xbf\xbd");
    else if (entity_of(*string))
      text_append(xml, entity_of(*string));
    else
      text_append_bytes(xml, string, bytes);
    string += bytes ? bytes : 1;
  }
}

/* --- the observer --- */

void formats_write(struct report *report, const struct summary *summary, const char *file, format_appender *append) {
  struct text text = {0};
  if (!file) return;
  append(&text, report, summary);
  if (text.length > 0 && !files_write(file, text_string(&text), text.length, &report->error)) report->failed = true;
  text_free(&text);
}

static void end(void *self, const struct summary *summary) {
  struct report *report = self;
  formats_write(report, summary, report->sarif, sarif_append);
  formats_write(report, summary, report->junit, junit_append);
  formats_write(report, summary, report->witness, witness_append);
  if (report->github) {
    struct text text = {0};
    github_append(&text, report, summary);
    fputs(text_string(&text), report->stream);
    text_free(&text);
  }
}

struct observer formats_observer(struct report *report) {
  return (struct observer){.self = report, .end = end};
}
