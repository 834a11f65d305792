/* SPDX-License-Identifier: MIT
 *
 * A test case of Test-Comp: <testcase> with <input> elements. Attributes other than `variable` and what stands before
 * the root element do not matter.
 */
#include "report/given.h"

#include <stdlib.h>
#include <string.h>

struct xml {
  const char *at, *end;
};

static bool starts(const struct xml *xml, const char *word) {
  const size_t length = strlen(word);
  return (size_t)(xml->end - xml->at) >= length && memcmp(xml->at, word, length) == 0;
}

static void skip_blanks(struct xml *xml) {
  while (xml->at < xml->end && memchr(" \t\r\n", *xml->at, 4)) xml->at++;
}

/* After the next `word`. */
static bool skip_past(struct xml *xml, const char *word) {
  for (; xml->at < xml->end; xml->at++)
    if (starts(xml, word)) {
      xml->at += strlen(word);
      return true;
    }
  return false;
}

/* Blanks, comments, <?...?> and <!DOCTYPE ...>. */
static bool skip_misc(struct xml *xml) {
  for (;;) {
    skip_blanks(xml);
    if (starts(xml, "<!--")) {
      if (!skip_past(xml, "-->")) return false;
    } else if (starts(xml, "<?")) {
      if (!skip_past(xml, "?>")) return false;
    } else if (starts(xml, "<!")) {
      if (!skip_past(xml, ">")) return false;
    } else {
      return true;
    }
  }
}

/* --- text --- */

static bool append_entity(struct text *text, const char *name, size_t length) {
  static const struct {
    const char *name, *meaning;
  } entities[] = {{"lt", "<"}, {"gt", ">"}, {"amp", "&"}, {"quot", "\""}, {"apos", "'"}};
  for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
    if (strlen(entities[i].name) == length && memcmp(entities[i].name, name, length) == 0) {
      text_append(text, entities[i].meaning);
      return true;
    }
  if (length < 2 || length > 6 || name[0] != '#') return false;
  char digits[8] = {0};
  memcpy(digits, name + 1, length - 1);
  char *end;
  const unsigned long code = digits[0] == 'x' ? strtoul(digits + 1, &end, 16) : strtoul(digits, &end, 10);
  const char byte = (char)code;
  if (*end || code == 0 || code > 127) return false;
  text_append_bytes(text, &byte, 1);
  return true;
}

/* Up to `stop`, which is not taken. */
static bool read_text(struct xml *xml, char stop, struct text *text) {
  text_clear(text);
  while (xml->at < xml->end && *xml->at != stop) {
    if (*xml->at == '&') {
      const char *end = memchr(xml->at, ';', (size_t)(xml->end - xml->at));
      if (!end || !append_entity(text, xml->at + 1, (size_t)(end - xml->at - 1))) return false;
      xml->at = end + 1;
    } else {
      text_append_bytes(text, xml->at++, 1);
    }
  }
  return xml->at < xml->end;
}

static void trim(struct text *text) {
  const char *blanks = " \t\r\n";
  while (text->length > 0 && strchr(blanks, text->string[text->length - 1])) text->string[--text->length] = 0;
  const size_t skip = strspn(text_string(text), blanks);
  if (skip == 0) return;
  memmove(text->string, text->string + skip, text->length - skip + 1);
  text->length -= skip;
}

/* --- elements --- */

static bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == ':';
}

/* The attributes of a start tag, up to its end; *empty says that the element ends there as well. */
static bool read_attributes(struct xml *xml, struct text *variable, bool *empty) {
  struct text value = {0};
  bool good = false;
  for (;;) {
    skip_blanks(xml);
    *empty = starts(xml, "/>");
    if (*empty || starts(xml, ">")) {
      xml->at += *empty ? 2 : 1;
      good = true;
      break;
    }
    const char *name = xml->at;
    while (xml->at < xml->end && is_name(*xml->at)) xml->at++;
    const size_t length = (size_t)(xml->at - name);
    skip_blanks(xml);
    if (length == 0 || !starts(xml, "=")) break;
    xml->at++;
    skip_blanks(xml);
    if (!starts(xml, "\"") && !starts(xml, "'")) break;
    const char quote = *xml->at++;
    if (!read_text(xml, quote, &value)) break;
    xml->at++;
    if (length == 8 && memcmp(name, "variable", 8) == 0) {
      text_clear(variable);
      text_append(variable, text_string(&value));
    }
  }
  text_free(&value);
  return good;
}

static bool read_input(struct xml *xml, struct given_inputs *given) {
  struct text variable = {0}, value = {0};
  bool empty, good = read_attributes(xml, &variable, &empty) && !empty && read_text(xml, '<', &value) &&
                     starts(xml, "</input") && skip_past(xml, ">");
  if (good) {
    trim(&value);
    struct given_input *input = given_add(given, "", text_string(&variable));
    vector_push(&input->numbers, memory_copy_string(text_string(&value)));
  }
  text_free(&variable);
  text_free(&value);
  return good;
}

static bool read_inputs(struct xml *xml, struct given_inputs *given) {
  for (;;) {
    if (!skip_misc(xml)) return false;
    if (starts(xml, "</testcase")) return skip_past(xml, ">") && skip_misc(xml) && xml->at == xml->end;
    if (!starts(xml, "<input") || is_name(xml->at < xml->end - 6 ? xml->at[6] : 'x')) return false;
    xml->at += 6;
    if (!read_input(xml, given)) return false;
  }
}

static bool read_testcase(struct xml *xml, struct given_inputs *given) {
  struct text unused = {0};
  bool empty;
  if (!skip_misc(xml) || !starts(xml, "<testcase") || is_name(xml->at < xml->end - 9 ? xml->at[9] : 'x')) return false;
  xml->at += 9;
  const bool good = read_attributes(xml, &unused, &empty);
  text_free(&unused);
  if (!good) return false;
  return empty ? skip_misc(xml) && xml->at == xml->end : read_inputs(xml, given);
}

bool testcase_parse(struct given_inputs *given, const struct text *contents, struct error *error) {
  struct xml xml = {text_string(contents), text_string(contents) + contents->length};
  if (read_testcase(&xml, given)) return true;
  unsigned line = 1;
  for (const char *c = text_string(contents); c < xml.at; c++) line += *c == '\n';
  return error_set(error, "%s:%u: not a test case: <testcase> with <input>value</input> in it", given->path, line);
}
