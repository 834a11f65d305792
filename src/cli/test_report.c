/* SPDX-License-Identifier: MIT */
#include "cli/test.h"

#include "base/files.h"
#include "report/formats/formats.h"

#include <string.h>

const char *test_verdict_word(enum test_verdict verdict) {
  static const char *const words[] = {"waits", "clean", "BUG", "known", "incomplete", "ERROR", "skipped"};
  return words[verdict];
}

void test_append_name(struct text *text, const struct tests_found *found, const struct test_case *test) {
  text_append(text, found->programs.items[test->program].file);
  if (*test->name) text_append_format(text, ": %s", test->name);
}

/* --- the table --- */

static size_t widest_name(const struct tests_found *found) {
  size_t width = strlen("test");
  for (size_t i = 0; i < found->cases.count; i++) {
    struct text name = {0};
    test_append_name(&name, found, &found->cases.items[i]);
    if (name.length > width) width = name.length;
    text_free(&name);
  }
  return width;
}

static void print_case(FILE *stream, const struct tests_found *found, const struct test_case *test, int width) {
  struct text name = {0};
  test_append_name(&name, found, test);
  fprintf(stream, "%-*s  %-10s", width, text_string(&name), test_verdict_word(test->verdict));
  if (test->verdict != TEST_ERROR && test->verdict != TEST_SKIPPED)
    fprintf(stream, "  %9llu  %7.2f s", (unsigned long long)test->runs, test->seconds);
  else
    fprintf(stream, "  %9s  %9s", "", "");
  if (test->what.length > 0) fprintf(stream, "  %s", text_string(&test->what));
  fputs("\n", stream);
  if (test->directory) fprintf(stream, "%*s    heddle show %s\n", 0, "", test->directory);
  text_free(&name);
}

static size_t count_of(const struct tests_found *found, enum test_verdict verdict) {
  size_t count = 0;
  for (size_t i = 0; i < found->cases.count; i++) count += found->cases.items[i].verdict == verdict;
  return count;
}

void tests_print(FILE *stream, const struct tests_found *found) {
  const int width = (int)widest_name(found);
  static const enum test_verdict verdicts[] = {TEST_CLEAN,      TEST_BUG,   TEST_KNOWN,
                                               TEST_INCOMPLETE, TEST_ERROR, TEST_SKIPPED};
  fprintf(stream, "%-*s  %-10s  %9s  %9s\n", width, "test", "verdict", "runs", "time");
  for (size_t i = 0; i < found->cases.count; i++) print_case(stream, found, &found->cases.items[i], width);
  fprintf(stream, "\n%zu test%s", found->cases.count, found->cases.count == 1 ? "" : "s");
  for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
    const size_t count = count_of(found, verdicts[i]);
    if (count > 0) fprintf(stream, ", %zu %s", count, test_verdict_word(verdicts[i]));
  }
  fputs("\n", stream);
}

/* --- JUnit --- */

static void append_outcome(struct text *xml, const struct test_case *test) {
  static const char *const elements[] = {
      [TEST_BUG] = "failure", [TEST_INCOMPLETE] = "skipped", [TEST_ERROR] = "error", [TEST_SKIPPED] = "skipped"};
  const char *element = test->verdict < sizeof elements / sizeof *elements ? elements[test->verdict] : NULL;
  if (!element) return;
  text_append_format(xml, "<%s message=\"", element);
  xml_append(xml, test->what.length > 0 ? text_string(&test->what) : test_verdict_word(test->verdict));
  text_append(xml, "\"/>");
}

bool tests_write_junit(const struct tests_found *found, const char *file, struct error *error) {
  struct text xml = {0};
  text_append_format(
      &xml,
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"heddle\" tests=\"%zu\" "
      "failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n",
      found->cases.count, count_of(found, TEST_BUG), count_of(found, TEST_ERROR),
      count_of(found, TEST_INCOMPLETE) + count_of(found, TEST_SKIPPED));
  for (size_t i = 0; i < found->cases.count; i++) {
    const struct test_case *test = &found->cases.items[i];
    const char *program = found->programs.items[test->program].file;
    text_append(&xml, "    <testcase classname=\"");
    xml_append(&xml, program);
    text_append(&xml, "\" name=\"");
    xml_append(&xml, *test->name ? test->name : program);
    text_append_format(&xml, "\" time=\"%.3f\">", test->seconds);
    append_outcome(&xml, test);
    text_append(&xml, "</testcase>\n");
  }
  text_append(&xml, "  </testsuite>\n</testsuites>\n");
  const bool written = files_write(file, xml.string, xml.length, error);
  text_free(&xml);
  return written;
}

/* --- a baseline: a line per finding, "test <tab> kind <tab> function" --- */

#define BASELINE_HEAD "# findings that heddle test takes as known: test, kind, function\n"

static void append_entry(struct text *text, const struct tests_found *found, const struct test_case *test) {
  test_append_name(text, found, test);
  text_append_format(text, "\t%s\t%s\n", test->kind, test->function);
}

bool tests_write_baseline(const struct tests_found *found, const char *file, struct error *error) {
  struct text text = {0};
  text_append(&text, BASELINE_HEAD);
  for (size_t i = 0; i < found->cases.count; i++)
    if (found->cases.items[i].verdict == TEST_BUG || found->cases.items[i].verdict == TEST_KNOWN)
      append_entry(&text, found, &found->cases.items[i]);
  const bool written = files_write(file, text.string, text.length, error);
  text_free(&text);
  return written;
}

bool tests_read_baseline(struct tests_found *found, const char *file, struct error *error) {
  struct text text = {0};
  if (!files_read(file, &text, error)) return false;
  if (strncmp(text_string(&text), BASELINE_HEAD, strlen(BASELINE_HEAD)) != 0) {
    text_free(&text);
    return error_set(error, "%s is no baseline of heddle test: --write-baseline makes one", file);
  }
  for (size_t i = 0; i < found->cases.count; i++) {
    struct test_case *test = &found->cases.items[i];
    struct text entry = {0};
    if (test->verdict != TEST_BUG) continue;
    text_append(&entry, "\n");
    append_entry(&entry, found, test);
    if (strstr(text.string, entry.string)) test->verdict = TEST_KNOWN;
    text_free(&entry);
  }
  text_free(&text);
  return true;
}
